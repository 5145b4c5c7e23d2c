import CloudAgent
import Testing

@Suite struct BackupNewsTests {
  /// Agencies write the type of a message with the prefix and the version of its protocol, or without them.
  @Test(
    arguments: [
      ("WALLET_BACKUP_READY", .ready), ("WALLET_BACKUP_ACK", .stored),
      ("did:sov:123456789abcdefghi1234;spec/wallet-backup/0.1.0/WALLET_BACKUP_READY", .ready),
      ("did:sov:123456789abcdefghi1234;spec/wallet-backup/0.1.0/WALLET_BACKUP_ACK", .stored),
      ("WALLET_BACKUP_READY/other", nil), ("aries", nil), ("", nil), ("/", nil),
    ] as [(String, BackupNews?)])
  func theNameOfTheTypeCounts(type: String, news: BackupNews?) { #expect(BackupNews(type: type) == news) }
}
