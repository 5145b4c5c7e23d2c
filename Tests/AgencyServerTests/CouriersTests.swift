import AgencyWire
import Glibc
import Testing
import Threading

@testable import AgencyServer

/// Errands to targets of which some are slow.
@Suite struct CouriersTests {
  @Test func eachTargetHasAFewAtATimeAndTheOthersDoNotWait() {
    let couriers = Couriers(threads: 8, perTarget: 2)
    let isReleased = Monitor(false)
    let done = Monitor<[String]>([])
    for number in 0..<10 {
      couriers.send(to: "slow") {
        isReleased.wait { $0 ? () : nil }
        done.withLock { $0.append("slow \(number)") }
      }
    }
    for number in 0..<10 { couriers.send(to: "quick") { done.withLock { $0.append("quick \(number)") } } }
    let quick = done.wait(milliseconds: 10_000) { $0.count == 10 ? $0 : nil }
    #expect(Set(quick ?? []) == Set((0..<10).map { "quick \($0)" }))
    isReleased.withLock { $0 = true }
    #expect(done.wait(milliseconds: 10_000) { $0.count == 20 ? true : nil } == true)
    couriers.stop()
  }

  @Test func errandsToATargetStartInTheirOrder() {
    let couriers = Couriers(perTarget: 1)
    let done = Monitor<[Int]>([])
    for number in 0..<100 { couriers.send(to: "a") { done.withLock { $0.append(number) } } }
    #expect(done.wait(milliseconds: 10_000) { $0.count == 100 ? $0 : nil } == Array(0..<100))
  }

  @Test func whatFindsNoRoomIsDropped() {
    let couriers = Couriers(perTarget: 1, room: 5, roomPerTarget: 3)
    let isReleased = Monitor(false)
    let done = Monitor<[String]>([])
    for target in ["a", "b", "c"] {
      for number in 0..<10 {
        couriers.send(to: target) {
          isReleased.wait { $0 ? () : nil }
          done.withLock { $0.append("\(target)\(number)") }
        }
      }
    }
    isReleased.withLock { $0 = true }
    let expected = ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "c0"]
    #expect(done.wait(milliseconds: 10_000) { $0.count == 8 ? $0.sorted() : nil } == expected)
    couriers.stop()
    #expect(done.withLock { $0.count } == 8)
    #expect(!couriers.send(to: "a") { done.withLock { $0.append("late") } })
    #expect(done.wait(milliseconds: 100) { $0.count > 8 ? true : nil } == nil)
  }

  @Test func stoppingWaitsForWhatIsUnderwayAndDropsTheRest() {
    let couriers = Couriers(perTarget: 1)
    let state = Monitor((started: false, finished: 0))
    for _ in 0..<3 {
      couriers.send(to: "a") {
        state.withLock { $0.started = true }
        _ = state.wait(milliseconds: 100) { _ in nil as Bool? }
        state.withLock { $0.finished += 1 }
      }
    }
    state.wait { $0.started ? () : nil }
    couriers.stop()
    #expect(state.withLock { $0.finished } == 1)
  }

  @Test(arguments: [
    ("https://bank.example/notify?x=1", "https://bank.example"), ("HTTP://Bank.example:81", "http://bank.example:81"),
    ("https://bank.example", "https://bank.example"), ("https://bank.example?x", "https://bank.example"),
  ])
  func targetsAreToldApartByHostAndPort(url: String, target: String) throws {
    let method = ComMethod(id: "1", kind: .webhook, value: url)
    let notification = Notification(
      id: 1, attempts: 0, method: method, sponsorID: nil, uid: "u", pairwiseDID: "d", arrival: 0)
    #expect(Announcement(notification, Admission())?.target == target)
  }

  /// Time jumps so far with each look at the clock that nothing ever comes to its turn.
  @Test(arguments: [(Int64(30), false), (1000, true)])
  func whatNeverComesToItsTurnIsGivenUpInTheEnd(jump: Int64, isGivenUp: Bool) throws {
    let store = try Store(.sqlite)
    let hook = ComMethod(id: "hook", kind: .webhook, value: "http://example.com")
    _ = try store.storage.setComMethod(hook, of: store.agent, limit: 1)
    try store.deliver("x")
    let start = store.time.withLock { $0 }
    let looks = Locked<Int64>(0)
    let events = Locked<[String]>([])
    let notifier = Notifier(
      storage: store.storage, rules: Agency.Rules(),
      clock: {
        looks.withLock { looks in
          looks += 1
          return start + looks * jump
        }
      }, metrics: Metrics(), log: { event in events.withLock { $0.append(event.name) } })
    notifier.start()
    notifier.hurry()
    // At its birth, when it takes what is due, and when the turn has come and gone.
    while looks.withLock({ $0 }) < 4 { usleep(10_000) }
    notifier.stop()
    #expect(events.withLock { $0 } == (isGivenUp ? ["notification given up"] : []))
    store.time.withLock { $0 += 30 }
    #expect(try store.storage.takeNotifications(limit: 1, lease: 1).isEmpty == isGivenUp)
  }
}
