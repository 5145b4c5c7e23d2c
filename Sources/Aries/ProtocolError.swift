package import DIDComm

/// The reasons why a protocol cannot continue. The state stays as it was.
package enum ProtocolError: Error, Equatable, Sendable {
  /// The message belongs to another conversation.
  case wrongThread
  /// The message is not from the peer.
  case notFromPeer
  /// A key that may not sign has signed the message.
  case wrongSigner
  /// The presented DID belongs to other keys than the peer's.
  case otherKeys
  /// The peer presents a key or a mailbox of this side.
  case ownKey
  /// A signature is invalid.
  case badSignature(SignatureError)
  /// The peer presents a public DID, whose keys are on a ledger.
  case needsLedger
  /// The signed part of a message is unusable.
  case malformed(MessageError)
  /// The message is nested too deeply for a state that keeps a part of it and must be restored.
  case tooDeep
  /// The exchange is in a state that does not allow the call.
  case outOfTurn
  /// The message came without a connection, and names no service for the answer.
  case noReplyService
}

extension ProtocolError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongThread: "the message belongs to another thread"
    case .notFromPeer: "the message is not from the peer of this connection"
    case .wrongSigner: "the message is not signed by the key that it should be signed by"
    case .otherKeys: "the DID that the peer presents belongs to other keys than the peer's"
    case .ownKey: "the peer presents a key or a mailbox of this side"
    case .badSignature(let error): "\(error)"
    case .needsLedger: "the peer presents a public DID, and resolving it needs a ledger"
    case .malformed(let error): "\(error)"
    case .outOfTurn: "the exchange is in a state that does not allow this"
    case .noReplyService: "the message came without a connection, and names no service to answer to"
    case .tooDeep: "the message is nested too deeply to be kept"
    }
  }
}
