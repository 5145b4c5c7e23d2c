import TestSupport
import Testing

@testable import PostgreSQL

@Suite struct ConnectionTests {
  let connection: PostgreSQLConnection

  init() throws { connection = try PostgreSQLConnection(PostgreSQLServer.shared.get().uri()) }

  @Test(arguments: [Int64.min, -1, 0, 1, 255, 256, Int64.max])
  func integersComeBack(number: Int64) throws {
    let row = try connection.query("SELECT $1::BIGINT", .integer(number)).first { row throws(PostgreSQLError) in
      try row.integer(0)
    }
    #expect(row == number)
  }

  @Test(arguments: ["", "a", "naïve 😀", "'; DROP TABLE x; --", "back\\slash"])
  func textComesBack(text: String) throws {
    let row = try connection.query("SELECT $1::TEXT, length($1) = 0", .text(text)).first {
      row throws(PostgreSQLError) in (text: try row.optionalText(0), isEmpty: try row.integer(1))
    }
    #expect(row?.text == text)
    #expect(row?.isEmpty == (text.isEmpty ? 1 : 0))
  }

  @Test(arguments: [[], [0], Array(0...255)])
  func blobsComeBack(bytes: [UInt8]) throws {
    let row = try connection.query("SELECT $1::BYTEA", .blob(bytes)).first { row throws(PostgreSQLError) in
      try row.blob(0)
    }
    #expect(row == bytes)
  }

  @Test(arguments: [nil, [], ["a"], ["", "{b}", "\"c\"", "NULL", "d,e"]])
  func listsAreSearched(texts: [String]?) throws {
    let found = try connection.query("SELECT unnest($1::TEXT[])", .texts(texts)).map { row throws(PostgreSQLError) in
      try row.text(0)
    }
    #expect(found == texts ?? [])
    let isNull = try connection.query("SELECT $1 IS NULL", .texts(texts)).first { row throws(PostgreSQLError) in
      try row.integer(0)
    }
    #expect(isNull == (texts == nil ? 1 : 0))
  }

