internal import Platform
internal import Threading

/// Tells the user at a terminal about work that takes over a second, on a line that goes away at the end.
///
/// Only the innermost work is shown if one work is part of another.
enum Progress {
  private static let depth = Locked(0)

  static func showing<Result>(_ work: String, _ body: () throws -> Result) rethrows -> Result {
    guard Terminal.isWatched else { return try body() }
    let level = depth.withLock { depth in
      depth += 1
      return depth
    }
    defer { depth.withLock { $0 -= 1 } }
    let seconds = Locked(0)
    let ticker = Ticker(every: 1000) {
      let passed = seconds.withLock { seconds in
        seconds += 1
        return seconds
      }
      guard depth.withLock({ $0 == level }) else { return }
      Terminal.write("\r\u{1B}[Kmsdk: \(work), \(passed) s", to: STDERR_FILENO)
    }
    defer {
      ticker.stop()
      if seconds.withLock({ $0 }) > 0 { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
    }
    return try body()
  }
}
