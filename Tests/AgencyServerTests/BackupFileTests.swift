import Files
import Foundation
import SQLite
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// The checks before a backup is written or restored. A refusal leaves nothing behind.
@Suite struct BackupFileTests {
  let folder: TemporaryFolder
  let settings: AgencySettings
  var data: String { folder.path + "/data" }
  var file: String { folder.path + "/backup" }

  init() throws {
    folder = try TemporaryFolder()
    var settings = AgencySettings()
    settings.dataFolder = folder.path + "/data"
    self.settings = settings
    try AgencyServer(dataFolder: folder.path + "/data").stop()
  }

  func target(_ name: String = "restored") -> AgencySettings {
    var settings = AgencySettings()
    settings.dataFolder = folder.path + "/" + name
    return settings
  }

  func names(_ name: String = "restored") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + name)) ?? []).sorted()
  }

  func expect(_ error: some Error & Equatable, _ body: () throws -> Void) {
    let before = names("")
    #expect(throws: error) { try body() }
    #expect(names("").filter { $0 != "restored" } == before.filter { $0 != "restored" } && names() == [])
  }

  @Test func theRestoredAgencyIsTheSame() throws {
    try Backup(path: file).write(of: settings)
    try Backup(path: file).restore(into: target())
    #expect(names() == ["agency.db", "master.key"])
    let (old, new) = (data + "/master.key", folder.path + "/restored/master.key")
    #expect(try Data(contentsOf: URL(filePath: old)) == Data(contentsOf: URL(filePath: new)))
    let (first, second) = (try AgencyServer(dataFolder: data), try AgencyServer(dataFolder: folder.path + "/restored"))
    #expect(first.identity == second.identity)
  }

  @Test func aRestorationThatWasInterruptedIsRepeated() throws {
    try Backup(path: file).write(of: settings)
    let restored = folder.path + "/restored"
    try Files.makeDirectory(restored)
    try KeyFile(path: restored + "/master.key.new", count: MasterKey.length).create(
      SecretBytes(random: MasterKey.length))
    try Backup(path: file).restore(into: target())
    #expect(names() == ["agency.db", "master.key"])
    let key = { (path: String) in try Data(contentsOf: URL(filePath: path + "/master.key")) }
    #expect(try key(restored) == key(data))
  }

  /// They hold the master key.
  @Test func remainsOfKilledBackupsAndRestorationsAreRemoved() throws {
    let restored = folder.path + "/restored"
    try Files.makeDirectory(restored)
    for end in ["", "-journal", "-wal", "-shm"] {
      for path in [file, restored + "/agency.db"] {
        try Data("key".utf8).write(to: URL(filePath: "\(path).msdk-2147483646-7.new\(end)"))
      }
    }
    try Backup(path: file).write(of: settings)
    #expect(names("").sorted() == ["backup", "data", "restored"])
    try Backup(path: file).restore(into: target())
    #expect(names() == ["agency.db", "master.key"])
  }

  @Test func aBackupNeedsAnAgencyWithItsKeyAndAFreeName() throws {
    var elsewhere = settings
    try elsewhere.use(database: "postgresql:///x")
    expect(AgencyBackupError.inPostgreSQL) { try Backup(path: file).write(of: elsewhere) }
    expect(AgencyBackupError.inPostgreSQL) { try Backup(path: file).write(of: AgencySettings()) }
    for settings in [elsewhere, AgencySettings()] {
      expect(AgencyBackupError.inPostgreSQL) { try Backup(path: file).restore(into: settings) }
    }
    expect(AgencyBackupError.noAgency) { try Backup(path: file).write(of: target()) }
    expect(AgencyBackupError.fileExists) { try Backup(path: data + "/master.key").write(of: settings) }
    let key = try Data(contentsOf: URL(filePath: data + "/master.key"))
    try Files.remove(data + "/master.key")
    expect(MasterKeyError.noKey) { try Backup(path: file).write(of: settings) }
    try KeyFile(path: data + "/master.key", count: 32).create(SecretBytes(random: 32))
    expect(AgencyBackupError.foreignKey) { try Backup(path: file).write(of: settings) }
    try key.write(to: URL(filePath: data + "/master.key"))
    try Database(path: data + "/agency.db").execute("DELETE FROM identity")
    expect(MasterKeyError.noStore) { try Backup(path: file).write(of: settings) }
  }

  @Test(arguments: ["agency.db", "agency.db-wal", "agency.db-shm", "agency.db-journal", "master.key"])
  func aFolderWithAPartOfAnAgencyIsLeftAsItIs(name: String) throws {
    try Backup(path: file).write(of: settings)
    let folder = folder.path + "/restored"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: folder + "/" + name))
    #expect(throws: AgencyBackupError.occupied) { try Backup(path: file).restore(into: target()) }
    #expect(names() == [name])
  }

  @Test func onlyABackupIsRestored() throws {
    let version = "its version is \(SQLiteSchema.newest + 1), newer than this program"
    let changes: [(String, any Error & Equatable)] = [
      ("DROP TABLE backup", AgencyBackupError.noBackup), ("DELETE FROM backup", AgencyBackupError.noBackup),
      ("UPDATE backup SET master_key = zeroblob(31)", AgencyBackupError.noBackup),
      ("UPDATE backup SET master_key = zeroblob(33)", AgencyBackupError.noBackup),
      ("UPDATE backup SET master_key = zeroblob(32)", AgencyBackupError.foreignKey),
      ("PRAGMA user_version = 0", StorageError.incompatible("it is no agency's")),
      ("PRAGMA user_version = \(SQLiteSchema.newest + 1)", StorageError.incompatible(version)),
      ("DELETE FROM identity", MasterKeyError.noStore),
    ]
    for (number, (change, error)) in changes.enumerated() {
      let backup = Backup(path: file + "\(number)")
      try backup.write(of: settings)
      try Database(path: file + "\(number)").execute(change)
      expect(error) { try backup.restore(into: target()) }
    }
    expect(AgencyBackupError.noBackup) { try Backup(path: file).restore(into: target()) }
    expect(AgencyBackupError.noBackup) { try Backup(path: data + "/agency.db").restore(into: target()) }
    try Data(repeating: 0x5a, count: 5000).write(to: URL(filePath: file))
    expect(AgencyBackupError.noBackup) { try Backup(path: file).restore(into: target()) }
  }
}
