internal import DIDComm
internal import JSON

/// The inviter's side of a handshake, from its response on. The invitation's key is also the pairwise key, unless a public
/// DID implies the invitation.
package struct Responded: HandshakeMachine {
  static let role = Role.inviter
  package let invitation: Invitation
  package let invitee: Peer
  package let response: any HandshakeResponse
  /// The invitee's name for itself, which nobody has checked. Nil if the request had no name.
  package let inviteeLabel: String?

  package init(
    invitation: Invitation, invitee: Peer, response: any HandshakeResponse, inviteeLabel: String? = nil
  ) {
    self.invitation = invitation
    self.invitee = invitee
    self.response = response
    self.inviteeLabel = inviteeLabel
  }

  package var thread: Thread { response.thread }
  var introduction: any Introduction { response }

  /// Any message except a problem report confirms that the invitee has the response, because invitees hardly ever write
  /// before they have it.
  func receive(_ message: Message, from sender: Sender, reply: Reply) throws(ProtocolError) -> HandshakeStep {
    if let request = message.request { return .goOn(try answer(request, from: sender, reply)) }
    switch message {
    case .problemReport(let report):
      guard report.thread.thid == thread.thid else { throw .wrongThread }
      try sender.require(oneOf: [invitee.key])
      return .failed(report)
    case .ack, .didExchangeComplete, .ping, .pingResponse:
      try sender.require(oneOf: [invitee.key])
    default:
      guard sender.isOne(of: [invitee.key]) else { return .goOn(.leave) }
    }
    return .completed(invitee, nil)
  }

  /// Answers another request. The same invitee asks again because it did not get the response; another invitee comes
  /// too late.
  private func answer(
    _ request: any HandshakeRequest, from sender: Sender, _ reply: Reply
  ) throws(ProtocolError) -> Action {
    guard request.handshake.isVersion(of: response.handshake), request.id == thread.thid,
      sender.isOne(of: [invitee.key]), try request.invitee(from: sender, by: reply.ledger).document == invitee.document
    else { return try request.refusal(because: "the invitation is used", to: sender, reply: reply) }
    return .send(response.json, to: invitee.service)
  }
}

extension Responded: Equatable {
  /// Responses are equal if their JSON is equal.
  package static func == (one: Self, other: Self) -> Bool {
    one.invitation == other.invitation && one.invitee == other.invitee && one.response.json == other.response.json
      && one.inviteeLabel == other.inviteeLabel
  }
}
