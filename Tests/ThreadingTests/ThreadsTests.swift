import Foundation
import Testing
import Threading

@_silgen_name("pthread_getattr_np") @discardableResult
private func attributesOfThread(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32

@Suite struct ThreadsTests {
  /// A finishing thread is expected to be back soon, but nothing relies on it.
  @Test func aJobThatFinishesForeverKeepsNoOtherFromRunning() {
    let threads = Threads(limit: 2)
    let answers = Monitor(0)
    threads.post {
      threads.finish {
        threads.post { answers.withLock { $0 += 1 } }
        answers.wait { $0 == 1 ? () : nil }
      }
      answers.withLock { $0 += 1 }
    }
    #expect(answers.wait(milliseconds: 10_000) { $0 == 2 ? true : nil } == true)
  }

  /// Wherever in a second it begins.
  @Test func aWaitLastsAsLongAsItSays() {
    let never = Monitor(false)
    for milliseconds in [50, 999, 1001] {
      let start = ContinuousClock.now
      #expect(never.wait(milliseconds: milliseconds) { $0 ? true : nil } == nil)
      #expect(ContinuousClock.now - start >= .milliseconds(milliseconds - 1))
    }
  }

  /// The system's default depends on `ulimit -s` of the shell that started the program.
  @Test func aThreadHasAStackOfTheStatedSize() {
    let size = Monitor(0)
    Threads(limit: 1).post {
      var (attributes, count) = (pthread_attr_t(), 0)
      attributesOfThread(pthread_self(), &attributes)
      pthread_attr_getstacksize(&attributes, &count)
      pthread_attr_destroy(&attributes)
      size.withLock { [count] in $0 = count }
    }
    #expect(size.wait(milliseconds: 20_000) { $0 == 0 ? nil : $0 } == Threads.stackSize)
    #expect(Threads.stackSize == 1 << 20)
  }

  @Test func noMoreJobsRunAtOnceThanTheLimit() {
    let (threads, jobs) = (Threads(limit: 3), Monitor((now: 0, most: 0, done: 0)))
    for _ in 0..<6 {
      threads.post {
        jobs.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.done) }
        _ = jobs.wait(milliseconds: 50) { $0.now > 3 ? true : nil }
        jobs.withLock { $0 = ($0.now - 1, $0.most, $0.done + 1) }
      }
    }
    #expect(jobs.wait { $0.done == 6 ? $0.most : nil } <= 3)
  }

  /// One thread is called for many jobs, and calls the next: in the end there is one for each.
  @Test func jobsThatWaitForEachOtherAllRun() {
    let threads = Threads(limit: 32)
    for round in 1...5 {
      let (arrived, left) = (Monitor(0), Monitor(0))
      for _ in 0..<32 {
        threads.post {
          arrived.withLock { $0 += 1 }
          arrived.wait { $0 == 32 ? () : nil }
          left.withLock { $0 += 1 }
        }
      }
      #expect(left.wait(milliseconds: 20_000) { $0 == 32 ? true : nil } == true, "round \(round)")
    }
  }

  @Test func jobsPostedByJobsRun() {
    let threads = Threads(limit: 8)
    let runs = Monitor(0)
    for _ in 0..<50 {
      threads.post {
        threads.finish {
          for _ in 0..<20 { threads.post { threads.finish { runs.withLock { $0 += 1 } } } }
        }
      }
    }
    #expect(runs.wait(milliseconds: 60_000) { $0 == 1000 ? true : nil } == true)
  }

  /// A thread that looks for a job once more before it sleeps is not woken: it must not miss what comes meanwhile.
  @Test func noJobIsOverlookedBetweenLookingAndSleeping() {
    let threads = Threads(limit: 3)
    let callers = Threads(limit: 4)
    let rounds = Monitor(0)
    for _ in 0..<4 {
      callers.post {
        let answers = Monitor(0)
        for round in 1...2000 {
          threads.post { threads.finish { answers.withLock { $0 += 1 } } }
          guard answers.wait(milliseconds: 20_000, for: { $0 == round ? true : nil }) == true else { return }
          rounds.withLock { $0 += 1 }
        }
      }
    }
    #expect(rounds.wait(milliseconds: 60_000) { $0 == 8000 ? true : nil } == true)
  }
}
