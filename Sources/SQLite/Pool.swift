internal import Threading

/// Connections for reading, or what is made of them, a few for many threads. One is opened when somebody comes and none
/// is free, up to a limit; then readers wait. They see what is committed, and wait for no writer.
package final class Pool<Reader, Failure: DatabaseFailure>: Sendable {
  private let open: @Sendable () throws(SQLiteError) -> Reader
  private let closed: Failure
  private let limit: Int
  private let state = Monitor(State())

  private struct State: Sendable {
    var free: [Lent] = []
    /// Those in use and those being opened.
    var busy = 0
    var isClosed = false
  }

  /// A reader on its way from the pool to a thread, or back.
  package struct Lent: @unchecked Sendable {
    // Whoever has taken it out of the pool is the only one who uses it: that is what makes it Sendable.
    package let reader: Reader
  }

  /// `closed` is what readers get after `refuse`.
  package init(limit: Int, closed: Failure, open: @escaping @Sendable () throws(SQLiteError) -> Reader) {
    self.open = open
    self.closed = closed
    self.limit = limit
  }

  /// Gives `body` a reader of its own. Blocks while all are in use.
  package func read<Result>(_ body: (Reader) throws(SQLiteError) -> Result) throws(Failure) -> Result {
    let lent = try take(limit: limit)
    defer {
      giveBack(lent)
      settle()
    }
    do { return try body(lent.reader) } catch { throw Failure(error) }
  }

  /// Gives `body` a reader that it may keep, to be given back with `giveBack`. The limit does not hold here, so that
  /// those who keep theirs do not stop others from reading. Closing waits for `body`, not for the reader.
  package func lend<Result>(_ body: (Lent) throws(Failure) -> Result) throws(Failure) -> Result {
    let lent = try take(limit: .max)
    defer { settle() }
    return try body(lent)
  }

  /// Takes a reader back; one too many is closed.
  package func giveBack(_ lent: Lent) {
    state.withLock { state in
      if !state.isClosed, state.free.count < limit { state.free.append(lent) }
    }
  }

  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Refuses new readers.
  package func refuse() {
    state.withLock {
      $0.isClosed = true
      $0.free = []
    }
  }

  /// Waits for those at work.
  package func drain() { state.wait { $0.busy == 0 ? () : nil } }

  private enum Turn: Sendable { case take(Lent), open, closed }

  private func take(limit: Int) throws(Failure) -> Lent {
    let turn: Turn = state.wait { state in
      if state.isClosed { return .closed }
      let free = state.free.popLast()
      guard free != nil || state.busy < limit else { return nil }
      state.busy += 1
      return free.map(Turn.take) ?? .open
    }
    switch turn {
    case .take(let lent): return lent
    case .open: return try openAnother()
    case .closed: throw closed
    }
  }

  private func openAnother() throws(Failure) -> Lent {
    do {
      return Lent(reader: try open())
    } catch {
      settle()
      throw Failure(error)
    }
  }

  private func settle() { state.withLock { $0.busy -= 1 } }
}
