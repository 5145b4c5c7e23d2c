package import JSON

/// The reasons why a connection could not do a call.
package enum ConnectionError: Error, Equatable, Sendable {
  /// Before `connect` the connection has neither mailbox nor key.
  case noMailbox
  /// The operation needs the peer, which is not known yet.
  case notReady
  /// Another object or process is answering another user of the invitation, or the same request. Its answer may fail.
  case beingAnswered
  /// The exchange needs a completed connection.
  case notCompleted
  /// A connection of Evernym's own protocol cannot do this.
  case proprietary(String)
  /// An invitation of Evernym's own protocol that another library has made.
  case foreignInvitation
  /// Only a connection of Evernym's own protocol has the requested value.
  case ariesConnection
  /// The text is not a serialized connection.
  case malformedState(String)
  /// A newer library wrote the serialized connection.
  case unsupportedVersion(String)
  case malformedOptions(JSONError)
  /// The options name a mailbox that another connection uses.
  case mailboxInUse
  /// The options have a member that msdk does not know.
  case unknownOption(String)
  /// The options name a DID method that msdk does not make.
  case unknownDIDMethod
  /// The options name a DID method that the handshake or the invitation cannot carry.
  case didMethodNotPossible
  /// The invitation names its inviter by a public DID, whose keys and endpoint are on a ledger.
  case needsLedger(String)
  /// The options name a handshake that msdk does not speak.
  case unknownHandshake
  /// The options name a handshake that the invitation does not offer.
  case handshakeNotOffered(String)
}

extension ConnectionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noMailbox: "the connection has no pairwise agent yet: connect first"
    case .notReady: "the connection is not in a state that allows this"
    case .beingAnswered: "another object is sending an answer that would exclude this one: try again"
    case .notCompleted: "the connection is not complete, or has ended"
    case .proprietary(let what): "\(what) over the proprietary protocol is not supported"
    case .foreignInvitation:
      "msdk has not made the invitation: connecting with other libraries over the proprietary protocol is not supported"
    case .ariesConnection: "connections of the Aries protocols know nothing of this"
    case .malformedState(let reason): "not a serialized connection: \(reason)"
    case .unsupportedVersion(let version): "the connection was serialized by a newer library (\(version))"
    case .malformedOptions(let error): "malformed connection options: \(error)"
    case .mailboxInUse: "pairwise_agent_info: another connection uses this mailbox, and each connection needs its own"
    case .unknownOption(let name): "connection options: unknown member \"\(name.loggable)\""
    case .unknownDIDMethod:
      "connection options: \"use_did_method\" is not one of unqualified, did:peer:2 and did:peer:4"
    case .didMethodNotPossible:
      "connection options: a did:peer needs a DID exchange, and an out-of-band invitation that offers one"
    case .needsLedger(let did): "the inviter is the public DID \(did.loggable), and resolving it needs a ledger"
    case .unknownHandshake: "connection options: \"handshake_protocol\" is none that msdk speaks"
    case .handshakeNotOffered(let handshake): "connection options: the invitation does not offer \(handshake)"
    }
  }
}

extension String {
  /// The beginning of a text from a stranger, without control characters.
  fileprivate var loggable: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(64).filter { $0.value >= 0x20 && $0.value != 0x7f }))
  }
}
