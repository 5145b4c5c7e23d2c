internal import Threading

/// Limits concurrent readers and keeps idle ones for reuse. It knows readers as objects only: generic code would cost
/// as much as a query.
final class Turns: Sendable {
  private let limit: Int
  private let state = Monitor(State())

  private struct State: Sendable {
    var free: [Free] = []
    /// The readers in use and those being opened.
    var busy = 0
    var isClosed = false
  }

  struct Free: @unchecked Sendable {
    // Only the thread that has taken it out of the list touches it, so it is Sendable.
    let reader: AnyObject
  }

  enum Turn: Sendable { case take(Free), open, closed }

  init(limit: Int) { self.limit = limit }

  /// Waits, if `limited`, while the highest number of readers is in use.
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

  /// Takes a reader back. Releases it if the pool is closed, or full.
  func keep(_ reader: Free) {
    state.withLock { state in
      if !state.isClosed, state.free.count < limit { state.free.append(reader) }
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func close() {
    let free = state.withLock { state in
      defer { state.free = [] }
      state.isClosed = true
      return state.free
    }
    _ = free  // they are closed here, without the lock
  }

  func drain() { state.wait { $0.busy == 0 ? () : nil } }
}
