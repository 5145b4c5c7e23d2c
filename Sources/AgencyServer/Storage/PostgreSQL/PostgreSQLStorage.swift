internal import DIDComm
internal import PostgreSQL

/// The store in a PostgreSQL database, which several agencies may share.
///
/// Whoever writes first locks the row that its decision rests on, the mailbox's or the agent's, so that agencies decide
/// one after the other. What two of them insert at once, a unique index lets pass once; the other then looks again and
/// finds it there.
package final class PostgreSQLStorage: Storage {
  private let pool: Pool
  let clock: Clock

  /// Connects to `target`, a `postgresql://` URI, and makes the tables or brings them up to date if necessary. Holds
  /// `connections` at most.
  package init(_ target: String, connections: Int = 16, clock: @escaping Clock) throws(StorageError) {
    pool = Pool(target, limit: connections)
    self.clock = clock
    let fsync = try read { connection throws(PostgreSQLError) in try connection.setting("fsync") }
    guard fsync == "on" else { throw .incompatible("its server runs with fsync=off, which loses accepted messages") }
    let unknownVersion = try write { (connection, _) throws(PostgreSQLError) in
      try PostgreSQLSchema.migrate(connection)
    }
    if let unknownVersion { throw StorageError(version: unknownVersion, newest: PostgreSQLSchema.newest) }
  }

  /// Connects to the database of agencies, which may be running, only to read it. It must be of this version.
  package init(reading target: String) throws(StorageError) {
    pool = Pool(target, limit: 1)
    clock = systemClock
    let version = try read { connection throws(PostgreSQLError) in try PostgreSQLSchema.version(of: connection) }
    guard version == PostgreSQLSchema.newest else {
      throw StorageError(version: version, newest: PostgreSQLSchema.newest)
    }
  }

  /// Each statement of `body` sees what is committed when it starts.
  func read<Result>(_ body: (Connection) throws(PostgreSQLError) -> Result) throws(StorageError) -> Result {
    do { return try pool.read(body) } catch { throw .failed(error.description) }
  }

  /// `body` runs in a transaction, perhaps several times, and gets the time with the connection.
  func write<Result>(_ body: (Connection, Int64) throws(PostgreSQLError) -> Result) throws(StorageError) -> Result {
    let now = clock()
    do {
      return try pool.write { connection throws(PostgreSQLError) in try body(connection, now) }
    } catch {
      throw .failed(error.description)
    }
  }
}

extension Row: StoredRow {}

extension Value {
  init(_ address: Address) { self = .text(address.text) }
  init(_ verkey: VerKey) { self = .text(verkey.text) }
  init(_ did: DID) { self = .text(did.text) }

  /// For `($n IS NULL OR column = ANY ($n))`: an empty list is no restriction.
  init(list: [String]) { self = .texts(list.isEmpty ? nil : list) }
}
