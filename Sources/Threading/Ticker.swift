/// Repeats some work until it is stopped.
package final class Ticker: Sendable {
  private struct State {
    var isDue = false
    var isWorking = false
    var isStopped = false
  }

  private let state = Monitor(State())

  /// Runs `work` on a thread of its own, `milliseconds` after the end of the last run, or at once after `hurry`.
  package init(every milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    Threads(limit: 1).post { [state] in
      while Self.isTimeToWork(state, waiting: milliseconds) {
        work()
        state.withLock { $0.isWorking = false }
      }
    }
  }

  private static func isTimeToWork(_ state: Monitor<State>, waiting milliseconds: Int) -> Bool {
    _ = state.wait(milliseconds: milliseconds) { $0.isDue || $0.isStopped ? true : nil }
    return state.withLock { state in
      state.isDue = false
      state.isWorking = !state.isStopped
      return state.isWorking
    }
  }

  /// Starts the next run now, or directly after the current run.
  package func hurry() { state.withLock { $0.isDue = true } }

  /// Waits for the current run, if there is one; no other run follows. The work itself must not call this.
  package func stop() {
    state.withLock { $0.isStopped = true }
    state.wait { $0.isWorking ? nil : () }
  }
}
