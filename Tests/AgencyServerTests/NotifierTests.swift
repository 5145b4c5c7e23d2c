import AgencyWire
import Foundation
import HTTPServing
import Logging
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// The times at which an attempt to notify begins, waits or is given up.
@Suite struct NotifierTests {
  let store: Store
  let listener: Listener
  let events = Locked<[String]>([])

  init() throws {
    store = try Store(.sqlite)
    listener = try Listener()
    let hook = WireComMethod(id: "hook", kind: .webhook, value: listener.server.endpoint)
    _ = try store.storage.setComMethod(hook, of: store.agent, limit: 1)
    try store.deliver("x")
  }

  /// A notifier whose clock tells the time by the thread that looks: the test's own, the ticker's, and that of an errand,
  /// which looks twice. It makes the threads independent of the machine's speed.
  func notifier(
    birth: Int64, taking: Int64, errand: Int64, postponing: Int64, onErrand: @escaping @Sendable () -> Void = {}
  ) -> (notifier: Notifier, ended: Monitor<Bool>) {
    let (threads, ended, start) = (Locked<[pthread_t]>([]), Monitor(false), store.time.withLock { $0 })
    let looks = Locked(0)
    var rules = Agency.Rules()
    rules.callsPrivateWebhooks = true
    let notifier = Notifier(
      storage: store.storage, rules: rules,
      clock: {
        let place = threads.withLock { threads in
          if !threads.contains(pthread_self()) { threads.append(pthread_self()) }
          return threads.firstIndex(of: pthread_self()) ?? 0
        }
        guard place > 1 else { return start + (place == 0 ? birth : taking) }
        let look = looks.withLock { looks in
          looks += 1
          return looks
        }
        if look == 1 { onErrand() } else { ended.withLock { $0 = true } }
        return start + (look == 1 ? errand : postponing)
      }, metrics: Metrics(), log: LogChannel { [events] event in events.withLock { $0.append(event.message) } })
    notifier.start()
    notifier.hurry()
    return (notifier, ended)
  }

  /// It has eighteen seconds to begin: another twelve may pass until the lease of thirty ends.
  /// An old message is given up only if it finds no room.
  @Test(arguments: [Int64(100), 700]) func anAttemptBeginsLongEnoughBeforeItsLeaseEnds(taking: Int64) {
    let (notifier, _) = notifier(birth: 0, taking: taking, errand: taking + 17, postponing: taking + 17)
    #expect(listener.waitForCalls(1).count == 1)
    notifier.stop()
    #expect(events.withLock { $0.isEmpty })
  }

  /// It is due again after its lease, and given up when its message is ten minutes old, or the agency as long awake.
  @Test(arguments: [
    (Int64(0), Int64(599), false), (0, 600, true), (-900, 599, false), (300, 899, false), (300, 900, true),
  ])
  func anAttemptThatBeginsTooLateIsPostponed(birth: Int64, postponing: Int64, isGivenUp: Bool) throws {
    let (notifier, ended) = notifier(birth: birth, taking: 100, errand: 118, postponing: postponing)
    #expect(ended.wait(milliseconds: 20_000) { $0 ? true : nil } == true)
    notifier.stop()
    #expect(listener.calls.withLock { $0.isEmpty })
    #expect(events.withLock { $0 } == (isGivenUp ? ["notification given up"] : []))
    store.time.withLock { $0 += 30 }
    #expect(try store.storage.takeNotifications(limit: 1, lease: 1).isEmpty == isGivenUp)
  }

  /// Another agency has as long to catch up.
  @Test func anAgencyThatStopsGivesNothingUp() throws {
    let (isReached, isReleased, stopped) = (Monitor(false), Monitor(false), DispatchSemaphore(value: 0))
    let (notifier, _) = notifier(birth: 0, taking: 100, errand: 118, postponing: 10_000) {
      isReached.withLock { $0 = true }
      isReleased.wait { $0 ? () : nil }
    }
    #expect(isReached.wait(milliseconds: 20_000) { $0 ? true : nil } == true)
    Thread.detachNewThread {
      notifier.stop()
      stopped.signal()
    }
    let isStopping = Mirror(reflecting: notifier).children.first { $0.label == "isStopping" }?.value as? Locked<Bool>
    let flag = try #require(isStopping)
    while !flag.withLock({ $0 }) { usleep(1000) }
    isReleased.withLock { $0 = true }
    stopped.wait()
    #expect(events.withLock { $0.isEmpty })
    store.time.withLock { $0 += 30 }
    #expect(try store.storage.takeNotifications(limit: 1, lease: 1).count == 1)
  }

  // MARK: Later attempts

  /// Makes one attempt with what is due, and returns the events that it logs.
  func attempt(_ receiver: Listener) throws -> [String] {
    let (count, before) = (receiver.calls.withLock { $0.count }, events.withLock { $0.count })
    var rules = Agency.Rules()
    rules.callsPrivateWebhooks = true
    let notifier = Notifier(
      storage: store.storage, rules: rules, clock: { [store] in store.time.withLock { $0 } }, metrics: Metrics(),
      log: LogChannel { [events] event in events.withLock { $0.append(event.message) } })
    notifier.start()
    notifier.hurry()
    #expect(receiver.waitForCalls(count + 1).count == count + 1)
    notifier.stop()
    return Array(events.withLock { $0 }[before...])
  }

