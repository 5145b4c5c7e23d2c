internal import CSQLite

/// What a `Pool` hands out: it reads through one connection.
package protocol DatabaseReader: AnyObject {
  var connection: Connection { get }
}

extension Connection: DatabaseReader {
  package var connection: Connection { self }
}

/// Snapshots: whatever is read in one is of the same state of the file.
extension Connection {
  /// Begins a snapshot of the present state, or goes on with the one that is open if that is what it shows.
  ///
  /// A snapshot costs four system calls to begin and end; to see that nothing was committed costs none.
  func beginSnapshot() throws(SQLiteError) {
    if isInTransaction {
      if snapshotHeader != nil, snapshotHeader == latestHeader() { return }
      endSnapshot()
    }
    // Before the snapshot: what is committed in between makes it look older than it is, never newer.
    snapshotHeader = latestHeader()
    try kept("BEGIN").run()
  }

  func endSnapshot() {
    guard isInTransaction else { return }
    do { try kept("COMMIT").run() } catch { rollBack() }
  }

  /// Whether an open snapshot can be asked later if it still shows the present state.
  var canKeepSnapshot: Bool { isInTransaction && snapshotHeader != nil }

  private func latestHeader() -> WALIndexHeader? {
    if walIndex == nil, hasWriteAheadLog { walIndex = findWALIndex() }
    return walIndex?.load(as: WALIndexHeader.self)
  }

  /// The memory that all connections to a file share, as this connection has mapped it until it is closed; nil when
  /// nothing was read yet.
  private func findWALIndex() -> UnsafeRawPointer? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2 else { return nil }
    var block: UnsafeMutableRawPointer?
    let status = methods.xShmMap(file, 0, WALIndexHeader.blockSize, 0, &block)
    return status == SQLITE_OK ? UnsafeRawPointer(block) : nil
  }
}

/// What stands at the beginning of the WAL-index: it differs after each commit, whichever process made it.
///
/// Source: https://sqlite.org/walformat.html, section 2
struct WALIndexHeader: Equatable {
  // Version and change counter; page size and last frame of the log; database size and checksum; salt; own checksum.
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Bytes of a block of the WAL-index, of which this is the first part.
  static let blockSize: Int32 = 32768

  static func == (left: Self, right: Self) -> Bool { left.words == right.words }
}
