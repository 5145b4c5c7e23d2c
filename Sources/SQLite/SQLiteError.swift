internal import CSQLite

/// A failure of SQLite. The message names tables and columns, never values.
package struct SQLiteError: Error, Equatable, Sendable {
  /// The extended result code, with the primary code in the low byte.
  package let code: Int32
  package let message: String

  /// The primary result code.
  package var primary: Primary { Primary(rawValue: code & 0xff) ?? .error }

  /// The primary result codes that callers handle; all others count as `error`.
  package enum Primary: Int32, Sendable {
    case error = 1
    case busy = 5
    case locked = 6
    case outOfMemory = 7
    case readOnly = 8
    case ioError = 10
    case corrupt = 11
    case full = 13
    case cannotOpen = 14
    case constraint = 19
    case mismatch = 20
    case misuse = 21
    case notADatabase = 26
  }

  /// Whether a row was refused because another one has the same key.
  package var isUniqueViolation: Bool {
    code == sqliteConstraintUnique || code == sqliteConstraintPrimaryKey || code == sqliteConstraintRowID
  }

  /// The object was closed.
  package static let closed = SQLiteError(code: SQLITE_MISUSE, message: "closed")

  /// The open file is no longer at its path: it was deleted, moved, or replaced.
  package static let moved = SQLiteError(
    code: sqliteReadOnlyDBMoved, message: "the file was deleted, moved or replaced")

  /// Whether any other transaction would fail too: the cause is the file, the disk or another process, not a statement.
  var concernsEveryTransaction: Bool {
    switch primary {
    case .busy, .locked, .readOnly, .ioError, .corrupt, .full, .cannotOpen, .notADatabase: true
    case .error, .outOfMemory, .constraint, .mismatch, .misuse: false
    }
  }

  /// A failure of an SQL function.
  package init(message: String) { self.init(code: SQLITE_ERROR, message: message) }

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// The latest failure of a connection.
  init(database: OpaquePointer?) {
    code = sqlite3_extended_errcode(database)
    message = String(cString: sqlite3_errmsg(database))
  }
}

// SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _ROWID, SQLITE_READONLY_DBMOVED: macros with arithmetic, which Swift does not import.
private let sqliteConstraintUnique = SQLITE_CONSTRAINT | 8 << 8
private let sqliteConstraintPrimaryKey = SQLITE_CONSTRAINT | 6 << 8
private let sqliteConstraintRowID = SQLITE_CONSTRAINT | 10 << 8
private let sqliteReadOnlyDBMoved = SQLITE_READONLY | 4 << 8

extension SQLiteError: CustomStringConvertible {
  package var description: String { "\(message) (SQLite \(code))" }
}
