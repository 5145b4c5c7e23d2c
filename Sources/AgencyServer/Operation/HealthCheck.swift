internal import Threading
internal import Time

/// Checks that the agency can read its store, and write as much as a long message takes.
///
/// Anybody may ask, so the agency writes only now and then. After a failure it tries each time.
final class HealthCheck: Sendable {
  private struct State {
    var isWriting = false
    /// The time of the last success; nil if the last attempt failed, or there was none.
    var success: Int64?
    var failure: StorageError?
  }

  private let storage: any Storage
  private let clock: Clock
  private let state = Locked(State())

  /// The seconds for which a success is valid.
  private static let pause: Int64 = 10

  init(_ storage: any Storage, clock: @escaping Clock) {
    self.storage = storage
    self.clock = clock
  }

  func check() throws(StorageError) {
    try storage.checkReading()
    guard isWritingDue else {
      // Another thread is checking the store: its last answer is recent enough.
      if let failure = state.withLock({ $0.failure }) { throw failure }
      return
    }
    do {
      try storage.checkWriting()
      finish(nil)
    } catch {
      finish(error)
      throw error
    }
  }

  private var isWritingDue: Bool {
    let now = clock()
    return state.withLock { state in
      let isFresh = state.success.map { (0..<Self.pause).contains(now - $0) } ?? false
      guard !state.isWriting, !isFresh else { return false }
      state.isWriting = true
      return true
    }
  }

  private func finish(_ failure: StorageError?) {
    let now = clock()
    state.withLock { $0 = State(isWriting: false, success: failure == nil ? now : nil, failure: failure) }
  }
}
