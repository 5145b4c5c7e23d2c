internal import DIDComm
internal import Sodium
internal import Wallet
internal import WebVH

/// The keys of the wallet, for the DIDs of did:webvh that this program controls: a record for each key, under its hash.
struct ControllerKeyRecords: ControllerKeys {
  private let records: LibraryRecords
  private let wallet: Wallet

  init(wallet: Wallet) {
    records = LibraryRecords(of: "msdk::controller_key", in: wallet)
    self.wallet = wallet
  }

  func makeKey() throws -> VerKey {
    let key = try wallet.createKey()
    try wallet.make([records.putting(key.commitment, value: key.text)])
    return key
  }

  func key(withHash hash: String) throws -> VerKey? { try records.find(hash).map { try VerKey($0.value) } }

  func keyPair(for key: VerKey) throws -> KeyPair? { try wallet.keyPair(for: key) }
}
