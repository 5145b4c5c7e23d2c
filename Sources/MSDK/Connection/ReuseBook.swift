internal import JSON
internal import Sodium
internal import Wallet

/// The wallet's notes about its unused invitations, about the users of the others, and about the messages that have had
/// their one answer. With them, a connection can answer for invitations of other connections. `InvitationClaim` notes the
/// users.
struct ReuseBook {
  private let wallet: Wallet
  private let invitations, claims, answers: LibraryRecords

  /// The highest number of remembered messages per connection.
  private static let limit = 100

  init(wallet: Wallet) {
    self.wallet = wallet
    invitations = Self.invitations(in: wallet)
    claims = Self.claims(in: wallet)
    answers = LibraryRecords(of: "msdk.reuse", in: wallet)
  }

  static func invitations(in wallet: Wallet) -> LibraryRecords { LibraryRecords(of: "msdk.invitation", in: wallet) }

  static func claims(in wallet: Wallet) -> LibraryRecords { LibraryRecords(of: "msdk.reused", in: wallet) }

  /// Notes an invitation before anybody sees it.
  func note(invitation id: String, of pairwiseDID: String) throws {
    try wallet.make([invitations.adding(id, value: pairwiseDID)])
  }

  /// Whether the peer of a connection may reuse an invitation: it has reused it before, or no peer has used the
  /// invitation. Throws if the answer to another user is on its way.
  func holds(invitation id: String, for pairwiseDID: String) throws -> Bool {
    switch try InvitationClaim(to: id, for: .reuser(pairwiseDID: pairwiseDID), in: wallet).standing() {
    case .own: true
    case .free: try invitations.find(id) != nil
    case .reserved: throw ConnectionError.beingAnswered
    case .taken: false
    }
  }

  /// Whether this connection has answered the message.
  func isAnswered(_ message: AnsweredOnce, over pairwiseDID: String) throws -> Bool {
    try answered(over: pairwiseDID).contains(Self.mark(of: message))
  }

  /// Remembers that the message has its answer.
  func noteAnswer(to message: AnsweredOnce, over pairwiseDID: String) throws {
    let known = try answered(over: pairwiseDID)
    let value = JSON((known + [Self.mark(of: message)]).suffix(Self.limit)).text
    try wallet.make([answers.putting(pairwiseDID, value: value)])
  }

  /// Forgets a deleted connection with its invitation. Other connections may answer the request that it was answering.
  func strike(_ pairwiseDID: String, invitation id: String?) {
    let ofInvitation = id.map { [invitations.removing($0), claims.removing($0)] } ?? []
    let ofRequests = (try? reservations(of: pairwiseDID))?.map { claims.removing($0.id) } ?? []
    try? wallet.make([answers.removing(pairwiseDID)] + ofInvitation + ofRequests)
  }

  private func reservations(of pairwiseDID: String) throws -> [RetrievedRecord] {
    let search = try claims.search(JSON.object([Reservation.tag: .string(pairwiseDID)]).text)
    defer { search.close() }
    return try search.next(.max).records
  }

  /// The application can change any record: a record without a list counts as empty.
  private func answered(over pairwiseDID: String) throws -> [String] {
    guard let value = try answers.find(pairwiseDID)?.value else { return [] }
    return (try? JSON(parsing: value).array)?.compactMap(\.string) ?? []
  }

  /// Hashes the ids, because the peer may choose long ones.
  private static func mark(of message: AnsweredOnce) -> String {
    .uuid(derivedFrom: JSON([message.id, message.context]).text)
  }
}
