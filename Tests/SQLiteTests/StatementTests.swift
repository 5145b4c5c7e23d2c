import Foundation
import SQLite
import TestSupport
import Testing

@Suite struct StatementTests {
  let folder: TemporaryFolder
  let database: Database

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path + "/test.db")
    try database.configure()
    try database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v, w UNIQUE)")
  }

  @Test(arguments: [
    Value.null, .integer(.min), .integer(.max), .real(0.5), .text(""), .text("grüße 漢字"), .text("a\u{0}b"), .blob([]),
    .blob([0, 255]),
  ])
  func valuesKeepTheirStorageClass(value: Value) throws {
    try database.prepare("INSERT INTO t(v) VALUES(?1)").run(value)
    let stored = try database.prepare("SELECT v FROM t").first { row throws(SQLiteError) in try row.value(0) }
    #expect(stored == value)
  }

  @Test func aColumnOfAnotherClassIsRefused() throws {
    let select = try database.prepare("SELECT 1, 'text', x'00'")
    _ = try select.first { row throws(SQLiteError) in
      #expect(throws: SQLiteError.self) { try row.text(0) }
      #expect(throws: SQLiteError.self) { try row.blob(1) }
      #expect(throws: SQLiteError.self) { try row.integer(2) }
    }
  }

  @Test func textThatIsNotUTF8IsRefused() throws {
    let select = try database.prepare("SELECT CAST(x'61ff62' AS TEXT)")
    _ = try select.first { row throws(SQLiteError) in
      do throws(SQLiteError) {
        _ = try row.text(0)
        Issue.record("accepted")
      } catch {
        #expect(error.primary == .mismatch)
      }
    }
  }

  @Test func moreValuesThanParametersAreAnError() throws {
    #expect(throws: SQLiteError.self) { try database.prepare("SELECT ?1").run(.integer(1), .integer(2)) }
  }

  /// Each use starts with nothing bound: a value that was left over would be stored in a record of somebody else.
  @Test func nothingStaysBound() throws {
    let insert = try database.prepare("INSERT INTO t(v) VALUES(?1)")
    try insert.run(.text("first"))
    try insert.run()
    var values: [Value] = []
    try database.prepare("SELECT v FROM t ORDER BY id").forEach { row throws(SQLiteError) in
      values.append(try row.value(0))
    }
    #expect(values == [.text("first"), .null])
  }

  @Test func aUniqueViolationIsTold() throws {
    let insert = try database.prepare("INSERT INTO t(w) VALUES(?1)")
    try insert.run(.integer(1))
    do throws(SQLiteError) {
      try insert.run(.integer(1))
      Issue.record("accepted")
    } catch {
      #expect(error.isUniqueViolation && error.primary == .constraint)
    }
    let null = #expect(throws: SQLiteError.self) {
      try database.execute("CREATE TABLE full(v NOT NULL); INSERT INTO full VALUES(NULL)")
    }
    #expect(null?.primary == .constraint && null?.isUniqueViolation == false)
    try insert.run(.integer(2))
    #expect(database.changes == 1 && database.lastInsertedRow == 2)
  }

  @Test(arguments: ["SELEC", "SELECT * FROM absent", "", "-- nothing"])
  func malformedSQLIsAnError(sql: String) {
    #expect(throws: SQLiteError.self) { try database.prepare(sql) }
  }
}

@Suite struct ConnectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func database(_ access: Database.Access = .create) throws -> Database {
    let database = try Database(path: folder.path + "/test.db", access)
    try database.configure()
    return database
  }

  func count(_ database: Database) throws -> Int64? {
    try database.prepare("SELECT count(*) FROM t").first { row throws(SQLiteError) in try row.integer(0) }
  }

  @Test func settingsAreInForce() throws {
    let database = try database()
    let pragmas: [(String, Value)] = [
      ("journal_mode", .text("wal")), ("synchronous", .integer(2)), ("foreign_keys", .integer(1)),
      ("busy_timeout", .integer(5000)), ("temp_store", .integer(2)), ("cache_size", .integer(-8192)),
    ]
    for (name, expected) in pragmas {
      let value = try database.prepare("PRAGMA \(name)").first { row throws(SQLiteError) in try row.value(0) }
      #expect(value == expected, "\(name)")
    }
  }

  /// SQLite only reads a file if the file's header names a later version for writing.
  @Test func aFileThatCannotBeWrittenIsRead() throws {
    let path = folder.path + "/read-only.db"
    do { try Database(path: path).execute("CREATE TABLE t(v); INSERT INTO t VALUES(7)") }
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 18)
    try file.write(contentsOf: [3])
    try file.close()
    let database = try Database(path: path)
    try database.configure()
    #expect(!database.hasWriteAheadLog)
    #expect(try database.prepare("SELECT v FROM t").first { row throws(SQLiteError) in try row.integer(0) } == 7)
    do throws(SQLiteError) {
      try database.execute("INSERT INTO t VALUES(8)")
      Issue.record("written")
    } catch {
      #expect(error.primary == .readOnly)
    }
  }

  /// The reader keeps the file from getting a log, and not from being opened.
  @Test func aFileThatAnotherReadsIsOpenedWithoutALog() throws {
    let path = folder.path + "/busy.db"
    let other = try Database(path: path)
    try other.execute("CREATE TABLE t(v); INSERT INTO t VALUES(7); BEGIN; SELECT v FROM t")
    let database = try Database(path: path)
    try database.configure()
    #expect(!database.hasWriteAheadLog)
    #expect(try database.prepare("SELECT v FROM t").first { row throws(SQLiteError) in try row.integer(0) } == 7)
    try other.execute("COMMIT")
    try database.execute("INSERT INTO t VALUES(8)")
  }

  @Test func aFailingTransactionLeavesNothing() throws {
    let database = try database()
    try database.execute("CREATE TABLE t(v)")
    #expect(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in
        try database.execute("INSERT INTO t VALUES(1); INSERT INTO absent VALUES(1)")
      }
    }
    #expect(!database.isInTransaction)
    #expect(try count(database) == 0)
    try database.transaction { () throws(SQLiteError) in try database.execute("INSERT INTO t VALUES(1)") }
    #expect(try count(database) == 1)
  }

  @Test func readWriteNeedsAFile() {
    #expect(throws: SQLiteError.self) { try database(.readWrite) }
  }

  @Test func aFullDatabaseIsAnErrorAndLosesNothing() throws {
    let database = try database()
    try database.execute("CREATE TABLE t(v); INSERT INTO t VALUES(1); PRAGMA max_page_count=4")
    do throws(SQLiteError) {
      try database.prepare("INSERT INTO t VALUES(zeroblob(100000))").run()
      Issue.record("accepted")
    } catch {
      #expect(error.primary == .full)
    }
    #expect(try count(database) == 1)
  }

  @Test func aSecondWriterIsToldThatItIsBusy() throws {
    let first = try database()
    let second = try database()
    second.waitForLocks(milliseconds: 10)
    try first.execute("CREATE TABLE t(v); BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      try second.execute("BEGIN IMMEDIATE")
      Issue.record("accepted")
    } catch {
      #expect(error.primary == .busy)
    }
  }
}
