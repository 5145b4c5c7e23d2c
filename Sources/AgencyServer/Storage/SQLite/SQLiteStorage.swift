internal import Files
internal import SQLite
internal import Threading
internal import Time

/// The store in one SQLite file. Writes share commits, reads run beside them.
final class SQLiteStorage: SQLStorage {
  private let writer: GroupCommit<Database>
  private let readers: ReaderPool<Database>
  let clock: Clock
  private let listener = Locked<ArrivalListener?>(nil)

  private init(_ database: Database, path: String, readers limit: Int, clock: @escaping Clock) {
    readers = ReaderPool(limit: limit) { () throws(SQLiteError) in try Database(configured: path) }
    writer = GroupCommit(database, on: database)
    self.clock = clock
  }

  /// Opens the file, and creates or migrates it if necessary.
  convenience init(path: String, clock: @escaping Clock) throws(StorageError) {
    // SQLite would create a file that others can read; its log gets the mode of the database. An existing file stays.
    try? Files.createEmpty(path, mode: 0o600)
    let database: Database
    let unknownVersion: Int64?
    do {
      database = try Database(path: path)
      unknownVersion = try SQLiteSchema.prepare(database)
    } catch {
      throw StorageError(error)
    }
    if let unknownVersion { throw StorageError(version: unknownVersion, newest: SQLiteSchema.newest) }
    self.init(database, path: path, readers: 8, clock: clock)
  }

  /// Opens the file of an agency, also of a running one. The file must exist, and have this version. With `isReadOnly`,
  /// nothing is written.
  convenience init(existing path: String, isReadOnly: Bool) throws(StorageError) {
    try Self.checkVersion(of: path)
    let database: Database
    do {
      database = try Database(configured: path)
      if isReadOnly { try database.execute("PRAGMA query_only=ON") }
    } catch {
      throw StorageError(error)
    }
    self.init(database, path: path, readers: 1, clock: systemClock)
  }

  /// Throws if the file is not of an agency of this version. Writes nothing into it.
  private static func checkVersion(of path: String) throws(StorageError) {
    guard Files.identity(of: path) != nil else { throw .incompatible("there is none") }
    let version: Int64
    do {
      let database = try Database(path: path, .readWrite)
      database.waitForLocks()
      version = try SQLiteSchema.isForeign(database) ? 0 : SQLiteSchema.version(of: database)
    } catch {
      throw StorageError(error)
    }
    guard version == SQLiteSchema.newest else { throw StorageError(version: version, newest: SQLiteSchema.newest) }
  }

  func checkpoint() { writer.checkpoint() }

  /// Closing the last connection writes the log into the file and removes the log.
  func close() {
    readers.refuse()
    writer.checkpoint()
    writer.close()
    readers.drain()
  }

  /// `body` reads one state of the database.
  func read<Result>(_ body: (Database) throws(SQLiteError) -> Result) throws(StorageError) -> Result {
    do { return try readers.read(body) } catch { throw StorageError(error) }
  }

  /// A delivery that is not committed has no number yet that `body` could miss: the next writer gets a higher one.
  func readSettled<Result>(
    of accountID: Int64, _ body: (Database) throws(SQLiteError) -> Result
  ) throws(StorageError) -> Result {
    try read(body)
  }

  /// One process serves the file, so that all arrivals come through this store.
  func watchArrivals(_ listener: @escaping ArrivalListener) { self.listener.withLock { $0 = listener } }

  func note(_ arrival: Arrival) { listener.withLock { $0 }?([arrival]) }

  func write<Result>(_ body: (Database) throws(SQLiteError) -> Result) throws(StorageError) -> Result {
    do { return try writer.write(body) } catch { throw StorageError(error) }
  }
}

extension Database {
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
