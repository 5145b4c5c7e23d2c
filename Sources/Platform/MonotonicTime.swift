/// A moment of the system's monotonic clock, which nobody can set. The difference of two moments is the time between
/// them.
package struct MonotonicTime: Comparable, Sendable {
  /// The nanoseconds since an arbitrary moment before the start of the process.
  package let nanoseconds: UInt64

  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// The present moment.
  package static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }

  package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The moment `milliseconds` later. A negative number counts as 0.
  package func after(milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds + UInt64(max(0, milliseconds)) * 1_000_000)
  }

  /// The whole milliseconds from an earlier moment to this one.
  package func milliseconds(since start: MonotonicTime) -> Int {
    nanoseconds < start.nanoseconds ? 0 : Int((nanoseconds - start.nanoseconds) / 1_000_000)
  }

  /// The milliseconds from now until this moment, rounded up, so that a wait of this length ends at the moment or later. 0 if
  /// the moment has passed.
  package var millisecondsLeft: Int {
    let now = MonotonicTime.now
    return nanoseconds <= now.nanoseconds ? 0 : Int((nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
  }

  /// The moment in the form of C, for conditions that wait on the monotonic clock.
  package var value: timespec {
    timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
