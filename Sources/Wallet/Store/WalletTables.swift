internal import SQLite

/// The tables of libindy's wallet format. Names of tables and columns, constraints and the absence of column types are part
/// of the format.
///
/// Their arrangement in the file is not: new wallets keep the tags of a kind in two trees, where libindy has five. One begins
/// with the name and the value, for searches, the other with the item; each has all columns. In the latter the tags of a
/// new item are beside each other, so that each tag mostly changes one page, in the former.
enum WalletTables: Sendable {
  private static let script = """
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
    \(tags("tags_encrypted"))
    \(tags("tags_plaintext"))
    """

  private static func tags(_ table: String) -> String {
    """
    CREATE TABLE \(table)(
      name NOT NULL,
      value NOT NULL,
      item_id INTEGER NOT NULL,
      PRIMARY KEY(name, value, item_id),
      FOREIGN KEY(item_id)
        REFERENCES items(id)
        ON DELETE CASCADE
        ON UPDATE CASCADE
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX ux_\(table)_item_id_name ON \(table)(item_id, name);
    """
  }

  /// Makes the tables and the metadata row, inside the caller's transaction.
  static func create(on database: Database, metadata: [UInt8]) throws(SQLiteError) {
    try database.execute(script)
    try database.prepare("INSERT INTO metadata(id, value) VALUES(1, ?1)").run(.blob(metadata))
  }

  /// The stored metadata.
  static func metadata(on database: Database) throws(WalletError) -> [UInt8] {
    do {
      let select = try database.prepare("SELECT value FROM metadata WHERE id = 1")
      let metadata = try select.first { row throws(SQLiteError) in try row.blob(0) }
      if let metadata { return metadata }
    } catch  where error.primary == .error {
      throw .corrupt(reason: error.description)  // no such table
    } catch {
      throw WalletError(error)
    }
    throw .corrupt(reason: "there is no metadata")
  }

  static func replaceMetadata(on database: Database, with metadata: [UInt8]) throws(SQLiteError) {
    try database.prepare("UPDATE metadata SET value = ?1 WHERE id = 1").run(.blob(metadata))
  }
}
