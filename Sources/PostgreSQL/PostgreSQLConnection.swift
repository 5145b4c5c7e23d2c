internal import CPostgreSQL

/// A connection to a server. One thread at a time may use it; its owner ensures that.
///
/// Commits are on disk when they return, even if the server's default is another.
package final class PostgreSQLConnection: @unchecked Sendable {
  // `ConnectionPool` shares connections and gives each to one thread at a time, so the class is Sendable.
  let handle: OpaquePointer

  /// The names of prepared statements by their text and parameter types.
  private var statements: [Statement: String] = [:]

  private struct Statement: Hashable {
    let sql: String
    let types: [UInt32]
  }

  /// Connects to a `postgresql://` URI or a keyword/value string, which `ConnectionTarget` checks. Other parameters
  /// come from libpq's environment variables and password file. Blocks for ten seconds at most, unless
  /// `connect_timeout` says otherwise.
  package init(_ target: String) throws(PostgreSQLError) {
    let target = try ConnectionTarget(target)
    // The target comes last, so that its parameters override these.
    let parameters = [
      ("connect_timeout", "10"), ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "30000"), ("application_name", "msdk-agency"), ("dbname", target.text),
    ]
    let handle = withCStrings(parameters.map(\.0)) { keywords in
      withCStrings(parameters.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
    }
    guard let handle, PQstatus(handle) == CONNECTION_OK else {
      let error = PostgreSQLError(connecting: handle)
      PQfinish(handle)
      throw error
    }
    self.handle = handle
    try configure()
  }

  deinit { PQfinish(handle) }

  /// Sets the parameters that must not depend on the server's configuration. The server ends a session that hangs
  /// within a transaction, because it would hold its locks for ever.
  private func configure() throws(PostgreSQLError) {
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    try execute(
      """
      SET client_encoding = 'UTF8';
      SET default_transaction_isolation = 'read committed';
      SET default_transaction_read_only = off;
      SET idle_in_transaction_session_timeout = '30s';
      SET lock_timeout = '20s';
      """)
    // A stronger setting, which waits for a replica, stays.
    if try setting("synchronous_commit") == "off" { try execute("SET synchronous_commit = on") }
  }

  /// The server's value of a setting.
  package func setting(_ name: String) throws(PostgreSQLError) -> String {
    try query("SELECT current_setting($1)", .text(name)).first { row throws(PostgreSQLError) in try row.text(0) } ?? ""
  }

  /// Whether the client sees the connection as usable: outside of a transaction, and not broken.
  var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

  /// Runs statements without parameters, separated by semicolons, and ignores their results.
  package func execute(_ script: String) throws(PostgreSQLError) {
    _ = try check(PQexec(handle, script))
  }

  /// Runs a statement with values for `$1`, `$2` and so on. The connection prepares the statement once and keeps it.
  @discardableResult
  package func query(_ sql: String, _ values: Value...) throws(PostgreSQLError) -> Rows {
    try query(sql, binding: values)
  }

  package func query(_ sql: String, binding values: [Value]) throws(PostgreSQLError) -> Rows {
    let name = try prepared(Statement(sql: sql, types: values.map(\.type)))
    return try check(run(name, values.map(\.binary)))
  }

  private func prepared(_ statement: Statement) throws(PostgreSQLError) -> String {
    if let name = statements[statement] { return name }
    let name = "s\(statements.count)"
    _ = try check(PQprepare(handle, name, statement.sql, Int32(statement.types.count), statement.types))
    statements[statement] = name
    return name
  }

  private func run(_ name: String, _ values: [[UInt8]?]) -> OpaquePointer? {
    // One buffer for all values. Each value gets a spare byte, so that an empty value also has an address, which
    // distinguishes it from NULL.
    var buffer: [UInt8] = []
    let offsets = values.map { value -> Int? in
      guard let value else { return nil }
      defer { buffer += value + [0] }
      return buffer.count
    }
    return buffer.withUnsafeBufferPointer { bytes in
      let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      let addresses = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
      let lengths = values.map { Int32($0?.count ?? 0) }
      let binary = [Int32](repeating: 1, count: values.count)
      return PQexecPrepared(handle, name, Int32(values.count), addresses, lengths, binary, 1)
    }
  }

  private func check(_ result: OpaquePointer?) throws(PostgreSQLError) -> Rows {
    guard let result, [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
      let error = PostgreSQLError(result: result, connection: handle)
      PQclear(result)
      throw error
    }
    return Rows(result)
  }
}

extension PostgreSQLConnection {
  /// Runs `body` in a transaction; rolls back if it throws. The second value of a failure tells whether the failure
  /// came before the commit, so that nothing has changed.
  package func transaction<Result>(_ body: () throws(PostgreSQLError) -> Result) throws(TransactionError) -> Result {
    let result: Result
    do throws(PostgreSQLError) {
      try execute("BEGIN")
      result = try body()
    } catch {
      try? execute("ROLLBACK")
      throw TransactionError(cause: error, isUndone: true)
    }
    do throws(PostgreSQLError) {
      let command = try query("COMMIT").command
      // 25P02: in_failed_sql_transaction
      if command != "COMMIT" { throw PostgreSQLError(state: "25P02", message: "the transaction was rolled back") }
      return result
    } catch {
      throw TransactionError(cause: error, isUndone: error.kind != .connectionLost)
    }
  }
}

/// The reason why a transaction was not committed, or may not be.
package struct TransactionError: Error, Equatable, Sendable {
  package let cause: PostgreSQLError

  /// False if the connection was lost during the commit, which may have succeeded.
  package let isUndone: Bool
}

/// Passes the strings to `body` as a null-terminated array of C strings.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  var offsets: [Int] = []
  var characters: [CChar] = []
  for string in strings {
    offsets.append(characters.count)
    characters += string.utf8CString
  }
  return characters.withUnsafeBufferPointer { characters in
    let addresses = offsets.map { offset in characters.baseAddress.map { $0 + offset } } + [nil]
    return addresses.withUnsafeBufferPointer { addresses in
      guard let start = addresses.baseAddress else { preconditionFailure("an array with an element has an address") }
      return body(start)
    }
  }
}
