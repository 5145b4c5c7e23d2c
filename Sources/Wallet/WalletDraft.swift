internal import Files
internal import SQLite

/// An unfinished wallet file beside its future place. It gets its name when it is complete, so that no interruption
/// leaves half a wallet.
struct WalletDraft: Sendable {
  private let location: WalletLocation
  private let path: String

  /// Makes the directory and an empty file that only its owner can read.
  init(_ location: WalletLocation) throws(WalletError) {
    self.location = location
    path = Files.draftPath(for: location.file)
    do {
      try Files.makeDirectory(location.directory, mode: 0o700)
      Self.removeAbandoned(in: location.directory)
      try Files.createEmpty(path, mode: 0o600)
    } catch {
      throw error.isOccupied ? .alreadyExists : WalletError(error)
    }
  }

  /// Writes the file: the tables, and then the rows of `body`, in one transaction each. There is no journal on the
  /// disk, since a failed draft is deleted.
  func fill(
    _ metadata: Metadata, with body: (Writer) throws(WalletError) -> Void
  ) throws(WalletError) {
    let writer: Writer
    do {
      let database = try Database(path: path, .readWrite)
      try database.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;")
      try database.transaction { () throws(SQLiteError) in
        try WalletTables.create(on: database, metadata: metadata.text)
      }
      writer = try Writer(database)
    } catch {
      throw WalletError(error)
    }
    try writer.database.transaction { () throws(WalletError) in try body(writer) }
  }

  /// Gives the file its name.
  func publish() throws(WalletError) { try location.publish(path) }

  /// Gives the file the name of a closed wallet's file, which is then gone.
  func replaceWallet() throws(WalletError) { try location.replace(with: path) }

  /// Removes the rest of the draft, and the directory if it is then empty.
  func discard() {
    try? Files.remove(path)
    Files.removeEmptyDirectory(location.directory)
  }

  /// Removes the drafts of processes that ended before they were complete. Only drafts have such names in a wallet's
  /// directory.
  static func removeAbandoned(in directory: String) {
    for name in (try? Files.names(in: directory)) ?? [] where name.hasPrefix("sqlite.db.") {
      if let process = Files.draftOwner(of: name), !Files.isRunning(process: process) {
        try? Files.remove("\(directory)/\(name)")
      }
    }
  }
}
