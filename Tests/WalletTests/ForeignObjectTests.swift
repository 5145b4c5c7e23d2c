import Foundation
import SQLite
import TestSupport
import Testing

@testable import Wallet

/// Files whose schema holds more than a wallet's tables and indices. SQLite would run it.
@Suite struct ForeignObjectTests {
  let home: Home

  init() throws {
    home = try Home()
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "kept", value: "v")))
    wallet.close()
  }

  private static let plants: [(String, [String])] = [
    ("CREATE TRIGGER t BEFORE INSERT ON items BEGIN SELECT RAISE(IGNORE); END", ["trigger t"]),
    ("CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items WHERE id < NEW.id; END", ["trigger t"]),
    (
      "ALTER TABLE items RENAME TO items0; CREATE VIEW items AS SELECT * FROM items0",
      ["table items0", "view items", "index ux_items_type_name", "table tags_encrypted", "table tags_plaintext"]
    ),
    ("CREATE VIEW spare AS SELECT 1", ["view spare"]),
    ("CREATE TABLE spare(a)", ["table spare"]),
    ("CREATE UNIQUE INDEX one ON items(type)", ["index one"]),
    ("CREATE VIEW \"a\nb\u{1B}[2J\" AS SELECT 1", ["view a?b?[2J"]),
    ("ALTER TABLE items ADD COLUMN more DEFAULT 1", ["table items"]),
    (
      """
      DROP TABLE tags_plaintext;
      CREATE TABLE tags_plaintext(
        name NOT NULL ON CONFLICT IGNORE, value NOT NULL, item_id INTEGER NOT NULL, PRIMARY KEY(name, item_id))
      """, ["table tags_plaintext"]
    ),
  ]

  @Test(arguments: plants) func theFileIsNotOpenedAndTheObjectIsNamed(plant: String, objects: [String]) throws {
    try home.database().execute(plant)
    #expect {
      try home.open()
    } throws: { error in
      guard case WalletError.foreignObjects(let found) = error else { return false }
      return found.sorted() == objects.sorted() && "\(error)".contains(found[0])
    }
    #expect(throws: WalletError.self) { try Wallet.delete(home.location(), key: home.key, derivation: .raw) }
  }

  @Test(arguments: ["DROP TABLE tags_plaintext", "DROP INDEX ux_items_type_name", "DROP TABLE metadata"])
  func aFileThatLacksAPartIsCorrupt(plant: String) throws {
    try home.database().execute(plant)
    #expect {
      try home.open()
    } throws: { error in
      if case WalletError.corrupt = error { true } else { false }
    }
  }

  /// libindy's own indices, another layout of the statements, statistics, and an index less: all of them are wallets.
  @Test(
    arguments: [
      "CREATE INDEX ix_tags_encrypted_name ON tags_encrypted(name)",
      "CREATE  INDEX\n ix_tags_plaintext_name ON tags_plaintext (name )", "ANALYZE",
      "DROP INDEX ix_tags_encrypted_value",
      "CREATE TEMP TABLE other(a)",
    ])
  func aFileOfAnotherMakerIsOpened(change: String) throws {
    try home.database().execute(change)
    let wallet = try home.open()
    #expect(try wallet.record(type: "t", id: "kept").value == "v")
  }
}
