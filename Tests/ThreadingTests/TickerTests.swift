import Dispatch
import Testing
import Threading

@Suite struct TickerTests {
  @Test func itWorksAgainAndAgainUntilItIsStopped() {
    let runs = Locked(0)
    let ran = DispatchSemaphore(value: 0)
    let ticker = Ticker(every: 1) {
      runs.withLock { $0 += 1 }
      ran.signal()
    }
    for _ in 0..<5 { #expect(ran.wait(timeout: .now() + 10) == .success) }
    ticker.stop()
    let count = runs.withLock { $0 }
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.05)
    #expect(runs.withLock { $0 } == count)
  }

  @Test func hurryingBringsTheNextRunAtOnce() {
    let ran = DispatchSemaphore(value: 0)
    let ticker = Ticker(every: 3_600_000) { ran.signal() }
    #expect(ran.wait(timeout: .now() + 0.05) == .timedOut)
    for _ in 0..<3 {
      ticker.hurry()
      #expect(ran.wait(timeout: .now() + 10) == .success)
    }
    #expect(ran.wait(timeout: .now() + 0.05) == .timedOut, "and no further one")
    ticker.stop()
  }

  /// As when a message arrives while others are worked off.
  @Test func hurryingDuringARunBringsAnotherRightAfterIt() {
    let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ticker = Ticker(every: 3_600_000) {
      started.signal()
      gate.wait()
    }
    ticker.hurry()
    started.wait()
    ticker.hurry()
    gate.signal()
    #expect(started.wait(timeout: .now() + 20) == .success)
    gate.signal()
    ticker.stop()
  }

  @Test func stoppingWaitsForTheRunThatIsGoingOn() {
    let started = DispatchSemaphore(value: 0)
    let isDone = Locked(false)
    let ticker = Ticker(every: 0) {
      started.signal()
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.1)
      isDone.withLock { $0 = true }
    }
    started.wait()
    ticker.stop()
    #expect(isDone.withLock { $0 })
  }
}

@Suite struct MonitorTests {
  @Test func aWaitWithALimitEnds() {
    let monitor = Monitor(0)
    #expect(monitor.wait(milliseconds: 20) { $0 > 0 ? $0 : nil } == nil)
  }

  @Test func aWaitEndsWithTheChange() {
    let monitor = Monitor(0)
    Threads.shared.post { for _ in 0..<3 { monitor.withLock { $0 += 1 } } }
    #expect(monitor.wait(milliseconds: 10_000) { $0 == 3 ? $0 : nil } == 3)
  }
}
