import AgencyWire
import DIDComm
import Logging
import SQLite
import Sodium
import TestSupport
import Testing
import Threading
import Time

@testable import AgencyServer

/// The removal of old messages and mailboxes.
@Suite struct RetentionTests {
  @Test func onlyOldRowsAreRemoved() throws {
    let folder = try TemporaryFolder()
    let start: Int64 = 1_700_000_000
    let time = Locked(start)
    let clock: Clock = { time.withLock { $0 } }
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: clock)
    let agency = try Agency(
      storage: storage, masterKey: MasterKey(SecretBytes(random: MasterKey.length)), clock: clock)
    let owner = KeyPair().verkey
    let agent = try #require(try account(storage, owner))
    let mailbox = try #require(try mailbox(storage, agent))
    let deleted = try #require(try self.mailbox(storage, agent))
    try storage.delete(deleted)
    let unfinished = KeyPair().verkey
    for owner in [unfinished, KeyPair().verkey] {
      let account = try storage.agent(of: owner, ownerDID: owner.did, orElse: agency.masterKey.newKey())
      if owner != unfinished { #expect(try storage.setState(.registered, of: account)) }
    }
    for text in ["read", "unread"] { _ = try storage.deliver(mail(text, start), to: mailbox, quota: Quota()) }
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID.text, uids: ["read"])
    _ = try storage.setStatus("MS-106", of: [read], of: agent)
    let kept = {
      try storage.messages(MessageSelection(scope: .mailbox(mailbox), filter: WireMessageFilter(), budget: 1)).messages
        .count
    }

