internal import Threading

/// A few connections to one server for many threads. The pool opens them when they are needed, and again after the
/// server was away.
package final class ConnectionPool: Sendable {
  private struct State {
    var idle: [PostgreSQLConnection] = []
    /// The idle connections and the used ones.
    var open = 0
  }

  private let target: String
  private let limit: Int
  private let state = Monitor(State())

  /// `target` is a connection's target. Opens nothing yet.
  package init(_ target: String, limit: Int) {
    self.target = target
    self.limit = limit
  }

  /// Runs independent statements. If their connection is lost, it runs them again on a new one, so they must be
  /// repeatable. Blocks while all connections are in use.
  package func read<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    do throws(PostgreSQLError) {
      return try use(body)
    } catch {
      guard error.kind == .connectionLost else { throw error }
      return try use(body)
    }
  }

  /// Runs `body` in a transaction. Starts again if another transaction was in the way, or if the connection was lost
  /// before the commit. Blocks while all connections are in use.
  package func write<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    for _ in 1..<Self.attempts {
      do throws(TransactionError) {
        return try transaction(body)
      } catch {
        guard error.isUndone, error.cause.kind != .other else { throw error.cause }
      }
    }
    do throws(TransactionError) { return try transaction(body) } catch { throw error.cause }
  }

  /// A conflict ends with the other transaction; several conflicts in a row show a mistake in the statements.
  private static let attempts = 5

  private func transaction<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(TransactionError) -> Result {
    let connection: PostgreSQLConnection
    do throws(PostgreSQLError) { connection = try take() } catch {
      throw TransactionError(cause: error, isUndone: false)
    }
    defer { give(back: connection) }
    return try connection.transaction { () throws(PostgreSQLError) in try body(connection) }
  }

  private func use<Result>(_ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result) throws(PostgreSQLError)
    -> Result
  {
    let connection = try take()
    defer { give(back: connection) }
    return try body(connection)
  }

  private func take() throws(PostgreSQLError) -> PostgreSQLConnection {
    let idle = state.wait { state -> PostgreSQLConnection?? in
      if let connection = state.idle.popLast() { return .some(connection) }
      guard state.open < limit else { return nil }
      state.open += 1
      return .some(nil)
    }
    if let idle { return idle }
    do throws(PostgreSQLError) {
      return try PostgreSQLConnection(target)
    } catch {
      state.withLock { $0.open -= 1 }
      throw error
    }
  }

  /// If one connection is lost, the server is or was away, and the idle connections are lost too.
  private func give(back connection: PostgreSQLConnection) {
    state.withLock { state in
      if connection.isIdle {
        state.idle.append(connection)
      } else {
        state.open -= 1 + state.idle.count
        state.idle = []
      }
    }
  }
}
