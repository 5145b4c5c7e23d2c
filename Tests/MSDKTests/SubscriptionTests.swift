import Aries
import CloudAgent
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import MSDK

/// A subscriber that notes everything it is told.
final class Subscriber: Sendable {
  private let told = Monitor<[JSON]>([])
  let subscription: MessageSubscription

  /// `then` runs after each note, on the subscription's thread.
  init(then: @escaping @Sendable (Int) -> Void = { _ in }) {
    subscription = MessageSubscription(of: .ofTest) { [told] text in
      let count = told.withLock { told in
        told.append((try? JSON(parsing: text)) ?? .null)
        return told.count
      }
      then(count)
    }
    subscription.start()
  }

  /// The entries so far.
  var entries: [JSON] { told.withLock { $0 } }

  /// Waits until it has been told of so many messages.
  func isTold(_ count: Int, within milliseconds: Int = 60_000) -> Bool {
    told.wait(milliseconds: milliseconds) { $0.count >= count ? true : nil } ?? false
  }

  /// The ids of the messages, in the order in which they were told.
  var ids: [String] { entries.compactMap { $0["thread"]?.string } }

  func end() {
    subscription.stop()
    subscription.waitForTeller()
  }
}

/// A subscriber whose messages are applied when the test says so.
private final class SlowSubscriber: Sendable {
  let applying = Monitor<[(id: String, end: @Sendable () -> Void)]>([])
  private let told = Monitor<Set<String>>([])
  private let subscription: MessageSubscription

  /// The other messages are applied at once.
  init(waitsFor isSlow: @escaping @Sendable (_ id: String) -> Bool) {
    let id = { @Sendable (text: String) in (try? JSON(parsing: text))?["thread"]?.string ?? "" }
    subscription = MessageSubscription(
      of: .ofTest,
      applying: { [applying] message, tell in
        guard isSlow(id(message)) else { return tell(message) }
        applying.withLock { $0.append((id(message), { tell(message) })) }
      },
      { [told] text in told.withLock { _ = $0.insert(id(text)) } })
    subscription.start()
  }

  func isApplying(_ count: Int) -> Bool {
    applying.wait(milliseconds: 60_000) { $0.count == count ? true : nil } ?? false
  }

  func isTold(_ ids: [String]) -> Bool {
    told.wait(milliseconds: 60_000) { $0.isSuperset(of: ids) ? true : nil } ?? false
  }

  func endFirst() throws { try end { $0.removeFirst() } }

  func endLast() throws { try end { $0.removeLast() } }

  private func end(
    _ take: (inout [(id: String, end: @Sendable () -> Void)]) -> (id: String, end: @Sendable () -> Void)
  ) throws {
    let next = applying.wait(milliseconds: 60_000) { $0.isEmpty ? nil : take(&$0) }
    try #require(next).end()
  }

  func end() {
    subscription.stop()
    subscription.waitForTeller()
  }
}

extension SDKTests {
  /// A subscriber is told of each message once.
  @Suite struct SubscriptionTests {
    let cloudAgent: MemoryCloudAgent
    let world: World

    init() throws {
      cloudAgent = try MemoryCloudAgent(.init(tells: true))
      world = try World(at: cloudAgent)
    }

    private func send(_ ids: [String]) throws {
      for id in ids { try world.inviter.send(BasicMessage(id: id, content: id).json) }
    }

    @Test func unreadMessagesAndEachNewOneAreToldOnce() throws {
      let connection = try world.completed()
      try send(["before 1", "before 2"])
      let subscriber = Subscriber()
      defer { subscriber.end() }
      #expect(subscriber.isTold(2))
      try send(["after"])
      #expect(subscriber.isTold(3) && subscriber.ids == ["before 1", "before 2", "after"])
      let last = try #require(subscriber.entries.last)
      #expect(last["kind"] == "message" && last["pairwiseDID"]?.string == connection.pairwiseDID)
      #expect(last["uid"]?.string?.isEmpty == false && last["statusCode"] == "MS-103")
    }

    /// As with ACA-Py, which holds a message back that arrives while it sends another one. The next look beside the line would
    /// be a minute later.
    @Test func aMessageThatTheLineHoldsBackIsLookedForSoon() throws {
      cloudAgent.change { $0.holdsBack = true }
      _ = try world.completed()
      try send(["before"])
      let subscriber = Subscriber()
      defer { subscriber.end() }
      #expect(subscriber.isTold(1))
      try send(["held back"])
      #expect(subscriber.isTold(2, within: 30_000))
    }

