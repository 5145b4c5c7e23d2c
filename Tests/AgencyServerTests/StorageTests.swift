import AgencyWire
import DIDComm
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// Mailboxes and messages in every kind of store.
@Suite struct StorageTests {
  @Test(arguments: StoreKind.allCases)
  func theIdentityIsTheFirstOne(kind: StoreKind) throws {
    let store = try Store(kind)
    let first = Identity(verkey: KeyPair().verkey, sealedKey: SealedKey([1]))
    #expect(try store.storage.identity(orElse: first) == first)
    let second = Identity(verkey: KeyPair().verkey, sealedKey: SealedKey([2]))
    #expect(try store.reopened().identity(orElse: second) == first)
  }

  /// As when the operator removes an account while its owner provisions.
  @Test(arguments: StoreKind.allCases)
  func anAgentThatWasRemovedIsNotSignedUp(kind: StoreKind) throws {
    let store = try Store(kind)
    let agency = try Agency(storage: store.storage, masterKey: MasterKey(SecretBytes(copying: randomBytes(32))))
    _ = try agency.signUp(store.agent)
    let removed = Account(
      id: store.agent.id + 1000, party: store.agent.party, sealedKey: store.agent.sealedKey, owner: store.agent.owner,
      state: .connected, sponsorID: nil, lastSeen: 0)
    #expect(throws: RequestError.notFound(reason: "the agent was removed")) { try agency.signUp(removed) }
  }

  @Test(arguments: StoreKind.allCases)
  func addressesAreFoundByEveryName(kind: StoreKind) throws {
    let store = try Store(kind)
    let (agent, mailbox) = (store.agent, store.mailbox)
    let agentNames = [agent.party.did, agent.party.verkey.text, agent.party.verkey.didKey, agent.owner.did.text]
    for name in agentNames {
      #expect(try store.storage.destination(of: #require(Address(name))) == .agent(agent))
    }
    let mailboxNames = [
      mailbox.party.did, mailbox.party.verkey.text, "did:sov:" + mailbox.forDID.text, mailbox.forVerKey.didKey,
    ]
    for name in mailboxNames {
      #expect(try store.storage.destination(of: #require(Address(name))) == .mailbox(mailbox))
    }
    #expect(try store.storage.destination(of: #require(Address(KeyPair().verkey.text))) == nil)
    #expect(Address("") == nil)
    #expect(Address("0OIl") == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func theOldestNotificationsComeFirstAndAttemptsAreCounted(kind: StoreKind) throws {
    let store = try Store(kind)
    #expect(try store.storage.setComMethod(Self.hook("a", "http://a"), of: store.agent, limit: 9))
    let mails = ["1", "2"].map(store.mail)
    for mail in mails.reversed() {
      _ = try store.storage.deliver(mail, to: store.mailbox, quota: Quota())
      store.time.withLock { $0 += 1 }
    }
    var taken = try store.storage.takeNotifications(limit: 1, lease: 60)
    #expect(taken.map(\.uid) == [mails[1].uid] && taken.map(\.attempts) == [0])
    try store.storage.settle(taken[0], retryAt: store.time.withLock { $0 } + 1)
    taken = try store.storage.takeNotifications(limit: 9, lease: 60)
    #expect(taken.map(\.uid) == [mails[0].uid])
    store.time.withLock { $0 += 1 }
    taken = try store.storage.takeNotifications(limit: 9, lease: 60)
    #expect(taken.map(\.uid) == [mails[1].uid] && taken.map(\.attempts) == [1])
  }

  private static func hook(_ id: String, _ value: String, _ kind: WireComMethod.Kind = .webhook) -> WireComMethod {
    WireComMethod(id: id, kind: kind, value: value)
  }

