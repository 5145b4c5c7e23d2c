import Dispatch
import Foundation
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

  @Test func aFinishingJobMayWaitForAnotherOnItsOwnLane() throws {
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
    for _ in 0..<40 { try #require(done.wait(timeout: .now() + .seconds(60)) == .success) }
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

  @Test func aReservedPlaceIsKeptUntilItsJobIsThere() {
    let lane = Lane<[Int]>([])
    let done = DispatchSemaphore(value: 0)
    let result = Locked<[Int]>([])
    lane.post { list in
      list.append(1); return {}
    }
    let fill = lane.reserve()
    lane.post { list in
      list.append(3)
      let copy = list
      return {
        result.withLock { $0 = copy }; done.signal()
      }
    }
    #expect(done.wait(timeout: .now() + 0.05) == .timedOut)
    #expect(lane.peek { $0 } == nil)
    fill { list in
      list.append(2); return {}
    }
    done.wait()
    #expect(result.withLock { $0 } == [1, 2, 3])
  }

  @Test func eachReservedPlaceIsForItsOwnJob() {
    let (lane, ran) = (Lane<[Int]>([]), Monitor<[Int]?>(nil))
    let first = lane.reserve()
    let second = lane.reserve()
    second { list in
      list.append(2)
      let copy = list
      return { ran.withLock { $0 = copy } }
    }
    first { list in
      list.append(1)
      return {}
    }
    #expect(ran.wait(milliseconds: 20_000) { $0 } == [1, 2])
  }

  /// Each job runs on the threads that it was posted for, and the order is that of the calls all the same.
  @Test func jobsForOtherThreadsTakeTheirTurn() {
    let (first, second) = (Threads(limit: 1), Threads(limit: 1))
    let names = Locked([pthread_t: Int]())
    for (name, threads) in [first, second].enumerated() {
      let isNamed = DispatchSemaphore(value: 0)
      threads.post {
        names.withLock { $0[pthread_self()] = name }
        isNamed.signal()
      }
      isNamed.wait()
    }
    let lane = Lane<[Int]>([])
    let ran = Monitor<[Int]?>(nil)
    for number in 0..<50 {
      lane.post(on: number % 3 == 0 ? first : second) { list in
        list.append(names.withLock { $0[pthread_self()] } ?? -1)
        guard number == 49 else { return {} }
        let copy = list
        return { ran.withLock { $0 = copy } }
      }
    }
    let expected = (0..<50).map { $0 % 3 == 0 ? 0 : 1 }
    #expect(ran.wait(milliseconds: 20_000) { $0 } == expected)
    ran.withLock { $0 = nil }
    let fill = lane.reserve(on: first)
    fill { _ in
      let name = names.withLock { $0[pthread_self()] } ?? -1
      return { ran.withLock { $0 = [name] } }
    }
    #expect(ran.wait(milliseconds: 20_000) { $0 } == [0], "a reserved place too")
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
