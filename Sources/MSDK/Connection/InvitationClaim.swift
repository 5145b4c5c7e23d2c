internal import Aries
internal import DIDComm
internal import JSON
internal import Wallet

/// The claim of one user to an invitation. The wallet has one claim at most for each invitation, so an invitation leads to
/// one peer, also if several objects and processes receive answers to it.
///
/// Any number of peers may answer the invitation of a public DID. There the claim is to the request: one of this side's
/// connections answers it.
struct InvitationClaim {
  enum User: Equatable {
    /// The peer of a connection, which has reused the invitation.
    case reuser(pairwiseDID: String)
    /// An invitee, by the key that has proven the request. A repeated request comes from the same key.
    case invitee(VerKey)
    /// This side's connection that answers a request to the public DID.
    case requester(pairwiseDID: String)
  }

  private let wallet: Wallet
  private let id: String
  private let user: User
  private let claims, invitations: LibraryRecords

  init(to invitation: String, for user: User, in wallet: Wallet) {
    (id, self.user, self.wallet) = (invitation, user, wallet)
    (claims, invitations) = (ReuseBook.claims(in: wallet), ReuseBook.invitations(in: wallet))
  }

  /// The claim in the wallet once the user has the answer. A reuser's claim has the form of older versions.
  private var value: String {
    switch user {
    case .reuser(let pairwiseDID): pairwiseDID
    case .invitee(let key): "invitee " + key.text
    case .requester(let pairwiseDID): "requester " + pairwiseDID
    }
  }

  /// The claim before the response has left. Without an answer another invitee may still come first, or another connection
  /// may answer the request.
  private var reservation: String {
    switch user {
    case .reuser: value
    case .invitee(let key): "asking " + key.text
    case .requester(let pairwiseDID): "asking " + pairwiseDID
    }
  }

  /// Notes the claim before anything is sent. Throws if the invitation is another user's.
  func reserve() throws { try note(reservation) }

  /// Makes the claim final, because the answer has left. Throws if the invitation is another user's by now: a copy of the
  /// object could not send its answer, and has given the reservation back.
  func confirm() throws { try note(value) }

  private func note(_ new: String) throws {
    try wallet.retrying {
      let known = try claims.find(id)?.value
      if known == value || known == new { return }
      guard known == nil || known == reservation else { throw taken }
      let note = try invitations.find(id)?.value
      // The peer of another connection needs the note of an invitation. An older library has not noted its own.
      if case .reuser = user, note == nil { throw taken }
      try wallet.make(
        [claims.expecting(id, value: known), invitations.expecting(id, value: note), claims.putting(id, value: new)]
          + (new == value ? [invitations.removing(id)] : []))
    }
  }

  /// Gives the reservation back, because the response could not be sent. A failure leaves the reservation, and the same
  /// user may try again.
  func release() {
    guard reservation != value else { return }
    try? wallet.make([claims.expecting(id, value: reservation), claims.removing(id)])
  }

  private var taken: ProtocolError {
    switch user {
    case .reuser, .requester: .wrongThread
    case .invitee: .notFromPeer
    }
  }
}

/// Sends the answer to the user of an invitation: the wallet has the claim before, and only the claim makes the answer
/// count.
struct ClaimingOutbox: Outbox {
  let claim: InvitationClaim
  let outbox: PairwiseOutbox

  func send(_ message: JSON, to service: Service) throws {
    try claim.reserve()
    do { try outbox.send(message, to: service) } catch {
      claim.release()
      throw error
    }
    try claim.confirm()
  }
}