    time.withLock { $0 = start + 24 * 3600 - 1 }
    #expect(try agency.sweep() == 0)
    time.withLock { $0 = start + 24 * 3600 }
    #expect(try agency.sweep() == 3)  // the message that was read, the agents that were never finished
    #expect(try kept() == 1)
    try storage.delete(deleted)  // once more, which keeps its tombstone no longer
    time.withLock { $0 = start + 30 * 86_400 }
    #expect(try agency.sweep() == 1)  // the tombstone
    #expect(try storage.destination(of: #require(Address(deleted.party.did))) == nil)
    time.withLock { $0 = start + 90 * 86_400 }
    #expect(try agency.sweep() == 1)
    #expect(try kept() == 0)
    #expect(try storage.destination(of: #require(Address(mailbox.party.did))) == .mailbox(mailbox))
  }

  @Test func anEarlierRecoveryKeyIsForgottenAMonthAfterItsReplacement() throws {
    let store = try Store(.sqlite)
    #expect(try store.storage.setState(.created, of: store.agent))
    let keys = (0..<3).map { _ in KeyPair().verkey }
    for (key, days) in zip(keys, [0, 0, 20] as [Int64]) {
      store.time.withLock { $0 += days * 86_400 }
      let recovery = Recovery(key: key, address: key.text, cloudAddress: [])
      #expect(try store.storage.keep(recovery, of: store.agent, Note(uid: key.text, type: "ready")))
    }
    func known(_ days: Int64) throws -> [Bool] {
      try sweep(store, after: days * 24)
      return try keys.map { try store.storage.backup(of: store.agent, under: $0) == .nothing }
    }
    #expect(try known(9) == [true, true, true])
    #expect(try known(1) == [false, true, true])
    #expect(try known(20) == [false, false, true])
  }

  @Test func aNoteOfTheAgencyStaysAsLongAsAnUnreadMessage() throws {
    let store = try Store(.sqlite)
    let notes = { try store.storage.notes(of: store.agent).map(\.uid) }
    #expect(try store.storage.setState(.created, of: store.agent))
    try store.storage.leave(Note(uid: "b", type: "ready"), for: store.agent)
    try sweep(store, after: 1)
    try store.storage.leave(Note(uid: "a", type: "stored"), for: store.agent)
    try sweep(store, after: 90 * 24 - 2)
    #expect(try notes() == ["b", "a"])
    try sweep(store, after: 1)
    #expect(try notes() == ["a"])
  }

  @Test(arguments: StoreKind.allCases) func notesOfTheSameSecondKeepTheirOrder(kind: StoreKind) throws {
    let store = try Store(kind)
    #expect(try store.storage.setState(.created, of: store.agent))
    for uid in ["c", "b", "a"] { try store.storage.leave(Note(uid: uid, type: uid), for: store.agent) }
    #expect(try store.storage.notes(of: store.agent).map(\.uid) == ["c", "b", "a"])
  }

  @Test func theOperatorSaysHowLongMessagesStay() throws {
    let store = try Store(.sqlite)
    var rules = Agency.Rules()
    (rules.retention.readHours, rules.retention.unreadDays) = (2, 1)
    let agency = try Agency(
      storage: store.storage, masterKey: MasterKey(SecretBytes(random: MasterKey.length)), rules: rules,
      clock: { store.time.withLock { $0 } })
    #expect(try store.storage.setState(.created, of: store.agent))
    for text in ["read", "unread"] { try store.deliver(text) }
    let read = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: [try store.messages()[0].uid])
    _ = try store.storage.setStatus("MS-106", of: [read], of: store.agent)
    for (hours, rows) in [(1, 0), (1, 1), (21, 0), (1, 1)] {
      store.time.withLock { $0 += Int64(hours) * 3600 }
      #expect(try agency.sweep() == rows)
    }
  }

  /// Deliveries wait while a step runs.
  @Test(arguments: StoreKind.allCases) func aStepOfASweepRemovesOnlySoManyRows(kind: StoreKind) throws {
    let store = try Store(kind)
    #expect(try store.storage.setState(.created, of: store.agent))
    for number in UInt8(0)..<5 { _ = try store.storage.firstSight(of: [number]) }
    let expiry = Expiry(Retention(), now: store.time.withLock { $0 } + 86_400)
    #expect(try (0..<4).map { _ in try store.storage.removeExpired(expiry, limit: 2) } == [2, 2, 1, 0])
  }

  /// The day begins when the owner marks it, not when it arrives.
  @Test func aReadMessageStaysForADay() throws {
    let store = try Store(.sqlite)
    #expect(try store.storage.setState(.created, of: store.agent))
    let statuses = ["MS-104", "MS-105", "MS-106", "MS-107"]
    for status in statuses { try store.deliver(status) }
    try sweep(store, after: 23)
    for (uid, status) in zip(try store.messages().map(\.uid), statuses) {
      let group = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: [uid])
      _ = try store.storage.setStatus(status, of: [group], of: store.agent)
    }
    try sweep(store, after: 23)
    #expect(try store.texts() == statuses)
    try sweep(store, after: 1)
    #expect(try store.texts() == ["MS-104"], "an accepted message is still to be read")
  }

  @Test func removedMessagesGiveTheirRoomBack() throws {
    let store = try Store(.sqlite)
    #expect(try store.storage.setState(.created, of: store.agent))
    var quota = Quota()
    (quota.messages, quota.bytes) = (1, 10)
    #expect(try store.deliver("1234567890", quota: quota) == .stored(notifications: 0))
    #expect(try store.deliver("x", quota: quota) == .mailboxFull)
    try sweep(store, after: 90 * 24)
    #expect(try store.deliver("0987654321", quota: quota) == .stored(notifications: 0))
  }

  /// A round removes only so many rows, for nobody to wait long for the store.
  @Test func aSweepTakesAsManyRoundsAsItNeeds() throws {
    let (folder, now) = (try TemporaryFolder(), Int64(1_700_000_000))
    let path = folder.path + "/agency.db"
    let storage = try SQLiteStorage(path: path, clock: { now })
    defer { storage.close() }
    let key = MasterKey(SecretBytes(random: MasterKey.length))
    let agency = try Agency(storage: storage, masterKey: key, clock: { now })
    try Database(path: path).execute(
      """
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1001)
      INSERT INTO seen_requests SELECT randomblob(32), 0 FROM numbers
      """)
    #expect(try agency.sweep() == 1001)
  }

  /// The end of the program does not wait for a long sweep.
  @Test func aSweepEndsAfterAStepAndTheNextOneGoesOn() throws {
    let (folder, now) = (try TemporaryFolder(), Int64(1_700_000_000))
    let path = folder.path + "/agency.db"
    let storage = try SQLiteStorage(path: path, clock: { now })
    defer { storage.close() }
    let agency = try Agency(
      storage: storage, masterKey: MasterKey(SecretBytes(random: MasterKey.length)), clock: { now })
    try Database(path: path).execute(
      """
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
      INSERT INTO seen_requests SELECT randomblob(32), 0 FROM numbers
      """)
    var steps = 0
    let first = try agency.sweep {
      steps += 1
      return steps < 2
    }
    #expect(try first == 500 && agency.sweep { false } == 0 && agency.sweep() == 700)
  }

  @Test func theLogTellsHowManyRowsAreRemoved() throws {
    let (store, lines) = (try Store(.sqlite), Locked<[String]>([]))
    let log = LogChannel { event in lines.withLock { $0.append(event.line(at: 0)) } }
    let agency = try Agency(
      storage: store.storage, masterKey: MasterKey(SecretBytes(random: MasterKey.length)),
      clock: { store.time.withLock { $0 } }, log: log)
    #expect(try store.storage.setState(.created, of: store.agent))
    for text in ["1", "2", "3"] { try store.deliver(text) }
    agency.sweep(log)
    store.time.withLock { $0 += 90 * 86_400 }
    for _ in 0..<2 { agency.sweep(log) }
    store.storage.close()
    agency.sweep(log)
    let found = lines.withLock { $0 }
    #expect(found.first == #"{"time":0,"event":"swept","rows":"3"}"#)
    #expect(found.count == 2 && found.last?.contains(#""event":"sweeping failed","reason":"#) == true)
  }

  /// Also an agency that never runs for long.
  @Test func anAgencyRemovesOldRowsAtItsStart() throws {
    let (folder, events) = (try TemporaryFolder(), Monitor<[String]>([]))
    let first = try AgencyServer(dataFolder: folder.path, clock: { 1_700_000_000 })
    let client = Client(first)
    let _: Connected = try client.ask(
      Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text), of: client.agency)
    first.stop()
    let log = LogChannel { event in events.withLock { $0.append(event.message) } }
    let second = try AgencyServer(dataFolder: folder.path, clock: { 1_700_086_400 }, log: log)
    #expect(events.wait(milliseconds: 20_000) { $0.contains("swept") ? true : nil } == true)
    second.stop()
  }

  private func sweep(_ store: Store, after hours: Int64) throws {
    store.time.withLock { $0 += hours * 3600 }
    let expiry = Expiry(Retention(), now: store.time.withLock { $0 })
    while try store.storage.removeExpired(expiry, limit: 1) > 0 {}
  }

  private func account(_ storage: any Storage, _ owner: VerKey) throws -> Account? {
    let provisioned = try storage.provision(owner, ownerDID: owner.did, nil, orElse: newKey())
    guard case .agent(let agent) = provisioned else { return nil }
    return agent
  }

  private func mailbox(_ storage: any Storage, _ agent: Account) throws -> Mailbox? {
    let verkey = KeyPair().verkey
    let creation = try storage.mailbox(of: agent, for: verkey.did, verkey, limit: 10, orElse: newKey())
    guard case .mailbox(let mailbox) = creation else { return nil }
    return mailbox
  }

  private func newKey() -> NewKey { NewKey(verkey: KeyPair().verkey, sealedKey: SealedKey([])) }

  private func mail(_ text: String, _ arrival: Int64) -> Mail {
    Mail(uid: text, payload: Array(text.utf8), digest: sha256(Array(text.utf8)), arrival: arrival)
  }
}
