internal import Files
internal import SQLite

/// Creates and removes a wallet's files. It always holds a lock of the directory, so that no process removes a file
/// that another process has just created.
extension WalletLocation {
  /// The name of a deleted wallet's file. Once the file has this name, the wallet does not exist; this call removes the
  /// rest, or the next call does if this one is interrupted.
  private var deletedFile: String { file + ".deleted" }

  /// SQLite's files beside a database. SQLite applies their contents to the database, even if they belong to another
  /// database.
  private var logs: [String] { ["-wal", "-shm", "-journal"].map { file + $0 } }

  /// Gives the finished file of a new wallet its name, if the location has no wallet.
  func publish(_ draft: String) throws(WalletError) {
    try locked { () throws(FileError) in
      try removeRemains()
      try Files.publish(draft, as: file)
    }
  }

  /// Replaces a closed wallet's file by a finished file in one step: an interruption leaves one of them, whole. Throws
  /// `busy` if another process has the wallet open.
  func replace(with draft: String) throws(WalletError) {
    let database = try withoutLogs()
    try withExtendedLifetime(database) { () throws(WalletError) in
      try locked { () throws(FileError) in
        // SQLite ignores it if it cannot remove a log. The new file must not find an old log.
        for path in logs { try Files.remove(path) }
        Files.synchronizeDirectory(directory)
        try Files.rename(draft, to: file)
      }
    }
  }

  /// Writes the logs into the wallet's file, and locks it for all others until the database is released.
  private func withoutLogs() throws(WalletError) -> Database {
    do {
      let database = try Database(path: file, .readWrite)
      database.waitForLocks(milliseconds: 500)
      try database.execute("PRAGMA locking_mode=EXCLUSIVE")
      let mode = try database.prepare("PRAGMA journal_mode=DELETE").first { row throws(SQLiteError) in try row.text(0) }
      guard mode == "delete" else { throw WalletError.busy }
      return database
    } catch let error as SQLiteError {
      throw WalletError(error)
    } catch {
      throw .busy
    }
  }

  /// Removes the wallet with everything in its directory.
  func deleteFiles() throws(WalletError) {
    try locked { () throws(FileError) in
      try Files.rename(file, to: deletedFile)
      try removeRemains()
      try Files.removeTree(directory)
    }
  }

  /// Completes an interrupted deletion. Best effort: the wallet itself is gone.
  func finishDeletion() {
    guard !Files.isFree(deletedFile), Files.isDirectory(directory) else { return }
    try? locked { () throws(FileError) in try removeRemains() }
    Files.removeEmptyDirectory(directory)
  }

  /// Removes the files of a deleted wallet. When this returns, they do not come back after a power cut: the next wallet
  /// would apply their log.
  private func removeRemains() throws(FileError) {
    guard Files.isFree(file) else { return }
    let remains = (logs + [deletedFile]).filter { !Files.isFree($0) }
    guard !remains.isEmpty else { return }
    for path in remains { try Files.remove(path) }
    Files.synchronizeDirectory(directory)
  }

  private func locked(_ body: () throws(FileError) -> Void) throws(WalletError) {
    do { try Files.locked(directory, body) } catch {
      throw error.isOccupied ? .alreadyExists : WalletError(error)
    }
  }
}
