internal import Files

/// Creates and removes a wallet's files. All of it happens under a lock of the directory, so that no process removes a
/// file that another has just created.
extension WalletLocation {
  /// The name of a deleted wallet's file. From the renaming on, the wallet does not exist; this call removes the rest,
  /// or the next one if this one is interrupted.
  private var deletedFile: String { file + ".deleted" }

  /// SQLite's files beside a database. SQLite applies their contents to the database, even if they belong to another
  /// one.
  private var logs: [String] { ["-wal", "-shm", "-journal"].map { file + $0 } }

  /// Gives the finished file of a new wallet its name, if there is no wallet here.
  func publish(_ draft: String) throws(WalletError) {
    try locked { () throws(FileError) in
      try removeRemains()
      try Files.publish(draft, as: file)
    }
  }

  /// Removes the wallet, and all that is in its directory.
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
  /// would apply the log.
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
