import AgencyWire
import Dispatch
import Foundation
import SQLite
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// Behaviour of the store in a file alone.
@Suite struct SQLiteStorageTests {
  @Test func aNewerDatabaseIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    _ = try SQLiteStorage(path: path, clock: { 0 })
    try Database(path: path).execute("PRAGMA user_version = 1000")
    let error = #expect(throws: StorageError.self) { try SQLiteStorage(path: path, clock: { 0 }) }
    #expect(error == .incompatible("its version is 1000, newer than this program"))
  }

  @Test func aDatabaseWithANegativeVersionIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    try Database(path: path).execute("PRAGMA user_version = -1")
    let error = #expect(throws: StorageError.self) { try SQLiteStorage(path: path, clock: { 0 }) }
    #expect(error == .incompatible("its version is -1: an agency of this version has to be started first"))
  }

  @Test func aFileThatIsNoDatabaseIsNamedAsSuch() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    try Data("no database, but long enough to be looked at closely".utf8).write(to: URL(filePath: path))
    #expect(throws: StorageError.incompatible("it is no database")) { try SQLiteStorage(path: path, clock: { 0 }) }
    let absent = #expect(throws: StorageError.self) { try SQLiteStorage(path: "/proc/none/agency.db", clock: { 0 }) }
    guard case .failed? = absent else {
      Issue.record("\(absent as Any)")
      return
    }
  }

  /// However much unread mail there is, none of it is looked at.
  @Test func sweepingFindsOldRowsThroughAnIndex() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    let storage = try SQLiteStorage(path: path, clock: { 0 })
    let sweeps = Sweep.all(Expiry(Retention(), now: 0)).map { $0.delete(Database.self) }
    let plans = try sweeps.map { sweep in
      try storage.read { connection throws(SQLiteError) in
        try connection.all("EXPLAIN QUERY PLAN " + sweep) { row throws(SQLiteError) in try row.text(3) }
      }
    }
    #expect(plans.count == 8)
    #expect(plans[0].contains { $0.contains("INDEX messages_read (updated<?)") })
    for plan in plans { #expect(!plan.contains { $0.hasPrefix("SCAN") && !$0.contains("CONSTANT") }) }
  }

  @Test func onlyItsOwnerReadsTheDatabase() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: { 0 })
    _ = try Store.agent(in: storage)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains("agency.db") && names.contains("agency.db-wal"))
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    _ = storage
  }

  /// The next start of the program begins again.
  @Test func anUpdateThatFailsChangesNothing() throws {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.path + "/agency.db")
    let (steps, later) = (SQLiteSchema.steps, "CREATE TABLE later (x INTEGER) STRICT")
    #expect(try SQLiteSchema.prepare(database) == nil)
    #expect(throws: SQLiteError.self) { try SQLiteSchema.prepare(database, by: steps + [later, later]) }
    #expect(try SQLiteSchema.version(of: database) == SQLiteSchema.newest)
    #expect(try SQLiteSchema.prepare(database, by: steps + [later]) == nil)
    #expect(try SQLiteSchema.prepare(database) == SQLiteSchema.newest + 1)
  }

  /// An operator's commands read and change only a store of the same version.
  @Test func onlyAnAgencyBringsAnOlderStoreUpToDate() {
    let older = "its version is 1: an agency of this version has to be started first"
    #expect(StorageError(version: 1, newest: 2) == .incompatible(older))
  }

  @Test func theLastValueOfAConfigIsKept() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    let storage = try SQLiteStorage(path: path, clock: { 1 })
    let agent = try Store.agent(in: storage)
    let reader = try Database(path: path)
    for values in [["a"], ["b"], ["c", "d"]] {
      let configs = values.map { Config(name: "name", value: $0) }
      #expect(try storage.setConfigs(configs, of: agent, limit: 1))
      let kept = try reader.all("SELECT value FROM configs") { row throws(SQLiteError) in try row.text(0) }
      #expect(kept == Array(values.suffix(1)))
    }
  }

  @Test func writesAtTheSameTimeAllCountAndAFailingOneHarmsNoOther() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/group.db"
    let connection = try Database(path: path)
    try connection.configure()
    try connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY) STRICT")
    let group = GroupCommit(connection, on: connection)
    let finished = DispatchSemaphore(value: 0)
    let failed = Locked<[Int64]>([])
    for number in Int64(0)..<200 {
      Threads.shared.post {
        do {
          try group.write { connection throws(SQLiteError) in
            let insert = try connection.kept("INSERT INTO numbers VALUES (?)")
            try insert.run(.integer(number))
            if number.isMultiple(of: 10) { try insert.run(.integer(number)) }
          }
        } catch {
          failed.withLock { $0.append(number) }
        }
        finished.signal()
      }
    }
    for _ in 0..<200 { finished.wait() }
    #expect(Set(failed.withLock { $0 }) == Set(stride(from: 0, to: 200, by: 10)))
    #expect(try Database(path: path).integer("SELECT count(*) FROM numbers") == 180)
  }
}
