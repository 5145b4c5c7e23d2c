package import DIDComm
internal import JSON

/// The invitee's side of a handshake, from its request on.
package struct Requested: HandshakeMachine {
  static let role = Role.invitee
  package let invitation: Invitation
  /// The service that received the request. The invitation or a ledger names it.
  package let inviter: Service
  package let request: any HandshakeRequest

  package init(invitation: Invitation, inviter: Service, request: any HandshakeRequest) {
    self.invitation = invitation
    self.inviter = inviter
    self.request = request
  }

  package var thread: Thread { request.thread }
  var introduction: any Introduction { request }

  func receive(_ message: Message, from sender: Sender, reply: Reply) throws(ProtocolError) -> HandshakeStep {
    if case .problemReport(let report) = message {
      guard report.thread.thid == request.id else { throw .wrongThread }
      try sender.require(oneOf: inviter.recipientKeys)
      return .failed(report)
    }
    guard let response = message.response, response.handshake.isVersion(of: request.handshake) else {
      return .goOn(.leave)
    }
    guard response.thread.thid == request.id else { throw .wrongThread }
    let introduced = try response.inviter(
      signingWithOneOf: inviter.recipientKeys, from: sender, resolved: reply.resolved)
    switch introduced {
    case .success(let peer):
      return .completed(peer, .send(response.confirmation(id: reply.id, thread: thread), to: peer.service))
    case .failure(.needsLedger):
      // The inviter has made no mistake.
      throw .needsLedger
    case .failure(let error):
      // The response is the inviter's own and not forged, so the inviter gets a report.
      let report = ProblemReport(
        in: response.handshake, id: reply.id, code: "response_processing_error", explanation: "\(error)",
        thread: thread)
      return .refused(error, report, to: inviter)
    }
  }
}

extension Requested: Equatable {
  /// Requests are equal if their JSON is equal.
  package static func == (one: Self, other: Self) -> Bool {
    one.invitation == other.invitation && one.inviter == other.inviter && one.request.json == other.request.json
  }
}
