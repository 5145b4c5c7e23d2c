internal import SQLite

/// A connection whose statements are kept.
final class Database {
  let connection: Connection

  init(path: String) throws(SQLiteError) {
    connection = try Connection(path: path)
    try connection.configure()
  }

  /// The statement for `sql`, prepared once.
  func callAsFunction(_ sql: String) throws(SQLiteError) -> Statement { try connection.kept(sql) }
}

extension Statement: StoredRow {
  func optionalText(_ column: Int) throws(SQLiteError) -> String? {
    if case .text(let text) = try value(column) { text } else { nil }
  }
}
