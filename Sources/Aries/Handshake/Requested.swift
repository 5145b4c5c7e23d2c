package import DIDComm
internal import JSON
internal import Sodium

/// The invitee's side of a handshake, from its request on.
package struct Requested: HandshakeMachine {
  static let role = Role.invitee
  package let invitation: Invitation
  /// The service that received the request. The invitation or a ledger names it.
  package let inviter: Service
  package let request: any HandshakeRequest
  /// The inviter as its response has presented it, by a key that is not proven yet. Nil before such a response.
  package let presented: PresentedPeer?

  /// Only the first key of the inviter's service counts: it signs the response.
  package init(
    invitation: Invitation, inviter: Service, request: any HandshakeRequest, presented: PresentedPeer? = nil
  ) {
    self.invitation = invitation
    self.inviter = inviter.namingOneKey
    self.request = request
    self.presented = presented
  }

  package var thread: Thread { request.thread }
  var introduction: any Introduction { request }
  var inviteeLabel: String? { nil }

  /// The keys of the inviter that can end the handshake: the invitation's key, and the presented key.
  var knownKeys: [VerKey] { inviter.recipientKeys + (presented.map { [$0.peer.key] } ?? []) }

  func receive(_ message: Message, from sender: Sender, reply: Reply) throws(ProtocolError) -> HandshakeStep {
    if let presented, presented.isProven(by: message, from: sender) { return .completed(presented.peer, nil) }
    if case .problemReport(let report) = message {
      guard report.thread.thid == request.id else { throw .wrongThread }
      try sender.require(oneOf: knownKeys)
      return .failed(report)
    }
    guard let response = message.response, response.handshake.isVersion(of: request.handshake) else {
      return .goOn(.leave)
    }
    guard response.thread.thid == request.id else { throw .wrongThread }
    let signer = inviter.recipientKeys[0]
    switch try response.introduced(signedBy: signer, from: sender, resolved: reply.ledger.document) {
    case .success(let introduced):
      do throws(ProtocolError) {
        return try answer(response, introduced, signer, from: sender, reply)
      } catch { return try refuse(response, because: error, reply) }
    case .failure(let error): return try refuse(response, because: error, reply)
    }
  }

  /// Confirms the response. The presented key is proven if the message came from it, or if it is the invitation's key.
  /// Any other key gets a ping, and the answer proves it.
  private func answer(
    _ response: any HandshakeResponse, _ introduced: IntroducedDID, _ signer: VerKey, from sender: Sender,
    _ reply: Reply
  ) throws(ProtocolError) -> HandshakeStep {
    try reply.requireOther(introduced)
    let listed = introduced.document.service.recipientKeys
    let confirmation = response.confirmation(id: reply.id, thread: thread)
    if let key = [sender.key, signer].compactMap({ $0 }).first(where: listed.contains) {
      let peer = try introduced.peer(owning: key, by: reply.ledger)
      return .completed(peer, .send(confirmation, to: peer.service))
    }
    let peer = try introduced.peer(owning: listed[0], by: reply.ledger)
    // A repeated response gets the same ping: the answer to the first one may be on its way.
    let known = presented.flatMap { $0.peer == peer ? $0.ping : nil }
    let ping = TrustPing(id: known ?? .uuid(derivedFrom: reply.id), responseRequested: true)
    let presented = PresentedPeer(peer, ping: ping.id)
    return .awaitsProof(
      Requested(invitation: invitation, inviter: inviter, request: request, presented: presented),
      .sendAll([confirmation, ping.json], to: peer.service))
  }

  /// Ends the handshake with a report: the response is the inviter's own and not forged.
  private func refuse(
    _ response: any HandshakeResponse, because error: ProtocolError, _ reply: Reply
  ) throws(ProtocolError) -> HandshakeStep {
    // No ledger answers, so the inviter has made no mistake.
    if error == .needsLedger { throw error }
    let report = ProblemReport(
      in: response.handshake, id: reply.id, code: "response_processing_error", explanation: "\(error)",
      thread: thread)
    return .refused(error, report, to: inviter)
  }
}

extension Requested: Equatable {
  /// Requests are equal if their JSON is equal.
  package static func == (one: Self, other: Self) -> Bool {
    one.invitation == other.invitation && one.inviter == other.inviter && one.presented == other.presented
      && one.request.json == other.request.json
  }
}

/// The inviter as its response has presented it, by a key that is not proven yet: the response's signature proves only
/// that the inviter names this key.
package struct PresentedPeer: Equatable, Sendable {
  package let peer: Peer
  /// The id of the ping to the presented key. Only the key's owner can read it.
  package let ping: String

  package init(_ peer: Peer, ping: String) {
    self.peer = peer
    self.ping = ping
  }

  /// Whether the message answers the ping from the presented key. No other message from this key proves that its owner
  /// takes part: a stranger can make the owner write to us, with a service that names our mailbox.
  func isProven(by message: Message, from sender: Sender) -> Bool {
    guard case .pingResponse(let response) = message else { return false }
    return response.thread.thid == ping && sender.isOne(of: [peer.key])
  }
}
