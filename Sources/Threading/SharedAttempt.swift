/// An operation that several threads need at once: one thread does it, and all threads that arrive meanwhile share its
/// result.
package final class SharedAttempt<Success: Sendable, Failure: Error>: Sendable {
  private let running = Locked<Attempt?>(nil)

  private final class Attempt: Sendable {
    let result = Monitor<Result<Success, Failure>?>(nil)
    /// Each attempt lasts no longer than the call that began it.
    let deadline = Deadline.current

    /// Returns nil if the time of this thread is over before the attempt is.
    func waitInTime() -> Result<Success, Failure>? {
      guard Deadline.current != nil else { return result.wait { $0 } }
      return result.wait(milliseconds: Deadline.milliseconds(atMost: .max)) { $0 }
    }

    /// Whether it failed, most likely because its own time was over.
    var ranOutOfTime: Bool {
      guard let deadline, case .failure? = result.withLock({ $0 }) else { return false }
      return deadline <= .now
    }
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
    guard isFirst else {
      // Without a result the time of this thread is over, which `body` tells in its own words.
      guard let shared = attempt.waitInTime() else { return try body() }
      return attempt.ranOutOfTime ? try self.result(body) : try shared.get()
    }
    let result = Result { () throws(Failure) in try body() }
    running.withLock { $0 = nil }
    attempt.result.withLock { $0 = result }
    return try result.get()
  }
}
