internal import Threading

/// The writes that wait for a commit. The first thread leads: it does the work of all waiting threads, hands the lead
/// to a thread that arrived meanwhile, and answers all callers.
///
/// The queue does not know the type of the writer: generic code would cost as much as a write.
final class CommitQueue: Sendable {
  private let state = Locked(State())
  private let committer: Locked<Committer?>

  /// The highest number of writes in one transaction. A transaction blocks all other writers, including other
  /// processes, and answers its callers only at its end.
  private static let limit = 512

  private struct State: Sendable {
    var waiting: [Write] = []
    /// Whether a thread leads, or has been told to lead.
    var isLed = false
  }

  init(_ writer: AnyObject, on database: Database) {
    committer = Locked(Committer(writer, database))
  }

  /// Runs `body` in a transaction. `body` gets the writer and returns whether to keep its changes. Returns nil if the
  /// changes are on the disk, or undone because `body` asked for it.
  func perform(_ body: (AnyObject) -> Bool) -> SQLiteError? {
    // The compiled call contains the length of its place, which would otherwise be a path in the folder of the build.
    #sourceLocation(file:"CommitQueue",line:1)
    withoutActuallyEscaping(body) { body in
      let turn = Monitor<Write.Turn?>(nil)
      let write = Write(body, .waits(turn))
      if isFirst(write) { lead(write) }
      if case .lead = turn.wait(for: { $0 }) { lead(write) }
      return if case .done(let failure) = turn.wait(for: { $0 }) { failure } else { nil }
    }
  }
  #sourceLocation()

  /// Runs `body` in a transaction without waiting: calls `end` with the outcome, on a thread of the pool or on this
  /// one.
  func perform(_ body: @escaping @Sendable (AnyObject) -> Bool, then end: @escaping @Sendable (SQLiteError?) -> Void) {
    if isFirst(Write(body, .goesOn(end))) { lead(nil) }
  }

  func close() { committer.withLock { $0 = nil } }

  func checkpoint() { committer.withLock { $0?.checkpoint() } }

  var waitingCount: Int { state.withLock { $0.waiting.count } }

  var commits: Int { committer.withLock { $0?.commits ?? 0 } }

  private func isFirst(_ write: Write) -> Bool {
    state.withLock { state in
      state.waiting.append(write)
      defer { state.isLed = true }
      return !state.isLed
    }
  }

  /// Commits the waiting writes, and `own` in any case: the leader continues as soon as this is done.
  private func lead(_ own: Write?) {
    letOthersJoin()
    var writes = takeWaiting(with: own)
    let outcome = committer.withLock { $0?.commit(writes) } ?? CommitOutcome(obstacle: .closed)
    if outcome.obstacle?.primary == .busy { writes += takeAllWaiting() }
    handOver()
    for (index, write) in writes.enumerated() {
      write.finish(outcome.failure(ofWrite: index), isAlone: writes.count == 1)
    }
  }

  /// Hands the lead to a thread that arrived meanwhile: a waiting thread, or a thread of the pool. The pool's threads
  /// may all be waiting for commits themselves, so any thread that arrives earlier leads.
  private func handOver() {
    let (next, areOthersLeft) = state.withLock { state in
      let next = state.waiting.first(where: \.isWaitedFor)
      state.isLed = next != nil
      return (next, !state.waiting.isEmpty)
    }
    if let next { next.lead() } else if areOthersLeft { Threads.shared.post { self.leadUnlessLed() } }
  }

  private func leadUnlessLed() {
    let isNeeded = state.withLock { state in
      guard !state.isLed, !state.waiting.isEmpty else { return false }
      state.isLed = true
      return true
    }
    if isNeeded { lead(nil) }
  }

  /// Callers that were just answered, and callers with more to write, will arrive soon. If they can join this commit,
  /// 50 callers take a fifth less time, and an update of value and tags a quarter less. A writer that is alone yields
  /// once.
  private func letOthersJoin() {
    var count = 0
    while waitingCount > count, count < Self.limit {
      count = waitingCount
      Threads.yield()
    }
  }

  private func takeWaiting(with own: Write?) -> [Write] {
    state.withLock { state in
      var taken = Array(state.waiting.prefix(Self.limit))
      state.waiting.removeFirst(taken.count)
      if let index = state.waiting.firstIndex(where: { $0 === own }) { taken.append(state.waiting.remove(at: index)) }
      return taken
    }
  }

  /// The writes that arrived while this thread waited in vain for another process to unlock the database. They fail
  /// too: if each turn waited again, so would `close`.
  private func takeAllWaiting() -> [Write] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}

