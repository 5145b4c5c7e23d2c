internal import Files
package import Time

/// The location of a store.
package enum StorageLocation: Sendable {
  /// An SQLite file, by its path.
  case file(String)
  /// A PostgreSQL database, by its `postgresql://` URI.
  case database(String)

  /// `database` if it is set, otherwise the file in an agency's data folder.
  package init(database: String?, dataFolder: String) {
    self = database.map { .database($0) } ?? .file(dataFolder + "/agency.db")
  }

  /// False if the store does not exist yet. A database must exist before any agency.
  package var isThere: Bool {
    switch self {
    case .file(let path): Files.identity(of: path) != nil
    case .database: true
    }
  }

  /// Opens the store for an agency; creates or migrates it if necessary.
  package func open(clock: @escaping Clock) throws(StorageError) -> any Storage {
    switch self {
    case .file(let path): try SQLiteStorage(path: path, clock: clock)
    case .database(let uri): try PostgreSQLStorage(uri, clock: clock)
    }
  }

  /// Opens the store of an agency, also of a running one. Creates and migrates nothing. With `isReadOnly`, only reads it.
  package func openExisting(isReadOnly: Bool) throws(StorageError) -> any Storage {
    switch self {
    case .file(let path): try SQLiteStorage(existing: path, isReadOnly: isReadOnly)
    case .database(let uri): try PostgreSQLStorage(existing: uri)
    }
  }
}