  @Test func aColumnOfAnotherTypeIsAnError() throws {
    let rows = try connection.query("SELECT 1::BIGINT, 'a'::TEXT, NULL::BIGINT, 1::INTEGER")
    for column in [1, 2, 3] {
      let error = #expect(throws: PostgreSQLError.self) {
        try rows.first { row throws(PostgreSQLError) in try row.integer(column) }
      }
      #expect(error?.state == "42804")
    }
    #expect(throws: PostgreSQLError.self) { try rows.first { row throws(PostgreSQLError) in try row.text(0) } }
    #expect(throws: PostgreSQLError.self) { try rows.first { row throws(PostgreSQLError) in try row.blob(1) } }
  }

  @Test func anErrorOfTheServerNamesNoValues() throws {
    try connection.execute("CREATE TEMPORARY TABLE secrets (secret TEXT PRIMARY KEY)")
    try connection.query("INSERT INTO secrets VALUES ($1)", .text("hunter2"))
    let duplicate = #expect(throws: PostgreSQLError.self) {
      try connection.query("INSERT INTO secrets VALUES ($1)", .text("hunter2"))
    }
    #expect(duplicate?.kind == .conflict)
    #expect(duplicate?.description.contains("hunter2") == false)
    let syntax = #expect(throws: PostgreSQLError.self) { try connection.query("SELEKT 1") }
    #expect(syntax?.kind == .other)
    #expect(syntax?.state == "42601")
    let zero = #expect(throws: PostgreSQLError.self) {
      try connection.query("INSERT INTO secrets VALUES ($1)", .text("a\0b"))
    }
    #expect(zero?.kind == .other)
  }

  @Test(arguments: [
    "postgresql://msdk@127.0.0.1:1/postgres", "postgresql://127.0.0.1:notaport/", "nonsense", "postgresql://%zz",
  ])
  func noConnectionIsAnErrorWithoutState(target: String) {
    let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(target) }
    #expect(error?.kind == .connectionLost)
    #expect(error?.message.isEmpty == false && error?.message.contains("\n") == false)
  }

  @Test func commitsAreDurableDespiteTheDatabasesDefault() throws {
    let server = try PostgreSQLServer.shared.get()
    try connection.execute("CREATE DATABASE careless")
    try connection.execute("ALTER DATABASE careless SET synchronous_commit = off")
    try connection.execute("CREATE DATABASE careful")
    try connection.execute("ALTER DATABASE careful SET synchronous_commit = remote_apply")
    #expect(try PostgreSQLConnection(server.uri("careless")).setting("synchronous_commit") == "on")
    #expect(try PostgreSQLConnection(server.uri("careful")).setting("synchronous_commit") == "remote_apply")
  }

  /// The operator may have configured the server for other programs.
  @Test func settingsThatTheAgencyReliesOnAreItsOwn() throws {
    try connection.execute("CREATE DATABASE odd")
    let settings = [
      "client_encoding = 'LATIN1'", "default_transaction_isolation = 'serializable'",
      "default_transaction_read_only = on", "lock_timeout = 0", "idle_in_transaction_session_timeout = 0",
    ]
    for setting in settings { try connection.execute("ALTER DATABASE odd SET \(setting)") }
    let odd = try PostgreSQLConnection(PostgreSQLServer.shared.get().uri("odd"))
    let expected = [
      ("client_encoding", "UTF8"), ("default_transaction_isolation", "read committed"),
      ("default_transaction_read_only", "off"), ("lock_timeout", "20s"),
      ("idle_in_transaction_session_timeout", "30s"), ("application_name", "msdk-agency"),
    ]
    for (name, value) in expected { #expect(try odd.setting(name) == value, "\(name)") }
  }

  @Test func theParametersOfTheTargetComeFirst() throws {
    let target = try PostgreSQLServer.shared.get().uri() + "?application_name=mine"
    #expect(try PostgreSQLConnection(target).setting("application_name") == "mine")
  }

  /// Work is repeated after a conflict, and on a new connection after the loss of one; other failures are final.
  @Test(
    arguments: [
      (nil, .connectionLost), ("08000", .connectionLost), ("08006", .connectionLost), ("57P01", .connectionLost),
      ("57P02", .connectionLost), ("57P03", .connectionLost), ("23505", .conflict), ("23503", .conflict),
      ("40001", .conflict), ("40P01", .conflict), ("57014", .other), ("53300", .other), ("42601", .other),
      ("23502", .other),
    ] as [(String?, PostgreSQLError.Kind)])
  func aStateIsOfOneKind(state: String?, kind: PostgreSQLError.Kind) {
    #expect(PostgreSQLError(state: state, message: "").kind == kind)
  }

  @Test func aTransactionStaysOrGoesAsAWhole() throws {
    try connection.execute("CREATE TEMPORARY TABLE numbers (number BIGINT PRIMARY KEY)")
    let failure = #expect(throws: TransactionError.self) {
      try connection.transaction { () throws(PostgreSQLError) in
        try connection.query("INSERT INTO numbers VALUES (1)")
        try connection.query("INSERT INTO numbers VALUES (1)")
      }
    }
    #expect(failure?.isUndone == true)
    #expect(try connection.query("SELECT FROM numbers").count == 0)
    // A caller that ignores the failure of a statement still loses the transaction.
    let swallowed = #expect(throws: TransactionError.self) {
      try connection.transaction { () throws(PostgreSQLError) in
        try connection.query("INSERT INTO numbers VALUES (2)")
        _ = try? connection.query("INSERT INTO numbers VALUES (2)")
      }
    }
    #expect(swallowed?.cause.state == "25P02")
    #expect(try connection.query("SELECT FROM numbers").count == 0)
    try connection.transaction { () throws(PostgreSQLError) in
      _ = try connection.query("INSERT INTO numbers VALUES (3)")
    }
    #expect(try connection.query("DELETE FROM numbers").touched == 1)
  }
}
