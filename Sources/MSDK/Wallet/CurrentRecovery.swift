internal import DIDComm
internal import Wallet

/// The wallet's note of the recovery key that the account got last. A backup under an earlier one is refused here, also
/// with an agency that does not compare the keys itself.
struct CurrentRecovery: Sendable {
  private let records: LibraryRecords
  private let wallet: Wallet
  private static let id = "key"

  init(in wallet: Wallet) {
    records = LibraryRecords(of: "msdk.recovery", in: wallet)
    self.wallet = wallet
  }

  func note(_ key: VerKey) throws(WalletError) { try wallet.make([records.putting(Self.id, value: key.text)]) }

  /// Whether the note does not name another key. Wallets of older versions have no note.
  func mayBe(_ key: VerKey) throws(WalletError) -> Bool {
    guard let note = try records.find(Self.id) else { return true }
    return note.value == key.text
  }
}
