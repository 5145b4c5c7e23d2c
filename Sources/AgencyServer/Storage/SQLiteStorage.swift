internal import DIDComm
internal import Files
internal import SQLite

/// The store in one SQLite file. Writes share commits, reads run beside them.
package final class SQLiteStorage: Storage {
  private let writer: GroupCommit<Database>
  private let readers: Pool<Database>
  let clock: Clock

  private init(_ database: Database, path: String, readers limit: Int, clock: @escaping Clock) {
    writer = GroupCommit(database, on: database.connection)
    readers = Pool(limit: limit) { () throws(SQLiteError) in try Database(path: path) }
    self.clock = clock
  }

  /// Opens the file, and makes it or brings it up to date if necessary.
  package convenience init(path: String, clock: @escaping Clock) throws(StorageError) {
    self.init(try Self.open(path), path: path, readers: 8, clock: clock)
  }

  /// Opens the file of an agency, which may be running, only to read it. The file must be there, and of this version.
  package convenience init(reading path: String) throws(StorageError) {
    guard Files.identity(of: path) != nil else { throw .incompatible("there is none") }
    let (database, version): (Database, Int64)
    do {
      database = try Database(path: path)
      try database.connection.execute("PRAGMA query_only=ON")
      version = try Schema.version(of: database)
    } catch {
      throw StorageError(error)
    }
    guard version == Schema.newest else { throw StorageError(version: version, newest: Schema.newest) }
    self.init(database, path: path, readers: 1, clock: systemClock)
  }

  private static func open(_ path: String) throws(StorageError) -> Database {
    let database: Database
    let unknownVersion: Int64?
    do {
      database = try Database(path: path)
      unknownVersion = try Schema.migrate(database)
    } catch {
      throw StorageError(error)
    }
    if let unknownVersion { throw StorageError(version: unknownVersion, newest: Schema.newest) }
    return database
  }

  func read<Result>(_ body: (Database) throws(SQLiteError) -> Result) throws(StorageError) -> Result {
    do {
      // One state of the database for all that `body` reads.
      return try readers.read { database throws(SQLiteError) in
        try database.connection.nested { () throws(SQLiteError) in try body(database) }
      }
    } catch {
      throw StorageError(error)
    }
  }

  /// `body` gets the time with the database.
  func write<Result>(_ body: (Database, Int64) throws(SQLiteError) -> Result) throws(StorageError) -> Result {
    let now = clock()
    do {
      return try writer.write { database throws(SQLiteError) in try body(database, now) }
    } catch {
      throw StorageError(error)
    }
  }
}

extension StorageError {
  fileprivate init(_ error: SQLiteError) {
    self = error.primary == .notADatabase ? .incompatible("it is no database") : .failed(error.description)
  }
}

extension Value {
  init(_ address: Address) { self = .text(address.text) }
  init(_ verkey: VerKey) { self = .text(verkey.text) }
  init(_ did: DID) { self = .text(did.text) }
}
