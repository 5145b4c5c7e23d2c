internal import Threading

/// Connections for reading, or what is made of them, a few for many threads. One is opened when somebody comes and none
/// is free, up to a limit; then readers wait. They see what is committed, and wait for no writer.
package final class Pool<Reader: AnyObject>: Sendable {
  private let open: @Sendable () throws(SQLiteError) -> Reader
  private let turns: Turns

  /// A reader on its way from the pool to a thread, or back.
  package struct Lent: @unchecked Sendable {
    // Whoever has taken it out of the pool is the only one who uses it: that is what makes it Sendable.
    package let reader: Reader
  }

  package init(limit: Int, open: @escaping @Sendable () throws(SQLiteError) -> Reader) {
    self.open = open
    turns = Turns(limit: limit)
  }

  /// Gives `body` a reader of its own. Blocks while all are in use. After `refuse`, throws `SQLiteError.closed`.
  package func read<Result>(_ body: (Reader) throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    let lent = try take(limited: true)
    defer {
      giveBack(lent)
      turns.end()
    }
    return try body(lent.reader)
  }

  /// Gives `body` a reader that it may keep, to be given back with `giveBack`. The limit does not hold here, so that
  /// those who keep theirs do not stop others from reading. Closing waits for `body`, not for the reader.
  package func lend<Result, Failure: DatabaseFailure>(
    _ body: (Lent) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lent: Lent
    do { lent = try take(limited: false) } catch { throw Failure(error) }
    defer { turns.end() }
    return try body(lent)
  }

  /// Takes a reader back; one too many is closed.
  package func giveBack(_ lent: Lent) { turns.keep(lent.reader) }

  package var isClosed: Bool { turns.isClosed }

  /// Refuses new readers.
  package func refuse() { turns.close() }

  /// Waits for those at work.
  package func drain() { turns.drain() }

  private func take(limited: Bool) throws(SQLiteError) -> Lent {
    switch turns.begin(limited: limited) {
    case .take(let free): return Lent(reader: unsafeDowncast(free.reader, to: Reader.self))
    case .closed: throw .closed
    case .open:
      do {
        return Lent(reader: try open())
      } catch {
        turns.end()
        throw error
      }
    }
  }
}

/// Who may read, and what is free for them. Knows nothing of the readers: generic code would cost as much as a query.
private final class Turns: Sendable {
  private let limit: Int
  private let state = Monitor(State())

  private struct State: Sendable {
    var free: [Free] = []
    /// Those in use and those being opened.
    var busy = 0
    var isClosed = false
  }

  struct Free: @unchecked Sendable {
    // Nobody uses a reader that is free: that is what makes it Sendable.
    let reader: AnyObject
  }

  enum Turn: Sendable { case take(Free), open, closed }

  init(limit: Int) { self.limit = limit }

  /// Waits, if `limited`, while as many are at work as may be.
  func begin(limited: Bool) -> Turn {
    state.wait { state in
      if state.isClosed { return .closed }
      let free = state.free.popLast()
      guard free != nil || !limited || state.busy < limit else { return nil }
      state.busy += 1
      return free.map(Turn.take) ?? .open
    }
  }

  func end() { state.withLock { $0.busy -= 1 } }

  func keep(_ reader: AnyObject) {
    let free = Free(reader: reader)
    state.withLock { state in
      if !state.isClosed, state.free.count < limit { state.free.append(free) }
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func close() {
    state.withLock {
      $0.isClosed = true
      $0.free = []
    }
  }

  func drain() { state.wait { $0.busy == 0 ? () : nil } }
}
