internal import CSQLite
internal import Platform

/// A connection to a database file.
///
/// It is opened without SQLite's own mutexes: only one thread at a time may use it, and its owner ensures that.
/// Statements may outlive it; the file is closed with the last of them.
package final class Database {
  package enum Access: Sendable {
    /// The file must exist.
    case readWrite
    /// The file is created if it does not exist.
    case create
  }

  let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// Whether the file has a write-ahead log. Without one, a reading connection blocks all writers.
  package internal(set) var hasWriteAheadLog = false

  /// Opens the file at `path`. SQLite reads the file only when the first statement is prepared, so a wrong file fails
  /// only then.
  package init(path: String, _ access: Access = .create) throws(SQLiteError) {
    let flags =
      switch access {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var handle: OpaquePointer?
    let status = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard status == SQLITE_OK, let handle else {
      let error = SQLiteError(database: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    // SQLite silently opens a file for reading only if the system refuses more, even for a moment (too many open
    // files). Every write would then fail as long as the connection lives.
    guard sqlite3_db_readonly(handle, "main") != 1 || Glibc.access(path, W_OK) != 0 else {
      sqlite3_close_v2(handle)
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file cannot be opened for writing now")
    }
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  /// Prepares one statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: handle)
  }

  /// The prepared statement for a text that is used repeatedly; kept as long as the connection.
  package func kept(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs statements without parameters, separated by semicolons, and ignores their rows.
  package func execute(_ script: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw SQLiteError(database: handle) }
  }

  /// The number of rows that the latest insert, update or delete changed, without changes by foreign keys.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Throws `SQLiteError.moved` if the path of this connection no longer leads to its file. Nobody else finds the file
  /// then, and a change to it is lost. Takes one system call.
  func requireFileInPlace() throws(SQLiteError) {
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    if hasMoved != 0 { throw .moved }
  }

  /// Whether a transaction is open. Some failures (disk full, I/O) end it by themselves.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
