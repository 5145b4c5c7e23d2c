import Dispatch
import Threading
import Testing

@Suite struct LaneTests {
  @Test func jobsRunInTheOrderOfTheirPosting() {
    let lane = Lane<[Int]>([])
    let done = DispatchSemaphore(value: 0)
    let result = Locked<[Int]>([])
    for number in 0..<1000 {
      lane.post { list in
        list.append(number)
        let copy = list
        return { if number == 999 { result.withLock { $0 = copy }; done.signal() } }
      }
    }
    done.wait()
    #expect(result.withLock { $0 } == Array(0..<1000))
  }

  @Test func aFinishingJobMayWaitForAnotherOnItsOwnLane() {
    let lane = Lane(0)
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<40 {
      lane.post { value in
        value += 1
        return {
          let inner = DispatchSemaphore(value: 0)
          lane.post { _ in { inner.signal() } }
          inner.wait()
          done.signal()
        }
      }
    }
    for _ in 0..<40 { done.wait() }
  }

  @Test func onlyAnIdleLaneCanBePeekedInto() {
    let lane = Lane(1)
    #expect(lane.peek { $0 } == 1)
    let (started, gate, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    lane.post { value in
      started.signal()
      gate.wait()
      value = 2
      return {}
    }
    lane.post { _ in { done.signal() } }
    started.wait()
    #expect(lane.peek { $0 } == nil)
    gate.signal()
    done.wait()
    #expect(lane.peek { $0 } == 2)
  }

  @Test func blockedJobsDoNotStarveOthers() {
    let gate = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    let threads = Threads(limit: 16)
    for _ in 0..<15 {
      threads.post {
        started.signal()
        gate.wait()
      }
    }
    for _ in 0..<15 { started.wait() }
    let done = DispatchSemaphore(value: 0)
    threads.post { done.signal() }
    #expect(done.wait(timeout: .now() + 10) == .success)
    for _ in 0..<15 { gate.signal() }
  }

  @Test func aLimitedPoolStillRunsEverything() {
    let threads = Threads(limit: 2)
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<500 { threads.post { done.signal() } }
    for _ in 0..<500 { #expect(done.wait(timeout: .now() + 10) == .success) }
  }
}
