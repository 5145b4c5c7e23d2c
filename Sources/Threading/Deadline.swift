package import Platform

/// The moment by which the work of a thread has to end. Code that waits for the network, or for another party, waits no longer.
///
/// Jobs on other threads do not take over the deadline of the thread that posts them, unless the poster passes it on.
package enum Deadline {
  private static let nanoseconds = ThreadWord()
  private static let lastNanoseconds = ThreadWord()

  /// The deadline of the running work on this thread; nil if the work has no limit.
  package static var current: MonotonicTime? {
    let set = nanoseconds.value
    return set == 0 ? nil : MonotonicTime(nanoseconds: UInt64(set))
  }

  /// Runs `body` with a deadline on this thread. With nil, `body` has the deadline that the thread already has.
  package static func serving<Result, Failure: Error>(
    _ deadline: MonotonicTime?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let deadline else { return try body() }
    let former = nanoseconds.value
    nanoseconds.set(UInt(deadline.nanoseconds))
    defer { nanoseconds.set(former) }
    return try body()
  }

  /// Runs `body` with a deadline on this thread, after which `finishing` still has time until `last`.
  package static func serving<Result, Failure: Error>(
    _ deadline: MonotonicTime, finishingBy last: MonotonicTime, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let former = lastNanoseconds.value
    lastNanoseconds.set(UInt(last.nanoseconds))
    defer { lastNanoseconds.set(former) }
    return try serving(deadline, body)
  }

  /// Runs the end of a step, which may take longer than the step's deadline if the work has a later time for it.
  package static func finishing<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let last = lastNanoseconds.value
    return try serving(last == 0 ? nil : MonotonicTime(nanoseconds: UInt64(last)), body)
  }

  /// Returns the milliseconds that are left, rounded up, and at most `limit`. Returns 0 once the deadline has passed.
  package static func milliseconds(atMost limit: Int) -> Int {
    guard let current else { return limit }
    return min(limit, current.millisecondsLeft)
  }
}
