import AgencyWire
import DIDComm
import Foundation
import JSON
import Logging
import PostgreSQL
import SQLite
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// The operator's view of the accounts.
@Suite struct AccountListTests {
  private func accounts(_ storage: any Storage) throws -> [AccountSummary] {
    var all: [AccountSummary] = []
    try AccountList(storage).forEachPage { all += $0 }
    return all
  }

  @Test(arguments: StoreKind.allCases)
  func accountsAreListedWithTheirContents(kind: StoreKind) throws {
    let store = try Store(kind)
    for text in ["12345", "123", "1"] { try store.deliver(text) }
    let read = WireConnectionUIDs(pairwiseDID: store.mailbox.forDID.text, uids: [try store.messages()[0].uid])
    _ = try store.storage.setStatus("MS-106", of: [read], of: store.agent)
    _ = try Store.mailbox(of: store.agent, in: store.storage)
    try store.storage.delete(Store.mailbox(of: store.agent, in: store.storage))
    store.time.withLock { $0 += 100 }
    let owner = KeyPair().verkey
    let sponsorship = Sponsorship(sponsorID: "bank", sponseeID: "user-42", marks: [[1]], expiry: 0)
    _ = try store.storage.provision(owner, ownerDID: owner.did, sponsorship, orElse: Store.newKey())
    store.time.withLock { $0 += 10 }
    try store.storage.noteVisit(of: store.agent)

    let accounts = try accounts(store.storage)
    #expect(accounts.map(\.did).first == store.agent.party.did)
    #expect(accounts.map(\.holdings) == [Holdings(mailboxes: 2, unread: 2, read: 1, bytes: 9), Holdings()])
    #expect(accounts.map(\.state) == ["connected", "created"])
    #expect(accounts.map(\.sponsorID) == [nil, "bank"])
    #expect(accounts.map(\.sponseeID) == [nil, "user-42"])
    #expect(accounts.map(\.created) == [1_700_000_000, 1_700_000_100])
    #expect(accounts.map(\.lastSeen) == [1_700_000_110, 1_700_000_100])
  }

  @Test(arguments: StoreKind.allCases)
  func noneIsLeftOutOrListedTwiceWhenThereAreMany(kind: StoreKind) throws {
    let store = try Store(kind)
    for _ in 0..<1200 { _ = try Store.agent(in: store.storage) }
    let accounts = try accounts(store.storage)
    #expect(accounts.count == 1201)
    #expect(Set(accounts.map(\.did)).count == 1201)
    #expect(accounts.map(\.id) == accounts.map(\.id).sorted())
  }

  @Test(arguments: StoreKind.allCases)
  func aStoreThatIsOnlyReadIsNotChanged(kind: StoreKind) throws {
    let store = try Store(kind)
    try store.deliver("x")
    let reading = try store.openedForReading()
    #expect(try accounts(reading) == accounts(store.storage))
    if kind == .sqlite { #expect(throws: StorageError.self) { try reading.delete(store.mailbox) } }
    #expect(try store.messages().count == 1)
  }

  @Test func nothingIsMadeWhereThereIsNothing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    #expect(throws: StorageError.incompatible("there is none")) { try SQLiteStorage(existing: path, isReadOnly: true) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    let uri = try PostgreSQLServer.newDatabase()
    #expect(throws: StorageError.incompatible("it is no agency's")) { try PostgreSQLStorage(existing: uri) }
    let tables = "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"
    #expect(try PostgreSQLConnection(uri).query(tables).count == 0)
  }

