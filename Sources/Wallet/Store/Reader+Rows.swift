internal import SQLite

/// The stored rows for checks of the whole file: values in their own storage class.
extension Reader {
  /// Passes each row of `items` to `body`: id, type, name, value, key.
  func forEachItemRow(_ body: ([Value]) -> Void) throws(SQLiteError) {
    try forEachRow(of: "SELECT id, type, name, value, key FROM items", columns: 5, body)
  }

  /// Passes each row of a tag table to `body`: rowid, name, value, and the id of its item, null if that does not exist.
  func forEachTagRow(of table: String, _ body: ([Value]) -> Void) throws(SQLiteError) {
    let sql = "SELECT t.rowid, t.name, t.value, i.id FROM \(table) AS t LEFT JOIN items AS i ON i.id = t.item_id"
    try forEachRow(of: sql, columns: 4, body)
  }

  /// Passes each of SQLite's own findings about the file to `body`; none if it is sound.
  func forEachIntegrityFinding(_ body: (String) -> Void) throws(SQLiteError) {
    try database.prepare("PRAGMA integrity_check").forEach { row throws(SQLiteError) in
      let finding = try row.text(0)
      if finding != "ok" { body(finding) }
    }
  }

  /// The number of nonces of values and of their keys that are used more than once.
  func repeatedNonces() throws(SQLiteError) -> Int {
    let sql = """
      SELECT 2 * count(*) - count(DISTINCT substr(value, 1, 12)) - count(DISTINCT substr(key, 1, 12)) FROM items
      """
    let count = try database.prepare(sql).first { row throws(SQLiteError) in try row.integer(0) }
    return Int(count ?? 0)
  }

  /// The types, with the number of items of each.
  func countsByType() throws(SQLiteError) -> [(type: [UInt8], count: Int)] {
    var counts: [(type: [UInt8], count: Int)] = []
    try database.prepare("SELECT type, count(*) FROM items GROUP BY type").forEach { row throws(SQLiteError) in
      counts.append((try row.blob(0), Int(try row.integer(1))))
    }
    return counts
  }

  private func forEachRow(of sql: String, columns: Int, _ body: ([Value]) -> Void) throws(SQLiteError) {
    try database.prepare(sql).forEach { row throws(SQLiteError) in
      var values: [Value] = []
      for column in 0..<columns { values.append((try? row.value(column)) ?? .null) }
      body(values)
    }
  }
}
