internal import PostgreSQL

extension PostgreSQLConnection: SQLSession {
  static var lock: String { "FOR NO KEY UPDATE" }
  static func delaysSettledReads(of account: String) -> String {
    ", pg_advisory_xact_lock_shared(\(settling), \(key(account)))"
  }

  /// Waits for the transactions that delay settled reads of the account, and delays their successors, until the
  /// transaction ends.
  func settle(_ accountID: Int64) throws(PostgreSQLError) {
    try run("SELECT pg_advisory_xact_lock(\(Self.settling), \(Self.key("$1")))", .integer(accountID))
  }

  /// The first half of the locks' numbers, and the second: accounts with the same one wait for each other too.
  private static let settling = 7_693_155
  private static func key(_ account: String) -> String { "CAST(\(account) % 2147483647 AS INT)" }

  static var lockFree: String { "FOR UPDATE SKIP LOCKED" }

  static func isAny(of parameter: String, _ column: String) -> String { "\(column) = ANY (\(parameter))" }

  @discardableResult
  func forEach(
    _ sql: String, binding values: [SQLValue], row: (Row) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) -> Int {
    let rows = try query(sql, binding: values.map(Value.init))
    try rows.forEach(row)
    return rows.touched
  }
}

extension Row: SQLRow {}

extension Value {
  fileprivate init(_ value: SQLValue) {
    self =
      switch value {
      case .integer(let integer): .integer(integer)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      case .texts(let texts): .texts(texts)
      }
  }
}
