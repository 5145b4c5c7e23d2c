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
  /// invitation.
  func holds(invitation id: String, for pairwiseDID: String) throws -> Bool {
    if let user = try claims.find(id)?.value { return user == pairwiseDID }
    return try invitations.find(id) != nil
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

  /// Forgets a deleted connection with its invitation.
  func strike(_ pairwiseDID: String, invitation id: String?) {
    let ofInvitation = id.map { [invitations.removing($0), claims.removing($0)] } ?? []
    try? wallet.make([answers.removing(pairwiseDID)] + ofInvitation)
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
