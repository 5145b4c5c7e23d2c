internal import Files

/// How a wallet's files come and go. All of it happens under a lock of the directory, so that no process removes what
/// another has just made.
extension WalletLocation {
  /// The name that the file of a wallet gets when the wallet is deleted. From then on there is no wallet here; all that
  /// is left is to be removed, by the next call that comes by if this one is interrupted.
  private var deletedFile: String { file + ".deleted" }

  /// The files that SQLite has beside a database. It takes what it finds in them for changes of the database, whichever
  /// database they were made to.
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

  /// Goes on with a deletion that was interrupted. Best effort: the wallet itself is gone.
  func finishDeletion() {
    guard !Files.isFree(deletedFile), Files.isDirectory(directory) else { return }
    try? locked { () throws(FileError) in try removeRemains() }
    Files.removeEmptyDirectory(directory)
  }

  /// Removes the files of a wallet that is no longer here. When this returns, they do not come back after a power cut:
  /// the next wallet would take up the log.
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
