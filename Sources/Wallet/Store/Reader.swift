internal import SQLite

/// A connection for reading, with its statements. Sees rows, no plaintext. Used by one thread at a time.
final class Reader {
  private let connection: Connection
  private let begin, commit: Statement
  private let selectItem, selectEncryptedTags, selectPlaintextTags: Statement

  init(path: String) throws(SQLiteError) {
    connection = try Connection(path: path, .readWrite)
    try connection.configure()
    begin = try connection.prepare("BEGIN")
    commit = try connection.prepare("COMMIT")
    selectItem = try connection.prepare("SELECT id, value, key FROM items WHERE type = ?1 AND name = ?2")
    selectEncryptedTags = try connection.prepare("SELECT name, value FROM tags_encrypted WHERE item_id = ?1")
    selectPlaintextTags = try connection.prepare("SELECT name, value FROM tags_plaintext WHERE item_id = ?1")
  }

  /// The value of an item and, when they are wanted, its tags; nil when there is no such item.
  func find(
    type: [UInt8], name: [UInt8], withTags: Bool
  ) throws(SQLiteError) -> (value: SealedValue, tags: [SealedTag])? {
    guard withTags else { return try item(type: type, name: name).map { ($0.value, []) } }
    // In one transaction, so that value and tags are of the same moment.
    return try snapshot { () throws(SQLiteError) in
      guard let item = try item(type: type, name: name) else { return nil }
      return (item.value, try tags(of: item.id))
    }
  }

  private func item(type: [UInt8], name: [UInt8]) throws(SQLiteError) -> (id: Int64, value: SealedValue)? {
    try selectItem.first(.blob(type), .blob(name)) { row throws(SQLiteError) in
      (try row.integer(0), SealedValue(value: try row.blob(1), key: try row.blob(2)))
    }
  }

  private func tags(of item: Int64) throws(SQLiteError) -> [SealedTag] {
    var tags: [SealedTag] = []
    try selectEncryptedTags.forEach(.integer(item)) { row throws(SQLiteError) in
      tags.append(.encrypted(name: try row.blob(0), value: try row.blob(1)))
    }
    try selectPlaintextTags.forEach(.integer(item)) { row throws(SQLiteError) in
      tags.append(.plaintext(name: try row.blob(0), value: try row.text(1)))
    }
    return tags
  }

  private func snapshot<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    try begin.run()
    defer { connection.endSnapshot(commit) }
    return try body()
  }
}

extension Connection {
  /// Ends a transaction that has only read: nothing can be lost.
  fileprivate func endSnapshot(_ commit: Statement) {
    do { try commit.run() } catch { rollBack() }
  }
}
