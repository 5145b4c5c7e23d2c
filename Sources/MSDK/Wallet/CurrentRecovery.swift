internal import DIDComm
internal import Wallet

/// The wallet's note about the account's latest recovery key. With it, the library refuses a backup under an earlier
/// key, even if the agency does not compare the keys.
struct CurrentRecovery: Sendable {
  private let records: LibraryRecords
  private let wallet: Wallet
  private static let id = "key"

  init(in wallet: Wallet) {
    records = LibraryRecords(of: "msdk.recovery", in: wallet)
    self.wallet = wallet
  }

  func note(_ key: VerKey) throws(WalletError) { try wallet.make([records.putting(Self.id, value: key.text)]) }

  /// Whether the key may be the noted one. Wallets of older versions have no note.
  func mayBe(_ key: VerKey) throws(WalletError) -> Bool {
    guard let note = try records.find(Self.id) else { return true }
    return note.value == key.text
  }
}
