internal import Threading

/// Lets the library's threads into the caller's code, until it is closed.
final class CallbackGate: Sendable {
  /// The gate of the process: all callbacks and the functions of the logger go through it.
  static let process = CallbackGate()

  private struct State {
    var running = 0
    var isClosed = false
  }

  private let state = Monitor(State())

  /// Runs `callback` and returns its result. Returns nil, without running it, when the gate is closed.
  func pass<Result>(_ callback: () -> Result) -> Result? {
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.running += 1
      return true
    }
    guard isOpen else { return nil }
    defer { state.withLock { $0.running -= 1 } }
    return callback()
  }

  /// Closes the gate for good and waits for running callbacks. Returns false if one still runs after that time.
  func close(milliseconds: Int) -> Bool {
    state.withLock { $0.isClosed = true }
    return state.wait(milliseconds: milliseconds) { $0.running == 0 ? true : nil } ?? false
  }
}
