internal import Sodium

/// Rows to be removed at a time.
struct Sweep {
  let table: String
  private let key: String
  private let condition: String
  let time: Int64

  /// Each condition has an index, so a sweep reads no row that stays.
  static func all(_ expiry: Expiry) -> [Sweep] {
    [
      Sweep("messages", "id", "status IN ('MS-105', 'MS-106', 'MS-107') AND updated <= $1", expiry.read),
      Sweep("messages", "id", "updated <= $1", expiry.unread),
      Sweep("pairwise", "id", "deleted <= $1", expiry.tombstones),
      Sweep("agents", "id", "state <> 'created' AND created <= $1", expiry.short),
      Sweep("used_tokens", "mark", "expires <= $1", expiry.now),
      Sweep("seen_requests", "digest", "seen <= $1", expiry.short),
      Sweep("recoveries", "verkey", "replaced <= $1", expiry.tombstones),
      Sweep("notes", "uid", "created <= $1", expiry.unread),
    ]
  }

  private init(_ table: String, _ key: String, _ condition: String, _ time: Int64) {
    self.table = table
    self.key = key
    self.condition = condition
    self.time = time
  }

  /// Takes the time and the highest number of rows. It skips rows that another transaction is removing or changing.
  func delete<Session: SQLSession>(_: Session.Type) -> String {
    """
    DELETE FROM \(table) WHERE \(key) IN
    (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT $2 \(Session.lockFree))
    """
  }
}

extension SQLStorage {
  func removeExpired(_ expiry: Expiry, limit: Int) throws(StorageError) -> Int {
    try write { session throws(Failure) in
      var count = 0
      for sweep in Sweep.all(expiry) {
        count += try session.run(sweep.delete(Session.self), .integer(sweep.time), .integer(Int64(limit)))
      }
      return count
    }
  }

  func checkReading() throws(StorageError) {
    _ = try read { session throws(Failure) in try session.run("SELECT 1 FROM identity") }
  }

  func checkWriting() throws(StorageError) {
    let write = """
      INSERT INTO writing_check (id, filling) VALUES ($1, $2)
      ON CONFLICT (id) DO UPDATE SET filling = excluded.filling
      """
    // A database need not write unchanged data.
    try self.write(write, .integer(1), .blob(randomBytes(64 << 10)))
  }
}
