internal import Threading

/// Writes of many threads through one connection, with few commits.
///
/// A commit waits for the disk, and that is its price. Writes that arrive while another commits share the next
/// transaction. One of those who wait leads: it does the work of all, answers everybody after the commit, and hands over
/// to the first of those who have come meanwhile. Each write stays or goes as a whole, whatever the others do.
package final class GroupCommit<Writer, Failure: DatabaseFailure>: Sendable {
  private let state = Locked(State())
  private let owned: Locked<Owned?>
  private let closed: Failure

  private struct State: Sendable {
    var waiting: [Write] = []
    /// Whether one of the writers leads, or has been told to.
    var isLed = false
    /// How many were in the latest transaction.
    var latestCount = 0
  }

  /// What only the leader touches, inside the lock that says so.
  fileprivate final class Owned: @unchecked Sendable {
    // Whoever holds the lock of `owned` is the only one who uses it: that is what makes the class Sendable.
    let writer: Writer
    let connection: Connection
    var commits = 0

    init(_ writer: Writer, _ connection: Connection) {
      self.writer = writer
      self.connection = connection
    }
  }

  /// One caller's write, and what its caller waits for.
  fileprivate final class Write: @unchecked Sendable {
    // `run` is set before the write is queued, and touched by its leader only: that is what makes the class Sendable.
    enum Turn: Sendable { case lead, done(Failure?) }

    /// Nil once it is done: the closure must not outlive the call that it belongs to.
    private var run: ((Writer) throws(Failure) -> Void)?
    private let turn = Monitor<Turn?>(nil)

    init(_ run: @escaping (Writer) throws(Failure) -> Void) { self.run = run }

    /// Can be repeated after a failure: all that counts is the last time.
    func perform(_ writer: Writer) throws(Failure) { try run?(writer) }

    func lead() { turn.withLock { $0 = .lead } }

    func finish(_ failure: Failure?) {
      run = nil
      turn.withLock { $0 = .done(failure) }
    }

    func waitForTurn() -> Turn { turn.wait { $0 } }
  }

  /// `writer` works on `connection`, and both are used here only. `closed` is what writers get after `close`.
  package init(_ writer: Writer, on connection: Connection, closed: Failure) {
    owned = Locked(Owned(writer, connection))
    self.closed = closed
  }

  /// Runs `body` in a transaction. When this returns, its changes are on the disk; when it throws, there are none. Blocks.
  ///
  /// `body` runs on any thread, and more than once where another write of the transaction fails.
  package func write<Result>(_ body: (Writer) throws(Failure) -> Result) throws(Failure) -> Result {
    var result: Result?
    try withoutActuallyEscaping(body) { body throws(Failure) in
      try perform(Write { writer throws(Failure) in result = try body(writer) })
    }
    guard let result else { preconditionFailure("a write that is done has a result") }
    return result
  }

  /// Refuses new writes; those that got in before are done.
  package func close() { owned.withLock { $0 = nil } }

  /// Writes that no one has begun to commit.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Transactions committed so far.
  package var commits: Int { owned.withLock { $0?.commits ?? 0 } }

  private func perform(_ write: Write) throws(Failure) {
    if isFirst(write) { lead() }
    if case .lead = write.waitForTurn() { lead() }
    if case .done(let failure?) = write.waitForTurn() { throw failure }
  }

  private func isFirst(_ write: Write) -> Bool {
    state.withLock { state in
      state.waiting.append(write)
      defer { state.isLed = true }
      return !state.isLed
    }
  }

  /// Commits what waits, the leader's own write among it.
  private func lead() {
    letOthersJoin()
    let writes = takeWaiting()
    let failures: [Failure?] = owned.withLock { owned in
      guard let owned else { return writes.map { _ in closed } }
      return owned.commit(writes)
    }
    for (write, failure) in zip(writes, failures) { write.finish(failure) }
    let next = state.withLock { state in
      state.isLed = !state.waiting.isEmpty
      return state.waiting.first
    }
    next?.lead()
  }

  /// Where many write, those that were just answered are about to come again: a commit costs more than to let them. A
  /// writer who is alone does not wait.
  private func letOthersJoin() {
    guard state.withLock({ $0.latestCount > 1 }) else { return }
    var count = 0
    while waitingCount > count {
      count = waitingCount
      Threads.yield()
    }
  }

  private func takeWaiting() -> [Write] {
    state.withLock { state in
      defer { state.waiting = [] }
      state.latestCount = state.waiting.count
      return state.waiting
    }
  }
}

// MARK: - Committing

extension GroupCommit.Owned {
  /// What became of each write; nil is success.
  fileprivate func commit(_ writes: [GroupCommit.Write]) -> [Failure?] {
    if writes.count > 1, let failures = commitTogether(writes) { return failures }
    return writes.map { write in failure { () throws(Failure) in try write.perform(writer) } }
  }

  /// One transaction for all. Nil when it came to nothing as a whole (disk full, or somebody else holds the lock): then
  /// each has to be tried alone, to get the answer that is its own.
  private func commitTogether(_ writes: [GroupCommit.Write]) -> [Failure?]? {
    var isRefused = false
    let failure = failure { () throws(Failure) in
      for write in writes {
        do throws(Failure) { try write.perform(writer) } catch {
          isRefused = true
          throw error
        }
      }
    }
    if failure == nil { return writes.map { _ in nil } }
    return isRefused ? commitNested(writes) : nil
  }

  /// The same with a savepoint for each, so that those that fail undo no other. Savepoints cost more than the writes,
  /// which is why they come second.
  private func commitNested(_ writes: [GroupCommit.Write]) -> [Failure?]? {
    var failures: [Failure?] = []
    let failure = failure { () throws(Failure) in
      for write in writes {
        do throws(Failure) {
          try connection.nested { () throws(Failure) in try write.perform(writer) }
          failures.append(nil)
        } catch {
          failures.append(error)
          guard connection.isInTransaction else { throw error }
        }
      }
    }
    return failure == nil ? failures : nil
  }

  /// Why a transaction came to nothing; nil when it was committed.
  private func failure(_ body: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) {
      try connection.transaction(body)
      commits += 1
      return nil
    } catch {
      return error
    }
  }
}