/// The outcome of one turn's writes.
private struct CommitOutcome {
  /// The failures of the first writes; nil for a write that succeeded or undid itself.
  var failures: [SQLiteError?] = []
  /// The failure of all other writes: the database refuses transactions.
  var obstacle: SQLiteError?

  func failure(ofWrite index: Int) -> SQLiteError? { index < failures.count ? failures[index] : obstacle }
}

/// One caller's write, and the next step of the caller.
private final class Write: @unchecked Sendable {
  // `body` is set before the write is queued, and only its leader touches it, so the class is Sendable.
  enum Turn: Sendable { case lead, done(SQLiteError?) }

  enum Caller: Sendable {
    case waits(Monitor<Turn?>)
    case goesOn(@Sendable (SQLiteError?) -> Void)
  }

  /// Nil once the body has run: the closure must not outlive its call.
  private var body: ((AnyObject) -> Bool)?
  private let caller: Caller

  init(_ body: @escaping (AnyObject) -> Bool, _ caller: Caller) {
    self.body = body
    self.caller = caller
  }

  var isWaitedFor: Bool { if case .waits = caller { true } else { false } }

  /// Runs the body. Returns whether to keep the changes; the last run counts.
  func run(_ writer: AnyObject) -> Bool { body?(writer) ?? false }

  func lead() { signal(.lead) }

  /// Answers the caller. With several callers, each answer runs elsewhere, so that a slow one delays no other.
  func finish(_ failure: SQLiteError?, isAlone: Bool) {
    body = nil
    switch caller {
    case .waits: signal(.done(failure))
    case .goesOn(let end): if isAlone { end(failure) } else { Threads.shared.post { end(failure) } }
    }
  }

  private func signal(_ turn: Turn) {
    if case .waits(let monitor) = caller { monitor.withLock { $0 = turn } }
  }
}

/// The writer with its connection. It puts writes into transactions.
private final class Committer: @unchecked Sendable {
  // Only the holder of the surrounding lock touches it, so the class is Sendable.
  private let writer: AnyObject
  private let database: Database
  private(set) var commits = 0

  /// Ends a transaction whose changes must be undone.
  private struct Undo: DatabaseFailure {
    let reason: SQLiteError?

    init() { reason = nil }
    init(_ error: SQLiteError) { reason = error }
  }

  init(_ writer: AnyObject, _ database: Database) {
    self.writer = writer
    self.database = database
  }

  func checkpoint() { database.checkpoint() }

  /// Commits all writes in one transaction if possible. If the database refuses the transaction itself, all writes have
  /// failed: to try each alone would take longer, with the same result.
  func commit(_ writes: [Write]) -> CommitOutcome {
    guard writes.count > 1 else { return commitOneByOne(writes) }
    for attempt in [runTogether, runNested] {
      let undo = transaction { () throws(Undo) in try attempt(writes) }
      guard let undo else { return CommitOutcome(failures: writes.map { _ in nil }) }
      guard let reason = undo.reason else { continue }
      if reason.concernsEveryTransaction { return CommitOutcome(obstacle: reason) }
      break
    }
    return commitOneByOne(writes)
  }

  private func runTogether(_ writes: [Write]) throws(Undo) {
    for write in writes where !write.run(writer) { throw Undo() }
  }

  /// Runs the writes with a savepoint for each, so that a failing write undoes no other. Savepoints cost more than the
  /// writes, so this is the second attempt.
  private func runNested(_ writes: [Write]) throws(Undo) {
    for write in writes {
      do throws(Undo) {
        try database.nested { () throws(Undo) in if !write.run(writer) { throw Undo() } }
      } catch {
        guard error.reason == nil, database.isInTransaction else { throw error }
      }
    }
  }

  /// Runs each write in its own transaction, so that each gets its own answer. This is needed if one of them has ended
  /// the shared transaction.
  private func commitOneByOne(_ writes: [Write]) -> CommitOutcome {
    var outcome = CommitOutcome()
    for write in writes {
      let reason = transaction { () throws(Undo) in if !write.run(writer) { throw Undo() } }?.reason
      if let reason, reason.concernsEveryTransaction {
        outcome.obstacle = reason
        return outcome
      }
      outcome.failures.append(reason)
    }
    return outcome
  }

  /// Returns nil if the transaction was committed.
  private func transaction(_ body: () throws(Undo) -> Void) -> Undo? {
    do throws(Undo) {
      try database.transaction(body)
      commits += 1
      return nil
    } catch {
      return error
    }
  }
}
