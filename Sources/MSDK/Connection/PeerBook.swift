internal import DIDComm
internal import Logging
internal import Wallet

/// The wallet's notes about the peer's key of each proprietary connection, by this side's DID. A redirection names one
/// of these connections, and only the program keeps the connections themselves.
struct PeerBook {
  private let wallet: Wallet
  private let records: LibraryRecords

  init(wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: "msdk.peer", in: wallet)
  }

  /// Notes the peer's key. If that fails, it only logs the failure, and redirections to the connection are refused.
  func note(_ peer: VerKey, over pairwiseDID: String) {
    do { try wallet.make([records.putting(pairwiseDID, value: peer.text)]) } catch {
      Log.warning("the key of a peer could not be noted: \(error)")
    }
  }

  /// The peer's key of the connection; nil if it was never noted.
  func peer(over pairwiseDID: String) throws -> VerKey? {
    try records.find(pairwiseDID).flatMap { try? VerKey($0.value) }
  }

  /// Forgets a deleted connection.
  func strike(_ pairwiseDID: String) { try? wallet.make([records.removing(pairwiseDID)]) }
}
