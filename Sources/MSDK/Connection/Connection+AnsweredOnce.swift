internal import Aries
internal import DIDComm
internal import JSON
internal import Logging
internal import Sodium
internal import Wallet

/// A message that gets one answer, however often the connection finds it: the message stays for the application.
struct AnsweredOnce: Equatable, Sendable {
  let id: String
  /// Distinguishes messages with the same id.
  let context: String
  /// Whether the answer is a problem report.
  let isRefused: Bool

  init(_ reuse: HandshakeReuse, isRefused: Bool = false) {
    id = reuse.id
    context = reuse.thread.pthid ?? ""
    self.isRefused = isRefused
  }

  init(_ notification: RevocationNotification) {
    id = notification.id
    context = notification.dialect.family
    isRefused = false
  }
}

extension Connection {
  /// Returns the message if this side may answer it, and has not done so.
  func unanswered(_ message: Message, with session: @autoclosure () throws -> Session) throws -> AnsweredOnce? {
    guard peer != nil else { return nil }
    let answered: AnsweredOnce
    switch message {
    case .handshakeReuse(let reuse):
      guard let invitation = reuse.thread.pthid else { return nil }
      answered = AnsweredOnce(reuse, isRefused: try !isOwn(invitation: invitation, with: session()))
      // A refusal names both, and the peer has chosen them.
      if answered.isRefused, ![reuse.thread.thid, invitation].allSatisfy(Self.canBeRepeated) { return nil }
    case .revocation(let notification) where notification.asksForAck:
      guard try session().source(of: notification)?.source.connection == pairwiseDID else { return nil }
      answered = AnsweredOnce(notification)
    default: return nil
    }
    guard try !ReuseBook(wallet: session().wallet).isAnswered(answered, over: pairwiseDID) else { return nil }
    if answered.isRefused {
      Log.warning("a peer reuses an invitation that this wallet has not made, or that another has used")
    }
    return answered
  }

  /// Whether an id of the peer is no longer than ids are.
  private static func canBeRepeated(_ id: String) -> Bool { (1...256).contains(id.utf8.count) }

  /// Whether the peer may reuse an invitation of this wallet. The connection's own invitation always counts, even if an
  /// older library did not note it in the wallet.
  private func isOwn(invitation: String, with session: Session) throws -> Bool {
    if machine.role == .inviter && self.invitation?.id == invitation { return true }
    return try ReuseBook(wallet: session.wallet).holds(invitation: invitation, for: pairwiseDID)
  }

  /// The claims that an answer to the message needs: the claim of an invitee to the invitation, if the answer makes this
  /// side's offer a connection, or the claim of the peer who reuses the invitation of another connection. The invitation
  /// of a public DID is for everybody, so this side claims the request instead. Empty for any other answer.
  func claims(
    by message: Message, from sender: Sender, leadingTo next: ConnectionMachine, in wallet: Wallet
  ) -> [InvitationClaim] {
    if case .offered(let invitation) = machine, case .responded(let responded) = next, let key = sender.key {
      return claims(to: invitation, by: responded.thread.thid, of: key, in: wallet)
    }
    guard case .handshakeReuse(let reuse) = message, let id = reuse.thread.pthid,
      machine.role != .inviter || machine.invitation?.id != id
    else { return [] }
    return [InvitationClaim(to: id, for: .reuser(pairwiseDID: pairwiseDID), in: wallet)]
  }

  /// The invitee's claim to the invitation. For a request to the public DID, this side's claim to the request, and the
  /// peer's to this side's pairwise DID.
  func claims(
    to invitation: Invitation, by thid: String, of peer: VerKey, in wallet: Wallet
  ) -> [InvitationClaim] {
    guard invitation.isImplied else { return [InvitationClaim(to: invitation.id, for: .invitee(peer), in: wallet)] }
    let request = String.uuid(derivedFrom: JSON([peer.text, thid]).text)
    return [
      InvitationClaim(to: request, for: .requester(pairwiseDID: pairwiseDID), in: wallet),
      InvitationClaim(to: pairwiseDID, for: .peer(peer), in: wallet),
    ]
  }

  /// The same message gives the same id. If a process ends before it has noted its answer, the next process repeats
  /// that answer.
  func answerID(to message: AnsweredOnce) -> String {
    .uuid(derivedFrom: JSON([pairwise?.key.text ?? "", message.id]).text)
  }

  /// Notes that the answer was sent. If the note fails, it only logs the failure.
  func noteAnswer(to message: AnsweredOnce, with session: Session) {
    do { try ReuseBook(wallet: session.wallet).noteAnswer(to: message, over: pairwiseDID) } catch {
      Log.warning("an answer to a message could not be noted: \(error)")
    }
  }
}
