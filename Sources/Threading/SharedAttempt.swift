/// An operation that several threads need at once: one thread does it, and all threads that arrive meanwhile share its
/// result.
package final class SharedAttempt<Success: Sendable, Failure: Error>: Sendable {
  private let running = Locked<Attempt?>(nil)

  private final class Attempt: Sendable {
    let result = Monitor<Result<Success, Failure>?>(nil)
  }

  package init() {}

  /// The result of the running attempt, or of `body` if no attempt runs. Threads that arrive after the end of an
  /// attempt begin another one.
  package func result(_ body: () throws(Failure) -> Success) throws(Failure) -> Success {
    let (attempt, isFirst) = running.withLock { running in
      if let running { return (running, false) }
      let attempt = Attempt()
      running = attempt
      return (attempt, true)
    }
    guard isFirst else { return try attempt.result.wait { $0 }.get() }
    let result = Result { () throws(Failure) in try body() }
    running.withLock { $0 = nil }
    attempt.result.withLock { $0 = result }
    return try result.get()
  }
}
