internal import JSON
internal import SQLite

/// Only one writer runs at a time, so locks are empty.
extension Database: SQLSession {
  static var lock: String { "" }
  /// One transaction at a time writes, so that numbers are committed in their order.
  static func delaysSettledReads(of account: String) -> String { "" }

  static var lockFree: String { "" }

  static func isAny(of parameter: String, _ column: String) -> String {
    "\(column) IN (SELECT value FROM json_each(\(parameter)))"
  }

  @discardableResult
  func forEach(
    _ sql: String, binding values: [SQLValue], row: (Statement) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Int {
    try kept(sql).forEach(binding: values.map(Value.init), row: row)
    return changes
  }
}

extension Statement: SQLRow {
  func optionalText(_ column: Int) throws(SQLiteError) -> String? {
    if case .text(let text) = try value(column) { text } else { nil }
  }
}

extension Value {
  fileprivate init(_ value: SQLValue) {
    self =
      switch value {
      case .integer(let integer): .integer(integer)
      case .text(let text): text.map { .text($0) } ?? .null
      case .blob(let bytes): .blob(bytes)
      case .texts(let texts): texts.map { .text(JSON($0).text) } ?? .null
      }
  }
}
