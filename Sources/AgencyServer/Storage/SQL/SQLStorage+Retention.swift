extension SQLStorage {
  func removeExpired(_ expiry: Expiry, limit: Int) throws(StorageError) -> Int {
    let sweeps: [(table: String, key: String, condition: String, time: Int64)] = [
      ("messages", "id", "status IN ('MS-105', 'MS-106', 'MS-107') AND updated <= $1", expiry.read),
      ("messages", "id", "updated <= $1", expiry.unread),
      ("pairwise", "id", "deleted <= $1", expiry.tombstones),
      ("agents", "id", "state <> 'created' AND created <= $1", expiry.short),
      ("used_tokens", "mark", "expires <= $1", expiry.now),
      ("seen_requests", "digest", "seen <= $1", expiry.short),
    ]
    return try write { session throws(Failure) in
      var count = 0
      for sweep in sweeps {
        // What another agency removes now, or somebody changes, is passed over.
        let delete = """
          DELETE FROM \(sweep.table) WHERE \(sweep.key) IN
          (SELECT \(sweep.key) FROM \(sweep.table) WHERE \(sweep.condition) LIMIT $2 \(Session.lockFree))
          """
        count += try session.run(delete, .integer(sweep.time), .integer(Int64(limit)))
      }
      return count
    }
  }

  func check() throws(StorageError) {
    _ = try read { session throws(Failure) in try session.run("SELECT 1 FROM identity") }
  }
}
