internal import SQLite

/// The tables of libindy's wallet format. Names, constraints and the absence of column types are part of the format.
///
/// libindy's own wallets have one more index in each table of tags, on the name alone. New wallets do not have it: the
/// primary key begins with the name, and each written tag would change a page of the index.
enum WalletTables: Sendable {
  static let script = """
    CREATE TABLE metadata(
      id INTEGER NOT NULL,
      value NOT NULL,
      PRIMARY KEY(id)
    );
    CREATE TABLE items(
      id INTEGER NOT NULL,
      type NOT NULL,
      name NOT NULL,
      value NOT NULL,
      key NOT NULL,
      PRIMARY KEY(id)
    );
    CREATE UNIQUE INDEX ux_items_type_name ON items(type, name);
    CREATE TABLE tags_encrypted(
      name NOT NULL,
      value NOT NULL,
      item_id INTEGER NOT NULL,
      PRIMARY KEY(name, item_id),
      FOREIGN KEY(item_id)
        REFERENCES items(id)
        ON DELETE CASCADE
        ON UPDATE CASCADE
    );
    CREATE INDEX ix_tags_encrypted_value ON tags_encrypted(value);
    CREATE INDEX ix_tags_encrypted_item_id ON tags_encrypted(item_id);
    CREATE TABLE tags_plaintext(
      name NOT NULL,
      value NOT NULL,
      item_id INTEGER NOT NULL,
      PRIMARY KEY(name, item_id),
      FOREIGN KEY(item_id)
        REFERENCES items(id)
        ON DELETE CASCADE
        ON UPDATE CASCADE
    );
    CREATE INDEX ix_tags_plaintext_value ON tags_plaintext(value);
    CREATE INDEX ix_tags_plaintext_item_id ON tags_plaintext(item_id);
    """

  /// Makes the tables and the metadata row, inside the caller's transaction.
  static func create(on database: Database, metadata: [UInt8]) throws(SQLiteError) {
    try database.execute(script)
    try database.prepare("INSERT INTO metadata(id, value) VALUES(1, ?1)").run(.blob(metadata))
  }

  /// The most bytes of a wallet's metadata, which takes about 2 KB.
  private static let longestMetadata: Int64 = 1 << 16

  /// The stored metadata. SQLite knows the length without reading the value, which a stranger may have made huge.
  static func metadata(on database: Database) throws(WalletError) -> [UInt8] {
    do {
      let select = try database.prepare(
        "SELECT value FROM metadata WHERE id = 1 AND typeof(value) = 'blob' AND length(value) <= ?1")
      let metadata = try select.first(.integer(longestMetadata)) { row throws(SQLiteError) in try row.blob(0) }
      if let metadata { return metadata }
    } catch  where error.primary == .error {
      throw .corrupt(reason: error.description)  // no such table
    } catch {
      throw WalletError(error)
    }
    throw .corrupt(reason: "there is no metadata of a usual length")
  }

  static func replaceMetadata(on database: Database, with metadata: [UInt8]) throws(SQLiteError) {
    try database.prepare("UPDATE metadata SET value = ?1 WHERE id = 1").run(.blob(metadata))
  }
}