    @Test func aReadMessageIsNotTold() throws {
      _ = try world.completed()
      try send(["read", "unread"])
      let entries = try JSON(
        parsing: world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil))
      let (did, uid) = (
        entries.array?.first?["pairwiseDID"] ?? .null,
        entries.array?.first?["msgs"]?.array?.first?["uid"] ?? .null
      )
      try world.session.updateMessages(status: "MS-106", ([["pairwiseDID": did, "uids": [uid]]] as JSON).text)
      let subscriber = Subscriber()
      defer { subscriber.end() }
      #expect(subscriber.isTold(1) && subscriber.ids == ["unread"])
    }

    /// The memory of unread messages is bounded, so that a message which it lacks may be unread.
    @Test(arguments: ["MS-106", "MS-105"]) func aMessageHasTheStatusThatTheSessionHasGivenIt(code: String) throws {
      let did = try world.completed().pairwiseDID
      try send(["message"])
      let subscriber = Subscriber()
      defer { subscriber.end() }
      #expect(subscriber.isTold(1))
      let told = try #require(subscriber.entries.first)
      let message = AnnouncedMessage(told.text)
      let session = try world.session
      session.messageMemory.unread.withLock { $0.empty(did) }
      #expect(message.mark(in: session) == nil)
      let places: JSON = [["pairwiseDID": .string(did), "uids": [told["uid"] ?? .null]]]
      try session.updateMessages(status: code, places.text)
      #expect(message.mark(in: session)?.code == code)
      // The program may hand over the text, also with the kept object that has applied it.
      for text in [told.text, told.with(["object": [:]]).text] {
        #expect(try HandedMessage(parsing: text).uid == told["uid"]?.string)
      }
    }

    @Test(arguments: [false, true])
    func messagesComeInDisorderAndTwice(tells: Bool) throws {
      cloudAgent.change { ($0.repeatsMessages, $0.losesAcknowledgements, $0.reversesOrder) = (true, true, true) }
      cloudAgent.change { $0.tells = tells }
      _ = try world.completed()
      let subscriber = Subscriber()
      defer { subscriber.end() }
      let ids = (0..<20).map { "message \($0)" }
      try send(ids)
      #expect(subscriber.isTold(ids.count))
      try send(["last"])
      #expect(subscriber.isTold(ids.count + 1) && subscriber.ids.sorted() == (ids + ["last"]).sorted())
    }

    @Test func aBrokenLineIsOpenedAgain() throws {
      _ = try world.completed()
      let subscriber = Subscriber()
      defer { subscriber.end() }
      for round in 0..<5 {
        cloudAgent.breakLines()
        try send(["round \(round)"])
        #expect(subscriber.isTold(round + 1))
      }
      #expect(subscriber.ids == (0..<5).map { "round \($0)" } && cloudAgent.openedLines >= 2)
    }

    /// The subscription looks for messages by itself, and opens the line when the server accepts it.
    @Test func aServerWithoutALineIsAsked() throws {
      cloudAgent.change { $0.refusesLines = true }
      _ = try world.completed()
      let subscriber = Subscriber()
      defer { subscriber.end() }
      try send(["while the line is broken"])
      #expect(subscriber.isTold(1))
      cloudAgent.change { $0.refusesLines = false }
      try send(["later"])
      #expect(subscriber.isTold(2) && subscriber.ids == ["while the line is broken", "later"])
    }

    @Test func aServerWhoseAnswersAreCutIsAskedAgain() throws {
      _ = try world.completed()
      cloudAgent.change { $0.cutAfter = 0 }
      try send(["a", "b"])
      let subscriber = Subscriber()
      defer { subscriber.end() }
      #expect(subscriber.entries.isEmpty)
      cloudAgent.change { $0.cutAfter = nil }
      #expect(subscriber.isTold(2) && subscriber.ids == ["a", "b"])
    }

    @Test func theMessagesThatAFailedLookHasBroughtAreTold() throws {
      _ = try world.completed()
      cloudAgent.change { $0.cutAfter = 1 }
      try send(["a", "b"])
      let subscriber = Subscriber()
      defer { subscriber.end() }
      #expect(subscriber.isTold(1) && subscriber.ids == ["a"])
      cloudAgent.change { $0.cutAfter = nil }
      #expect(subscriber.isTold(2) && subscriber.ids == ["a", "b"])
    }

