/// Ends yields of the processor for a while when they cost too much.
///
/// A yield lets other ready threads of this process run first, which takes microseconds. While other programs keep the
/// processor busy, they get their turns too, which take milliseconds each.
struct YieldPause: Sendable {
  private var end: UInt64 = 0

  /// The longest yield without a pause, in nanoseconds. Fifty threads that each post a job take less.
  private static let longestYield: UInt64 = 2_000_000
  private static let length: UInt64 = 100_000_000

  /// Whether a thread may yield at this time, in nanoseconds.
  func permitsYield(at now: UInt64) -> Bool { now >= end }

  /// Begins a pause if a yield took too long.
  mutating func noteYield(from start: UInt64, to now: UInt64) {
    if now - start > Self.longestYield { end = now + Self.length }
  }
}
