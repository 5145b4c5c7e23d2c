internal import PostgreSQL
internal import Threading
internal import Time

/// The store in a PostgreSQL database, which several agencies may share.
final class PostgreSQLStorage: SQLStorage {
  private let pool: ConnectionPool
  private let target: String
  let clock: Clock

  private struct Arrivals {
    let listener: ArrivalListener
    let channel: ArrivalChannel
  }

  private let arrivals = Locked<Arrivals?>(nil)

  /// Connects to `target`, a `postgresql://` URI, and creates or migrates the tables if necessary. Holds `connections`
  /// at most.
  init(_ target: String, connections: Int = 16, clock: @escaping Clock) throws(StorageError) {
    self.target = target
    pool = ConnectionPool(target, limit: connections)
    self.clock = clock
    let fsync = try read { connection throws(PostgreSQLError) in try connection.setting("fsync") }
    guard fsync == "on" else { throw .incompatible("its server runs with fsync=off, which loses accepted messages") }
    let unknownVersion = try write { connection throws(PostgreSQLError) in try PostgreSQLSchema.migrate(connection) }
    if let unknownVersion { throw StorageError(version: unknownVersion, newest: PostgreSQLSchema.newest) }
  }

  /// Connects to the database of agencies, which may be running. It must have this program's version.
  init(existing target: String) throws(StorageError) {
    self.target = target
    pool = ConnectionPool(target, limit: 1)
    clock = systemClock
    let version = try read { connection throws(PostgreSQLError) in
      try PostgreSQLSchema.isForeign(connection) ? 0 : PostgreSQLSchema.version(of: connection)
    }
    guard version == PostgreSQLSchema.newest else {
      throw StorageError(version: version, newest: PostgreSQLSchema.newest)
    }
  }

  /// The server does this itself.
  func checkpoint() {}

  /// The other connections end with the last reference to the store.
  func close() { arrivals.withLock { $0.take() }?.channel.stop() }

  func watchArrivals(_ listener: @escaping ArrivalListener) {
    arrivals.withLock { $0 = Arrivals(listener: listener, channel: ArrivalChannel(target, listener: listener)) }
  }

  func note(_ arrival: Arrival) {
    guard let arrivals = arrivals.withLock({ $0 }) else { return }
    arrivals.listener([arrival])
    arrivals.channel.announce(arrival)
  }

  /// Each statement of `body` sees the data that is committed when it starts.
  func read<Result>(_ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result) throws(StorageError) -> Result {
    do { return try pool.read(body) } catch { throw .failed(error.description) }
  }

  /// Without the lock, a delivery could commit a lower number after another one has committed a higher number.
  func readSettled<Result>(
    of accountID: Int64, _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(StorageError) -> Result {
    try write { connection throws(PostgreSQLError) in
      try connection.settle(accountID)
      return try body(connection)
    }
  }

  func write<Result>(_ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result) throws(StorageError) -> Result {
    do { return try pool.write(body) } catch { throw .failed(error.description) }
  }
}
