/// One thread's connection to an SQL database: runs statements, and names the few differences between databases.
protocol SQLSession {
  associatedtype Row: SQLRow
  typealias Failure = Row.Failure

  /// Ends a SELECT that locks its rows until the transaction ends: other transactions wait for them.
  static var lock: String { get }

  /// A further column of a SELECT, with its comma. `SQLStorage.readSettled` of the account then waits until the
  /// transaction of the SELECT ends. `account` is the column with the account's id.
  static func delaysSettledReads(of account: String) -> String

  /// Ends a SELECT that locks only free rows: it skips rows that others have locked.
  static var lockFree: String { get }

  /// The condition that a column is one of the texts of a parameter, `SQLValue.texts`.
  static func isAny(of parameter: String, _ column: String) -> String

  /// Runs a statement with values for `$1`, `$2` and so on. The statement must mention `$1` first, then `$2`: SQLite
  /// numbers parameters in the order of their first mention. Passes every row to `row`, which must not run the same
  /// statement. Returns the number of rows that an INSERT, UPDATE or DELETE changed.
  @discardableResult
  func forEach(
    _ sql: String, binding values: [SQLValue], row: (Row) throws(Failure) -> Void
  ) throws(Failure) -> Int
}

extension SQLSession {
  /// Runs a statement and ignores its rows.
  @discardableResult
  func run(_ sql: String, _ values: SQLValue...) throws(Failure) -> Int {
    try forEach(sql, binding: values) { _ in }
  }

  /// The results of `row` for all rows.
  func all<Result>(
    _ sql: String, _ values: SQLValue..., row: (Row) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    try all(sql, binding: values, row: row)
  }

  func all<Result>(
    _ sql: String, binding values: [SQLValue], row: (Row) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    try forEach(sql, binding: values) { each throws(Failure) in results.append(try row(each)) }
    return results
  }

  /// The result of `row` for the first row; nil if there is none. It fetches all rows, so use it for few.
  func first<Result>(
    _ sql: String, _ values: SQLValue..., row: (Row) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var result: Result?
    try forEach(sql, binding: values) { each throws(Failure) in if result == nil { result = try row(each) } }
    return result
  }

  /// The number in the first row's first column; nil if there is no row.
  func integer(_ sql: String, _ values: SQLValue...) throws(Failure) -> Int64? {
    var result: Int64?
    try forEach(sql, binding: values) { row throws(Failure) in if result == nil { result = try row.integer(0) } }
    return result
  }
}

/// A value for a parameter of a statement.
enum SQLValue {
  case integer(Int64)
  /// Nil is NULL.
  case text(String?)
  case blob([UInt8])
  /// A list for `SQLSession.isAny`; nil is NULL.
  case texts([String]?)
}

/// A row of a result: columns counted from 0. Reading a column of another type is an error.
protocol SQLRow: SendableMetatype {
  associatedtype Failure: Error

  /// A number, or a boolean as 0 or 1.
  func integer(_ column: Int) throws(Failure) -> Int64
  func text(_ column: Int) throws(Failure) -> String
  func optionalText(_ column: Int) throws(Failure) -> String?
  func blob(_ column: Int) throws(Failure) -> [UInt8]
}
