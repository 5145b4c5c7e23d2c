import AgencyServer
import AgencyWire
import Foundation
import SQLite
import Sodium
import TestSupport
import Testing
import Threading

/// Copies of an agency, and halves of one.
@Suite struct BackupTests {
  let folder: TemporaryFolder
  let data: String
  let keys = KeyPair()

  init() throws {
    folder = try TemporaryFolder()
    data = folder.path + "/data"
  }

  private func start(_ data: String) throws -> (process: AgencyProcess, client: Client) {
    let process = try AgencyProcess(dataFolder: data)
    return (process, Client(endpoint: process.endpoint, agency: process.identity, keys: keys))
  }

  /// An agency with one message, which runs.
  private func filled() throws -> (process: AgencyProcess, client: Client, mailbox: Client.Mailbox) {
    let (process, client) = try start(data)
    let mailbox = try client.createMailbox(client.provision())
    #expect(try client.post(client.forward("kept", to: mailbox)).status == 200)
    return (process, client, mailbox)
  }

  private func run(_ arguments: String...) throws -> (status: Int32, errors: String) {
    let result = try ProgramTests().run(arguments)
    return (result.status, result.errors)
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private func copy(_ names: [String], to other: String) throws {
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    for name in names { try FileManager.default.copyItem(atPath: data + "/" + name, toPath: other + "/" + name) }
  }

  // MARK: - Copies

  @Test func theFilesOfAnEndedAgencyAreADatabaseAndAKey() throws {
    let (process, client, mailbox) = try filled()
    #expect(process.end() == 0)
    #expect(try names(data) == ["agency.db", "master.key"])
    let other = folder.path + "/copy"
    try copy(["agency.db", "master.key"], to: other)
    let (again, same) = try start(other)
    #expect(again.identity == client.agency)
    #expect(try same.fetchAll(same.provision(), mailbox) == ["kept"])
    #expect(again.end() == 0)
  }

  @Test func aCheckpointMovesEverythingIntoTheMainFile() throws {
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let storage = try StorageLocation.file(data + "/agency.db").open(clock: { 1 })
    let agent = try Store.agent(in: storage)
    // A reader whose view of the file goes on does not keep the log from being emptied.
    _ = try storage.accounts(after: 0, limit: 1)
    storage.checkpoint()
    let log = try FileManager.default.attributesOfItem(atPath: data + "/agency.db-wal")
    #expect(log[.size] as? Int == 0)
    try copy(["agency.db"], to: folder.path + "/copy")
    let copied = try StorageLocation.file(folder.path + "/copy/agency.db").openExisting(isReadOnly: true)
    #expect(try copied.accounts(after: 0, limit: 2).map(\.did) == [agent.party.did])
  }

  /// Senders go on during the backup. It contains every message that was confirmed before it began.
  @Test func aBackupBesideARunningAgencyIsRestored() throws {
    let (process, client, mailbox) = try filled()
    let sent = Monitor((accepted: Set(["kept"]), isOver: false, running: 2))
    for sender in 0..<2 {
      Threads.shared.post {
        var number = 0
        while !sent.withLock({ $0.isOver }) {
          let text = "\(sender)/\(number)"
          number += 1
          let status = try? client.post(client.forward(text, to: mailbox)).status
          if status == 200 { sent.withLock { _ = $0.accepted.insert(text) } }
        }
        sent.withLock { $0.running -= 1 }
      }
    }
    let before = sent.wait { $0.accepted.count > 20 ? $0.accepted : nil }
    let file = folder.path + "/agency.backup"
    let backup = try run("backup", file, "--data", data)
    sent.withLock { $0.isOver = true }
    sent.wait { $0.running == 0 ? () : nil }
    #expect(backup.status == 0 && backup.errors.isEmpty)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try names(folder.path) == ["agency.backup", "data"])
    process.kill()

    let restored = folder.path + "/restored"
    #expect(try run("restore", file, "--data", restored) == (0, ""))
    #expect(try names(restored) == ["agency.db", "master.key"])
    for name in try names(restored) {
      let attributes = try FileManager.default.attributesOfItem(atPath: restored + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    let (again, same) = try start(restored)
    #expect(again.identity == client.agency)
    let texts = try same.fetchAll(same.provision(), mailbox)
    #expect(before.subtracting(texts).isEmpty)
    #expect(Set(texts).count == texts.count)
    #expect(try same.post(same.forward("more", to: mailbox)).status == 200)
    #expect(again.end() == 0)
  }

  @Test func theKeyIsInTheBackupAndNotInTheRestoredDatabase() throws {
    #expect(try filled().process.end() == 0)
    let (file, restored) = (folder.path + "/backup", folder.path + "/restored")
    #expect(try run("backup", file, "--data", data).status == 0)
    #expect(try run("restore", file, "--data", restored).status == 0)
    let key = try Data(contentsOf: URL(filePath: data + "/master.key"))
    #expect(try Data(contentsOf: URL(filePath: restored + "/master.key")) == key)
    #expect(try Data(contentsOf: URL(filePath: file)).range(of: key) != nil)
    #expect(try Data(contentsOf: URL(filePath: restored + "/agency.db")).range(of: key) == nil)
  }

  // MARK: - Refusals

  @Test func aKeyWithoutItsDatabaseIsRefused() throws {
    #expect(try filled().process.end() == 0)
    try FileManager.default.removeItem(atPath: data + "/agency.db")
    let result = try run("--data", data, "--port", "0")
    #expect(result.status == 1)
    #expect(result.errors.contains("no accounts that belong to it"))
    #expect(try names(data) == ["master.key"])
  }

  /// As a copy of the database alone looks when all of it was in the log.
  @Test func aKeyWithAnEmptyDatabaseIsRefused() throws {
    #expect(try filled().process.end() == 0)
    try FileManager.default.removeItem(atPath: data + "/agency.db")
    _ = try StorageLocation.file(data + "/agency.db").open(clock: { 1 })
    let result = try run("--data", data, "--port", "0")
    #expect(result.status == 1)
    #expect(result.errors.contains("no accounts that belong to it"))
    try Data().write(to: URL(filePath: data + "/agency.db"))
    #expect(try run("--data", data, "--port", "0").status == 1)
  }

  @Test func aDatabaseWithoutItsKeyIsRefused() throws {
    #expect(try filled().process.end() == 0)
    try FileManager.default.removeItem(atPath: data + "/master.key")
    let result = try run("--data", data, "--port", "0")
    #expect(result.status == 1)
    #expect(result.errors.contains("the master.key that they need is missing"))
    #expect(try !names(data).contains { $0.hasPrefix("master.key") })
    #expect(try run("backup", folder.path + "/backup", "--data", data).errors.contains("is missing"))
  }

  @Test func aForeignKeyIsRefused() throws {
    #expect(try filled().process.end() == 0)
    try Data(repeating: 7, count: 32).write(to: URL(filePath: data + "/master.key"))
    #expect(try run("--data", data, "--port", "0").errors.contains("under another master key"))
    let result = try run("backup", folder.path + "/backup", "--data", data)
    #expect(result.errors.contains("not the one of the accounts"))
    #expect(try names(folder.path) == ["data"])
  }

  /// The first start writes the key under another name, then the database, then gives the key its name.
  @Test func aFirstStartThatWasInterruptedGoesOn() throws {
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    _ = try KeyFile(path: data + "/master.key.new", count: 32).loadOrCreate()
    let (process, client, mailbox) = try filled()
    #expect(process.end() == 0)
    #expect(try names(data) == ["agency.db", "master.key"])
    try FileManager.default.moveItem(atPath: data + "/master.key", toPath: data + "/master.key.new")
    let (again, same) = try start(data)
    #expect(again.identity == client.agency)
    #expect(try same.fetchAll(same.provision(), mailbox) == ["kept"])
    #expect(again.end() == 0)
    #expect(try names(data) == ["agency.db", "master.key"])
    // A key that is not the database's is no remainder of its first start.
    try FileManager.default.removeItem(atPath: data + "/master.key")
    _ = try KeyFile(path: data + "/master.key.new", count: 32).loadOrCreate()
    #expect(try run("--data", data, "--port", "0").errors.contains("is missing"))
  }

  @Test func nothingIsOverwritten() throws {
    #expect(try filled().process.end() == 0)
    let file = folder.path + "/backup"
    #expect(try run("backup", file, "--data", data).status == 0)
    let before = try Data(contentsOf: URL(filePath: file))
    #expect(try run("backup", file, "--data", data).errors.contains("exists already"))
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
    for name in ["agency.db", "agency.db-wal", "master.key"] {
      let other = folder.path + "/" + name + ".folder"
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(filePath: other + "/" + name))
      #expect(try run("restore", file, "--data", other).errors.contains("restore into an empty folder"))
      #expect(try names(other) == [name])
    }
  }

  @Test func aMalformedBackupIsNotRestored() throws {
    #expect(try filled().process.end() == 0)
    let restored = folder.path + "/restored"
    let text = folder.path + "/text"
    try Data("no database, but long enough to be looked at closely".utf8).write(to: URL(filePath: text))
    for file in [text, data + "/agency.db", folder.path + "/absent"] {
      let result = try run("restore", file, "--data", restored)
      #expect(result.status == 1)
      #expect(result.errors.contains("no backup of an agency"))
    }
    let newer = folder.path + "/newer"
    #expect(try run("backup", newer, "--data", data).status == 0)
    try Database(path: newer).execute("PRAGMA user_version = 1000")
    #expect(try run("restore", newer, "--data", restored).errors.contains("newer than this program"))
    let foreign = folder.path + "/foreign"
    #expect(try run("backup", foreign, "--data", data).status == 0)
    try Database(path: foreign).execute("UPDATE backup SET master_key = zeroblob(32)")
    #expect(try run("restore", foreign, "--data", restored).errors.contains("not the one of the accounts"))
    try Database(path: foreign).execute("UPDATE backup SET master_key = zeroblob(31)")
    #expect(try run("restore", foreign, "--data", restored).errors.contains("no backup of an agency"))
    #expect(try names(restored) == [])
  }

  @Test func thereIsNoBackupOfNothingOrOfPostgreSQL() throws {
    let file = folder.path + "/backup"
    #expect(try run("backup", file, "--data", data).errors.contains("there is no agency"))
    let other = try run("backup", file, "--data", data, "--database", "postgresql:///x")
    #expect(other.status == 1 && other.errors.contains("are in PostgreSQL"))
    #expect(try names(folder.path) == [])
    for arguments in [["backup"], ["backup", file], ["backup", "--data", data], ["restore", file, "--port", "1"]] {
      #expect(try ProgramTests().run(arguments).status == 2)
    }
  }
}
