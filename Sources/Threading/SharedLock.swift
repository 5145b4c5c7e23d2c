/// Lets any number of threads work side by side, or one thread alone.
package final class SharedLock: Sendable {
  private let state = Monitor(State())

  private struct State: Sendable {
    /// The threads that work side by side.
    var working = 0
    /// The threads that want to work alone. Other threads begin after them, so that each gets its turn.
    var waiting = 0
    var isAlone = false
  }

  package init() {}

  /// Runs `body` while other threads may run theirs.
  package func beside<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    state.wait { state -> Void? in
      guard !state.isAlone, state.waiting == 0 else { return nil }
      state.working += 1
      return ()
    }
    defer { state.withLock { $0.working -= 1 } }
    return try body()
  }

  /// Runs `body` while no other thread works.
  package func alone<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    state.withLock { $0.waiting += 1 }
    state.wait { state -> Void? in
      guard !state.isAlone, state.working == 0 else { return nil }
      (state.waiting, state.isAlone) = (state.waiting - 1, true)
      return ()
    }
    defer { state.withLock { $0.isAlone = false } }
    return try body()
  }
}
