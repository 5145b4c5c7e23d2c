internal import Files
internal import SQLite
internal import Sodium

/// A backup of an agency in one file: the SQLite database as it was at one moment, and in a table of its own the master
/// key, without which the rest would be worthless.
package struct Backup {
  private let path: String

  /// The file to write or to restore.
  package init(path: String) { self.path = path }

  /// Writes the file, which must not exist. A running agency does not wait for it.
  package func write(of settings: AgencySettings) throws {
    let folder = try Self.folder(settings)
    guard Files.identity(of: path) == nil else { throw AgencyBackupError.fileExists }
    let database = Self.database(folder)
    guard Files.identity(of: database) != nil else { throw AgencyBackupError.noAgency }
    guard let key = try MasterKeyFile(dataFolder: folder).load() else { throw MasterKeyError.noKey }
    Files.removeAbandonedDrafts(for: path)
    let draft = try Self.copy(database, to: Files.draftPath(for: path))
    defer { draft.remove() }
    try draft.check(key)
    try draft.add(key)
    try Files.publish(draft.path, as: path)
  }

  /// Restores the agency in a folder without one.
  package func restore(into settings: AgencySettings) throws {
    let folder = try Self.folder(settings)
    let database = Self.database(folder)
    let taken = [database, database + "-wal", database + "-shm", database + "-journal", folder + "/master.key"]
    guard taken.allSatisfy({ Files.identity(of: $0) == nil }) else { throw AgencyBackupError.occupied }
    guard Files.identity(of: path) != nil else { throw AgencyBackupError.noBackup }
    try Files.makeDirectory(folder)
    Files.removeAbandonedDrafts(for: database)
    let draft = try Self.copy(path, to: Files.draftPath(for: database))
    defer { draft.remove() }
    let key = try draft.takeKey()
    try draft.check(key)
    try draft.skipNumbers()
    let file = MasterKeyFile(dataFolder: folder)
    try file.prepare(key)
    try Files.publish(draft.path, as: database)
    try file.publish()
  }

  private static func folder(_ settings: AgencySettings) throws(AgencyBackupError) -> String {
    guard settings.database == nil, let folder = settings.dataFolder else { throw .inPostgreSQL }
    return folder
  }

  private static func database(_ folder: String) -> String { folder + "/agency.db" }

  /// One statement reads one state of the database, even while others write.
  private static func copy(_ source: String, to path: String) throws -> Copy {
    try Files.createEmpty(path, mode: 0o600)
    let copy = Copy(path: path)
    do {
      let database = try Database(path: source, .readWrite)
      database.waitForLocks()
      try database.prepare("VACUUM INTO ?").run(.text(path))
      return copy
    } catch {
      copy.remove()
      throw error.primary == .notADatabase ? AgencyBackupError.noBackup : StorageError.failed(error.description)
    }
  }
}

/// A copy of an agency's database under a temporary name.
private struct Copy {
  let path: String

  func remove() { try? Files.remove(path) }

  /// Opens the copy without a journal on the disk, in which a killed process would leave the key. A failed copy is
  /// deleted.
  fileprivate func open() throws(SQLiteError) -> Database {
    let database = try Database(path: path, .readWrite)
    try database.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=FULL")
    return database
  }

  /// Fails unless this is an agency's database, of this program's version or an older one, and `key` opens its keys.
  func check(_ key: SecretBytes) throws {
    let database = try open()
    let version = try SQLiteSchema.version(of: database)
    guard (1...SQLiteSchema.newest).contains(version) else {
      throw StorageError(version: version, newest: SQLiteSchema.newest)
    }
    guard let identity = try database.identity() else { throw MasterKeyError.noStore }
    guard MasterKey(key).opens(try identity.identity()) else { throw AgencyBackupError.foreignKey }
  }

  /// Adds the key. It is on disk when this returns.
  func add(_ key: SecretBytes) throws {
    var bytes = key.exposed()
    defer { wipe(&bytes) }
    let database = try open()
    try database.transaction { () throws(SQLiteError) in
      try database.execute("CREATE TABLE backup (master_key BLOB NOT NULL) STRICT")
      try database.prepare("INSERT INTO backup VALUES (?)").run(.blob(bytes))
    }
  }

  /// Removes the key from the file, without a trace.
  func takeKey() throws -> SecretBytes {
    let database = try open()
    guard try database.integer("SELECT 1 FROM sqlite_schema WHERE name = 'backup'") != nil else {
      throw AgencyBackupError.noBackup
    }
    let bytes = try database.prepare("SELECT master_key FROM backup").first { row throws(SQLiteError) in
      try row.blob(0)
    }
    guard var bytes, bytes.count == MasterKey.length else { throw AgencyBackupError.noBackup }
    defer { wipe(&bytes) }
    try database.execute("PRAGMA secure_delete=ON; DROP TABLE backup")
    return SecretBytes(copying: bytes)
  }
}

extension Copy {
  /// Continues the numbers of messages far beyond those given after the backup: a client that waits knows the messages up
  /// to one of them, and would not learn of a new message with a lower number.
  func skipNumbers() throws(SQLiteError) {
    let database = try open()
    try database.transaction { () throws(SQLiteError) in
      try database.execute(
        """
        INSERT INTO sqlite_sequence (name, seq) SELECT 'messages', 0
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'messages');
        UPDATE sqlite_sequence SET seq = seq + 1000000000 WHERE name = 'messages'
        """)
    }
  }
}

/// The reasons why a backup or a restoration failed.
package enum AgencyBackupError: Error, Equatable, Sendable {
  case inPostgreSQL
  case fileExists
  case noAgency
  /// `Backup` did not write the file.
  case noBackup
  /// The folder holds an agency, or parts of one.
  case occupied
  case foreignKey
}

extension AgencyBackupError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .inPostgreSQL: "the accounts are in PostgreSQL: back up that database with its own tools, and copy master.key"
    case .fileExists: "the file of the backup exists already"
    case .noAgency: "there is no agency in the data folder"
    case .noBackup: "there is no backup of an agency in the file"
    case .occupied: "there is an agency in the data folder, or a part of one: restore into an empty folder"
    case .foreignKey: "the master.key is not the one of the accounts"
    }
  }
}
