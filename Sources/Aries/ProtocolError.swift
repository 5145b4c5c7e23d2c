package import DIDComm

/// Why a protocol cannot go on as asked. The state stays as it was.
package enum ProtocolError: Error, Equatable, Sendable {
  /// The message belongs to another conversation.
  case wrongThread
  /// The message is not from the peer.
  case notFromPeer
  /// The message is signed by another key than those that may sign it.
  case wrongSigner
  /// A signature does not count.
  case badSignature(SignatureError)
  /// The peer presents a public DID, whose keys are on a ledger.
  case needsLedger
  /// The signed part of a message is not usable.
  case malformed(MessageError)
  /// The connection would have to keep a part of the message that it could not be restored with.
  case tooDeep
  /// The exchange is in a state that does not allow the call.
  case outOfTurn
}

extension ProtocolError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongThread: "the message belongs to another thread"
    case .notFromPeer: "the message is not from the peer of this connection"
    case .wrongSigner: "the message is not signed by the key that it should be signed by"
    case .badSignature(let error): "\(error)"
    case .needsLedger: "the peer presents a public DID, and resolving it needs a ledger"
    case .malformed(let error): "\(error)"
    case .outOfTurn: "the exchange is in a state that does not allow this"
    case .tooDeep: "the message is nested too deeply to be kept"
    }
  }
}
