package import DIDComm

/// The whole life of a connection: a handshake, and then the messages that a completed connection answers by itself.
///
/// This type decides how a handshake begins. Then it passes each message to the machine of the current state. The end
/// of a handshake begins a completed connection.
package enum ConnectionMachine: Equatable, Sendable {
  /// An inviter that has not created its invitation yet.
  case planned(InvitationPlan)
  /// An invitee that has not sent its request yet, and the handshake that the invitation prefers. The handshake is nil
  /// if the invitation offers none. A ledger may have to resolve the inviter's service.
  case invited(Invitation, Handshake?)
  // `requested` and `responded` are indirect: their messages would otherwise be copied at each use of the machine.
  indirect case requested(Requested)
  /// An inviter with an invitation. The first request decides the handshake.
  case offered(Invitation)
  indirect case responded(Responded)
  case completed(Completed)
  case failed(FailedHandshake)
  /// A connection of Evernym's own protocol, which has states of its own.
  case proprietary(ProprietaryConnection)
}

// MARK: - Beginning

extension ConnectionMachine {
  /// The invitee of an invitation. An invitation without a handshake gives a completed connection at once.
  package init(invitation: Invitation) throws(InvitationError) {
    if invitation.offersHandshake {
      self = .invited(invitation, try invitation.preferredHandshake())
    } else if let inviter = invitation.service {
      self = .completed(Completed(connectionless: invitation, inviter: inviter))
    } else {
      self = .invited(invitation, nil)
    }
  }

  /// Sends the inviter a request, by the given handshake, or by the one that the invitation prefers. A DID exchange
  /// presents a DID of `method`. `resolved` is the service of an inviter that the invitation names by a public DID.
  /// `requestID` is the same when the call is repeated after a failure to send, so that the inviter can tell a
  /// repetition from a second request. An invitation without a handshake gives a completed connection. Does nothing in
  /// later states and on an inviter's side.
  package mutating func connect(
    label: String, as own: OwnSide, requestID: String, by handshake: Handshake? = nil,
    presenting method: DIDMethod? = nil, at resolved: Service? = nil
  ) -> Action {
    guard case .invited(let invitation, let preferred) = self, let inviter = invitation.service ?? resolved else {
      return .nothing
    }
    guard let handshake = handshake ?? preferred else {
      self = .completed(Completed(connectionless: invitation, inviter: inviter))
      return .nothing
    }
    let request = handshake.request(
      id: requestID, label: label, as: own, presenting: method, invitation: invitation.id)
    self = .requested(Requested(invitation: invitation, inviter: inviter, request: request))
    return .send(request.json, to: inviter)
  }

  /// Records the invitation that the inviter has created. Does nothing in later states.
  package mutating func invite(_ invitation: Invitation) {
    guard case .planned = self else { return }
    self = .offered(invitation)
  }
}

// MARK: - Receiving

extension ConnectionMachine {
  /// The public DID that the message presents, if the machine must know its document on a ledger to judge the message.
  package func publicDID(in message: Message) -> String? {
    switch self {
    case .requested(let machine):
      guard let response = message.response, response.thread.thid == machine.request.id else { return nil }
      return response.publicDID
    case .offered: return message.request?.publicDID
    case .responded(let machine):
      // Any number of strangers may ask, and only the invitee's request is judged.
      guard let request = message.request, request.id == machine.thread.thid else { return nil }
      return request.publicDID
    case .planned, .invited, .completed, .failed, .proprietary: return nil
    }
  }

  /// Applies a message. `sender` is the key that the message provably came from.
  package mutating func receive(
    _ message: Message, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    if case .hangup(let hangup) = message { return try end(by: hangup, from: sender) }
    switch self {
    case .planned, .failed: return .leave
    case .proprietary(let connection): return try step(connection, message, from: sender)
    case .invited(let invitation, _): return try withdraw(invitation, by: message, from: sender)
    case .requested(let machine): return try step(machine, message, from: sender, reply)
    case .offered(let invitation): return try respond(to: message, invitation, from: sender, reply)
    case .responded(let machine): return try step(machine, message, from: sender, reply)
    case .completed(let machine): return try step(machine, message, from: sender, reply)
    }
  }

