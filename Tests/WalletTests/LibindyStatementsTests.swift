import SQLite
import Testing

@testable import Wallet

/// The statements that libindy runs, on new wallets and on such as libindy makes, with an index on a tag's name alone.
@Suite struct LibindyStatementsTests {
  let home: Home
  let cipher: RecordCipher

  init() throws {
    home = try Home()
    let wallet = try home.wallet()
    for id in ["1", "2"] {
      try wallet.apply(.add(Record(type: "t", id: id, value: "v", tags: ["sealed": id, "~open": id])))
    }
    cipher = wallet.cipher
    wallet.close()
  }

  func database(withNameIndexes: Bool) throws -> Database {
    let database = try home.database()
    try database.execute("PRAGMA foreign_keys=ON")
    if withNameIndexes {
      try database.execute(
        """
        CREATE INDEX ix_tags_encrypted_name ON tags_encrypted(name);
        CREATE INDEX ix_tags_plaintext_name ON tags_plaintext(name);
        """)
    }
    return database
  }

  func ids(_ database: Database, _ condition: String, _ values: Value...) throws -> [String] {
    var ids: [String] = []
    let sql = "SELECT i.id, i.name, i.value, i.key, i.type FROM items as i WHERE i.type = ? AND (\(condition))"
    try database.prepare(sql).forEach(binding: [.blob(cipher.seal(type: "t"))] + values) { row throws(SQLiteError) in
      ids.append((try? cipher.open(name: try row.blob(1))) ?? "?")
    }
    return ids.sorted()
  }

  @Test(arguments: [false, true]) func findWhatWeWrote(hasNameIndexes: Bool) throws {
    let database = try database(withNameIndexes: hasNameIndexes)
    let (sealed, open) = (Value.blob(cipher.seal(tagName: "sealed")), Value.blob(cipher.seal(tagName: "open")))
    let (encrypted, plaintext) = (
      "i.id in (SELECT item_id FROM tags_encrypted", "i.id in (SELECT item_id FROM tags_plaintext"
    )
    let one = Value.blob(cipher.seal(tagValue: "1"))
    #expect(try ids(database, "\(encrypted) WHERE name = ? AND value = ?)", sealed, one) == ["1"])
    #expect(try ids(database, "\(encrypted) WHERE name = ? AND value != ?)", sealed, one) == ["2"])
    #expect(try ids(database, "\(encrypted) WHERE name = ? AND value IN (?,?))", sealed, one, one) == ["1"])
    #expect(try ids(database, "\(plaintext) WHERE name = ? AND value = ?)", open, .text("2")) == ["2"])
    #expect(try ids(database, "\(plaintext) WHERE name = ? AND value > ?)", open, .text("1")) == ["2"])
    #expect(try ids(database, "\(plaintext) WHERE name = ? AND value LIKE ?)", open, .text("%")) == ["1", "2"])
    #expect(try ids(database, "NOT (\(encrypted) WHERE name = ? AND value = ?))", sealed, one) == ["2"])
  }

  @Test(arguments: [false, true]) func writeWhatWeFind(hasNameIndexes: Bool) throws {
    let database = try database(withNameIndexes: hasNameIndexes)
    let record = cipher.seal(Record(type: "t", id: "3", value: "v", tags: ["sealed": "3", "~open": "old"]))
    try database.prepare("INSERT INTO items (type, name, value, key) VALUES (?1, ?2, ?3, ?4)").run(
      .blob(record.type), .blob(record.name), .blob(record.value.value), .blob(record.value.key))
    let item = Value.integer(database.lastInsertedRow)
    for tag in record.tags {
      switch tag {
      case .encrypted(let name, let value):
        try database.prepare("INSERT INTO tags_encrypted (item_id, name, value) VALUES (?1, ?2, ?3)")
          .run(item, .blob(name), .blob(value))
      case .plaintext(let name, let value):
        for value in [value, "3"] {
          try database.prepare("INSERT OR REPLACE INTO tags_plaintext (item_id, name, value) VALUES (?1, ?2, ?3)")
            .run(item, .blob(name), .text(value))
        }
      }
    }
    try database.prepare("DELETE FROM tags_encrypted WHERE item_id = ?1 and name = ?2")
      .run(.integer(1), .blob(cipher.seal(tagName: "sealed")))
    try database.prepare("DELETE FROM items where type = ?1 AND name = ?2")
      .run(.blob(cipher.seal(type: "t")), .blob(cipher.seal(id: "2")))

    let wallet = try home.open()
    for query in [#"{"sealed":"3"}"#, #"{"~open":"3"}"#, #"{"~open":{"$gt":"2"}}"#] {
      #expect(try wallet.search(type: "t", query: query).next(9).records.map(\.id) == ["3"], "\(query)")
    }
    #expect(try wallet.record(type: "t", id: "1").tags == ["~open": "1"])
    #expect(try wallet.search(type: "t", query: "{}").next(9).records.map(\.id).sorted() == ["1", "3"])
    try wallet.apply(.delete(type: "t", id: "3"))
    #expect(try database.rows("SELECT item_id FROM tags_plaintext") == [[.integer(1)]])
  }
}
