internal import JSON
internal import Sodium
internal import Wallet

/// Notes in the wallet which of its invitations nobody has used, and which messages of peers have had their one answer. A
/// connection can then answer for the invitations of others.
struct ReuseBook {
  let wallet: Wallet

  private static let invitations = "msdk.invitation"
  private static let reuses = "msdk.reuse"

  /// The highest number of remembered messages per connection.
  private static let limit = 100

  /// Notes an invitation before anybody sees it.
  func note(invitation id: String, of pairwiseDID: String) throws {
    try wallet.apply(.add(Record(type: Self.invitations, id: id, value: pairwiseDID)))
  }

  func holds(invitation id: String) throws -> Bool { try value(Self.invitations, id) != nil }

  /// Whether this connection has answered the message.
  func isAnswered(_ message: AnsweredOnce, over pairwiseDID: String) throws -> Bool {
    try answered(over: pairwiseDID).contains(Self.mark(of: message))
  }

  /// Remembers that the message has its answer.
  func noteAnswer(to message: AnsweredOnce, over pairwiseDID: String) throws {
    let known = try answered(over: pairwiseDID)
    let value = JSON((known + [Self.mark(of: message)]).suffix(Self.limit)).text
    do {
      try wallet.apply(.updateValue(type: Self.reuses, id: pairwiseDID, value: value))
    } catch WalletError.recordNotFound {
      try wallet.apply(.add(Record(type: Self.reuses, id: pairwiseDID, value: value)))
    }
  }

  /// Forgets a deleted connection with its invitation.
  func strike(_ pairwiseDID: String, invitation id: String?) {
    try? wallet.apply(.delete(type: Self.reuses, id: pairwiseDID))
    if let id { strike(invitation: id) }
  }

  /// Forgets an invitation that a peer has used. Only that peer's connection answers a reuse of it from now on.
  func strike(invitation id: String) { try? wallet.apply(.delete(type: Self.invitations, id: id)) }

  /// The application can change any record: a record without a list counts as empty.
  private func answered(over pairwiseDID: String) throws -> [String] {
    guard let value = try value(Self.reuses, pairwiseDID), let list = try? JSON(parsing: value).array else { return [] }
    return list.compactMap(\.string)
  }

  private func value(_ type: String, _ id: String) throws -> String? {
    do { return try wallet.record(type: type, id: id).value } catch WalletError.recordNotFound { return nil }
  }

  /// Hashes the ids, because the peer may choose long ones.
  private static func mark(of message: AnsweredOnce) -> String {
    .uuid(derivedFrom: JSON([message.id, message.context]).text)
  }
}