  /// A message over a connection of Evernym's own protocol: an answer to the invitation has an effect, and the first message
  /// from the peer proves its key.
  private mutating func step(
    _ connection: ProprietaryConnection, _ message: Message, from sender: Sender
  ) throws(ProtocolError) -> Action {
    var connection = connection
    var action = Action.leave
    if case .proprietaryAnswer(let answer) = message { action = try connection.receive(answer, from: sender) }
    connection.hear(sender)
    self = .proprietary(connection)
    return action
  }

  /// Applies a message before the request. Only the inviter's report or hangup has an effect: it ends the connection.
  private mutating func withdraw(
    _ invitation: Invitation, by message: Message, from sender: Sender
  ) throws(ProtocolError) -> Action {
    guard case .problemReport(let report) = message, report.thread.belongs(to: invitation.id) else { return .leave }
    try sender.require(oneOf: invitation.signers)
    fail(with: report)
    return .leave
  }

  /// Applies the peer's hangup. Before the response an invitee knows only the invitation's key, and the inviter may
  /// hang up with another key. Such a hangup waits for the response.
  private mutating func end(by hangup: Hangup, from sender: Sender) throws(ProtocolError) -> Action {
    switch self {
    case .planned, .offered, .failed, .proprietary: return .leave
    case .invited(let invitation, _):
      guard sender.isOne(of: invitation.signers) else { return .leave }
    case .requested(let machine):
      guard sender.isOne(of: machine.knownKeys) else { return .leave }
    case .responded, .completed:
      try sender.require(oneOf: peer.map { [$0.key] } ?? [])
    }
    fail(with: ProblemReport(hangup))
    return .leave
  }

  private mutating func fail(with report: ProblemReport) {
    self = .failed(FailedHandshake(role: role, report: report, thread: thread, invitation: invitation, peer: peer))
  }

  /// Answers the first request for the invitation. Until this side has sent a response, another request may begin the
  /// other handshake.
  private mutating func respond(
    to message: Message, _ invitation: Invitation, from sender: Sender, _ reply: Reply
  ) throws(ProtocolError) -> Action {
    guard let request = message.request, let own = reply.own else { return .leave }
    guard invitation.isParent(of: request.thread) else { throw .wrongThread }
    guard let key = sender.key else { throw .notFromPeer }
    let introduced = try request.introduced(resolved: reply.ledger.document)
    let invitee = try introduced.peer(owning: key, by: reply.ledger)
    try reply.requireOther(introduced)
    guard invitation.offers(request.handshake) else {
      return try request.refusal(because: "the invitation does not offer this handshake", to: sender, reply: reply)
    }
    let response = request.response(reply, as: own, to: invitation)
    self = .responded(
      Responded(invitation: invitation, invitee: invitee, response: response, inviteeLabel: request.shortLabel))
    return .send(response.json, to: invitee.service)
  }

  /// Passes a message to the machine of a handshake.
  private mutating func step<Machine: HandshakeMachine>(
    _ machine: Machine, _ message: Message, from sender: Sender, _ reply: Reply
  ) throws(ProtocolError) -> Action {
    switch try machine.receive(message, from: sender, reply: reply) {
    case .goOn(let action): return action
    case .awaitsProof(let machine, let action):
      self = .requested(machine)
      return action
    case .failed(let report):
      fail(with: report)
      return .leave
    case .refused(let error, let report, let service):
      fail(with: report)
      return .refuse(error, report: report.json, to: service)
    case .completed(let peer, let action):
      let established = Completed(
        role: Machine.role, peer: peer, thread: machine.thread, invitation: machine.invitation,
        presentedDID: machine.introduction.qualifiedDID, inviteeLabel: machine.inviteeLabel)
      self = .completed(established)
      if let action { return action }
      return try step(established, message, from: sender, reply)
    }
  }

  private mutating func step(
    _ machine: Completed, _ message: Message, from sender: Sender, _ reply: Reply
  ) throws(ProtocolError) -> Action {
    var machine = machine
    if let report = try machine.complaint(in: message, from: sender) {
      fail(with: report)
      return .leave
    }
    let action = try machine.receive(message, from: sender, reply: reply)
    self = .completed(machine)
    return action
  }
}
