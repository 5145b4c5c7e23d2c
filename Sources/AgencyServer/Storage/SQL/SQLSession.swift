/// A connection to an SQL database, as one thread at a time has it: how statements are run, and the few words that
/// databases have of their own.
protocol SQLSession {
  associatedtype Row: SQLRow
  typealias Failure = Row.Failure

  /// Ends a SELECT whose rows are to stay as they are until the transaction ends: others who ask for the same wait.
  static var lock: String { get }

  /// The same for rows that nobody else has locked: others are passed over.
  static var lockFree: String { get }

  /// The condition that a column is one of the texts of a parameter, `SQLValue.texts`.
  static func isAny(of parameter: String, _ column: String) -> String

  /// Runs a statement with values for `$1`, `$2` and so on, which it must mention first in that order: SQLite counts
  /// them so. Hands every row to `row`, which must not run the same statement. Returns how many rows an INSERT, UPDATE
  /// or DELETE has touched.
  @discardableResult
  func forEach(
    _ sql: String, binding values: [SQLValue], row: (Row) throws(Failure) -> Void
  ) throws(Failure) -> Int
}

extension SQLSession {
  /// Runs a statement without looking at its rows.
  @discardableResult
  func run(_ sql: String, _ values: SQLValue...) throws(Failure) -> Int {
    try forEach(sql, binding: values) { _ in }
  }

  /// What `row` makes of every row.
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

  /// What `row` makes of the first row; nil when there is none. All are fetched: it is for statements that give few.
  func first<Result>(
    _ sql: String, _ values: SQLValue..., row: (Row) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var result: Result?
    try forEach(sql, binding: values) { each throws(Failure) in if result == nil { result = try row(each) } }
    return result
  }

  /// The number in the first row's first column; nil when there is no row.
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

/// A row that a statement gives: columns counted from 0, with an error for those of another type.
protocol SQLRow: SendableMetatype {
  associatedtype Failure: Error

  /// A number, or a truth as 0 or 1.
  func integer(_ column: Int) throws(Failure) -> Int64
  func text(_ column: Int) throws(Failure) -> String
  func optionalText(_ column: Int) throws(Failure) -> String?
  func blob(_ column: Int) throws(Failure) -> [UInt8]
}
