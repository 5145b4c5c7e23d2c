internal import Aries
internal import DIDComm
internal import JSON
internal import Time
internal import Wallet

/// The claim of one user to an invitation. The wallet has one claim at most for each invitation, so an invitation leads to
/// one peer, also if several objects and processes receive answers to it.
///
/// Any number of peers may answer the invitation of a public DID. There one of this side's connections claims the request,
/// and the peer claims this connection: a connection has one peer, also if it is restored from an older text.
struct InvitationClaim {
  enum User: Equatable {
    /// The peer of a connection, which has reused the invitation.
    case reuser(pairwiseDID: String)
    /// An invitee, by the key that has proven the request. A repeated request comes from the same key.
    case invitee(VerKey)
    /// This side's connection that answers a request to the public DID.
    case requester(pairwiseDID: String)
    /// The peer that has sent this request, by the key that has proven it.
    case peer(VerKey)
  }

  /// The meaning of the claim in the wallet for this user.
  enum Standing {
    /// The user may have the invitation: nobody answers it, or this user does.
    case free
    /// The answer to this user has left.
    case own
    /// Another user's answer is on its way, and may fail.
    case reserved
    /// The answer to another user has left.
    case taken
  }

  private let wallet: Wallet
  private let id: String
  private let user: User
  private let claims, invitations: LibraryRecords
  /// The time in seconds.
  private let clock: Clock

  init(to invitation: String, for user: User, in wallet: Wallet, at clock: @escaping Clock = systemClock) {
    (id, self.user, self.wallet, self.clock) = (invitation, user, wallet, clock)
    (claims, invitations) = (ReuseBook.claims(in: wallet), ReuseBook.invitations(in: wallet))
  }

  func standing() throws -> Standing { standing(try claims.find(id)?.value) }

  private func standing(_ known: String?) -> Standing {
    guard let known else { return .free }
    if known == value { return .own }
    guard let reservation = Reservation(known) else { return .taken }
    return reservation.user == name || reservation.isOver(at: clock()) ? .free : .reserved
  }

  private var name: String {
    switch user {
    case .invitee(let key), .peer(let key): key.text
    case .reuser(let pairwiseDID), .requester(let pairwiseDID): pairwiseDID
    }
  }

  /// The claim in the wallet once the user has the answer. A reuser's claim has the form of older versions.
  private var value: String {
    switch user {
    case .reuser: name
    case .invitee: "invitee " + name
    case .requester: "requester " + name
    case .peer: Self.peerPrefix + name
    }
  }

  private static let peerPrefix = "peer "

  /// The key of the peer that has claimed a connection of the public DID for good.
  static func peer(of pairwiseDID: String, in wallet: Wallet) throws -> VerKey? {
    guard let value = try ReuseBook.claims(in: wallet).find(pairwiseDID)?.value, value.hasPrefix(peerPrefix) else {
      return nil
    }
    return try? VerKey(String(value.dropFirst(peerPrefix.count)))
  }

  /// Throws if the invitation is another user's, or may become another user's.
  func requireFree() throws { try requireFree(standing()) }

  private func requireFree(_ standing: Standing) throws {
    switch standing {
    case .free, .own: return
    case .reserved: throw ConnectionError.beingAnswered
    case .taken: throw taken
    }
  }

  /// Notes the claim before anything is sent. Without an answer another invitee may still come first, or another connection
  /// may answer the request. Throws if the invitation is another user's, or may become another user's.
  func reserve() throws {
    if case .reuser = user { return try note(value) }
    try note(Reservation(user: name, time: clock()).text, tags: [Reservation.tag: name])
  }

  /// Makes the claim final, because the answer has left. Throws if the invitation is another user's by now: a copy of the
  /// object could not send its answer, and has given the reservation back.
  func confirm() throws { try note(value) }

  private func note(_ new: String, tags: Tags = [:]) throws {
    try wallet.retrying {
      let known = try claims.find(id)?.value
      let standing = standing(known)
      if standing == .own { return }
      try requireFree(standing)
      let note = try invitations.find(id)?.value
      // The peer of another connection needs the note of an invitation. An older library has not noted its own.
      if case .reuser = user, note == nil { throw taken }
      try wallet.make(
        [
          claims.expecting(id, value: known), invitations.expecting(id, value: note),
          claims.putting(id, value: new, tags: tags),
        ] + (new == value ? [invitations.removing(id)] : []))
    }
  }

  /// Gives the reservation back, because the response could not be sent. If that fails, the reservation ends by itself.
  func release() {
    guard let known = try? claims.find(id)?.value, Reservation(known)?.user == name else { return }
    try? wallet.make([claims.expecting(id, value: known), claims.removing(id)])
  }

  private var taken: ProtocolError {
    switch user {
    case .reuser, .requester, .peer: .wrongThread
    case .invitee: .notFromPeer
    }
  }
}

/// A claim before the answer has left. It ends by itself, because a process may end, or close the wallet, before it gives
/// the claim back.
struct Reservation {
  let user: String
  let time: Int64

  /// The tag of reservations in the wallet, with the user.
  static let tag = "asking"
  /// An answer takes less than these seconds: the library waits for a silent endpoint for a minute.
  static let duration = 120
}

extension Reservation {
  /// Returns nil for a final claim.
  init?(_ value: String) {
    let words = value.split(separator: " ")
    guard words.count >= 2, words[0] == "asking" else { return nil }
    // An older version has noted no time.
    self.init(user: String(words[1]), time: words.count > 2 ? Int64(words[2]) ?? 0 : 0)
  }

  var text: String { "asking \(user) \(time)" }

  /// A time that is ahead counts too: the clock was set back, or the application has changed the record.
  func isOver(at now: Int64) -> Bool {
    let (age, isTooLong) = now.subtractingReportingOverflow(time)
    return isTooLong || age.magnitude >= Self.duration
  }
}

/// Sends the answer to the user of an invitation: the wallet has the claims before, and only the claims make the answer
/// count.
struct ClaimingOutbox: Outbox {
  let claims: [InvitationClaim]
  let outbox: PairwiseOutbox

  var session: Session { outbox.session }

  func send(_ message: JSON, to service: Service) throws {
    do {
      for claim in claims { try claim.reserve() }
      try outbox.send(message, to: service)
    } catch {
      for claim in claims { claim.release() }
      throw error
    }
    for claim in claims { try claim.confirm() }
  }
}
