package import Platform

/// The moment by which the work of a thread has to end. Code that waits for the network, or for another party, waits no longer.
///
/// Jobs on other threads do not take over the deadline of the thread that posts them, unless the poster passes it on.
package enum Deadline {
  private static let nanoseconds = ThreadWord()

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

  /// Runs `body` for at most `limit` milliseconds, and at most half of the time that is left: the work after it needs the rest.
  package static func servingPart<Result, Failure: Error>(
    atMost limit: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try serving(.now.after(milliseconds: min(limit, milliseconds(atMost: .max) / 2)), body)
  }

  /// Returns the milliseconds that are left, rounded up, and at most `limit`. Returns 0 once the deadline has passed.
  package static func milliseconds(atMost limit: Int) -> Int {
    guard let current else { return limit }
    return min(limit, current.millisecondsLeft)
  }
}
