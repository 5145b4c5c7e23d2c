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
    var writers = 0
    var isClosed = false

    func endSnapshots() {
      for reader in free { reader.connection.endSnapshot() }
    }
  }

  struct Free: @unchecked Sendable {
    // Nobody uses a reader that is free: that is what makes it Sendable.
    let reader: AnyObject
    let connection: Connection
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

  /// Takes a reader back. Its snapshot goes on, for whoever comes before something is committed, but ends when the
  /// calling thread finds nothing else to do, or when somebody is about to write: as long as it is there, the write-ahead
  /// log is not emptied.
  func keep(_ reader: Free) {
    if reader.connection.canKeepSnapshot, Threads.whenIdle(self), keep(reader, unlessWriting: true) { return }
    reader.connection.endSnapshot()
    _ = keep(reader, unlessWriting: false)
  }

  private func keep(_ reader: Free, unlessWriting: Bool) -> Bool {
    state.withLock { state in
      if unlessWriting, state.writers > 0 { return false }
      if !state.isClosed, state.free.count < limit { state.free.append(reader) }
      return true
    }
  }

  /// From here to `endWriting` a snapshot lasts only as long as somebody reads.
  func beginWriting() {
    state.withLock { state in
      state.writers += 1
      state.endSnapshots()
    }
  }

  func endWriting() { state.withLock { $0.writers -= 1 } }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func close() {
    state.withLock {
      $0.isClosed = true
      $0.free = []
    }
  }

  func drain() { state.wait { $0.busy == 0 ? () : nil } }
}

extension Turns: IdleWork {
  func doIdleWork() { state.withLock { $0.endSnapshots() } }
}
