package import DIDComm
internal import JSON

/// The invitee's side of connections/1.0 (RFC 0160).
package struct InviteeMachine: HandshakeMachine, Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case invited
    case requested(ConnectionRequest)
    case ended(Outcome)
  }

  static let role = Role.invitee
  package let invitation: Invitation
  package private(set) var state: State

  package init(invitation: Invitation) {
    self.invitation = invitation
    state = .invited
  }

  /// For a request that was stored.
  package init(invitation: Invitation, requested request: ConnectionRequest) {
    self.invitation = invitation
    state = .requested(request)
  }

  package var outcome: Outcome? { if case .ended(let outcome) = state { outcome } else { nil } }

  /// Asks for the connection. `document` is that of the pairwise DID made for it; `requestID` is the same when the call
  /// is repeated after a failure to send, so that the inviter can tell a repetition from a second request. In later
  /// states there is nothing left to ask.
  package mutating func connect(label: String, document: DIDDocument, requestID: String) -> Action {
    guard case .invited = state else { return .nothing }
    let request = ConnectionRequest(id: requestID, label: label, document: document, pthid: invitation.id)
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
    case (.requested(let request), .connectionResponse(let response)):
      return try complete(request, with: response, reply: reply)
    case (.invited, _), (.requested, _), (.ended, _):
      return .leave
    }
  }

  private mutating func complete(
    _ request: ConnectionRequest, with response: ConnectionResponse, reply: Reply
  ) throws(ProtocolError) -> Action {
    guard response.thread.thid == request.id else { throw .wrongThread }
    let signed = try response.connection(signedByOneOf: invitation.service.recipientKeys)
    let peer: Peer
    do { peer = try Peer(introducedIn: signed) } catch {
      // It is the inviter's own word, and nobody's forgery: the inviter may as well know.
      let report = ProblemReport(
        connection: reply.id, code: "response_processing_error", explanation: "\(error)", thread: request.thread)
      return .refuse(.malformed(error), report: report.json, to: invitation.service)
    }
    state = .ended(.completed(peer, thread: request.thread))
    let last =
      response.asksForAck
      ? Ack(id: reply.id, thread: request.thread).json
      : TrustPing(id: reply.id, responseRequested: false, thread: Thread(thid: reply.id, pthid: request.id)).json
    return .send(last, to: peer.service)
  }
}

extension ConnectionResponse {
  /// The signed `{"DID", "DIDDoc"}`. Its signature must verify, by one of the keys that the invitation named.
  func connection(signedByOneOf keys: [VerKey]) throws(ProtocolError) -> SignatureDecorator {
    let decorator: SignatureDecorator
    do { decorator = try SignatureDecorator(verifying: signature) } catch { throw .badSignature(error) }
    guard keys.contains(decorator.signer) else { throw .wrongSigner }
    return decorator
  }
}

extension Peer {
  fileprivate init(introducedIn signed: SignatureDecorator) throws(MessageError) {
    let connection: JSONObject
    do { connection = try signed.value().requireObject() } catch { throw .malformed(error) }
    document = try DIDDocument.exchanged(in: connection).document
  }
}
