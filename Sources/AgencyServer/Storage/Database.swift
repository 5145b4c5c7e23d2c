internal import SQLite

/// A connection that keeps its statements.
final class Database: @unchecked Sendable {
  // `GroupCommit` and `Readers`, the only holders, give it to one thread at a time: that is what makes the class
  // Sendable.
  let connection: Connection
  private var statements: [String: Statement] = [:]

  init(path: String) throws(SQLiteError) {
    connection = try Connection(path: path)
    try connection.configure()
  }

  /// The statement for `sql`, prepared once.
  func callAsFunction(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs `body` so that its changes stay or go together, within the transaction that is open.
  func atomically<Result>(_ body: (Database) throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    try self("SAVEPOINT step").run()
    do {
      let result = try body(self)
      try self("RELEASE step").run()
      return result
    } catch {
      if connection.isInTransaction {
        try? self("ROLLBACK TO step").run()
        try? self("RELEASE step").run()
      }
      throw error
    }
  }
}

extension Statement: StoredRow {
  func optionalText(_ column: Int) throws(SQLiteError) -> String? {
    if case .text(let text) = try value(column) { text } else { nil }
  }
}
