import AgencyWire
import Foundation
import HTTP
import JSON
import SQLite
import Sodium
import TestSupport
import Testing
import Time

@testable import AgencyServer

/// The operator's changes of accounts, and settings that are read again.
@Suite struct AccountChangeTests {
  @Test(arguments: StoreKind.allCases)
  func lockedAccountsAreMarkedWithTheirMailboxes(kind: StoreKind) throws {
    let store = try Store(kind)
    let address = try #require(Address(store.agent.party.did))
    let mailbox = try #require(Address(store.mailbox.forDID.text))
    #expect(try store.storage.setLock(true, ofAccount: store.agent.party.did))
    guard case .agent(let account) = try store.storage.destination(of: address) else { throw Missing() }
    guard case .mailbox(let found) = try store.storage.destination(of: mailbox) else { throw Missing() }
    #expect(account.isLocked && found.isLocked)
    #expect(try store.storage.accounts(after: 0, limit: 9).map(\.state) == ["locked"])
    #expect(try store.storage.setLock(false, ofAccount: store.agent.party.did))
    #expect(try store.storage.accounts(after: 0, limit: 9).map(\.state) == [account.state.rawValue])
    #expect(try !store.storage.setLock(true, ofAccount: "unknown"))
  }

  /// Neither its owner, through the account or a mailbox, nor a sender.
  @Test func aLockedAccountIsNotServed() throws {
    let scene = try AliceScene()
    let (alice, mailbox) = (scene.alice, scene.mailbox)
    let storage = try SQLiteStorage(path: scene.folder.path + "/agency.db", clock: systemClock)
    defer { storage.close() }
    let fetchAll = alice.request(GetMessagesByConnections(filter: WireMessageFilter()))
    let fetch = alice.request(GetMessages(filter: WireMessageFilter()))
    func statuses() throws -> [Int] {
      [
        try alice.send(fetchAll, to: scene.agent), try alice.send(fetch, to: mailbox.party, from: mailbox.keys),
        try alice.send(fetch, to: mailbox.party, of: mailbox.keys, through: scene.agent),
        try alice.post(alice.forward("private", to: mailbox)),
      ].map(\.status)
    }
    #expect(try statuses() == [200, 200, 200, 200])
    #expect(try storage.setLock(true, ofAccount: scene.agent.did))
    #expect(try statuses() == [404, 404, 404, 404])
    #expect(try storage.setLock(false, ofAccount: scene.agent.did))
    #expect(try statuses() == [200, 200, 200, 200])
    #expect(try alice.messages(scene.agent).map(\.messages.count) == [2])
  }

  @Test(arguments: StoreKind.allCases)
  func deletedAccountsLeaveNothing(kind: StoreKind) throws {
    let store = try Store(kind)
    try store.deliver("12345")
    let mailbox = try #require(Address(store.mailbox.forDID.text))
    #expect(try store.storage.deleteAccount(store.agent.party.did))
    #expect(try store.storage.accounts(after: 0, limit: 9).isEmpty)
    #expect(try store.storage.destination(of: mailbox) == nil)
    #expect(try !store.storage.deleteAccount(store.agent.party.did))
  }

