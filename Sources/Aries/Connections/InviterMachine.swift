internal import DIDComm
internal import JSON

/// The inviter's side of connections/1.0 (RFC 0160). The invitation's key is the pairwise key too.
package struct InviterMachine: HandshakeMachine, Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case invited
    case responded(Responded)
    case ended(Outcome)
  }

  /// What there is of the handshake once the response is out.
  package struct Responded: Equatable, Sendable {
    package let invitee: Peer
    package let response: ConnectionResponse

    package init(invitee: Peer, response: ConnectionResponse) {
      self.invitee = invitee
      self.response = response
    }
  }

  static let role = Role.inviter
  package let invitation: Invitation
  package private(set) var state: State

  package init(invitation: Invitation) {
    self.invitation = invitation
    state = .invited
  }

  /// For a response that was stored.
  package init(invitation: Invitation, responded: Responded) {
    self.invitation = invitation
    state = .responded(responded)
  }

  package var outcome: Outcome? { if case .ended(let outcome) = state { outcome } else { nil } }

  package mutating func receive(
    _ message: Message, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    switch (state, message) {
    case (.invited, .connectionRequest(let request)):
      return try respond(to: request, from: sender, reply: reply)
    case (.responded(let responded), .connectionRequest(let request)):
      return try repeated(request, after: responded, from: sender, reply: reply)
    case (.responded, .didExchangeRequest(let request)):
      return try request.refusal(because: "the invitation is used", to: sender, reply: reply)
    case (.responded(let responded), _):
      let outcome = try Outcome(
        of: message, from: sender, invitee: responded.invitee, thread: responded.response.thread)
      guard let outcome else { return .leave }
      state = .ended(outcome)
      return .nothing
    case (.invited, _), (.ended, _):
      return .leave
    }
  }

  private mutating func respond(
    to request: ConnectionRequest, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    guard let own = reply.own else { return .leave }
    guard request.thread.pthid.map({ $0 == invitation.id }) ?? true else { throw .wrongThread }
    try sender.require(oneOf: request.document.service.recipientKeys)
    guard invitation.offers(.connections) else {
      return try request.refusal(because: "the invitation does not offer this handshake", to: sender, reply: reply)
    }
    let connection: JSON = ["DID": .string(own.did), "DIDDoc": own.document.json]
    let response = ConnectionResponse(
      id: reply.id, thread: Thread(thid: request.id, pthid: invitation.id),
      signature: SignatureDecorator(signing: connection, with: own.key, time: reply.time), asksForAck: true)
    let invitee = Peer(document: request.document)
    state = .responded(Responded(invitee: invitee, response: response))
    return .send(response.json, to: invitee.service)
  }

  /// The invitee that asks again has not got the response. Somebody else comes too late.
  private func repeated(
    _ request: ConnectionRequest, after responded: Responded, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    guard request.id == responded.response.thread.thid, request.document == responded.invitee.document else {
      return try request.refusal(because: "the invitation is used", to: sender, reply: reply)
    }
    try sender.require(oneOf: responded.invitee.service.recipientKeys)
    return .send(responded.response.json, to: responded.invitee.service)
  }
}

extension ConnectionRequest {
  /// The answer to a request that cannot be granted. It goes to whoever asks, and changes nothing on the own side.
  func refusal(because reason: String, to sender: Sender, reply: Reply) throws(ProtocolError) -> Action {
    try sender.require(oneOf: document.service.recipientKeys)
    let report = ProblemReport(
      connection: reply.id, code: "request_not_accepted", explanation: reason, thread: Thread(thid: id))
    return .send(report.json, to: document.service)
  }
}
