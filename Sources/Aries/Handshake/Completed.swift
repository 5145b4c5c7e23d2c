internal import DIDComm
package import JSON

/// A completed connection, after any handshake or none: it answers some of the peer's messages by itself.
///
/// Polling applies only these messages. All other messages stay for the application, for example awaited answers such
/// as `handshake-reuse-accepted`.
package struct Completed: Equatable, Sendable {
  package let role: Role
  package let peer: Peer
  /// The thread of the handshake. Without a handshake only its `pthid` has a meaning.
  package let thread: Thread
  package let invitation: Invitation?
  /// The DID that this side has presented. Nil for the unqualified pairwise DID.
  package let presentedDID: String?
  /// The protocols that the peer has disclosed, in their stored form; null before the peer has disclosed any.
  package var protocols: JSONText
  /// The invitee's name for itself, which nobody has checked, on the inviter's side. Nil if the request had no name.
  package let inviteeLabel: String?

  package init(
    role: Role, peer: Peer, thread: Thread, invitation: Invitation?, presentedDID: String? = nil,
    protocols: JSONText = JSONText(.null), inviteeLabel: String? = nil
  ) {
    self.role = role
    self.peer = peer
    self.thread = thread
    self.invitation = invitation
    self.presentedDID = presentedDID
    self.protocols = protocols
    self.inviteeLabel = inviteeLabel
  }

  /// The invitee of an invitation without a handshake. `inviter` is the inviter's service.
  init(connectionless invitation: Invitation, inviter: Service) {
    self.init(
      role: .invitee, peer: Peer(document: inviter.document(id: invitation.inviterName)),
      thread: Thread(thid: "", pthid: invitation.id), invitation: invitation)
  }

  /// Whether the inviter asked for no connection. The inviter then learns of us from our first message.
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
      guard reply.answersOnce else { return .leave }
      let answer =
        reply.refusesReuse
        ? ProblemReport(refusing: reuse, id: reply.id).json : HandshakeReuseAccepted(id: reply.id, to: reuse).json
      return .sendAndLeave(answer, to: peer.service)
    case .revocation(let notification):
      guard notification.asksForAck, reply.answersOnce, sender.isOne(of: [peer.key]) else {
        return .leave
      }
      return .sendAndLeave(notification.ack(id: reply.id), to: peer.service)
    case .featureQuery(let query):
      try requirePeer(sender)
      return .send(FeatureDisclosure(id: reply.id, to: query).json, to: peer.service)
    case .featureQueries(let queries):
      try requirePeer(sender)
      return .send(FeatureDisclosures(id: reply.id, to: queries).json, to: peer.service)
    case .featureDisclosure(let disclosure):
      try requirePeer(sender)
      protocols = JSONText(.array(disclosure.protocols.map(\.json)))
      return .nothing
    case .connectionResponse, .didExchangeResponse, .ack, .didExchangeComplete:
      return message.thread?.thid == thread.thid ? .nothing : .leave
    case .connectionRequest(let request as any HandshakeRequest),
      .didExchangeRequest(let request as any HandshakeRequest):
      guard role == .inviter else { return .leave }
      // An invitation serves one invitee. A repeated request of the handshake has already had its answer.
      guard request.id != thread.thid else { return .nothing }
      return try request.refusal(because: "the invitation is used", to: sender, reply: reply)
    case .basicMessage, .problemReport, .hangup, .issueCredential, .presentProof, .proprietaryAnswer, .other:
      return .leave
    }
  }

  private func requirePeer(_ sender: Sender) throws(ProtocolError) {
    try sender.require(oneOf: [peer.key])
  }

  /// The peer's problem report about the end of the handshake, which may arrive after this side has completed. Nil for
  /// all other messages, also for reports about other things.
  func complaint(in message: Message, from sender: Sender) throws(ProtocolError) -> ProblemReport? {
    guard case .problemReport(let report) = message, report.isAboutHandshake, report.thread.thid == thread.thid else {
      return nil
    }
    try requirePeer(sender)
    return report
  }
}
