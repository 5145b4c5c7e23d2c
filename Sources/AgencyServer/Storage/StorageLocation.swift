internal import Files

/// Where a store is.
package enum StorageLocation: Sendable {
  /// An SQLite file, by its path.
  case file(String)
  /// A PostgreSQL database, by its `postgresql://` URI.
  case database(String)

  /// `database` if there is one, else the file in an agency's data folder.
  package init(database: String?, dataFolder: String) {
    self = database.map { .database($0) } ?? .file(dataFolder + "/agency.db")
  }

  /// False when there is no store yet. A database has to be there for all agencies.
  package var isThere: Bool {
    switch self {
    case .file(let path): Files.identity(of: path) != nil
    case .database: true
    }
  }

  /// Opens the store for an agency; makes it, or brings it up to date, if necessary.
  package func open(clock: @escaping Clock) throws(StorageError) -> any Storage {
    switch self {
    case .file(let path): try SQLiteStorage(path: path, clock: clock)
    case .database(let uri): try PostgreSQLStorage(uri, clock: clock)
    }
  }

  /// Opens the store of an agency, which may be running, only to read it. Nothing is made that is not there.
  package func openForReading() throws(StorageError) -> any Storage {
    switch self {
    case .file(let path): try SQLiteStorage(reading: path)
    case .database(let uri): try PostgreSQLStorage(reading: uri)
    }
  }
}
