import AgencyWire
import DIDComm
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// Notifications that are due, and rows that are too old, in every kind of store.
@Suite struct StorageAgeTests {
  @Test(arguments: StoreKind.allCases)
  func aTakenNotificationIsNotTakenAgainUntilItsLeaseEnds(kind: StoreKind) throws {
    let store = try Store(kind)
    let hook = WireComMethod(id: "hook", kind: .webhook, value: "http://example.com")
    #expect(try store.storage.setComMethod(hook, of: store.agent, limit: 5))
    #expect(try store.deliver("a") == .stored(notifications: 1))
    let taken = try store.storage.takeNotifications(limit: 10, lease: 60)
    #expect(taken.map(\.method) == [hook])
    #expect(taken.map(\.uid) == (try store.messages().map(\.uid)))
    #expect(taken.map(\.pairwiseDID) == [store.mailbox.forDID.text])
    let other = try store.reopened()
    #expect(try other.takeNotifications(limit: 10, lease: 60).isEmpty)
    store.time.withLock { $0 += 60 }
    #expect(try other.takeNotifications(limit: 10, lease: 60).map(\.id) == taken.map(\.id))
    try other.settle(taken[0], retryAt: 1_700_000_100)
    #expect(try other.takeNotifications(limit: 10, lease: 60).isEmpty)
    store.time.withLock { $0 = 1_700_000_100 }
    let retried = try store.storage.takeNotifications(limit: 10, lease: 60)
    #expect(retried.map(\.attempts) == [1])
    try store.storage.settle(retried[0], retryAt: nil)
    store.time.withLock { $0 += 1000 }
    #expect(try store.storage.takeNotifications(limit: 10, lease: 60).isEmpty)
  }

  /// The attempt of a notification that was deleted meanwhile ends late.
  @Test(arguments: StoreKind.allCases) func aLateResultSettlesNoOtherNotification(kind: StoreKind) throws {
    let store = try Store(kind)
    let hook = WireComMethod(id: "hook", kind: .webhook, value: "http://example.com")
    let off = WireComMethod(id: "hook", kind: .webhook, value: "")
    var old: [Notification] = []
    for text in ["a", "b"] {
      #expect(try store.storage.setComMethod(hook, of: store.agent, limit: 5))
      try store.deliver(text)
      let taken = try store.storage.takeNotifications(limit: 10, lease: 0)
      #expect(taken.count == 1)
      for each in old { try store.storage.settle(each, retryAt: nil) }
      #expect(try store.storage.takeNotifications(limit: 10, lease: 0) == taken)
      old += taken
      #expect(try store.storage.setComMethod(off, of: store.agent, limit: 5))
    }
    #expect(Set(old.map(\.id)).count == 2)
  }

