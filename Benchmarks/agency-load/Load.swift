import Glibc
import Threading

/// Runs the same work many times on several threads, and says how fast it went.
struct Load {
  let threads: Int

  /// Runs `work` with 0 to `count` - 1. Ends the program when any of them fails.
  func run(_ name: String, count: Int, _ work: @escaping @Sendable (Int) throws -> Void) {
    let pool = Threads(limit: threads)
    let state = Monitor((next: 0, running: threads, errors: [String]()))
    let start = SuspendingClock.now
    for _ in 0..<threads {
      pool.post {
        while let number = state.withLock({ $0.next < count ? Self.take(&$0.next) : nil }) {
          do { try work(number) } catch { state.withLock { $0.errors.append("\(error)") } }
        }
        state.withLock { $0.running -= 1 }
      }
    }
    let errors = state.wait { $0.running == 0 ? $0.errors : nil }
    let seconds = Double((SuspendingClock.now - start) / .milliseconds(1)) / 1000
    print("\(name): \(count) in \(seconds) s, \(Int(Double(count) / seconds)) per second, \(errors.count) failed")
    guard errors.isEmpty else {
      print("the first failure: \(errors[0])")
      exit(1)
    }
  }

  private static func take(_ next: inout Int) -> Int {
    defer { next += 1 }
    return next
  }
}
