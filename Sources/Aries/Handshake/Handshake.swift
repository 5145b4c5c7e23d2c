internal import DIDComm

/// The protocols that turn an invitation into a connection.
package enum Handshake: Equatable, Sendable {
  /// connections/1.0 (RFC 0160).
  case connections
  /// didexchange/1.0 or 1.1 (RFC 0023).
  case didExchange(DIDExchangeVersion)

  /// Reads a name with or without prefix: `https://didcomm.org/didexchange/1.0` or `didexchange/1.0`. Unknown minor
  /// versions count as the newest. Returns nil for protocols that msdk does not speak.
  package init?(_ text: String) {
    let name = text.split(separator: "/").suffix(2)
    let version = (name.last ?? "").split(separator: ".").map { Int($0) }
    guard version.count == 2, version[0] == 1, let minor = version[1] else { return nil }
    switch name.first {
    case "connections": self = .connections
    case "didexchange": self = .didExchange(minor == 0 ? .v1_0 : .v1_1)
    default: return nil
    }
  }

  /// The name as invitations list it.
  package var text: String {
    switch self {
    case .connections: "https://didcomm.org/connections/1.0"
    case .didExchange(let version): "https://didcomm.org/didexchange/1.\(version.rawValue)"
    }
  }

  /// The handshakes of an inviter, the most preferred first.
  package static let all: [Handshake] = [.didExchange(.v1_1), .didExchange(.v1_0), .connections]

  /// Whether both are versions of the same protocol.
  func isVersion(of other: Handshake) -> Bool {
    switch (self, other) {
    case (.connections, .connections), (.didExchange, .didExchange): true
    case (.connections, .didExchange), (.didExchange, .connections): false
    }
  }
}

/// The minor version of a DID exchange.
package enum DIDExchangeVersion: Int, Sendable {
  case v1_0 = 0
  case v1_1 = 1
}

/// The role of this side in a handshake.
package enum Role: Equatable, Sendable { case invitee, inviter }

/// One side of a running handshake. It decides; it does no I/O.
protocol HandshakeMachine: Sendable {
  static var role: Role { get }
  var invitation: Invitation { get }
  /// The thread of the request.
  var thread: Thread { get }
  /// The message by which this side has introduced itself.
  var introduction: any Introduction { get }
  /// The invitee's name for itself, on the inviter's side.
  var inviteeLabel: String? { get }

  func receive(_ message: Message, from sender: Sender, reply: Reply) throws(ProtocolError) -> HandshakeStep
}

/// The effect of a message on a handshake.
enum HandshakeStep {
  /// The handshake continues.
  case goOn(Action)
  /// The inviter has presented a new key. The handshake is complete once a message has come from that key.
  case awaitsProof(Requested, Action)
  /// The handshake is complete. Without an action, the completed connection may have to answer the message.
  case completed(Peer, Action?)
  /// The peer has ended the handshake.
  case failed(ProblemReport)
  /// This side ends the handshake, because a message of the peer cannot be used, and reports it to the peer.
  case refused(ProtocolError, ProblemReport, to: Service)
}

/// A connection that one of the sides has ended, by a problem report or by a hangup.
package struct FailedHandshake: Equatable, Sendable {
  package let role: Role
  package let report: ProblemReport?
  package let thread: Thread
  package let invitation: Invitation?
  /// The other side, if it had proved its key before: the mailbox may have messages that it sent before the end.
  package let peer: Peer?

  package init(role: Role, report: ProblemReport?, thread: Thread, invitation: Invitation?, peer: Peer? = nil) {
    self.role = role
    self.report = report
    self.thread = thread
    self.invitation = invitation
    self.peer = peer
  }
}
