internal import SQLite

/// The connection for writing, with its statements. It writes encrypted rows, and never sees plaintext. One thread at a
/// time uses it.
final class Writer {
  let database: Database
  private let insertItem, updateValue, deleteItem, selectID, selectValue, selectOrphans: Statement
  private let insertEncryptedTag, insertPlaintextTag, replaceEncryptedTag, replacePlaintextTag: Statement
  private let deleteEncryptedTags, deletePlaintextTags, deleteEncryptedTag, deletePlaintextTag: Statement

  /// The size limit of the cache. Writes change pages all over the file, so a larger cache would hardly help.
  static let cacheKiB = 2 << 10

  init(_ database: Database) throws(SQLiteError) {
    self.database = database
    insertItem = try database.prepare("INSERT INTO items(type, name, value, key) VALUES(?1, ?2, ?3, ?4)")
    updateValue = try database.prepare("UPDATE items SET value = ?3, key = ?4 WHERE type = ?1 AND name = ?2")
    deleteItem = try database.prepare("DELETE FROM items WHERE type = ?1 AND name = ?2")
    selectID = try database.prepare("SELECT id FROM items WHERE type = ?1 AND name = ?2")
    selectValue = try database.prepare("SELECT value, key FROM items WHERE type = ?1 AND name = ?2")
    selectOrphans = try database.prepare(
      """
      SELECT 1 FROM tags_encrypted WHERE item_id = ?1 UNION ALL \
      SELECT 1 FROM tags_plaintext WHERE item_id = ?1 LIMIT 1
      """)
    insertEncryptedTag = try database.prepare(
      "INSERT INTO tags_encrypted(name, value, item_id) VALUES(?1, ?2, ?3)")
    insertPlaintextTag = try database.prepare(
      "INSERT INTO tags_plaintext(name, value, item_id) VALUES(?1, ?2, ?3)")
    replaceEncryptedTag = try database.prepare(
      "INSERT OR REPLACE INTO tags_encrypted(name, value, item_id) VALUES(?1, ?2, ?3)")
    replacePlaintextTag = try database.prepare(
      "INSERT OR REPLACE INTO tags_plaintext(name, value, item_id) VALUES(?1, ?2, ?3)")
    deleteEncryptedTags = try database.prepare("DELETE FROM tags_encrypted WHERE item_id = ?1")
    deletePlaintextTags = try database.prepare("DELETE FROM tags_plaintext WHERE item_id = ?1")
    deleteEncryptedTag = try database.prepare("DELETE FROM tags_encrypted WHERE name = ?1 AND item_id = ?2")
    deletePlaintextTag = try database.prepare("DELETE FROM tags_plaintext WHERE name = ?1 AND item_id = ?2")
  }

  // MARK: Rows

  func insert(_ record: SealedRecord) throws(WalletError) {
    do {
      try insertItem.run(
        .blob(record.type), .blob(record.name), .blob(record.value.value), .blob(record.value.key))
      let item = database.lastInsertedRow
      // A file that was written without foreign keys may hold tags of deleted items. SQLite reuses item ids, and the
      // new item would inherit those tags.
      if try hasTags(item) { try deleteTags(of: item) }
      try insert(record.tags, of: item)
    } catch  where error.isUniqueViolation {
      throw .recordExists
    } catch {
      throw WalletError(error)
    }
  }

  /// Inserts a record unless one with its type and name exists.
  func insertUnlessPresent(_ record: SealedRecord) throws(WalletError) {
    let present = try perform { () throws(SQLiteError) in try id(type: record.type, name: record.name) }
    if present == nil { try insert(record) }
  }

  /// The value of an item as this transaction sees it; nil if there is no such item.
  func value(type: [UInt8], name: [UInt8]) throws(WalletError) -> SealedValue? {
    try perform { () throws(SQLiteError) in
      try selectValue.first(.blob(type), .blob(name)) { row throws(SQLiteError) in
        SealedValue(value: try row.blob(0), key: try row.blob(1))
      }
    }
  }

