import SQLite
import TestSupport
import Testing

@Suite struct StatementTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(path: folder.path + "/test.db")
    try connection.configure()
    try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v, w UNIQUE)")
  }

  @Test(arguments: [
    Value.null, .integer(.min), .integer(.max), .real(0.5), .text(""), .text("grüße 漢字"), .text("a\u{0}b"), .blob([]),
    .blob([0, 255]),
  ])
  func valuesKeepTheirStorageClass(value: Value) throws {
    try connection.prepare("INSERT INTO t(v) VALUES(?1)").run(value)
    let stored = try connection.prepare("SELECT v FROM t").first { row throws(SQLiteError) in try row.value(0) }
    #expect(stored == value)
  }

  @Test func aColumnOfAnotherClassIsRefused() throws {
    let select = try connection.prepare("SELECT 1, 'text', x'00'")
    _ = try select.first { row throws(SQLiteError) in
      #expect(throws: SQLiteError.self) { try row.text(0) }
      #expect(throws: SQLiteError.self) { try row.blob(1) }
      #expect(throws: SQLiteError.self) { try row.integer(2) }
    }
  }

  @Test func textThatIsNotUTF8IsRefused() throws {
    let select = try connection.prepare("SELECT CAST(x'61ff62' AS TEXT)")
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
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT ?1").run(.integer(1), .integer(2)) }
  }

  /// Each use starts with nothing bound: a value that was left over would be stored in a record of somebody else.
  @Test func nothingStaysBound() throws {
    let insert = try connection.prepare("INSERT INTO t(v) VALUES(?1)")
    try insert.run(.text("first"))
    try insert.run()
    var values: [Value] = []
    try connection.prepare("SELECT v FROM t ORDER BY id").forEach { row throws(SQLiteError) in
      values.append(try row.value(0))
    }
    #expect(values == [.text("first"), .null])
  }

  @Test func aUniqueViolationIsTold() throws {
    let insert = try connection.prepare("INSERT INTO t(w) VALUES(?1)")
    try insert.run(.integer(1))
    do throws(SQLiteError) {
      try insert.run(.integer(1))
      Issue.record("accepted")
    } catch {
      #expect(error.isUniqueViolation && error.primary == .constraint)
    }
    try insert.run(.integer(2))
    #expect(connection.changes == 1 && connection.lastInsertedRow == 2)
  }

  @Test(arguments: ["SELEC", "SELECT * FROM absent", "", "-- nothing"])
  func whatCannotBePreparedIsAnError(sql: String) {
    #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
  }
}

@Suite struct ConnectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func connection(_ access: Connection.Access = .create) throws -> Connection {
    let connection = try Connection(path: folder.path + "/test.db", access)
    try connection.configure()
    return connection
  }

  func count(_ connection: Connection) throws -> Int64? {
    try connection.prepare("SELECT count(*) FROM t").first { row throws(SQLiteError) in try row.integer(0) }
  }

  @Test func settingsAreInForce() throws {
    let connection = try connection()
    let pragmas: [(String, Value)] = [
      ("journal_mode", .text("wal")), ("synchronous", .integer(2)), ("foreign_keys", .integer(1)),
      ("busy_timeout", .integer(5000)), ("temp_store", .integer(2)), ("cache_size", .integer(-8192)),
    ]
    for (name, expected) in pragmas {
      let value = try connection.prepare("PRAGMA \(name)").first { row throws(SQLiteError) in try row.value(0) }
      #expect(value == expected, "\(name)")
    }
  }

  @Test func aFailingTransactionLeavesNothing() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t(v)")
    #expect(throws: SQLiteError.self) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES(1); INSERT INTO absent VALUES(1)")
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try count(connection) == 0)
    try connection.transaction { () throws(SQLiteError) in try connection.execute("INSERT INTO t VALUES(1)") }
    #expect(try count(connection) == 1)
  }

  @Test func readWriteNeedsAFile() {
    #expect(throws: SQLiteError.self) { try connection(.readWrite) }
  }

  @Test func aFullDatabaseIsAnErrorAndLosesNothing() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t(v); INSERT INTO t VALUES(1); PRAGMA max_page_count=4")
    do throws(SQLiteError) {
      try connection.prepare("INSERT INTO t VALUES(zeroblob(100000))").run()
      Issue.record("accepted")
    } catch {
      #expect(error.primary == .full)
    }
    #expect(try count(connection) == 1)
  }

  @Test func aSecondWriterIsToldThatItIsBusy() throws {
    let first = try connection()
    let second = try connection()
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
