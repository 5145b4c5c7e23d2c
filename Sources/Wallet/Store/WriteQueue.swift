internal import Threading

/// All writes of a wallet go through here, to one connection.
///
/// Writes that arrive while another commits share the next transaction: the commit's synchronisation with the disk is
/// the expensive part. Whoever finds the connection free does the work of all who wait; everybody is answered after the
/// commit.
final class WriteQueue: Sendable {
  typealias Body = @Sendable (Writer) throws(WalletError) -> Void

  private let state: Monitor<State>

  private struct State: Sendable {
    /// Nil while somebody works with it, and when the queue is closed.
    var writer: Owned?
    var waiting: [Write] = []
    var isClosed = false
    /// Closed, and nobody is at work any more.
    var isFinished = false
  }

  /// The writer on its way to a thread and back.
  private struct Owned: @unchecked Sendable {
    // Whoever has taken it out of the state is the only one who uses it: that is what makes it Sendable.
    let writer: Writer
  }

  /// One caller's write, and the answer once there is one.
  private final class Write: @unchecked Sendable {
    let body: Body
    // Touched only inside the state's lock: that is what makes the class Sendable.
    var answer: Answer?

    init(_ body: @escaping Body) { self.body = body }
  }

  private typealias Answer = Result<Void, WalletError>

  init(_ writer: Writer) { state = Monitor(State(writer: Owned(writer: writer))) }

  /// Runs `body` in a transaction. When this returns, its changes are on the disk; when it throws, there are none.
  func perform(_ body: @escaping Body) throws(WalletError) {
    let write = Write(body)
    guard enqueue(write) else { throw .closed }
    if case .work(let owned, let writes) = turn(of: write) {
      let answers = Self.commit(writes, owned.writer)
      state.withLock { state in
        for (write, answer) in zip(writes, answers) { write.answer = answer }
        state.writer = owned
      }
    }
    try state.wait { _ in write.answer }.get()
  }

  /// Refuses new writes and waits for those that got in before. Then the connection is closed.
  func close() {
    state.withLock { $0.isClosed = true }
    state.wait { state in
      if state.isFinished { return () }
      guard state.waiting.isEmpty, state.writer != nil else { return nil }
      state.writer = nil
      state.isFinished = true
      return ()
    }
  }

  /// Writes that no one has begun to commit.
  var waitingCount: Int { state.wait { $0.waiting.count } }

  /// Changes the state without waking anybody: nobody waits for more to do.
  private func enqueue(_ write: Write) -> Bool {
    state.wait { state in
      if !state.isClosed { state.waiting.append(write) }
      return !state.isClosed
    }
  }

  private enum Turn: Sendable { case work(Owned, [Write]), answered }

  /// Waits until somebody has done this write, or until it is this caller who has to do all that wait.
  private func turn(of write: Write) -> Turn {
    state.wait { state in
      if write.answer != nil { return .answered }
      guard let owned = state.writer else { return nil }
      defer { (state.writer, state.waiting) = (nil, []) }
      return .work(owned, state.waiting)
    }
  }

  private static func commit(_ writes: [Write], _ writer: Writer) -> [Answer] {
    if writes.count > 1, let answers = commitTogether(writes, writer) { return answers }
    return writes.map { write in
      answer { () throws(WalletError) in
        try writer.transaction { () throws(WalletError) in try write.body(writer) }
      }
    }
  }

  /// One transaction for all, with a savepoint for each. Nil when it came to nothing as a whole (disk full, or somebody
  /// else holds the lock): then each has to be tried alone, to get the answer that is its own.
  private static func commitTogether(_ writes: [Write], _ writer: Writer) -> [Answer]? {
    var answers: [Answer] = []
    let whole = answer { () throws(WalletError) in
      try writer.transaction { () throws(WalletError) in
        for write in writes where writer.isInTransaction {
          answers.append(
            answer { () throws(WalletError) in
              try writer.nested { () throws(WalletError) in try write.body(writer) }
            })
        }
      }
    }
    guard case .success = whole, answers.count == writes.count else { return nil }
    return answers
  }

  private static func answer(_ body: () throws(WalletError) -> Void) -> Answer { Result(catching: body) }
}
