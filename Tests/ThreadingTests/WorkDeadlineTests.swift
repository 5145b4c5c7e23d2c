import Platform
import Testing
import Threading

/// The time limits of a thread's work.
@Suite struct WorkDeadlineTests {
  @Test func workHasTheDeadlineThatItWasGiven() {
    #expect(Deadline.current == nil && Deadline.milliseconds(atMost: 70) == 70)
    let end = MonotonicTime.now.after(milliseconds: 60_000)
    Deadline.serving(end) {
      #expect(Deadline.current == end)
      #expect(Deadline.milliseconds(atMost: 70) == 70)
      #expect((50_000...60_001).contains(Deadline.milliseconds(atMost: .max)))
      Deadline.serving(nil) { #expect(Deadline.current == end) }
      Deadline.serving(.now) { #expect(Deadline.milliseconds(atMost: 70) == 0) }
      #expect(Deadline.current == end)
    }
    #expect(Deadline.current == nil)
  }

  @Test func aPartHasAtMostHalfOfTheTime() {
    Deadline.servingPart(atMost: 70) { #expect((1...70).contains(Deadline.milliseconds(atMost: .max))) }
    Deadline.serving(.now.after(milliseconds: 60_000)) {
      Deadline.servingPart(atMost: .max) { #expect((20_000...30_001).contains(Deadline.milliseconds(atMost: .max))) }
      Deadline.servingPart(atMost: 70) { #expect(Deadline.milliseconds(atMost: .max) <= 70) }
      #expect(Deadline.milliseconds(atMost: .max) > 30_001)
    }
    Deadline.serving(.now) { Deadline.servingPart(atMost: 70) { #expect(Deadline.milliseconds(atMost: 70) == 0) } }
  }

  private struct Failure: Error {}

  /// The attempt of a thread whose time is over says nothing about the network, so that a thread with more time tries itself.
  @Test func anAttemptThatRanOutOfTimeIsNotShared() async {
    let attempt = SharedAttempt<Int, Failure>()
    let (hasBegun, mayEnd) = (Monitor(false), Monitor(false))
    async let first: Void = withCheckedContinuation { done in
      Threads(limit: 1).post {
        _ = Deadline.serving(.now.after(milliseconds: 1)) {
          #expect(throws: Failure.self) {
            try attempt.result { () throws(Failure) in
              hasBegun.withLock { $0 = true }
              mayEnd.wait { $0 ? () : nil }
              throw Failure()
            }
          }
        }
        done.resume()
      }
    }
    hasBegun.wait { $0 ? () : nil }
    let late = Deadline.serving(.now) { try? attempt.result { () throws(Failure) in 1 } }
    #expect(late == 1, "it does not wait for the running attempt")
    async let second = withCheckedContinuation { done in
      Threads(limit: 1).post { done.resume(returning: try? attempt.result { () throws(Failure) in 2 }) }
    }
    mayEnd.withLock { $0 = true }
    #expect(await second == 2)
    await first
  }
}