  /// Methods that the user has changed since stay, and so do others with the same value.
  @Test(arguments: StoreKind.allCases)
  func onlyTheNotifiedMethodIsUnregistered(kind: StoreKind) throws {
    let changes = [(Self.hook("a", "x", .sponsorPush), 2), (Self.hook("a", "y"), 2), (Self.hook("c", "z"), 2)]
    for (change, left) in changes {
      let store = try Store(kind)
      for id in ["a", "b"] { #expect(try store.storage.setComMethod(Self.hook(id, "x"), of: store.agent, limit: 9)) }
      try store.deliver("1")
      let taken = try store.storage.takeNotifications(limit: 9, lease: 60)
      let notification = try #require(taken.first { $0.method.id == "a" })
      #expect(try store.storage.setComMethod(change, of: store.agent, limit: 9))
      try store.storage.unregister(notification)
      #expect(try store.deliver("2") == .stored(notifications: left))
      #expect(try store.storage.takeNotifications(limit: 9, lease: 60).contains { $0.method == change })
    }
  }

  /// Users choose the DIDs and keys of their own side. An address of the agency's side stays with its owner.
  @Test(arguments: StoreKind.allCases)
  func nobodyTakesAnothersAddress(kind: StoreKind) throws {
    let store = try Store(kind)
    let (storage, agent, mailbox) = (store.storage, store.agent, store.mailbox)
    let thief = try storage.agent(of: KeyPair().verkey, ownerDID: DID(agent.party.did), orElse: Store.newKey())
    #expect(try storage.destination(of: #require(Address(agent.party.did))) == .agent(agent))
    func make(_ did: DID, _ verkey: VerKey) throws -> MailboxCreation {
      try storage.mailbox(of: thief, for: did, verkey, limit: 100, orElse: Store.newKey())
    }
    guard case .mailbox = try make(DID(mailbox.party.did), mailbox.party.verkey) else { throw Store.Unexpected() }
    for name in [mailbox.party.did, mailbox.party.verkey.text] {
      #expect(try storage.destination(of: #require(Address(name))) == .mailbox(mailbox))
    }
    let key = KeyPair().verkey
    #expect(try make(mailbox.forDID, mailbox.forVerKey) == .taken)
    #expect(try make(mailbox.forDID, key) == .taken)
    #expect(try make(key.did, mailbox.forVerKey) == .taken)
  }

  @Test(arguments: StoreKind.allCases)
  func anotherOwnersMessagesCannotBeNamed(kind: StoreKind) throws {
    let store = try Store(kind)
    try store.deliver("mine")
    let uid = try store.messages()[0].uid
    let other = try Store.agent(in: store.storage)
    let group = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: [uid])
    #expect(try store.storage.setStatus("MS-106", of: [group], of: other).map(\.uids) == [[]])
    let scope = MessageSelection.Scope.agent(other, pairwiseDIDs: [store.mailbox.forDID.text])
    #expect(
      try store.storage.messages(MessageSelection(scope: scope, filter: WireMessageFilter(), budget: 1000)).messages
        .isEmpty)
    #expect(try store.messages()[0].status == "MS-103")
  }

  @Test(arguments: StoreKind.allCases)
  func aRepetitionIsRecognisedForADay(kind: StoreKind) throws {
    let store = try Store(kind)
    #expect(try store.deliver("a") == .stored(notifications: 0))
    store.time.withLock { $0 += 24 * 3600 - 1 }
    #expect(try store.deliver("a") == .repeated)
    store.time.withLock { $0 += 1 }
    #expect(try store.deliver("a") == .stored(notifications: 0))
    let second = try Store.mailbox(of: store.agent, in: store.storage)
    #expect(try store.storage.deliver(store.mail("a"), to: second, quota: Quota()) == .stored(notifications: 0))
    let read = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: try store.messages().map(\.uid))
    _ = try store.storage.setStatus("MS-106", of: [read], of: store.agent)
    #expect(try store.deliver("a") == .repeated)
  }

  @Test(arguments: StoreKind.allCases)
  func theQuotaCountsUnreadMessagesAndBytes(kind: StoreKind) throws {
    let store = try Store(kind)
    var quota = Quota()
    quota.bytes = 10
    #expect(try store.deliver("12345678901", quota: quota) == .mailboxFull)
    #expect(try store.deliver("1234567890", quota: quota) == .stored(notifications: 0))
    #expect(try store.deliver("1", quota: quota) == .mailboxFull)
    let group = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: try store.messages().map(\.uid))
    _ = try store.storage.setStatus("MS-106", of: [group], of: store.agent)
    quota.messages = 1
    #expect(try store.deliver("1", quota: quota) == .stored(notifications: 0))
    #expect(try store.deliver("2", quota: quota) == .mailboxFull)
  }

  /// An owner who marks everything as read at once does not fill the disk: the oldest read messages go.
  @Test(arguments: StoreKind.allCases)
  func readMessagesHaveAQuotaToo(kind: StoreKind) throws {
    let store = try Store(kind)
    let other = try Store.mailbox(of: store.agent, in: store.storage)
    _ = try store.storage.deliver(store.mail("other"), to: other, quota: Quota())
    var quota = Quota()
    quota.messages = 3
    quota.bytes = 100
    func fill(_ texts: [String], status: String = "MS-106") throws {
      for text in texts { #expect(try store.deliver(text) == .stored(notifications: 0)) }
      let unread = try store.messages(WireMessageFilter(statusCodes: ["MS-103"])).map(\.uid)
      let group = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: unread)
      let updated = try store.storage.setStatus(status, of: [group], of: store.agent, quota: quota)
      #expect(updated.map(\.uids) == [unread])
    }
    try fill(["1", "2", "3"])
    #expect(try store.texts() == ["1", "2", "3"])
    try fill(["4", "5"], status: "MS-104")
    #expect(try store.texts() == ["3", "4", "5"])
    try fill([String(repeating: "x", count: 99)])
    #expect(try store.texts().map(\.count) == [1, 99])
    #expect(try store.deliver("unread") == .stored(notifications: 0))
    #expect(try store.texts().last == "unread")
    // Unread messages do not go, nor do they take the room of read ones.
    quota.messages = 1
    for text in ["6", "7", "8"] { try store.deliver(text) }
    let read = try store.messages(WireMessageFilter(statusCodes: ["MS-106"])).map(\.uid)
    let reviewed = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: read)
    _ = try store.storage.setStatus("MS-107", of: [reviewed], of: store.agent, quota: quota)
    #expect(try store.messages().map(\.status) == ["MS-107", "MS-103", "MS-103", "MS-103", "MS-103"])
    let kept = try store.storage.messages(
      MessageSelection(scope: .mailbox(other), filter: WireMessageFilter(), budget: 1_000_000))
    #expect(kept.messages.count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func aDeletedMailboxTakesNothingAndCannotBeMadeAgain(kind: StoreKind) throws {
    let store = try Store(kind)
    try store.deliver("early")
    try store.storage.delete(store.mailbox)
    try store.storage.delete(store.mailbox)
    #expect(try store.deliver("late") == .gone)
    #expect(try store.messages().isEmpty)
    #expect(try store.storage.pairwiseDIDs(of: store.agent, among: []).isEmpty)
    let again = try store.storage.mailbox(
      of: store.agent, for: store.mailbox.forDID, store.mailbox.forVerKey, limit: 100, orElse: Store.newKey())
    #expect(again == .taken)
    let address = try #require(Address(store.mailbox.forDID.text))
    guard case .mailbox(let tombstone) = try store.storage.destination(of: address) else { throw Store.Unexpected() }
    #expect(tombstone.isDeleted)
  }

  /// Otherwise their owner would still be notified of them.
  @Test(arguments: StoreKind.allCases)
  func theMessagesOfADeletedMailboxAreDeletedToo(kind: StoreKind) throws {
    let store = try Store(kind)
    #expect(try store.storage.setComMethod(Self.hook("a", "http://a"), of: store.agent, limit: 9))
    #expect(try store.deliver("early") == .stored(notifications: 1))
    try store.storage.delete(store.mailbox)
    #expect(try store.storage.takeNotifications(limit: 9, lease: 60).isEmpty)
  }

  /// As from a sender that did not get the answer to the delivery that filled the mailbox.
  @Test(arguments: StoreKind.allCases)
  func aRepeatedDeliveryNeedsNoRoom(kind: StoreKind) throws {
    let store = try Store(kind)
    var quota = Quota()
    quota.messages = 1
    #expect(try store.deliver("1", quota: quota) == .stored(notifications: 0))
    #expect(try store.deliver("1", quota: quota) == .repeated)
    #expect(try store.deliver("2", quota: quota) == .mailboxFull)
  }

  @Test(arguments: StoreKind.allCases)
  func mailboxesAreFoundByTheirOwnersDIDs(kind: StoreKind) throws {
    let store = try Store(kind)
    let second = try Store.mailbox(of: store.agent, in: store.storage)
    let foreign = try Store.mailbox(of: Store.agent(in: store.storage), in: store.storage)
    let dids = [store.mailbox.forDID.text, second.forDID.text]
    #expect(try store.storage.pairwiseDIDs(of: store.agent, among: []) == dids)
    #expect(try store.storage.pairwiseDIDs(of: store.agent, among: [second.forDID.text, "x"]) == [second.forDID.text])
    #expect(try store.storage.pairwiseDIDs(of: store.agent, among: [foreign.forDID.text]).isEmpty)
    let creation = try store.storage.mailbox(
      of: store.agent, for: KeyPair().verkey.did, KeyPair().verkey, limit: 2, orElse: Store.newKey())
    #expect(creation == .tooMany)
  }
}
