internal import SQLite
internal import Threading

/// Connections for reading, a few for many threads. They see what is committed, and wait for no writer.
final class Readers: Sendable {
  private struct State {
    var idle: [Database] = []
    var open = 0
  }

  /// A connection is in `idle` or with the one thread that took it out.
  private let state = Monitor(State())
  private let path: String
  private let limit: Int

  init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// What `body` reads is one state of the database. Blocks while all connections are in use.
  func read<Result>(_ body: (Database) throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let database = try take()
    defer { state.withLock { $0.idle.append(database) } }
    return try database.atomically(body)
  }

  private func take() throws(SQLiteError) -> Database {
    let idle = state.wait { state -> Database?? in
      if let database = state.idle.popLast() { return .some(database) }
      guard state.open < limit else { return nil }
      state.open += 1
      return .some(nil)
    }
    if let idle { return idle }
    do throws(SQLiteError) {
      return try Database(path: path)
    } catch {
      state.withLock { $0.open -= 1 }
      throw error
    }
  }
}
