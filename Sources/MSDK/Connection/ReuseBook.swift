internal import JSON
internal import Sodium
internal import Wallet

/// Notes in the wallet which of its invitations nobody has used, which connection's peer has reused one, and which messages
/// of peers have had their one answer. A connection can then answer for the invitations of others.
struct ReuseBook {
  let wallet: Wallet

  private static let invitations = "msdk.invitation"
  private static let reuses = "msdk.reuse"
  private var reused: LibraryRecords { LibraryRecords(of: "msdk.reused", in: wallet) }

  /// The highest number of remembered messages per connection.
  private static let limit = 100

  /// Notes an invitation before anybody sees it.
  func note(invitation id: String, of pairwiseDID: String) throws {
    try wallet.apply(.add(Record(type: Self.invitations, id: id, value: pairwiseDID)))
  }

  /// Whether the peer of a connection may reuse an invitation: it has done so before, or nobody has used the invitation.
  func holds(invitation id: String, for pairwiseDID: String) throws -> Bool {
    if let user = try reused.find(id)?.value { return user == pairwiseDID }
    return try value(Self.invitations, id) != nil
  }

  /// Whether some connection's peer has reused the invitation. Nobody else may use it then.
  func isReused(invitation id: String) throws -> Bool { try reused.find(id) != nil }

  /// Leaves an invitation to the peer of one connection. Throws if it is another's.
  func claim(invitation id: String, for pairwiseDID: String) throws {
    guard try reused.find(id)?.value != pairwiseDID else { return }
    try wallet.make([reused.adding(id, value: pairwiseDID)])
  }

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
    if let id {
      strike(invitation: id)
      try? wallet.make([reused.removing(id)])
    }
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
