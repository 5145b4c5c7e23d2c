internal import Files
internal import SQLite

/// A wallet file in the making, beside the place where it will be: it gets its name when it is complete, so that no
/// interruption leaves half a wallet.
struct WalletDraft: Sendable {
  private let location: WalletLocation
  private let path: String

  /// Makes the directory and an empty file that only its owner can read.
  init(_ location: WalletLocation) throws(WalletError) {
    self.location = location
    path = "\(location.file).\(Files.processID).new"
    do {
      try Files.makeDirectory(location.directory, mode: 0o700)
      Self.removeAbandoned(in: location.directory)
      try Files.createEmpty(path, mode: 0o600)
    } catch {
      throw error.isOccupied ? .alreadyExists : WalletError(error)
    }
  }

  /// Writes the file, in one transaction without a journal: a draft that fails is thrown away.
  func fill(_ body: (Connection) throws(SQLiteError) -> Void) throws(WalletError) {
    do {
      let connection = try Connection(path: path, .readWrite)
      try connection.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;")
      try connection.transaction { () throws(SQLiteError) in try body(connection) }
    } catch {
      throw WalletError(error)
    }
  }

  /// Gives the file its name.
  func publish() throws(WalletError) {
    do {
      try Files.publish(path, as: location.file)
    } catch {
      throw error.isOccupied ? .alreadyExists : WalletError(error)
    }
  }

  /// Removes what is left of the draft. The directory goes too when nothing else is in it.
  func discard() {
    try? Files.remove(path)
    Files.removeEmptyDirectory(location.directory)
  }

  /// Removes the drafts of processes that did not live to finish them.
  private static func removeAbandoned(in directory: String) {
    for name in (try? Files.names(in: directory)) ?? [] {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 4, parts.starts(with: ["sqlite", "db"]), parts[3] == "new", let process = Int32(parts[2]),
        !Files.isRunning(process: process)
      else { continue }
      try? Files.remove("\(directory)/\(name)")
    }
  }
}
