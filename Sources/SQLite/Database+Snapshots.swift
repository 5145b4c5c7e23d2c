internal import CSQLite

/// What a `Pool` hands out: it reads through one connection.
package protocol DatabaseReader: AnyObject {
  var database: Database { get }
}

extension Database: DatabaseReader {
  package var database: Database { self }
}

/// What a connection knows of its snapshot.
struct Snapshot {
  /// Memory that all connections to the file share, as this one has mapped it until it is closed; nil when it is not
  /// known, or there is none because the file has no write-ahead log.
  var walIndex: UnsafeRawPointer?
  /// How the WAL-index began before the snapshot did; nil when that is not known.
  var header: WALIndexHeader?
}

/// Snapshots: whatever is read in one is of the same state of the file.
extension Database {
  /// Begins a snapshot, which shows the state of the file at its first read; or goes on with the one that is open when
  /// nothing was committed since it began. True when there was one, and it was outdated.
  ///
  /// Throws `SQLiteError.moved` if the file was deleted or replaced.
  ///
  /// To begin and end a snapshot takes three to six system calls, to see that nothing was committed none.
  func beginSnapshot() throws(SQLiteError) -> Bool {
    let wasOpen = isInTransaction
    if wasOpen {
      if isSnapshotCurrent { return false }
      endSnapshot()
    }
    try requireFileInPlace()
    // Before the snapshot: what is committed in between makes it look older than it is, never newer.
    snapshot.header = latestHeader
    try kept("BEGIN").run()
    return wasOpen
  }

  /// No statement may stand on a row: SQLite would go on with the snapshot.
  func endSnapshot() {
    guard isInTransaction else { return }
    do { try kept("COMMIT").run() } catch { rollBack() }
    assert(sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE)
  }

  /// Whether something was read in the open snapshot, and it shows the present state.
  var isWorthKeeping: Bool {
    guard sqlite3_txn_state(handle, nil) == SQLITE_TXN_READ else { return false }
    if snapshot.walIndex == nil, hasWriteAheadLog { snapshot.walIndex = findWALIndex() }
    return isSnapshotCurrent
  }

  private var isSnapshotCurrent: Bool { snapshot.header != nil && snapshot.header == latestHeader }

  /// One look is enough, although SQLite may be writing: it writes this copy of the header after the other, and tells
  /// nobody of the commit before both are there. What is half written equals neither the last header nor the next.
  private var latestHeader: WALIndexHeader? { snapshot.walIndex?.load(as: WALIndexHeader.self) }

  /// The WAL-index of a file that this connection is reading.
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
