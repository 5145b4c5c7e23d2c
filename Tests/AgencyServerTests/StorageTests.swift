import AgencyWire
import DIDComm
import Dispatch
import SQLite
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

@Suite struct StorageTests {
  let folder: TemporaryFolder
  let time = Locked<Int64>(1_700_000_000)
  let storage: SQLiteStorage
  let agent: Agent
  let mailbox: PairwiseAgent

  init() throws {
    folder = try TemporaryFolder()
    let time = time
    storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: { time.withLock { $0 } })
    let owner = KeyPair().verkey
    agent = try storage.agent(of: owner, ownerDID: owner.did, orElse: Self.newKey())
    mailbox = try Self.mailbox(storage, agent)
  }

  private static func newKey() -> NewKey { NewKey(verkey: KeyPair().verkey, sealedKey: SealedKey([1, 2, 3])) }

  private static func mailbox(_ storage: SQLiteStorage, _ agent: Agent) throws -> PairwiseAgent {
    let verkey = KeyPair().verkey
    let creation = try storage.mailbox(of: agent, for: verkey.did, verkey, limit: 100, orElse: newKey())
    guard case .mailbox(let mailbox) = creation else { throw Unexpected() }
    return mailbox
  }

  private struct Unexpected: Error {}

  private func mail(_ text: String) -> Mail {
    let payload = Array(text.utf8)
    return Mail(uid: .randomUUID(), payload: payload, digest: sha256(payload), arrival: time.withLock { $0 })
  }

  @Test func aNewerDatabaseIsRefused() throws {
    let connection = try Connection(path: folder.path + "/agency.db")
    try connection.execute("PRAGMA user_version = 1000")
    let error = #expect(throws: StorageError.self) {
      try SQLiteStorage(path: folder.path + "/agency.db", clock: { 0 })
    }
    guard case .incompatible = error else { throw Unexpected() }
  }

  @Test func addressesAreFoundByEveryName() throws {
    let agentNames = [agent.party.did, agent.party.verkey.text, agent.party.verkey.didKey, agent.owner.did.text]
    for name in agentNames {
      #expect(try storage.destination(of: #require(Address(name))) == .agent(agent))
    }
    let mailboxNames = [
      mailbox.party.did, mailbox.party.verkey.text, "did:sov:" + mailbox.forDID.text, mailbox.forVerKey.didKey,
    ]
    for name in mailboxNames {
      #expect(try storage.destination(of: #require(Address(name))) == .mailbox(mailbox))
    }
    #expect(try storage.destination(of: #require(Address(KeyPair().verkey.text))) == nil)
    #expect(Address("") == nil)
    #expect(Address("0OIl") == nil)
  }

  @Test func aRepetitionIsRecognisedForADay() throws {
    let quota = Quota()
    #expect(try storage.deliver(mail("a"), to: mailbox, quota: quota) == .stored(notifications: 0))
    time.withLock { $0 += 24 * 3600 - 1 }
    #expect(try storage.deliver(mail("a"), to: mailbox, quota: quota) == .repeated)
    time.withLock { $0 += 1 }
    #expect(try storage.deliver(mail("a"), to: mailbox, quota: quota) == .stored(notifications: 0))
    #expect(try storage.deliver(mail("a"), to: Self.mailbox(storage, agent), quota: quota) == .stored(notifications: 0))
  }

  @Test func theQuotaCountsUnreadBytesToo() throws {
    var quota = Quota()
    quota.bytes = 10
    #expect(try storage.deliver(mail("12345678901"), to: mailbox, quota: quota) == .mailboxFull)
    #expect(try storage.deliver(mail("1234567890"), to: mailbox, quota: quota) == .stored(notifications: 0))
    #expect(try storage.deliver(mail("1"), to: mailbox, quota: quota) == .mailboxFull)
  }

  @Test func aDeletedMailboxTakesNothing() throws {
    try storage.delete(mailbox)
    #expect(try storage.deliver(mail("late"), to: mailbox, quota: Quota()) == .gone)
    #expect(try storage.pairwiseDIDs(of: agent, among: []).isEmpty)
  }

  @Test func anAnswerHoldsAtLeastOneMessage() throws {
    for number in 0..<3 {
      let text = "\(number)" + String(repeating: "x", count: 999)
      #expect(try storage.deliver(mail(text), to: mailbox, quota: Quota()) == .stored(notifications: 0))
    }
    let counts = try [1, 1199, 1200, 2399, 2400, 3600].map { budget in
      try storage.messages(Selection(scope: .mailbox(mailbox), filter: MessageFilter(), budget: budget)).count
    }
    #expect(counts == [1, 1, 1, 1, 2, 3])
  }

  @Test func writesAtTheSameTimeAllCountAndAFailingOneHarmsNoOther() throws {
    let path = folder.path + "/group.db"
    let database = try Database(path: path)
    try database.connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY) STRICT")
    let group = GroupCommit(database)
    let finished = DispatchSemaphore(value: 0)
    let failed = Locked<[Int64]>([])
    for number in Int64(0)..<200 {
      Threads.shared.post {
        do {
          try group.write { database throws(SQLiteError) in
            try database("INSERT INTO numbers VALUES (?)").run(.integer(number))
            if number.isMultiple(of: 10) { try database("INSERT INTO numbers VALUES (?)").run(.integer(number)) }
          }
        } catch {
          failed.withLock { $0.append(number) }
        }
        finished.signal()
      }
    }
    for _ in 0..<200 { finished.wait() }
    #expect(Set(failed.withLock { $0 }) == Set(stride(from: 0, to: 200, by: 10)))
    let count = try Database(path: path)("SELECT count(*) FROM numbers").first { row throws(SQLiteError) in
      try row.integer(0)
    }
    #expect(count == 180)
  }
}
