import Threading

/// Runs the same work many times on several threads.
struct Load {
  struct Failed: Error {
    let count: Int
    let first: String
  }

  let threads: Int

  /// Runs `work` with 0 to `count` - 1 and returns the seconds of the whole. Fails if any of them fails.
  func run(count: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws -> Double {
    let pool = Threads(limit: threads)
    let state = Monitor((next: 0, running: threads, failed: 0, first: ""))
    let start = SuspendingClock.now
    for _ in 0..<threads {
      pool.post {
        while let number = state.withLock({ $0.next < count ? Self.take(&$0.next) : nil }) {
          do {
            try work(number)
          } catch {
            let text = "\(error)"
            state.withLock { state in
              if state.failed == 0 { state.first = text }
              state.failed += 1
            }
          }
        }
        state.withLock { $0.running -= 1 }
      }
    }
    let (failed, first) = state.wait { $0.running == 0 ? ($0.failed, $0.first) : nil }
    guard failed == 0 else { throw Failed(count: failed, first: first) }
    return (SuspendingClock.now - start) / .seconds(1)
  }

  private static func take(_ next: inout Int) -> Int {
    defer { next += 1 }
    return next
  }
}
