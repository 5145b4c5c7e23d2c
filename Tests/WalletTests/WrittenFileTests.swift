import JSON
import SQLite
import Sodium
import TestSupport
import Testing

@testable import Wallet

/// The properties that other readers of the format rely on, checked on the files themselves.
@Suite struct WrittenFileTests {
  static let tables = ["metadata", "items", "tags_encrypted", "tags_plaintext"]

  /// The columns of a table: name, type, whether they must not be null.
  func columns(_ table: String, _ database: Database) throws -> [[Value]] {
    try database.rows(#"SELECT name, type, "notnull" FROM pragma_table_info('\#(table)')"#)
  }

  func foreignKeys(_ table: String, _ database: Database) throws -> [[Value]] {
    let columns = #""table", "from", "to", on_update, on_delete"#
    return try database.rows("SELECT \(columns) FROM pragma_foreign_key_list('\(table)')")
  }

  @Test(arguments: tables) func columnsAndKeysAreThoseOfTheSample(table: String) throws {
    let home = try Home()
    try home.wallet().close()
    _ = try home.sample("sample-raw")
    let (ours, libindys) = (try home.database(), try home.database("sample-raw"))
    #expect(try columns(table, ours) == columns(table, libindys))
    #expect(try foreignKeys(table, ours) == foreignKeys(table, libindys))
  }

  @Test(arguments: ["tags_encrypted", "tags_plaintext"]) func anItemHasAnyTagOnce(table: String) throws {
    let home = try Home()
    try home.wallet().close()
    let database = try home.database()
    let insert = try database.prepare("INSERT INTO \(table)(item_id, name, value) VALUES(1, 'name', ?1)")
    try insert.run(.text("value"))
    #expect { try insert.run(.text("another")) } throws: { ($0 as? SQLiteError)?.isUniqueViolation == true }
  }

  /// Each tree more is a page more to change for each tag.
  @Test func theTagsOfAKindAreInTwoTrees() throws {
    let home = try Home()
    try home.wallet().close()
    let trees =
      "SELECT tbl_name, name FROM sqlite_master WHERE rootpage > 0 AND tbl_name <> 'metadata' ORDER BY rootpage"
    #expect(
      try home.database().rows(trees).map { $0.map { if case .text(let text) = $0 { text } else { "?" } } } == [
        ["items", "items"], ["items", "ux_items_type_name"],
        ["tags_encrypted", "tags_encrypted"], ["tags_encrypted", "ux_tags_encrypted_item_id_name"],
        ["tags_plaintext", "tags_plaintext"], ["tags_plaintext", "ux_tags_plaintext_item_id_name"],
      ])
  }

  @Test func everyRowFollowsTheFormat() throws {
    let home = try Home()
    let wallet = try home.wallet()
    for index in 0..<50 {
      try wallet.apply(
        .add(
          Record(type: "t\(index % 3)", id: "i\(index)", value: "v", tags: ["a": "\(index % 5)", "~b": "\(index)"])))
    }
    for index in 0..<10 { try wallet.apply(.updateValue(type: "t\(index % 3)", id: "i\(index)", value: "v")) }
    for index in 40..<50 { try wallet.apply(.delete(type: "t\(index % 3)", id: "i\(index)")) }
    _ = try wallet.createDID()
    let cipher = wallet.cipher
    wallet.close()
    try check(home.database(), cipher, items: 42)
  }

  func check(_ database: Database, _ cipher: RecordCipher, items expected: Int) throws {
    #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try database.rows("SELECT id, typeof(value) FROM metadata") == [[.integer(1), .text("blob")]])
    let classes: Set = ["blob blob blob blob 60"]
    #expect(
      try texts(
        database, "typeof(type)||' '||typeof(name)||' '||typeof(value)||' '||typeof(key)||' '||length(key)", "items")
        == classes)
    #expect(try texts(database, "typeof(name)||' '||typeof(value)", "tags_encrypted") == ["blob blob"])
    #expect(try texts(database, "typeof(name)||' '||typeof(value)", "tags_plaintext") == ["blob text"])
    for table in ["tags_encrypted", "tags_plaintext"] {
      let orphans = "SELECT count(*) FROM \(table) WHERE item_id NOT IN (SELECT id FROM items)"
      #expect(try database.rows(orphans) == [[.integer(0)]])
    }
    try checkCiphertexts(database, cipher, expected)
  }

  func texts(_ database: Database, _ expression: String, _ table: String) throws -> Set<String> {
    var texts: Set<String> = []
    try database.prepare("SELECT \(expression) FROM \(table)").forEach { row throws(SQLiteError) in
      texts.insert(try row.text(0))
    }
    return texts
  }

  func checkCiphertexts(_ database: Database, _ cipher: RecordCipher, _ expected: Int) throws {
    var nonces: Set<[UInt8]> = []
    var valueKeys: Set<[UInt8]> = []
    let items = try database.rows("SELECT type, name, value, key FROM items")
    for row in items {
      guard case .blob(let type) = row[0], case .blob(let name) = row[1], case .blob(let value) = row[2],
        case .blob(let key) = row[3]
      else { continue }
      #expect(try cipher.seal(type: cipher.open(type: type)) == type)
      #expect(try cipher.seal(id: cipher.open(name: name)) == name)
      _ = try cipher.open(SealedValue(value: value, key: key))
      valueKeys.insert(try AEAD.openPrefixed(key, key: cipher.keys.value))
      nonces.formUnion([Array(value.prefix(12)), Array(key.prefix(12))])
    }
    #expect(items.count == expected && valueKeys.count == expected && nonces.count == 2 * expected)
    for row in try database.rows("SELECT name, value FROM tags_encrypted") {
      guard case .blob(let name) = row[0], case .blob(let value) = row[1] else { continue }
      #expect(try cipher.seal(tagName: cipher.open(tagName: name)) == name)
      #expect(try cipher.seal(tagValue: cipher.open(tagValue: value)) == value)
    }
  }

  @Test(arguments: [(KeyDerivation.raw, 0), (.argon2iInteractive, 32)])
  func metadataHasItsLengths(derivation: KeyDerivation, saltLength: Int) throws {
    let home = try Home()
    try Wallet.create(home.location(), key: home.key, derivation: derivation)
    let rows = try home.database().rows("SELECT value FROM metadata")
    guard case .blob(let text)? = rows.first?.first else {
      Issue.record("no blob")
      return
    }
    let json = try JSON(parsing: text)
    #expect(json["keys"]?.array?.count == 267)
    #expect(json["master_key_salt"]?.array?.count ?? 0 == saltLength)
  }
}