  @Test(arguments: StoreKind.allCases)
  func aDeletedAccountTakesItsSettingsAndBackupsWithIt(kind: StoreKind) throws {
    let store = try Store(kind)
    let (storage, account) = (store.storage, store.agent)
    let (method, config) = (WireComMethod(id: "1", kind: .webhook, value: "http://a"), Config(name: "a", value: "b"))
    #expect(
      try storage.setComMethod(method, of: account, limit: 1) && storage.setConfigs([config], of: account, limit: 1))
    let recovery = Recovery(key: KeyPair().verkey, address: "address", cloudAddress: [1])
    #expect(try storage.keep(recovery, of: account, Note(uid: "1", type: "ready")))
    #expect(try storage.keep(StoredBackup(wallet: [1], digest: [2]), of: account, Note(uid: "2", type: "stored")))
    #expect(try store.deliver("x") == .stored(notifications: 1))
    #expect(try storage.deleteAccount(account.party.did))
    #expect(try storage.accounts(after: 0, limit: 9).isEmpty && storage.cloudAddress(at: "address") == nil)
    #expect(try storage.takeNotifications(limit: 9, lease: 0).isEmpty)
  }

  /// Otherwise its owner would make another account with the same token.
  @Test(arguments: StoreKind.allCases)
  func theTokenOfADeletedAccountStaysUsed(kind: StoreKind) throws {
    let (store, owner) = (try Store(kind), KeyPair().verkey)
    let sponsorship = Sponsorship(sponsorID: "bank", sponseeID: "1", marks: [[1]], expiry: 2_000_000_000)
    let provision = {
      try store.storage.provision(owner, ownerDID: owner.did, sponsorship, orElse: Store.newKey())
    }
    guard case .agent(let account) = try provision() else { throw Missing() }
    #expect(try store.storage.deleteAccount(account.party.did))
    #expect(try provision() == .tokenUsed)
  }

  @Test(arguments: StoreKind.allCases)
  func theOperatorChangesTheAccountOfThatDIDBesideTheAgency(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    var settings = AgencySettings()
    settings.dataFolder = folder.path
    if kind == .postgreSQL { try settings.use(database: PostgreSQLServer.newDatabase()) }
    let storage = try StorageLocation(database: settings.database, dataFolder: folder.path).open(clock: { 1 })
    defer { storage.close() }
    let (did, neighbour) = (try Store.agent(in: storage).party.did, try Store.agent(in: storage).party.did)
    let steps: [(AccountChange, [String])] = [
      (.lock, ["locked", "connected"]), (.lock, ["locked", "connected"]), (.unlock, ["connected", "connected"]),
      (.delete, ["connected"]),
    ]
    for (change, states) in steps {
      try change.make(to: did, in: settings)
      #expect(try storage.accounts(after: 0, limit: 9).map(\.state) == states, "\(change)")
    }
    #expect(try storage.accounts(after: 0, limit: 9).map(\.did) == [neighbour])
    for change in AccountChange.allCases {
      #expect(throws: StorageError.failed("there is no account with this DID")) {
        try change.make(to: did, in: settings)
      }
    }
  }

  /// Neither a change nor an agency writes into a database of another program.
  @Test(arguments: ["PRAGMA user_version = 0", "PRAGMA user_version = \(SQLiteSchema.newest)"])
  func aForeignDatabaseStaysAsItIs(version: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    try Database(path: path).execute("CREATE TABLE agents (did TEXT, locked INTEGER); \(version)")
    let before = try Data(contentsOf: URL(filePath: path))
    var settings = AgencySettings()
    settings.dataFolder = folder.path
    for change in AccountChange.allCases {
      #expect(throws: StorageError.incompatible("it is no agency's")) { try change.make(to: "did", in: settings) }
    }
    #expect(throws: StorageError.incompatible("it is no agency's")) { try AccountList(settings) }
    #expect(throws: StorageError.incompatible("it is no agency's")) { try SQLiteStorage(path: path, clock: { 1 }) }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["agency.db"])
  }

  @Test func reloadedSponsorsCountInAllCopiesOfTheRules() throws {
    let rules = Agency.Rules()
    let copy = rules
    rules.reload(try Admission(mode: .both, sponsors: [Sponsor(id: "bank")]))
    #expect(copy.admission[sponsor: "bank"] != nil && copy.admission.mode == .both)
    var other = rules
    other.admission = Admission()
    #expect(rules.admission.mode == .both, "an assignment changes one copy only")
  }

  private struct Missing: Error {}
}

/// The same through the program.
extension ProgramTests {
  @Test func settingsAreReadAgainOnSIGHUP() throws {
    let folder = try TemporaryFolder()
    let (settings, log) = (folder.path + "/agency.json", folder.path + "/log")
    try #"{"provisioning": "open"}"#.write(toFile: settings, atomically: true, encoding: .utf8)
    let process = try AgencyProcess(dataFolder: folder.path + "/data", options: ["--config", settings], log: log)
    func reload(_ text: String, expecting event: String) throws {
      try text.write(toFile: settings, atomically: true, encoding: .utf8)
      process.hangUp()
      let isLogged = { try String(contentsOfFile: log, encoding: .utf8).contains(event) }
      for _ in 0..<2000 where try !isLogged() { usleep(10_000) }
      #expect(try isLogged(), "\(event)")
    }
    try reload(#"{"provisioning": "both"}"#, expecting: #""provisioning":"both""#)
    try reload(#"{"provisioning": "token", "sponsors": [{"id": "x"}]}"#, expecting: "reload failed")
    #expect(try HTTPClient().get(process.endpoint + "/agency").status == 200)
    #expect(process.end() == 0)
  }

  @Test func settingsAreCheckedWithoutServing() throws {
    let folder = try TemporaryFolder()
    let settings = folder.path + "/agency.json"
    try #"{"data": "x", "provisioning": "open"}"#.write(toFile: settings, atomically: true, encoding: .utf8)
    let accepted = try run(["check-settings", "--config", settings])
    #expect(accepted.status == 0 && accepted.output == "the settings are sound\n")
    try #"{"data": "x", "limit": {}}"#.write(toFile: settings, atomically: true, encoding: .utf8)
    let refused = try run(["check-settings", "--config", settings])
    #expect(refused.status == 2 && refused.errors.contains("unknown setting: limit"))
  }

  @Test func accountsAreLockedAndDeletedBesideARunningAgency() throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path)
    for change in ["lock", "unlock", "delete"] {
      let unknown = try run([change, "5aqLX4KNM6opPGEK63P38M", "--data", folder.path])
      #expect(unknown.status == 1 && unknown.errors.contains("there is no account with this DID"))
    }
    #expect(try run(["lock", "--data", folder.path]).status == 2)
    #expect(try run(["delete", "x", "--data", folder.path + "/none"]).errors.contains("there is none"))
    #expect(process.end() == 0)
  }
}
