internal import Platform
internal import Threading

/// Ends the calls that wait for their turn when their time is over. Its thread runs while there are such calls.
final class CallClock: Sendable {
  static let process = CallClock()

  private struct State {
    var waiting: [ObjectIdentifier: (limit: CallLimit, end: @Sendable () -> Void)] = [:]
    /// The moment at which the thread looks; nil if no thread runs.
    var next: MonotonicTime?

    /// The earliest deadline; nil if no call waits, and the thread ends.
    mutating func planNext() -> MonotonicTime? {
      next = waiting.values.map(\.limit.deadline).min()
      return next
    }
  }

  private let state = Monitor(State())

  /// Runs `end` at the deadline, if the operation of the call has not begun by then. `end` must not block.
  func watch(_ limit: CallLimit, _ end: @escaping @Sendable () -> Void) {
    let startsThread = state.withLock { state in
      guard limit.isWaiting else { return false }
      defer { state.next = min(state.next ?? limit.deadline, limit.deadline) }
      state.waiting[ObjectIdentifier(limit)] = (limit, end)
      return state.next == nil
    }
    if startsThread { Threads(limit: 1).post(run) }
  }

  /// Forgets a call whose operation has begun: call it after `begin`.
  func forget(_ limit: CallLimit) { state.withLock { $0.waiting[ObjectIdentifier(limit)] = nil } }

  private func run() {
    while let next = state.withLock({ $0.planNext() }) {
      _ = state.wait(milliseconds: next.millisecondsLeft) { state in
        state.next.map { $0 < next } == true ? true : nil
      }
      let now = MonotonicTime.now
      let due = state.withLock { state in
        let due = state.waiting.filter { $0.value.limit.deadline <= now }
        for key in due.keys { state.waiting[key] = nil }
        return due.map(\.value)
      }
      for call in due where call.limit.expire() { call.end() }
    }
  }
}