  @Test func visitsAreNotedButNotEachOfThem() throws {
    let folder = try TemporaryFolder()
    let time = Locked<Int64>(1_700_000_000)
    let server = try AgencyServer(dataFolder: folder.path, clock: { time.withLock { $0 } })
    let client = Client(server)
    let agent = try client.provision()
    var settings = AgencySettings()
    settings.dataFolder = folder.path
    let list = try AccountList(settings)
    for (pause, seen) in [(3599, 0), (1, 3600), (10, 3600), (3590, 7200)] as [(Int64, Int64)] {
      time.withLock { $0 += pause }
      _ = try client.messages(agent)
      try list.forEachPage { accounts in #expect(accounts.map { $0.lastSeen - 1_700_000_000 } == [seen]) }
    }
  }

  @Test func aStrangersRequestIsNoVisit() throws {
    let folder = try TemporaryFolder()
    let time = Locked<Int64>(1_700_000_000)
    let server = try AgencyServer(dataFolder: folder.path, clock: { time.withLock { $0 } })
    let (client, stranger) = (Client(server), Client(server))
    let agent = try client.provision()
    time.withLock { $0 += 7200 }
    let fetch = stranger.request(GetMessagesByConnections(filter: WireMessageFilter()))
    #expect(try stranger.send(fetch, to: agent).status == 404)
    var settings = AgencySettings()
    settings.dataFolder = folder.path
    try AccountList(settings).forEachPage { accounts in #expect(accounts.map(\.lastSeen) == [1_700_000_000]) }
  }

  /// As on a full disk: what only reads goes on.
  @Test func aVisitThatCannotBeNotedIsServed() throws {
    let folder = try TemporaryFolder()
    let time = Locked<Int64>(1_700_000_000)
    let events = Locked<[String]>([])
    let server = try AgencyServer(
      dataFolder: folder.path, clock: { time.withLock { $0 } },
      log: LogChannel { event in events.withLock { $0.append(event.message) } })
    let client = Client(server)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    #expect(try client.post(client.forward("x", to: mailbox)).status == 200)
    try Database(path: folder.path + "/agency.db").execute(
      "CREATE TRIGGER full BEFORE UPDATE ON agents BEGIN SELECT RAISE(ABORT, 'full'); END")
    time.withLock { $0 += 3600 }
    #expect(try client.messages(agent).flatMap(\.messages).count == 1)
    #expect(events.withLock { $0.contains("visit not noted") })
  }

  @Test func holdingsAreAddedUp() {
    var sum = Holdings(mailboxes: 1, unread: 2, read: 3, bytes: 4)
    sum += Holdings(mailboxes: 10, unread: 20, read: 30, bytes: 40)
    #expect(sum == Holdings(mailboxes: 11, unread: 22, read: 33, bytes: 44))
  }

  // MARK: - The program

  @Test(arguments: StoreKind.allCases)
  func theProgramListsThemBesideARunningAgency(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    var place = ["--data", folder.path]
    if kind == .postgreSQL { place += ["--database", try PostgreSQLServer.newDatabase()] }
    let process = try AgencyProcess(dataFolder: folder.path, options: Array(place.dropFirst(2)))
    let client = Client(endpoint: process.endpoint, agency: process.identity)
    let agent = try client.provision()
    let mailbox = try client.createMailbox(agent)
    #expect(try client.post(client.forward("hello", to: mailbox)).status == 200)

    let text = try ProgramTests().run(["accounts"] + place)
    #expect(text.status == 0)
    let lines = text.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("DID  "))
    #expect(lines[1].hasPrefix(agent.did))
    #expect(lines[2].hasPrefix("1 accounts "))

    let json = try ProgramTests().run(["accounts", "--json"] + place).output.split(separator: "\n")
      .map { try JSON(parsing: Array($0.utf8)) }
    #expect(json.map { $0["did"]?.string } == [agent.did, nil])
    #expect(json[0]["unread"] == 1)
    #expect(json[1]["total"]?["accounts"] == 1)
    #expect(json[1]["total"]?["bytes"] == json[0]["bytes"])
    #expect(process.end() == 0)
    #expect(try ProgramTests().run(["accounts"] + place).output.contains(agent.did))
  }

  @Test func theProgramExplainsWhatItCannotRead() throws {
    let folder = try TemporaryFolder()
    let absent = try ProgramTests().run(["accounts", "--data", folder.path + "/absent"])
    #expect(absent.status == 1)
    #expect(absent.errors.contains("there is none"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/absent"))
    for arguments in [[], ["--json"], ["--data"], ["--data", "x", "--port", "1"]] {
      #expect(try ProgramTests().run(["accounts"] + arguments).status == 2)
    }
  }
}