  /// A notification would otherwise wait as long as the clock was set back.
  @Test(arguments: StoreKind.allCases, [86_400, 315_360_000] as [Int64])
  func notificationsAreDueAfterTheClockIsSetBack(kind: StoreKind, by seconds: Int64) throws {
    let store = try Store(kind)
    let hook = WireComMethod(id: "hook", kind: .webhook, value: "http://example.com")
    #expect(try store.storage.setComMethod(hook, of: store.agent, limit: 5))
    try store.deliver("a")
    let taken = try store.storage.takeNotifications(limit: 10, lease: 30)
    try store.storage.settle(try #require(taken.first), retryAt: store.time.withLock { $0 } + 60)
    store.time.withLock { $0 -= seconds }
    #expect(try store.storage.takeNotifications(limit: 10, lease: 30).map(\.uid) == taken.map(\.uid))
    #expect(try store.storage.takeNotifications(limit: 10, lease: 30).isEmpty)
    store.time.withLock { $0 += 30 }
    #expect(try store.storage.takeNotifications(limit: 10, lease: 30).map(\.uid) == taken.map(\.uid))
  }

  /// A message has a notification for each of the owner's methods, and their receivers answer at different times.
  @Test(arguments: StoreKind.allCases)
  func theNotificationsOfAMessageAreSettledOneByOne(kind: StoreKind) throws {
    let store = try Store(kind)
    for id in ["a", "b", "c"] {
      let hook = WireComMethod(id: id, kind: .webhook, value: "http://example.com")
      #expect(try store.storage.setComMethod(hook, of: store.agent, limit: 5))
    }
    #expect(try store.deliver("x") == .stored(notifications: 3))
    let taken = try store.storage.takeNotifications(limit: 9, lease: 0).sorted { $0.method.id < $1.method.id }
    try store.storage.settle(taken[0], retryAt: nil)
    try store.storage.settle(taken[1], retryAt: 1_700_000_060)
    let left = try store.storage.takeNotifications(limit: 9, lease: 0)
    #expect(left.map(\.method.id) == ["c"] && left.map(\.attempts) == [0])
  }

  @Test(arguments: StoreKind.allCases)
  func theOwnersMethodsAreNotifiedOfTheAgencysOwnMessages(kind: StoreKind) throws {
    let store = try Store(kind)
    let owner = KeyPair().verkey
    let account = try Store.agent(in: store.storage, of: owner)
    let hook = WireComMethod(id: "hook", kind: .webhook, value: "http://example.com")
    #expect(try store.storage.setComMethod(hook, of: account, limit: 5))
    // A note takes the place of an older one of its type, which nobody is notified of any more.
    for (uid, type) in [("1", "READY"), ("2", "ACK"), ("3", "ACK")] {
      try store.storage.leave(Note(uid: uid, type: type), for: account)
    }
    let taken = try store.storage.takeNotifications(limit: 10, lease: 0)
    #expect(taken.map(\.uid) == ["1", "3"] && taken.map(\.hint.type) == ["READY", "ACK"])
    #expect(taken.allSatisfy { $0.pairwiseDID == owner.did.text && $0.method == hook })
    // The second note of a second gets the next one, which keeps their order.
    #expect(taken.map(\.arrival) == [1_700_000_000, 1_700_000_001])
    for each in taken { try store.storage.settle(each, retryAt: nil) }
    #expect(try store.storage.takeNotifications(limit: 10, lease: 0).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func aRegistrationIsRemovedWithAllThatWaitsUnlessTheUserHasChangedIt(kind: StoreKind) throws {
    let store = try Store(kind)
    let (hook, old) = (
      WireComMethod(id: "1", kind: .webhook, value: "x"), WireComMethod(id: "2", kind: .push, value: "old")
    )
    for method in [hook, old] { #expect(try store.storage.setComMethod(method, of: store.agent, limit: 5)) }
    for text in ["a", "b"] { #expect(try store.deliver(text) == .stored(notifications: 2)) }
    let first = try #require(store.storage.takeNotifications(limit: 10, lease: 0).first { $0.method == old })
    let new = WireComMethod(id: "2", kind: .push, value: "new")
    #expect(try store.storage.setComMethod(new, of: store.agent, limit: 5))
    try store.storage.unregister(first)
    let second = try #require(store.storage.takeNotifications(limit: 10, lease: 0).first { $0.method == new })
    try store.storage.unregister(second)
    #expect(try store.storage.takeNotifications(limit: 10, lease: 0).map(\.method) == [hook, hook])
  }

  @Test(arguments: StoreKind.allCases)
  func oldRowsAreRemoved(kind: StoreKind) throws {
    let store = try Store(kind)
    try store.deliver("read")
    let group = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: try store.messages().map(\.uid))
    _ = try store.storage.setStatus("MS-106", of: [group], of: store.agent)
    try store.deliver("unread")
    _ = try store.storage.firstSight(of: [1])
    #expect(try store.storage.setState(.created, of: store.agent))
    _ = try Store.agent(in: store.storage)
    let now = store.time.withLock { $0 }
    func remove(after seconds: Int64) throws -> Int {
      try store.storage.removeExpired(Expiry(Retention(), now: now + seconds), limit: 10)
    }
    #expect(try remove(after: 24 * 3600 - 1) == 0)
    // The message that was read, the unfinished agent, the memory of the request.
    #expect(try remove(after: 24 * 3600) == 3)
    #expect(try store.texts() == ["unread"])
    #expect(try remove(after: 90 * 86_400) == 1)
    try store.storage.delete(store.mailbox)
    #expect(try remove(after: 30 * 86_400) == 1)
    #expect(try store.storage.destination(of: #require(Address(store.mailbox.forDID.text))) == nil)
    try store.storage.checkReading()
    try store.storage.checkWriting()
  }

  /// A used token is forgotten when it could not be used any more, and not sooner.
  @Test(arguments: StoreKind.allCases)
  func usedTokensGoWhenTheyExpire(kind: StoreKind) throws {
    let store = try Store(kind)
    #expect(try store.storage.setState(.created, of: store.agent))
    let now = store.time.withLock { $0 }
    let sponsorship = Sponsorship(sponsorID: "bank", sponseeID: "1", marks: [[1]], expiry: now + 100)
    let owner = KeyPair().verkey
    _ = try store.storage.provision(owner, ownerDID: owner.did, sponsorship, orElse: Store.newKey())
    #expect(try store.storage.removeExpired(Expiry(Retention(), now: now + 99), limit: 10) == 0)
    #expect(try store.storage.removeExpired(Expiry(Retention(), now: now + 100), limit: 10) == 1)
    // A token that was made a window later than the agency's time may be used for another window.
    #expect(Admission(window: 600).expiry(at: now) >= now + 1200)
  }

  @Test(arguments: StoreKind.allCases)
  func anAgentThatWasRemovedDoesNotAdvance(kind: StoreKind) throws {
    let store = try Store(kind)
    let later = store.time.withLock { $0 } + 24 * 3600
    #expect(try store.storage.removeExpired(Expiry(Retention(), now: later), limit: 10) == 1)
    #expect(try !store.storage.setState(.registered, of: store.agent))
  }
}
