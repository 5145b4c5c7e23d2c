internal import Threading

/// Writes of many threads through one connection, with few commits.
///
/// A commit is expensive because it waits for the disk. Writes that arrive while another commits share the next
/// transaction. Each write stays or fails as a whole, independent of the others.
package final class GroupCommit<Writer: AnyObject>: Sendable {
  private let queue: CommitQueue

  /// `writer` works on `database`; nothing else may use them.
  package init(_ writer: Writer, on database: Database) {
    queue = CommitQueue(writer, on: database)
  }

  /// Runs `body` in a transaction. When this returns, its changes are on the disk; if it throws, it has changed
  /// nothing. Blocks.
  ///
  /// `body` runs on any thread, and again if the shared transaction failed. After `close`, this throws
  /// `SQLiteError.closed`.
  package func write<Result, Failure: DatabaseFailure>(
    _ body: (Writer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome = Swift.Result<Result, Failure>.failure(Failure(.closed))
    let failure = queue.perform { writer in
      do throws(Failure) {
        outcome = .success(try body(unsafeDowncast(writer, to: Writer.self)))
        return true
      } catch {
        outcome = .failure(error)
        return false
      }
    }
    if let failure { throw Failure(failure) }
    return try outcome.get()
  }

  /// Runs `body` in a transaction without waiting. Calls `end` with the reason why nothing has changed, or with nil
  /// once the changes are on the disk, on a thread of the pool or on this one.
  package func write<Failure: DatabaseFailure>(
    _ body: @escaping @Sendable (Writer) throws(Failure) -> Void, then end: @escaping @Sendable (Failure?) -> Void
  ) {
    let reason = Locked<Failure?>(nil)
    queue.perform { writer in
      do throws(Failure) {
        try body(unsafeDowncast(writer, to: Writer.self))
        reason.withLock { $0 = nil }  // of an earlier transaction, which failed
        return true
      } catch {
        reason.withLock { $0 = error }
        return false
      }
    } then: { failure in
      end(failure.map { Failure($0) } ?? reason.withLock { $0 })
    }
  }

  /// Writes the write-ahead log into the file and empties the log, if other connections permit it. Blocks.
  package func checkpoint() { queue.checkpoint() }

  /// Refuses new and waiting writes, and releases the writer.
  package func close() { queue.close() }

  /// The number of writes that no thread has begun to commit.
  package var waitingCount: Int { queue.waitingCount }

  /// The number of committed transactions.
  package var commits: Int { queue.commits }
}
