import AgencyWire
import DIDComm
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// The store counts the unread messages of a mailbox as they come and go.
@Suite struct UnreadCountTests {
  private let quota: Quota = {
    var quota = Quota()
    quota.messages = 2
    return quota
  }()
  private let stored = Delivery.stored(notifications: 0)

  @Test(arguments: StoreKind.allCases)
  func aMessageThatIsReadOrGoneMakesRoom(kind: StoreKind) throws {
    let store = try Store(kind)
    func mark(_ status: String, _ text: String) throws {
      let uids = try store.messages().filter { $0.payload == Array(text.utf8) }.map(\.uid)
      let group = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: uids)
      #expect(try store.storage.setStatus(status, of: [group], of: store.agent).map(\.uids) == [uids])
    }
    #expect(try ["a", "b", "c"].map { try store.deliver($0, quota: quota) } == [stored, stored, .mailboxFull])
    try mark("MS-104", "a")
    try mark("MS-106", "a")  // it was read already
    #expect(try ["d", "e"].map { try store.deliver($0, quota: quota) } == [stored, .mailboxFull])
    #expect(try store.storage.setState(.created, of: store.agent))  // an unfinished account would expire
    let years = store.time.withLock { $0 } + 10 * 365 * 86_400
    while try store.storage.removeExpired(Expiry(Retention(), now: years), limit: 1) > 0 {}
    #expect(try store.texts() == [])
    #expect(try ["f", "g", "h"].map { try store.deliver($0, quota: quota) } == [stored, stored, .mailboxFull])
  }

  @Test(arguments: StoreKind.allCases)
  func eachMailboxHasItsOwnCount(kind: StoreKind) throws {
    let store = try Store(kind)
    let other = try Store.mailbox(of: store.agent, in: store.storage)
    for text in ["a", "b"] { try store.deliver(text, quota: quota) }
    #expect(try store.storage.deliver(store.mail("a"), to: other, quota: quota) == stored)
    try store.storage.delete(store.mailbox)
    #expect(try store.storage.deliver(store.mail("b"), to: other, quota: quota) == stored)
    #expect(try store.storage.deliver(store.mail("c"), to: other, quota: quota) == .mailboxFull)
  }
}