  func update(_ value: SealedValue, type: [UInt8], name: [UInt8]) throws(WalletError) {
    try perform { () throws(SQLiteError) in
      try updateValue.run(.blob(type), .blob(name), .blob(value.value), .blob(value.key))
    }
    guard database.changes > 0 else { throw .recordNotFound }
  }

  /// Deletes an item. The foreign key deletes its tags.
  func delete(type: [UInt8], name: [UInt8]) throws(WalletError) {
    try deleteIfPresent(type: type, name: name)
    guard database.changes > 0 else { throw .recordNotFound }
  }

  /// Deletes an item if it exists.
  func deleteIfPresent(type: [UInt8], name: [UInt8]) throws(WalletError) {
    try perform { () throws(SQLiteError) in try deleteItem.run(.blob(type), .blob(name)) }
  }

  private func id(type: [UInt8], name: [UInt8]) throws(SQLiteError) -> Int64? {
    try selectID.first(.blob(type), .blob(name)) { row throws(SQLiteError) in try row.integer(0) }
  }

  private func perform<Result>(_ body: () throws(SQLiteError) -> Result) throws(WalletError) -> Result {
    do { return try body() } catch { throw WalletError(error) }
  }
}

// MARK: - Tags

extension Writer {
  /// Adds tags to an item, and replaces tags of the same names.
  func add(_ tags: [SealedTag], type: [UInt8], name: [UInt8]) throws(WalletError) {
    try withItem(type, name) { item throws(SQLiteError) in
      try run(for: tags, of: item, encrypted: replaceEncryptedTag, plaintext: replacePlaintextTag)
    }
  }

  /// Gives an item these tags and no others.
  func replaceTags(with tags: [SealedTag], type: [UInt8], name: [UInt8]) throws(WalletError) {
    try withItem(type, name) { item throws(SQLiteError) in
      try deleteTags(of: item)
      try insert(tags, of: item)
    }
  }

  /// Deletes tags of an item. Ignores names that the item does not have.
  func delete(_ tags: [SealedTagName], type: [UInt8], name: [UInt8]) throws(WalletError) {
    try withItem(type, name) { item throws(SQLiteError) in
      for tag in tags {
        switch tag {
        case .encrypted(let name): try deleteEncryptedTag.run(.blob(name), .integer(item))
        case .plaintext(let name): try deletePlaintextTag.run(.blob(name), .integer(item))
        }
      }
    }
  }

  private func withItem(
    _ type: [UInt8], _ name: [UInt8], _ body: (Int64) throws(SQLiteError) -> Void
  ) throws(WalletError) {
    let item = try perform { () throws(SQLiteError) in try id(type: type, name: name) }
    guard let item else { throw .recordNotFound }
    try perform { () throws(SQLiteError) in try body(item) }
  }

  /// Inserts tags of an item that has none. It uses no statement that replaces: SQLite would copy each changed page to
  /// undo that single statement, and this copy costs the most in a write.
  private func insert(_ tags: [SealedTag], of item: Int64) throws(SQLiteError) {
    try run(for: tags, of: item, encrypted: insertEncryptedTag, plaintext: insertPlaintextTag)
  }

  private func run(
    for tags: [SealedTag], of item: Int64, encrypted: Statement, plaintext: Statement
  ) throws(SQLiteError) {
    for tag in tags {
      switch tag {
      case .encrypted(let name, let value): try encrypted.run(.blob(name), .blob(value), .integer(item))
      case .plaintext(let name, let value): try plaintext.run(.blob(name), .text(value), .integer(item))
      }
    }
  }

  private func hasTags(_ item: Int64) throws(SQLiteError) -> Bool {
    try selectOrphans.first(.integer(item)) { _ throws(SQLiteError) in true } ?? false
  }

  private func deleteTags(of item: Int64) throws(SQLiteError) {
    try deleteEncryptedTags.run(.integer(item))
    try deletePlaintextTags.run(.integer(item))
  }
}
