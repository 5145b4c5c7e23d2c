internal import Aries
internal import DIDComm
internal import JSON
internal import Logging
internal import Wallet

/// The wallet's notes about the protocols of each connection's peer, by this side's DID: whether the peer was asked, and
/// its answer. An exchange works on a copy of its connection, and only the program keeps the connection itself.
struct FeatureBook {
  private let wallet: Wallet
  private let records: LibraryRecords

  /// The families whose versions the library chooses.
  private static let families = [CredentialStep.family, ProofStep.family]
  private static let mostProtocols = 16
  private static let longestName = 256

  init(wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: "msdk.features", in: wallet)
  }

  /// The protocols that the peer has disclosed; nil if it has not.
  func protocols(over pairwiseDID: String) throws -> [String]? {
    try records.find(pairwiseDID).flatMap { try? JSON(parsing: $0.value).requireObject().optionalStrings("protocols") }
  }

  /// Notes that the peer is asked. Returns false if it was asked before, also by another process.
  func claimQuestion(over pairwiseDID: String) throws -> Bool {
    do { try wallet.make([records.adding(pairwiseDID, value: JSON.object([:]).text)]) } catch WalletError.recordExists {
      return false
    }
    return true
  }

  /// Notes the peer's answer. If that fails, it only logs the failure.
  func note(_ disclosure: FeatureDisclosure, over pairwiseDID: String) {
    let known = disclosure.protocols.map(\.id).filter { id in
      id.utf8.count <= Self.longestName && Self.families.contains { id.contains("/\($0)/") }
    }
    do {
      let text = JSON.object(["protocols": JSON(Array(known.prefix(Self.mostProtocols)))]).text
      guard try records.find(pairwiseDID)?.value != text else { return }
      try wallet.make([records.putting(pairwiseDID, value: text)])
    } catch {
      Log.warning("the protocols of a peer could not be noted: \(error)")
    }
  }

  /// Forgets a deleted connection, or a question that could not be sent.
  func strike(_ pairwiseDID: String) { try? wallet.make([records.removing(pairwiseDID)]) }
}

extension Session {
  /// The major version in which to begin a protocol over a connection: the highest that the peer has disclosed. A peer
  /// that has disclosed nothing is asked once, and until it answers its invitation decides.
  func version(of family: String, over connection: Connection?) -> Int? {
    guard let connection else { return nil }
    let book = FeatureBook(wallet: wallet)
    if connection.canBeAskedForFeatures {
      if let noted = try? book.protocols(over: connection.pairwiseDID) {
        return connection.version(of: family, disclosed: noted)
      }
      ask(connection, book)
    }
    return connection.version(of: family)
  }

  private func ask(_ connection: Connection, _ book: FeatureBook) {
    do {
      guard try book.claimQuestion(over: connection.pairwiseDID) else { return }
      do { try connection.sendFeatureQuery(nil, comment: nil, with: self) } catch {
        book.strike(connection.pairwiseDID)
        throw error
      }
    } catch {
      Log.warning("connection \(connection.pairwiseDID): the peer could not be asked for its protocols: \(error)")
    }
  }

  /// Notes the protocols that the peer of a connection discloses. The message stays for the connection.
  func noteFeatures(_ message: Message, isFromPeer: Bool, over pairwiseDID: String) {
    guard isFromPeer, case .featureDisclosure(let disclosure) = message else { return }
    FeatureBook(wallet: wallet).note(disclosure, over: pairwiseDID)
  }
}

extension Connection {
  /// Whether the peer would answer a question for its protocols, and has not disclosed them to this object.
  fileprivate var canBeAskedForFeatures: Bool {
    guard case .completed(let completed) = machine, !completed.isConnectionless, pairwise?.mailbox != nil else {
      return false
    }
    return completed.protocols.value.array == nil
  }
}
