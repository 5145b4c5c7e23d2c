import Testing
import Threading

@Suite struct LockTableTests {
  private struct Failure: Error {}

  @Test func oneThreadAtATimeHoldsTheLockOfAKey() {
    let (table, threads) = (LockTable<Int>(), Threads(limit: 4))
    let holders = Monitor((now: 0, most: 0, done: 0))
    for _ in 0..<4 {
      threads.post {
        table.withLock(of: 1) {
          holders.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.done) }
          _ = holders.wait(milliseconds: 30) { $0.now > 1 ? true : nil }
          holders.withLock { $0.now -= 1 }
        }
        holders.withLock { $0.done += 1 }
      }
    }
    #expect(holders.wait { $0.done == 4 ? $0.most : nil } == 1)
  }

  @Test func theLocksOfTwoKeysAreHeldTogether() {
    let (table, isDone) = (LockTable<Int>(), Monitor(false))
    Threads(limit: 1).post { table.withLock(of: 1) { table.withLock(of: 2) { isDone.withLock { $0 = true } } } }
    #expect(isDone.wait(milliseconds: 20_000) { $0 ? true : nil } == true)
  }

  @Test func aFailureReleasesTheLock() {
    let (table, isDone) = (LockTable<Int>(), Monitor(false))
    #expect(throws: Failure.self) { try table.withLock(of: 1) { () throws(Failure) -> Void in throw Failure() } }
    Threads(limit: 1).post { table.withLock(of: 1) { isDone.withLock { $0 = true } } }
    #expect(isDone.wait(milliseconds: 20_000) { $0 ? true : nil } == true)
  }
}
