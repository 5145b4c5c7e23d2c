internal import DIDComm
package import JSON

/// What an established connection does by itself with the peer's messages, whichever handshake made it, or none.
///
/// Polling takes only what is listed here. Everything else is left to the application: among it answers that it waits
/// for, such as `handshake-reuse-accepted`.
package struct Completed: Equatable, Sendable {
  package let role: Role
  package let peer: Peer
  /// The thread of the handshake; without a handshake only its `pthid` means something.
  package let thread: Thread
  package let invitation: Invitation?
  /// The DID that the own side has presented. Nil if it is the unqualified pairwise DID.
  package let presentedDID: String?
  /// The protocols that the peer has disclosed, as they are stored; null before.
  package var protocols: JSON

  package init(
    role: Role, peer: Peer, thread: Thread, invitation: Invitation?, presentedDID: String? = nil,
    protocols: JSON = .null
  ) {
    self.role = role
    self.peer = peer
    self.thread = thread
    self.invitation = invitation
    self.presentedDID = presentedDID
    self.protocols = protocols
  }

  /// The invitee of an invitation without a handshake, whose inviter is reached at `inviter`.
  init(connectionless invitation: Invitation, inviter: Service) {
    self.init(
      role: .invitee, peer: Peer(document: inviter.document(id: invitation.id)),
      thread: Thread(thid: "", pthid: invitation.id), invitation: invitation)
  }

  /// Whether the inviter has asked for no connection: it knows us by what we send, and by nothing before.
  package var isConnectionless: Bool { role == .invitee && invitation?.offersHandshake == false }

  package mutating func receive(
    _ message: Message, from sender: Sender, reply: Reply
  ) throws(ProtocolError) -> Action {
    switch message {
    case .ping(let ping):
      try requirePeer(sender)
      guard ping.responseRequested else { return .nothing }
      return .send(TrustPingResponse(id: reply.id, to: ping).json, to: peer.service)
    case .pingResponse:
      try requirePeer(sender)
      return .nothing
    case .handshakeReuse(let reuse):
      try requirePeer(sender)
      guard reply.acceptsReuse else { return .leave }
      return .sendAndLeave(HandshakeReuseAccepted(id: reply.id, to: reuse).json, to: peer.service)
    case .featureQuery(let query):
      try requirePeer(sender)
      return .send(FeatureDisclosure(id: reply.id, to: query).json, to: peer.service)
    case .featureQueries(let queries):
      try requirePeer(sender)
      return .send(FeatureDisclosures(id: reply.id, to: queries).json, to: peer.service)
    case .featureDisclosure(let disclosure):
      try requirePeer(sender)
      protocols = .array(disclosure.protocols.map(\.json))
      return .nothing
    case .connectionResponse, .didExchangeResponse, .ack, .didExchangeComplete:
      return message.thread?.thid == thread.thid ? .nothing : .leave
    case .connectionRequest(let request as any HandshakeRequest),
      .didExchangeRequest(let request as any HandshakeRequest):
      guard role == .inviter else { return .leave }
      // An invitation is for one; and the one who repeats the request of the handshake has had the answer.
      guard request.id != thread.thid else { return .nothing }
      return try request.refusal(because: "the invitation is used", to: sender, reply: reply)
    case .basicMessage, .problemReport, .hangup, .issueCredential, .presentProof, .revocation, .proprietaryAnswer,
      .other:
      return .leave
    }
  }

  private func requirePeer(_ sender: Sender) throws(ProtocolError) {
    try sender.require(oneOf: peer.service.recipientKeys)
  }

  /// The peer's complaint about the end of the handshake, which comes when the own side counts as connected already. Nil
  /// for every other message, also for complaints about other things.
  func complaint(in message: Message, from sender: Sender) throws(ProtocolError) -> ProblemReport? {
    guard case .problemReport(let report) = message, report.isAboutHandshake, report.thread.thid == thread.thid else {
      return nil
    }
    try requirePeer(sender)
    return report
  }
}
