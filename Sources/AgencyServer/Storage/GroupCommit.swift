internal import SQLite
internal import Threading

/// Writes for many threads with one commit.
///
/// A commit waits for the disk. While it does, further writes queue up; whoever comes first then runs all of them in one
/// transaction and commits once, and only then does any of them return. Each write stays or goes as a whole, whatever
/// the others of its transaction do.
final class GroupCommit: Sendable {
  private struct State {
    var waiting: [Write] = []
    var isWriting = false
  }

  /// One thread's write: what to run, and whether its transaction is over.
  private final class Write: @unchecked Sendable {
    // `run` and `failure` are touched by the thread that leads the batch, before it says so in `isDone`, which is read
    // and written under the monitor: that is what makes the class Sendable.
    /// Nil afterwards: the closure must not outlive the call that it belongs to.
    var run: ((Database) -> Void)?
    var failure: SQLiteError?
    var isDone = false

    init(_ run: @escaping (Database) -> Void) { self.run = run }
  }

  /// Used only by the thread that has set `isWriting`.
  private let database: Database
  private let state = Monitor(State())

  init(_ database: Database) { self.database = database }

  /// Runs `body` in a transaction and returns when that is on disk. Blocks.
  func write<Result>(_ body: (Database) throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    var result: Swift.Result<Result, SQLiteError>?
    try withoutActuallyEscaping(body) { (body) throws(SQLiteError) in
      let write = Write { database in
        do throws(SQLiteError) { result = .success(try database.atomically(body)) } catch { result = .failure(error) }
      }
      state.withLock { $0.waiting.append(write) }
      try finish(write)
    }
    guard let result else { preconditionFailure("a write that is done has a result") }
    return try result.get()
  }

  /// Waits until another thread has committed the write, or leads the next batch.
  private func finish(_ write: Write) throws(SQLiteError) {
    let batch = state.wait { state -> [Write]? in
      if write.isDone { return [] }
      guard !state.isWriting else { return nil }
      state.isWriting = true
      defer { state.waiting = [] }
      return state.waiting
    }
    if !batch.isEmpty {
      let failure = commit(batch)
      state.withLock { state in
        for write in batch {
          write.run = nil
          write.failure = failure
          write.isDone = true
        }
        state.isWriting = false
      }
    }
    if let failure = write.failure { throw failure }
  }

  private func commit(_ batch: [Write]) -> SQLiteError? {
    do throws(SQLiteError) {
      try database.connection.transaction { () throws(SQLiteError) in
        // A full disk ends the transaction by itself; COMMIT then fails and says so for all.
        for write in batch where database.connection.isInTransaction { write.run?(database) }
      }
      return nil
    } catch {
      return error
    }
  }
}
