import JSON
import SQLite
import Sodium
import TestSupport
import Testing

@testable import Wallet

/// The properties that other readers of the format rely on, checked on the files themselves.
@Suite struct WrittenFileTests {
  static let tables = ["metadata", "items", "tags_encrypted", "tags_plaintext"]

  func schema(_ database: Database) throws -> Set<String> {
    let rows = try database.rows("SELECT type, name, sql FROM sqlite_master")
    return Set(
      rows.map { row in
        guard case .text(let type) = row[0], case .text(let name) = row[1] else { return "?" }
        guard case .text(let sql) = row[2] else { return "\(type) \(name)" }
        return "\(type) \(name) " + sql.filter { !$0.isWhitespace }.lowercased()
      })
  }

  /// But for two indexes, which the primary keys make needless.
  @Test func theSchemaEqualsTheSamplesSchema() throws {
    let home = try Home()
    try home.wallet().close()
    _ = try home.sample("sample-raw")
    let (ours, libindys) = try (schema(home.database()), schema(home.database("sample-raw")))
    #expect(ours.isSubset(of: libindys))
    #expect(
      libindys.subtracting(ours).map { $0.prefix { $0 != "(" } }.sorted() == [
        "index ix_tags_encrypted_name createindexix_tags_encrypted_nameontags_encrypted",
        "index ix_tags_plaintext_name createindexix_tags_plaintext_nameontags_plaintext",
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
