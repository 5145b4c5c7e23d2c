internal import SQLite

/// The check that a file has the tables and indices of the format and nothing else.
///
/// SQLite runs triggers and views of a file with the rights of the program that opens it, and a table's own rules can
/// discard inserted rows. Each statement of the schema must therefore be one that this library or libindy writes.
extension WalletTables {
  /// libindy's further indices, and the tables of SQLite's own statistics.
  private static let tolerated = """
    CREATE INDEX ix_tags_encrypted_name ON tags_encrypted(name);
    CREATE INDEX ix_tags_plaintext_name ON tags_plaintext(name);
    CREATE TABLE sqlite_stat1(tbl,idx,stat);
    CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample);
    """

  private static let own = Set(script.split(separator: ";").map { normalized($0) })
  private static let known = own.union(tolerated.split(separator: ";").map { normalized($0) })
  /// A wallet that lacks one of its other indices is only slow.
  private static let required = own.filter { $0.hasPrefix("CREATE TABLE") || $0.hasPrefix("CREATE UNIQUE") }

  /// Throws `WalletError.foreignObjects` if the schema has other objects, and `corrupt` if it lacks one. Reads no row of
  /// a table.
  static func checkSchema(of database: Database) throws(WalletError) {
    var (foreign, missing) = ([String](), required)
    do {
      // Indices without a statement belong to primary keys.
      let select = try database.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
      try select.forEach { row throws(SQLiteError) in
        if case .text(let sql) = try row.value(2), case let statement = normalized(sql), known.contains(statement) {
          missing.remove(statement)
          return
        }
        foreign.append("\(name(of: try row.value(0))) \(name(of: try row.value(1)))")
      }
    } catch {
      throw WalletError(error)
    }
    guard foreign.isEmpty else { throw .foreignObjects(foreign) }
    guard missing.isEmpty else { throw .corrupt(reason: "it lacks a table or an index of a wallet") }
  }

  /// A statement without differences of layout: one space between words, and no space beside parentheses and commas.
  private static func normalized(_ sql: some StringProtocol) -> String {
    var (words, isApart) = ("", false)
    for character in sql.unicodeScalars {
      if [" ", "\n", "\t", "\r"].contains(character) {
        isApart = true
        continue
      }
      let isPunctuation = "(),".unicodeScalars.contains(character)
      if isApart, !isPunctuation, let last = words.unicodeScalars.last, !"(),".unicodeScalars.contains(last) {
        words += " "
      }
      words.unicodeScalars.append(character)
      isApart = false
    }
    return words
  }

  /// A name from the file, made safe for a message: a stranger chose it.
  private static func name(of value: Value) -> String {
    guard case .text(let text) = value else { return "?" }
    let scalars = text.unicodeScalars.prefix(60).map { ("!"..."~").contains($0) ? Character($0) : "?" }
    return String(scalars)
  }
}