    /// Messages that are being applied wait in memory. A message that is applied later is told later.
    @Test func fewMessagesOfAMailboxAreAppliedAtATime() throws {
      _ = try world.completed()
      let ids = (0..<20).map { "\($0)" }
      try send(ids)
      let slow = SlowSubscriber { _ in true }
      defer { slow.end() }
      #expect(slow.isApplying(4))
      #expect(slow.applying.wait(milliseconds: 1300) { $0.count > 4 ? true : nil } == nil)
      for _ in ids { try slow.endLast() }
      #expect(slow.isTold(ids))
    }

    /// The address of a peer may be silent, so that its messages take long to apply.
    @Test func aSlowMailboxHoldsUpNoOther() throws {
      _ = try world.completed()
      let ids = (0..<7).map { "slow \($0)" }
      try send(ids)
      let slow = SlowSubscriber { $0.hasPrefix("slow") }
      defer { slow.end() }
      #expect(slow.isApplying(4))
      _ = try world.completed()
      for round in 0..<5 {
        try send(["other \(round)"])
        #expect(slow.isTold(["other \(round)"]))
      }
      #expect(slow.applying.withLock { $0.map(\.id) } == Array(ids.prefix(4)))
      // Only messages that were not passed over count as told.
      for count in 4..<7 {
        try slow.endFirst()
        #expect(slow.isApplying(4) && slow.applying.withLock { $0.last?.id } == ids[count])
      }
      for _ in 0..<4 { try slow.endFirst() }
      #expect(slow.isTold(ids))
    }

    @Test func nothingIsToldAfterTheEnd() throws {
      _ = try world.completed()
      let isWithin = Monitor(false)
      let mayLeave = Monitor(false)
      let subscriber = Subscriber { count in
        guard count == 1 else { return }
        isWithin.withLock { $0 = true }
        mayLeave.wait { $0 ? () : nil }
      }
      try send(["first", "second"])
      isWithin.wait { $0 ? () : nil }
      let hasEnded = Monitor(false)
      Threads(limit: 1).post {
        subscriber.end()
        hasEnded.withLock { $0 = true }
      }
      // The end waits for the subscriber.
      #expect(hasEnded.wait(milliseconds: 100) { $0 ? true : nil } == nil)
      mayLeave.withLock { $0 = true }
      #expect(hasEnded.wait(milliseconds: 60_000) { $0 ? true : nil } == true)
      #expect(subscriber.ids == ["first"])
    }

    @Test func aSubscriberMayEndWhileItIsTold() throws {
      _ = try world.completed()
      try send(["first", "second"])
      let own = Locked<Subscriber?>(nil)
      let mayBegin = Monitor(false)
      let hasEnded = Monitor(false)
      let subscriber = Subscriber { _ in
        mayBegin.wait { $0 ? () : nil }
        own.withLock { $0 }?.end()
        hasEnded.withLock { $0 = true }
      }
      own.withLock { $0 = subscriber }
      mayBegin.withLock { $0 = true }
      #expect(hasEnded.wait(milliseconds: 60_000) { $0 ? true : nil } == true)
      own.withLock { $0 = nil }
      #expect(subscriber.ids == ["first"])
    }

    @Test func aSubscriptionEndsWithTheSession() throws {
      _ = try world.completed()
      let subscriber = Subscriber()
      try send(["first"])
      #expect(subscriber.isTold(1))
      Agent.ofTest.stop(deletingWallet: false)
      cloudAgent.breakLines()
      subscriber.end()
      try world.start(world.config)
      try send(["second"])
      let next = Subscriber()
      defer { next.end() }
      #expect(next.isTold(2) && next.ids == ["first", "second"] && subscriber.ids == ["first"])
    }
  }

  /// The pauses between attempts.
  @Suite struct BackoffTests {
    @Test func pausesGrowUpToAMinute() {
      var backoff = Backoff()
      let longest = (0..<12).map { _ in backoff.next { $0.upperBound } }
      #expect(longest == [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000])
      #expect(backoff.next { $0.lowerBound } == 30_000)
      backoff.reset()
      #expect(backoff.next { $0.lowerBound } == 50)
    }
  }
}

extension SDKTests {
  /// A subscriber of a real agency.
  @Suite struct AgencySubscriptionTests {
    @Test func unreadMessagesAndEachNewOneAreToldOnce() throws {
      let world = try World()
      _ = try world.completed()
      try world.inviter.send(BasicMessage(id: "before", content: "x").json)
      let subscriber = Subscriber()
      defer { subscriber.end() }
      #expect(subscriber.isTold(1))
      let ids = (0..<10).map { "after \($0)" }
      for id in ids { try world.inviter.send(BasicMessage(id: id, content: "x").json) }
      #expect(subscriber.isTold(11) && subscriber.ids.sorted() == (["before"] + ids).sorted())
    }
  }
}
