internal import Synchronization
internal import Threading

/// Lets the library's threads into the caller's code, until it is closed.
final class CallbackGate: Sendable {
  /// The gate of the process: all callbacks and the functions of the logger go through it.
  static let process = CallbackGate()

  /// The number of the threads inside, and `closed` once the gate is closed. Each call passes the gate, which is mostly
  /// open, so that a lock would cost more than all other work.
  private let state = Atomic<UInt64>(0)
  private static let closed: UInt64 = 1 << 63

  /// Whether the gate is closed and no thread is inside. No callback runs from then on.
  private let isEmpty = Monitor(false)

  /// Runs `callback` and returns its result. Returns nil, without running it, when the gate is closed.
  func pass<Result>(_ callback: () -> Result) -> Result? {
    defer { leave() }
    guard state.add(1, ordering: .acquiringAndReleasing).newValue & Self.closed == 0 else { return nil }
    return callback()
  }

  private func leave() {
    if state.subtract(1, ordering: .acquiringAndReleasing).newValue == Self.closed { isEmpty.withLock { $0 = true } }
  }

  /// Closes the gate for good and waits for running callbacks. Returns false if a callback still runs after that time.
  func close(milliseconds: Int) -> Bool {
    if state.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).newValue == Self.closed { return true }
    return isEmpty.wait(milliseconds: milliseconds) { $0 ? true : nil } ?? false
  }
}
