import Foundation
import Testing

@testable import Threading

@Suite struct SharedLockTests {
  @Test func bodiesMeetSideBySide() {
    let lock = SharedLock()
    let (inside, threads) = (Monitor(0), Threads(limit: 3))
    for _ in 0..<3 {
      threads.post {
        lock.beside {
          inside.withLock { $0 += 1 }
          inside.wait { $0 >= 3 ? () : nil }
        }
      }
    }
    #expect(inside.wait(milliseconds: 60_000) { $0 == 3 ? true : nil } == true)
  }

  @Test func nothingRunsBesideABodyThatIsAlone() {
    let lock = SharedLock()
    let beside = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 0..<500 {
        if number < 2 {
          lock.alone { #expect(beside.withLock { $0 } == 0) }
        } else {
          lock.beside {
            beside.withLock { $0 += 1 }
            beside.withLock { $0 -= 1 }
          }
        }
      }
    }
  }

  @Test func oneBodyAtATimeIsAlone() {
    let (lock, alone) = (SharedLock(), Locked(0))
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      for _ in 0..<300 {
        lock.alone {
          let count = alone.withLock { count in
            count += 1
            return count
          }
          #expect(count == 1)
          sched_yield()
          alone.withLock { $0 -= 1 }
        }
      }
    }
  }

  @Test func aBodyThatFailsLetsOthersWork() {
    struct Failure: Error {}
    let (lock, done) = (SharedLock(), Monitor(0))
    #expect(throws: Failure.self) { try lock.beside { () throws(Failure) -> Void in throw Failure() } }
    Threads(limit: 1).post { lock.alone { done.withLock { $0 = 1 } } }
    #expect(done.wait(milliseconds: 20_000) { $0 == 1 ? true : nil } == true)
    #expect(throws: Failure.self) { try lock.alone { () throws(Failure) -> Void in throw Failure() } }
    Threads(limit: 1).post { lock.beside { done.withLock { $0 = 2 } } }
    #expect(done.wait(milliseconds: 20_000) { $0 == 2 ? true : nil } == true)
  }

  /// Otherwise a stream of others would keep it out for ever.
  @Test func laterBodiesBeginAfterOneThatWaitsToBeAlone() {
    let (lock, threads) = (SharedLock(), Threads(limit: 64))
    let state = Monitor((isInside: false, isReleased: false, wasAlone: false, later: 0))
    threads.post {
      lock.beside {
        state.withLock { $0.isInside = true }
        state.wait { $0.isReleased ? () : nil }
      }
    }
    state.wait { $0.isInside ? () : nil }
    threads.post { lock.alone { state.withLock { $0.wasAlone = true } } }
    // A later body that does not begin shows that the other one waits.
    let end = ContinuousClock.now + .seconds(5)
    var (count, isKeptOut) = (0, false)
    while !isKeptOut, ContinuousClock.now < end {
      count += 1
      threads.post { lock.beside { state.withLock { $0.later += 1 } } }
      isKeptOut = state.wait(milliseconds: 300) { [count] in $0.later == count ? true : nil } == nil
    }
    #expect(isKeptOut)
    state.withLock { $0.isReleased = true }
    let areDone = state.wait(milliseconds: 20_000) { [count] in $0.wasAlone && $0.later == count ? true : nil }
    #expect(areDone == true)
  }
}
