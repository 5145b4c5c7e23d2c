/// The responder's side of a DID exchange (RFC 0023), which is the inviter's. The invitation's key is the pairwise key
/// too.
package struct ResponderMachine: HandshakeMachine, Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case invited
    case responded(Responded)
    case ended(Outcome)
  }

  /// What there is of the handshake once the response is out.
  package struct Responded: Equatable, Sendable {
    package let invitee: Peer
    package let response: DIDExchangeResponse

    package init(invitee: Peer, response: DIDExchangeResponse) {
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
    case (.invited, .didExchangeRequest(let request)):
      return try respond(to: request, from: sender, reply: reply)
    case (.responded(let responded), .didExchangeRequest(let request)):
      return try repeated(request, after: responded, from: sender, reply: reply)
    case (.responded, .connectionRequest(let request)):
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
    to request: DIDExchangeRequest, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    guard let own = reply.own else { return .leave }
    guard request.thread.pthid.map({ $0 == invitation.id }) ?? true else { throw .wrongThread }
    let invitee = try request.presented.requester()
    try sender.require(oneOf: invitee.service.recipientKeys)
    guard invitation.offers(.didExchange(request.version)) else {
      return try request.refusal(because: "the invitation does not offer this handshake", to: sender, reply: reply)
    }
    let response = DIDExchangeResponse(
      id: reply.id, to: request, as: own, attachmentID: "did", pthid: invitation.id)
    state = .responded(Responded(invitee: invitee, response: response))
    return .send(response.json, to: invitee.service)
  }

  /// The invitee that asks again has not got the response. Somebody else comes too late.
  private func repeated(
    _ request: DIDExchangeRequest, after responded: Responded, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    guard request.id == responded.response.thread.thid,
      try request.presented.requester() == responded.invitee
    else {
      return try request.refusal(because: "the invitation is used", to: sender, reply: reply)
    }
    try sender.require(oneOf: responded.invitee.service.recipientKeys)
    return .send(responded.response.json, to: responded.invitee.service)
  }
}
