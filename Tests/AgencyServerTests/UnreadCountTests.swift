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

  /// The messages that wait in an older store count too.
  @Test(arguments: StoreKind.allCases)
  func anOlderStoreIsCounted(kind: StoreKind) throws {
    let (agent, owner, box, user) = (KeyPair().verkey, KeyPair().verkey, KeyPair().verkey, KeyPair().verkey)
    let secret = kind == .sqlite ? "x'010203'" : "'\\x010203'"
    let messages = [("1", "MS-103"), ("2", "MS-106"), ("3", "MS-103")].map { uid, status in
      "('\(uid)', 1, '\(status)', 5, \(secret), 1, 1, \(secret))"
    }
    let rows = """
      INSERT INTO agents (did, verkey, secret, owner_did, owner_verkey, state, created)
      VALUES ('\(agent.did.text)', '\(agent.text)', \(secret), '\(owner.did.text)', '\(owner.text)', 'created', 1);
      INSERT INTO pairwise (agent_id, did, verkey, secret, for_did, for_verkey, created)
      VALUES (1, '\(box.did.text)', '\(box.text)', \(secret), '\(user.did.text)', '\(user.text)', 1);
      INSERT INTO messages (uid, pairwise_id, status, size, digest, created, updated, payload)
      VALUES \(messages.joined(separator: ", "));
      """
    let folder = try TemporaryFolder()
    let storage = try kind.store(version: 7, rows, in: folder)
    guard case .mailbox(let mailbox) = try storage.destination(of: #require(Address(box.text))) else {
      throw Store.Unexpected()
    }
    func deliver(_ number: UInt8, messages: Int, bytes: Int) throws -> Delivery {
      var quota = Quota()
      (quota.messages, quota.bytes) = (messages, bytes)
      let mail = Mail(uid: "new \(number)", payload: [number], digest: [number], arrival: 1)
      return try storage.deliver(mail, to: mailbox, quota: quota)
    }
    #expect(try deliver(1, messages: 2, bytes: 1000) == .mailboxFull)
    #expect(try deliver(1, messages: 9, bytes: 10) == .mailboxFull)
    #expect(try deliver(1, messages: 3, bytes: 11) == stored)
    #expect(try deliver(2, messages: 3, bytes: 1000) == .mailboxFull)
  }
}
