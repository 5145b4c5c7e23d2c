internal import Platform

/// The times of status lists. Each is of a second of its own, because readers find lists by their second.
struct ListClock: Sendable {
  /// The time in seconds since 1970.
  let now: @Sendable () -> Int64

  /// The seconds that a list waits for its time.
  private static let longestWait: Int64 = 2
  /// Microseconds between two looks at the clock.
  private static let pause: UInt32 = 20_000

  /// The time of the list after one of the time `last`. Nil if the second of the last one is not over. Refuses the list if
  /// the last one is of a time that readers do not accept yet: they would not find the new list either.
  func time(after last: Int64) throws(PublicationError) -> Int64? {
    let time = now()
    guard last <= time + clockTolerance else {
      throw .refused(
        "its last status list is in force from the second \(last), which is ahead of this machine's clock: a later list "
          + "would count only after it")
    }
    // Another clock may be somewhat ahead; nobody waits for it.
    guard time > last || last > time + Self.longestWait else { return nil }
    return max(time, last + 1)
  }

  /// Waits until the second is over.
  func wait(until second: Int64) {
    while (second - Self.longestWait...second).contains(now()) { usleep(Self.pause) }
  }
}
