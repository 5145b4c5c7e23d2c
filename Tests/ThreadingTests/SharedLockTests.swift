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
}
