/// The requester's side of a DID exchange (RFC 0023), which is the invitee's.
package struct RequesterMachine: HandshakeMachine, Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case invited
    case requested(DIDExchangeRequest)
    case ended(Outcome)
  }

  static let role = Role.invitee
  package let invitation: Invitation
  package let version: DIDExchangeVersion
  package private(set) var state: State

  package init(invitation: Invitation, version: DIDExchangeVersion) {
    self.invitation = invitation
    self.version = version
    state = .invited
  }

  /// For a request that was stored.
  package init(invitation: Invitation, requested request: DIDExchangeRequest) {
    self.invitation = invitation
    version = request.version
    state = .requested(request)
  }

  package var outcome: Outcome? { if case .ended(let outcome) = state { outcome } else { nil } }

  /// Asks for the connection. `requestID` is the same when the call is repeated after a failure to send, and so is all
  /// of the request. In later states there is nothing left to ask.
  package mutating func connect(label: String, as own: OwnSide, requestID: String) -> Action {
    guard case .invited = state else { return .nothing }
    let request = DIDExchangeRequest(
      version, id: requestID, label: label, as: own, attachmentID: "did-doc", pthid: invitation.id)
    state = .requested(request)
    return .send(request.json, to: invitation.service)
  }

  package mutating func receive(
    _ message: Message, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    switch (state, message) {
    case (.invited, .problemReport(let report)):
      guard report.thread.belongs(to: invitation.id) else { return .leave }
      try sender.require(oneOf: invitation.service.recipientKeys)
      state = .ended(.failed(report, thread: Thread(thid: invitation.id)))
      return .nothing
    case (.requested(let request), .problemReport(let report)):
      guard report.thread.thid == request.id else { throw .wrongThread }
      try sender.require(oneOf: invitation.service.recipientKeys)
      state = .ended(.failed(report, thread: request.thread))
      return .nothing
    case (.requested(let request), .didExchangeResponse(let response)):
      return try complete(request, with: response, reply: reply)
    case (.invited, _), (.requested, _), (.ended, _):
      return .leave
    }
  }

  private mutating func complete(
    _ request: DIDExchangeRequest, with response: DIDExchangeResponse, reply: Reply
  ) throws(ProtocolError) -> Action {
    guard response.thread.thid == request.id else { throw .wrongThread }
    try response.presented.proveResponder(signsWithOneOf: invitation.service.recipientKeys)
    let peer: Peer
    do { peer = try response.presented.responder() } catch {
      // It is the inviter's own word, and nobody's forgery: the inviter may as well know.
      let report = ProblemReport(
        didExchange: response.version, id: reply.id, code: "response_processing_error", explanation: "\(error)",
        thread: request.thread)
      return .refuse(error, report: report.json, to: invitation.service)
    }
    state = .ended(.completed(peer, thread: request.thread))
    return .send(DIDExchangeComplete(id: reply.id, to: response, thread: request.thread).json, to: peer.service)
  }
}