  /// The seconds until there is something to do again; nil if there is nothing within a day.
  func pause() throws -> Int64? {
    let start = store.time.withLock { $0 }
    for seconds in [0, 1, 5, 9, 10, 59, 60, 599, 600, 86_400] as [Int64] {
      store.time.withLock { $0 = start + seconds }
      if try !store.storage.takeNotifications(limit: 1, lease: 0).isEmpty { return seconds }
    }
    return nil
  }

  @Test func aFailedNotificationIsTriedAgainAfterLongerAndLongerPauses() throws {
    let failing = try Listener(failing: 100)
    try register(failing)
    for seconds: Int64 in [1, 10, 60] {
      #expect(try attempt(failing) == ["notification failed"])
      #expect(try pause() == seconds)
    }
    #expect(try attempt(failing) == ["notification given up"])
    #expect(try pause() == nil)
  }

  @Test func aDeliveredNotificationIsDone() throws {
    #expect(try attempt(listener) == [])
    #expect(try pause() == nil)
  }

  /// A receiver may want a longer pause, but no longer one than a message is news.
  @Test(arguments: [("0", 1), ("5", 5), ("600", 600), ("5000", 600)] as [(String, Int64)])
  func aBusyReceiverIsAskedAgainWhenItWantsToBe(retryAfter: String, seconds: Int64) throws {
    let busy = try Listener(answering: HTTPServer.Response(status: 503, headers: [("Retry-After", retryAfter)]))
    try register(busy)
    #expect(try attempt(busy) == ["notification failed"])
    #expect(try pause() == seconds)
  }

  // MARK: A store that fails

  @Test func aNotificationThatCannotBeSettledIsLogged() throws {
    let storage = store.storage
    let receiver = try HTTPServer { _ in
      storage.close()
      return HTTPServer.Response()
    }
    let hook = WireComMethod(id: "hook", kind: .webhook, value: receiver.endpoint)
    _ = try storage.setComMethod(hook, of: store.agent, limit: 1)
    let logged = Monitor<[String]>([])
    var rules = Agency.Rules()
    rules.callsPrivateWebhooks = true
    let metrics = Metrics()
    let notifier = Notifier(
      storage: storage, rules: rules, clock: { [store] in store.time.withLock { $0 } }, metrics: metrics,
      log: LogChannel { event in logged.withLock { $0.append(event.message) } })
    notifier.start()
    notifier.hurry()
    #expect(logged.wait(milliseconds: 20_000) { $0.contains("notification not settled") ? true : nil } == true)
    // Due notifications cannot be read any more either.
    notifier.hurry()
    #expect(logged.wait(milliseconds: 20_000) { $0.contains("notifying failed") ? true : nil } == true)
    notifier.stop()
    #expect(metrics.text.contains("\nmsdk_agency_notifications_sent_total 1\n"))
    #expect(metrics.text.contains("\nmsdk_agency_notifications_failed_total 0\n"))
  }

  /// The method was for a sponsor who is none any more. The clock is looked at when the notifier is made, and before it
  /// takes notifications.
  @Test func aNotificationWithoutAReceiverIsDone() throws {
    let method = WireComMethod(id: "hook", kind: .sponsor, value: "user-42")
    _ = try store.storage.setComMethod(method, of: store.agent, limit: 1)
    let looks = Locked(0)
    let notifier = Notifier(
      storage: store.storage, rules: Agency.Rules(),
      clock: { [store] in
        looks.withLock { $0 += 1 }
        return store.time.withLock { $0 }
      }, metrics: Metrics(), log: LogChannel())
    notifier.start()
    notifier.hurry()
    while looks.withLock({ $0 }) < 2 { usleep(1000) }
    notifier.stop()
    #expect(try pause() == nil)
  }

  /// Firebase will never take it.
  @Test(arguments: [(400, "INVALID_ARGUMENT", "notification given up"), (404, "UNREGISTERED", "registration removed")])
  func aRefusedNotificationIsDone(status: Int, error: String, event: String) throws {
    let google = try Google()
    google.answer(Google.error(status, error))
    let method = WireComMethod(id: "hook", kind: .push, value: "FCM:token")
    _ = try store.storage.setComMethod(method, of: store.agent, limit: 1)
    var rules = Agency.Rules()
    rules.push = try google.firebase()
    let logged = Monitor<[String]>([])
    let notifier = Notifier(
      storage: store.storage, rules: rules, clock: { [store] in store.time.withLock { $0 } }, metrics: Metrics(),
      log: LogChannel { event in logged.withLock { $0.append(event.message) } })
    notifier.start()
    notifier.hurry()
    #expect(logged.wait(milliseconds: 20_000) { $0.contains(event) ? true : nil } == true)
    notifier.stop()
    #expect(try pause() == nil && google.pushes.count == 1)
  }

  func register(_ receiver: Listener) throws {
    let hook = WireComMethod(id: "hook", kind: .webhook, value: receiver.server.endpoint)
    _ = try store.storage.setComMethod(hook, of: store.agent, limit: 1)
  }
}
