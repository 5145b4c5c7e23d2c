/// A connection from its beginning on: a handshake, and then what an established connection does by itself.
///
/// It decides nothing: each message goes to the machine of the step that the connection is in, and the end of a
/// handshake is the beginning of an established connection.
package enum ConnectionMachine: Equatable, Sendable {
  /// An inviter that has not made its invitation yet.
  case planning(InvitationPlan)
  case invitee(InviteeMachine)
  case requester(RequesterMachine)
  /// An inviter whose invitation is out. The first request decides which handshake it is.
  case inviting(Invitation)
  case inviter(InviterMachine)
  case responder(ResponderMachine)
  case established(EstablishedMachine)
  case failed(FailedHandshake)
  /// Of Evernym's own protocol, which msdk does not speak: no message has an effect.
  case proprietary(ProprietaryConnection)
}

// MARK: - Beginning

extension ConnectionMachine {
  /// The invitee of an invitation. One without a handshake is an established connection at once.
  package init(invitation: Invitation) throws(InvitationError) {
    guard invitation.offersHandshake else {
      self = .established(EstablishedMachine(connectionless: invitation))
      return
    }
    self.init(invitation: invitation, handshake: try invitation.preferredHandshake())
  }

  private init(invitation: Invitation, handshake: Handshake) {
    switch handshake {
    case .connections: self = .invitee(InviteeMachine(invitation: invitation))
    case .didExchange(let version):
      self = .requester(RequesterMachine(invitation: invitation, version: version))
    }
  }

  /// Asks the inviter for the connection, by the handshake that was chosen, or by the one that the invitation prefers.
  /// `requestID` is the same when the call is repeated after a failure to send, so that the inviter can tell a
  /// repetition from a second request. In later states, and on an inviter's side, there is nothing to ask.
  package mutating func connect(
    label: String, as own: OwnSide, requestID: String, by handshake: Handshake? = nil
  ) -> Action {
    if let handshake, let invitation = openInvitation { self = Self(invitation: invitation, handshake: handshake) }
    switch self {
    case .invitee(var machine):
      defer { self = .invitee(machine) }
      return machine.connect(label: label, document: own.document, requestID: requestID)
    case .requester(var machine):
      defer { self = .requester(machine) }
      return machine.connect(label: label, as: own, requestID: requestID)
    case .planning, .inviting, .inviter, .responder, .established, .failed, .proprietary: return .nothing
    }
  }

  /// The invitation of an invitee that has not asked for the connection yet.
  package var openInvitation: Invitation? {
    switch self {
    case .invitee(let machine) where machine.state == .invited: machine.invitation
    case .requester(let machine) where machine.state == .invited: machine.invitation
    default: nil
    }
  }

  /// The invitation that was planned is out. In later states there is nothing to invite to.
  package mutating func invite(_ invitation: Invitation) {
    guard case .planning = self else { return }
    self = .inviting(invitation)
  }
}

// MARK: - Receiving

extension ConnectionMachine {
  /// Takes a message in. `sender` is the key that the message provably came from.
  package mutating func receive(
    _ message: Message, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    switch self {
    case .planning, .failed, .proprietary: return .leave
    case .invitee(let machine): return try step(machine, Self.invitee, message, from: sender, reply)
    case .requester(let machine): return try step(machine, Self.requester, message, from: sender, reply)
    case .inviting(let invitation): return try begin(invitation, with: message, from: sender, reply)
    case .inviter(let machine): return try step(machine, Self.inviter, message, from: sender, reply)
    case .responder(let machine): return try step(machine, Self.responder, message, from: sender, reply)
    case .established(let machine): return try step(machine, message, from: sender, reply)
    }
  }

  /// A message in a handshake. `going` is the step that the machine belongs to as long as the handshake is not over.
  private mutating func step<Machine: HandshakeMachine>(
    _ machine: Machine, _ going: (Machine) -> Self, _ message: Message, from sender: Sender, _ reply: Reply
  ) throws(ProtocolError) -> Action {
    var machine = machine
    let action = try machine.receive(message, from: sender, reply: reply)
    switch machine.outcome {
    case nil: self = going(machine)
    case .failed(let report, let thread):
      self = .failed(
        FailedHandshake(role: Machine.role, report: report, thread: thread, invitation: machine.invitation))
    case .completed(let peer, let thread):
      let established = EstablishedMachine(
        role: Machine.role, peer: peer, thread: thread, invitation: machine.invitation)
      self = .established(established)
      // The inviter's handshake ends with whatever shows that the invitee has the response: a ping, say, to be answered.
      if Machine.role == .inviter { return try step(established, message, from: sender, reply) }
    }
    return action
  }

  private mutating func step(
    _ machine: EstablishedMachine, _ message: Message, from sender: Sender, _ reply: Reply
  ) throws(ProtocolError) -> Action {
    var machine = machine
    if let failure = try machine.failure(by: message, from: sender) {
      self = .failed(failure)
      return .nothing
    }
    let action = try machine.receive(message, from: sender, reply: reply)
    self = .established(machine)
    return action
  }

  /// The first request of somebody who has the invitation.
  private mutating func begin(
    _ invitation: Invitation, with message: Message, from sender: Sender, _ reply: Reply
  ) throws(ProtocolError) -> Action {
    switch message {
    case .connectionRequest:
      return try begin(InviterMachine(invitation: invitation), Self.inviter, message, from: sender, reply)
    case .didExchangeRequest:
      return try begin(ResponderMachine(invitation: invitation), Self.responder, message, from: sender, reply)
    default: return .leave
    }
  }

  /// As long as no response is out, another request may begin the other handshake.
  private mutating func begin<Machine: HandshakeMachine & Equatable>(
    _ machine: Machine, _ going: (Machine) -> Self, _ message: Message, from sender: Sender, _ reply: Reply
  ) throws(ProtocolError) -> Action {
    var next = machine
    let action = try next.receive(message, from: sender, reply: reply)
    if next != machine { self = going(next) }
    return action
  }
}
