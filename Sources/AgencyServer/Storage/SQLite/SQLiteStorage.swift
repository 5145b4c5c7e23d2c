internal import Files
internal import SQLite

/// The store in one SQLite file. Writes share commits, reads run beside them.
final class SQLiteStorage: SQLStorage {
  private let writer: GroupCommit<Connection>
  private let readers: Pool<Connection>
  let clock: Clock

  private init(_ connection: Connection, path: String, readers limit: Int, clock: @escaping Clock) {
    readers = Pool(limit: limit) { () throws(SQLiteError) in try Connection(configured: path) }
    writer = GroupCommit(connection, on: connection, beside: readers)
    self.clock = clock
  }

  /// Opens the file, and makes it or brings it up to date if necessary.
  convenience init(path: String, clock: @escaping Clock) throws(StorageError) {
    // SQLite would make a file that others can read; it gives its log the mode of the database. What is there stays.
    try? Files.createEmpty(path, mode: 0o600)
    let connection: Connection
    let unknownVersion: Int64?
    do {
      connection = try Connection(configured: path)
      unknownVersion = try SQLiteSchema.migrate(connection)
    } catch {
      throw StorageError(error)
    }
    if let unknownVersion { throw StorageError(version: unknownVersion, newest: SQLiteSchema.newest) }
    self.init(connection, path: path, readers: 8, clock: clock)
  }

  /// Opens the file of an agency, which may be running, only to read it. The file must be there, and of this version.
  convenience init(reading path: String) throws(StorageError) {
    guard Files.identity(of: path) != nil else { throw .incompatible("there is none") }
    let (connection, version): (Connection, Int64)
    do {
      connection = try Connection(configured: path)
      try connection.execute("PRAGMA query_only=ON")
      version = try SQLiteSchema.version(of: connection)
    } catch {
      throw StorageError(error)
    }
    guard version == SQLiteSchema.newest else { throw StorageError(version: version, newest: SQLiteSchema.newest) }
    self.init(connection, path: path, readers: 1, clock: systemClock)
  }

  func checkpoint() { writer.checkpoint() }

  /// The last connection that is closed puts the log into the file and removes it.
  func close() {
    readers.refuse()
    writer.checkpoint()
    writer.close()
    readers.drain()
  }

  /// All that `body` reads is of one state of the database.
  func read<Result>(_ body: (Connection) throws(SQLiteError) -> Result) throws(StorageError) -> Result {
    do { return try readers.read(body) } catch { throw StorageError(error) }
  }

  func write<Result>(_ body: (Connection) throws(SQLiteError) -> Result) throws(StorageError) -> Result {
    do { return try writer.write(body) } catch { throw StorageError(error) }
  }
}

extension Connection {
  fileprivate convenience init(configured path: String) throws(SQLiteError) {
    try self.init(path: path)
    try configure()
  }
}

extension StorageError {
  fileprivate init(_ error: SQLiteError) {
    self = error.primary == .notADatabase ? .incompatible("it is no database") : .failed(error.description)
  }
}
