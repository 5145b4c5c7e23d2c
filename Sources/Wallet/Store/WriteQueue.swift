internal import Threading

/// All writes of a wallet go through here, to one connection.
///
/// Writes that arrive while another commits share the next transaction: the commit's synchronisation with the disk is
/// the expensive part. One of those who wait leads: it does the work of all, answers everybody after the commit, and
/// hands over to the first of those who have come meanwhile.
final class WriteQueue: Sendable {
  typealias Body = @Sendable (Writer) throws(WalletError) -> Void

  private let state = Locked(State())
  private let connection: Locked<Owned?>

  private struct State: Sendable {
    var waiting: [Write] = []
    /// Whether one of the writers leads, or has been told to.
    var isLed = false
    /// How many were in the latest transaction.
    var latestCount = 0
  }

  /// The writer, inside the lock that guards it.
  private struct Owned: @unchecked Sendable {
    // Only whoever holds the lock of `connection` touches it: that is what makes it Sendable.
    let writer: Writer
  }

  /// One caller's write, and what its caller waits for.
  private final class Write: Sendable {
    enum Turn: Sendable { case lead, done(Result<Void, WalletError>) }

    let body: Body
    private let turn = Monitor<Turn?>(nil)

    init(_ body: @escaping Body) { self.body = body }

    func give(_ turn: Turn) { self.turn.withLock { $0 = turn } }

    func waitForTurn() -> Turn { turn.wait { $0 } }
  }

  init(_ writer: Writer) { connection = Locked(Owned(writer: writer)) }

  /// Runs `body` in a transaction, together with others or again alone when it has failed with them. When this returns,
  /// its changes are on the disk; when it throws, there are none.
  func perform(_ body: @escaping Body) throws(WalletError) {
    let write = Write(body)
    if isFirst(write) { lead() }
    if case .lead = write.waitForTurn() { lead() }
    if case .done(let outcome) = write.waitForTurn() { try outcome.get() }
  }

  /// Refuses new writes; those that got in before are done.
  func close() {
    connection.withLock { $0 = nil }
  }

  /// Writes that no one has begun to commit.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

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
    let outcomes = connection.withLock { Self.commit(writes.map(\.body), $0?.writer) }
    for (write, outcome) in zip(writes, outcomes) { write.give(.done(outcome)) }
    let next = state.withLock { state in
      state.isLed = !state.waiting.isEmpty
      return state.waiting.first
    }
    next?.give(.lead)
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

extension WriteQueue {
  private typealias Outcome = Result<Void, WalletError>

  private static func commit(_ bodies: [Body], _ writer: Writer?) -> [Outcome] {
    guard let writer else { return bodies.map { _ in .failure(.closed) } }
    if bodies.count > 1, let outcomes = commitTogether(bodies, writer) { return outcomes }
    return bodies.map { body in
      Result { () throws(WalletError) in
        try writer.transaction { () throws(WalletError) in try body(writer) }
      }
    }
  }

  /// One transaction for all. Nil when it came to nothing as a whole (disk full, or somebody else holds the lock): then
  /// each has to be tried alone, to get the answer that is its own.
  private static func commitTogether(_ bodies: [Body], _ writer: Writer) -> [Outcome]? {
    var isRefused = false
    do throws(WalletError) {
      try writer.transaction { () throws(WalletError) in
        for body in bodies {
          do throws(WalletError) { try body(writer) } catch {
            isRefused = true
            throw error
          }
        }
      }
      return bodies.map { _ in .success(()) }
    } catch {
      return isRefused ? commitNested(bodies, writer) : nil
    }
  }

  /// The same with a savepoint for each, so that those that fail undo no other. Savepoints cost more than the writes,
  /// which is why they come second.
  private static func commitNested(_ bodies: [Body], _ writer: Writer) -> [Outcome]? {
    var outcomes: [Outcome] = []
    do throws(WalletError) {
      try writer.transaction { () throws(WalletError) in
        for body in bodies {
          outcomes.append(
            Result { () throws(WalletError) in
              try writer.nested { () throws(WalletError) in try body(writer) }
            })
          guard writer.isInTransaction else { throw .closed }
        }
      }
      return outcomes
    } catch {
      return nil
    }
  }
}
