internal import Threading

/// Who may read, and what is free for them. Knows the readers by their connections only: generic code would cost as much
/// as a query.
final class Turns: Sendable {
  private let limit: Int
  private let state = Monitor(State())

  private struct State: Sendable {
    var free: [Free] = []
    /// Readers in use and those being opened.
    var busy = 0
    var isWriting = false
    var isClosed = false

    func endSnapshots() {
      for reader in free { reader.database.endSnapshot() }
    }
  }

  struct Free: @unchecked Sendable {
    // Touched only by whoever holds the lock of the list that it is in: that is what makes it Sendable.
    let reader: AnyObject
    let database: Database
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

  /// Takes a reader back. Its snapshot goes on, for whoever comes before something is committed. As long as it is there
  /// the write-ahead log is not emptied: so it ends when a thread that has read finds nothing else to do, when somebody
  /// writes, or when a later reader sees that it is outdated.
  func keep(_ reader: Free) {
    if reader.database.isWorthKeeping, Threads.whenIdle(self), putBackInSnapshot(reader) { return }
    reader.database.endSnapshot()
    state.withLock { add(reader, to: &$0) }
  }

  /// False while somebody writes.
  private func putBackInSnapshot(_ reader: Free) -> Bool {
    state.withLock { state in
      if !state.isWriting { add(reader, to: &state) }
      return !state.isWriting
    }
  }

  private func add(_ reader: Free, to state: inout State) {
    if !state.isClosed, state.free.count < limit { state.free.append(reader) }
  }

  /// Ends the snapshots that nobody uses.
  func endSnapshots() { state.withLock { $0.endSnapshots() } }

  /// From here to `endWriting` a snapshot lasts only as long as somebody reads.
  func beginWriting() {
    state.withLock { state in
      state.isWriting = true
      state.endSnapshots()
    }
  }

  func endWriting() { state.withLock { $0.isWriting = false } }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func close() {
    let free = state.withLock { state in
      defer { state.free = [] }
      state.isClosed = true
      return state.free
    }
    _ = free  // they are closed here, where nobody waits for the lock
  }

  func drain() { state.wait { $0.busy == 0 ? () : nil } }
}

extension Turns: IdleWork {
  func doIdleWork() { endSnapshots() }
}
