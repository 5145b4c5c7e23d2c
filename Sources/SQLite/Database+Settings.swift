internal import CSQLite

extension Database {
  /// Settings for a file that several connections and processes share, and whose commits survive a power cut:
  /// write-ahead log with full synchronisation, foreign keys enforced, waiting for locks, temporary tables in memory.
  ///
  /// The log is written into the file after 4000 pages, 16 MB: a page that many commits change is written once, and a
  /// reader still looks for a page in only one hash table.
  ///
  /// If the file cannot be switched to the write-ahead log now, because another process uses it, or because it is
  /// read-only, it keeps its journal mode.
  package func configure(cacheKiB: Int = 8192) throws(SQLiteError) {
    waitForLocks()
    try switchToWriteAheadLog()
    try execute(
      """
      PRAGMA synchronous=FULL;
      PRAGMA foreign_keys=ON;
      PRAGMA temp_store=MEMORY;
      PRAGMA cache_size=-\(cacheKiB);
      PRAGMA wal_autocheckpoint=4000;
      """)
  }

  /// Lets statements wait for a lock that another connection holds, at most this long.
  package func waitForLocks(milliseconds: Int32 = 5000) { sqlite3_busy_timeout(handle, milliseconds) }

  /// Writes the write-ahead log into the file and empties the log. Skips it if another connection reads or writes for
  /// longer than half a second.
  func checkpoint() {
    waitForLocks(milliseconds: 500)
    defer { waitForLocks() }
    try? execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func switchToWriteAheadLog() throws(SQLiteError) {
    do {
      try prepare("PRAGMA journal_mode=WAL").forEach { row throws(SQLiteError) in
        hasWriteAheadLog = try row.text(0) == "wal"
      }
    } catch {
      guard error.primary == .busy || error.primary == .readOnly else { throw error }
    }
  }
}
