import Logging
import AgencyWire
import DIDComm
import Glibc
import Testing
import Threading

@testable import AgencyServer

/// Errands to targets of which some are slow.
@Suite struct DeliveryQueueTests {
  @Test func eachTargetHasAFewAtATimeAndTheOthersDoNotWait() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(threads: 8, perTarget: 2))
    let isReleased = Monitor(false)
    let done = Monitor<[String]>([])
    for number in 0..<10 {
      deliveries.send(to: "slow") {
        isReleased.wait { $0 ? () : nil }
        done.withLock { $0.append("slow \(number)") }
      }
    }
    for number in 0..<10 { deliveries.send(to: "quick") { done.withLock { $0.append("quick \(number)") } } }
    let quick = done.wait(milliseconds: 10_000) { $0.count == 10 ? $0 : nil }
    #expect(Set(quick ?? []) == Set((0..<10).map { "quick \($0)" }))
    isReleased.withLock { $0 = true }
    #expect(done.wait(milliseconds: 10_000) { $0.count == 20 ? true : nil } == true)
    deliveries.stop()
  }

  /// The end of one errand does not make room for more than one.
  @Test func errandsUnderwayCountUntilTheyEnd() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(threads: 8, perTarget: 2))
    let gate = Monitor((isOpen: false, started: 0))
    func send(waits: Bool) {
      deliveries.send(to: "a") {
        gate.withLock { $0.started += 1 }
        if waits { gate.wait { $0.isOpen ? () : nil } }
      }
    }
    send(waits: true)
    send(waits: false)
    #expect(gate.wait(milliseconds: 10_000) { $0.started == 2 ? true : nil } == true)
    for _ in 0..<2 { send(waits: true) }
    #expect(gate.wait(milliseconds: 10_000) { $0.started == 3 ? true : nil } == true)
    #expect(gate.wait(milliseconds: 100) { $0.started > 3 ? true : nil } == nil)
    gate.withLock { $0.isOpen = true }
    #expect(gate.wait(milliseconds: 10_000) { $0.started == 4 ? true : nil } == true)
    deliveries.stop()
  }

  @Test func errandsToATargetStartInTheirOrder() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(perTarget: 1))
    let done = Monitor<[Int]>([])
    for number in 0..<100 { deliveries.send(to: "a") { done.withLock { $0.append(number) } } }
    #expect(done.wait(milliseconds: 10_000) { $0.count == 100 ? $0 : nil } == Array(0..<100))
  }

  @Test func anElementWithoutRoomIsDropped() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(perTarget: 1, room: 5, roomPerTarget: 3))
    let isReleased = Monitor(false)
    let done = Monitor<[String]>([])
    for target in ["a", "b", "c"] {
      for number in 0..<10 {
        deliveries.send(to: target) {
          isReleased.wait { $0 ? () : nil }
          done.withLock { $0.append("\(target)\(number)") }
        }
      }
    }
    isReleased.withLock { $0 = true }
    let expected = ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "c0"]
    #expect(done.wait(milliseconds: 10_000) { $0.count == 8 ? $0.sorted() : nil } == expected)
    deliveries.stop()
    #expect(done.withLock { $0.count } == 8)
    #expect(!deliveries.send(to: "a") { done.withLock { $0.append("late") } })
    #expect(done.wait(milliseconds: 100) { $0.count > 8 ? true : nil } == nil)
  }

  @Test func stoppingWaitsForRunningWorkAndDropsTheRest() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(perTarget: 1))
    let state = Monitor((started: false, finished: 0))
    for _ in 0..<3 {
      deliveries.send(to: "a") {
        state.withLock { $0.started = true }
        _ = state.wait(milliseconds: 100) { _ in nil as Bool? }
        state.withLock { $0.finished += 1 }
      }
    }
    state.wait { $0.started ? () : nil }
    deliveries.stop()
    #expect(state.withLock { $0.finished } == 1)
  }

  /// An account may have errands to many targets: together they leave deliveries to others.
  @Test func anAccountHasAFewErrandsAtATime() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(threads: 16, perTarget: 2, perAccount: 3))
    let gate = Monitor((isOpen: false, started: [String](), done: 0))
    func send(_ target: String, of account: Int64?, _ name: String) {
      deliveries.send(to: target, of: account) {
        gate.withLock { $0.started.append(name) }
        gate.wait { $0.isOpen ? () : nil }
        gate.withLock { $0.done += 1 }
      }
    }
    for target in 0..<5 { for _ in 0..<2 { send("target \(target)", of: 1, "first") } }
    for target in 0..<2 { send("target \(target)", of: 2, "second") }
    for target in 2..<4 { send("target \(target)", of: nil, "nobody's") }
    // Three of the first account; one of the second waits behind two of the first at one target.
    let started = gate.wait(milliseconds: 10_000) { $0.started.count >= 6 ? $0.started : nil }
    #expect(started?.sorted() == ["first", "first", "first", "nobody's", "nobody's", "second"])
    #expect(gate.wait(milliseconds: 100) { $0.started.count > 6 ? true : nil } == nil)
    gate.withLock { $0.isOpen = true }
    #expect(gate.wait(milliseconds: 10_000) { $0.done == 14 ? true : nil } == true)
    deliveries.stop()
  }

  /// The end of one errand of an account makes room for one.
  @Test func anAccountsErrandsCountUntilTheyEnd() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(threads: 16, perTarget: 1, perAccount: 2))
    let gate = Monitor((released: Set<Int>(), started: [Int](), done: 0))
    for number in 0..<6 {
      deliveries.send(to: "target \(number)", of: 1) {
        gate.withLock { $0.started.append(number) }
        gate.wait { $0.released.contains(number) ? () : nil }
        gate.withLock { $0.done += 1 }
      }
    }
    for count in 2...6 {
      let started = gate.wait(milliseconds: 10_000) { $0.started.count >= count ? $0.started : nil } ?? []
      #expect(started.count == count)
      #expect(gate.wait(milliseconds: 50) { $0.started.count > count ? true : nil } == nil)
      gate.withLock { gate in _ = started.first { gate.released.insert($0).inserted } }
    }
    gate.withLock { $0.released = Set(0..<6) }
    #expect(gate.wait(milliseconds: 10_000) { $0.done == 6 ? true : nil } == true)
    deliveries.stop()
  }

  /// An errand that waits for an answer takes no thread.
  @Test func errandsUnderwayNeedNoThreads() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(threads: 1, underway: 100))
    let ends = Monitor<[@Sendable () -> Void]>([])
    for number in 0..<150 { deliveries.send(to: "target \(number)") { finish in ends.withLock { $0.append(finish) } } }
    let first = ends.wait { $0.count == 100 ? $0 : nil }
    for end in first.prefix(10) { end() }
    #expect(ends.wait { $0.count >= 110 ? $0.count : nil } == 110)
    let stopped = Monitor(false)
    Threads.shared.post {
      deliveries.stop()
      stopped.withLock { $0 = true }
    }
    // Errands that began before the stop must end; none begins after it.
    var ended = 10
    while stopped.wait(milliseconds: 1, for: { $0 ? true : nil }) == nil {
      let begun = ends.withLock { $0 }
      for end in begun.dropFirst(ended) { end() }
      ended = begun.count
    }
    #expect(ends.withLock { $0.count } == ended)
    ends.withLock { $0 = [] }  // each end holds its errand, and with it the list
  }

  /// Forty accounts whose receivers do not answer keep all places: one who comes later gets the next that is free, and the
  /// others take turns.
  @Test func accountsTakeTurns() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(threads: 1, underway: 4, perAccount: 2))
    let started = Monitor<[(name: String, finish: @Sendable () -> Void)]>([])
    func send(_ account: Int64, _ number: Int) {
      let name = "\(account).\(number)"
      deliveries.send(to: name, of: account) { finish in started.withLock { $0.append((name, finish)) } }
    }
    for account in Int64(1)...3 { for number in 1...3 { send(account, number) } }
    started.wait { $0.count == 4 ? () : nil }
    send(9, 1)
    for number in 0..<6 {
      started.withLock { $0[number].finish }()
      started.wait { $0.count == number + 5 ? () : nil }
    }
    #expect(
      started.withLock { $0.map(\.name) } == ["1.1", "1.2", "2.1", "2.2", "3.1", "9.1", "1.3", "2.3", "3.2", "3.3"])
    for start in started.withLock({ Array($0.dropFirst(6)) }) { start.finish() }
    deliveries.stop()
    started.withLock { $0 = [] }
  }

  @Test func anAccountWithoutWaitingDeliveriesFindsRoom() {
    let deliveries = DeliveryQueue(DeliveryQueue.Limits(threads: 1, underway: 1, room: 4, roomPerAccount: 3))
    let ends = Monitor<[@Sendable () -> Void]>([])
    func send(_ account: Int64) -> Bool {
      deliveries.send(to: "a", of: account) { finish in ends.withLock { $0.append(finish) } }
    }
    #expect((0..<6).map { _ in send(1) } == [true, true, true, true, false, false])
    #expect([send(2), send(2), send(3), send(3)] == [true, false, true, false])
    for count in 1...6 { ends.wait { $0.count == count ? $0.last : nil }() }
    deliveries.stop()
    ends.withLock { $0 = [] }
  }

  /// Nobody is told for a sponsor who is not, or no longer, one.
  @Test(arguments: [("active", true), ("inactive", false), ("unknown", false), (nil, false)] as [(String?, Bool)])
  func onlyActiveSponsorsAreTold(sponsor: String?, isTold: Bool) throws {
    let sponsors = ["active", "inactive"].map { id in
      var sponsor = Sponsor(id: id)
      sponsor.isActive = id == "active"
      sponsor.endpoint = "https://bank.example/notify"
      return sponsor
    }
    for kind in [WireComMethod.Kind.push, .sponsor, .sponsorPush] {
      let notification = Notification(
        id: 1, agentID: 1, attempts: 0, method: WireComMethod(id: "1", kind: kind, value: "FCM:x"), sponsorID: sponsor,
        uid: "u", pairwiseDID: "d", arrival: 0, hint: MessageHint())
      let known = sponsors.filter { $0.id == sponsor }  // by themselves: their ids end alike
      var rules = Agency.Rules()
      rules.admission = try Admission(mode: .open, sponsors: known)
      let announcement = Announcement(notification, rules)
      #expect((announcement?.target == "https://bank.example:443") == isTold)
    }
  }

  /// Time jumps so far with each look at the clock that nothing ever comes to its turn.
  /// An agency that was away has as long to catch up: the age of the message does not count.
  @Test(arguments: [(Int64(30), Int64(0), false), (1000, 0, true), (30, 10_000, false)])
  func aNotificationThatAlwaysWaitsIsGivenUp(jump: Int64, age: Int64, isGivenUp: Bool) throws {
    let store = try Store(.sqlite)
    let hook = WireComMethod(id: "hook", kind: .webhook, value: "http://example.com")
    _ = try store.storage.setComMethod(hook, of: store.agent, limit: 1)
    try store.deliver("x")
    let start = store.time.withLock { $0 } + age
    let looks = Locked<Int64>(0)
    let events = Locked<[String]>([])
    let notifier = Notifier(
      storage: store.storage, rules: Agency.Rules(),
      clock: {
        looks.withLock { looks in
          looks += 1
          return start + looks * jump
        }
      }, metrics: Metrics(), log: LogChannel { event in events.withLock { $0.append(event.message) } })
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
