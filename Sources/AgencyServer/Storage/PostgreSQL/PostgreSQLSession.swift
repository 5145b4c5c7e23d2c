internal import PostgreSQL

extension PostgreSQLConnection: SQLSession {
  static var lock: String { "FOR NO KEY UPDATE" }
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
