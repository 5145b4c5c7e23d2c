import DIDComm
import PostgreSQL
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// Behaviour of the store in a PostgreSQL database alone.
@Suite struct PostgreSQLStorageTests {
  @Test func aNewerDatabaseIsRefused() throws {
    let uri = try PostgreSQLServer.newDatabase()
    _ = try PostgreSQLStorage(uri, clock: { 0 })
    try PostgreSQLConnection(uri).execute("UPDATE schema_version SET version = 1000")
    let error = #expect(throws: StorageError.self) { try PostgreSQLStorage(uri, clock: { 0 }) }
    #expect(error == .incompatible("its version is 1000, newer than this program"))
  }

  @Test func aDatabaseWithoutItsVersionIsRefused() throws {
    let uri = try PostgreSQLServer.newDatabase()
    _ = try PostgreSQLStorage(uri, clock: { 0 })
    try PostgreSQLConnection(uri).execute("DELETE FROM schema_version")
    let error = #expect(throws: StorageError.self) { try PostgreSQLStorage(uri, clock: { 0 }) }
    #expect(error == .incompatible("its version is -1: an agency of this version has to be started first"))
  }

  @Test(arguments: [-1, 1]) func aDatabaseOfAnotherVersionIsNotRead(distance: Int64) throws {
    let uri = try PostgreSQLServer.newDatabase()
    _ = try PostgreSQLStorage(uri, clock: { 0 })
    #expect(throws: Never.self) { try PostgreSQLStorage(existing: uri) }
    let version = PostgreSQLSchema.newest + distance
    try PostgreSQLConnection(uri).execute("UPDATE schema_version SET version = \(version)")
    let expected = StorageError(version: version, newest: PostgreSQLSchema.newest)
    #expect(throws: expected) { try PostgreSQLStorage(existing: uri) }
  }

  private func tables(_ uri: String) throws -> Int {
    let counted = "SELECT 1 FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = to_regnamespace('public')"
    return try PostgreSQLConnection(uri).query(counted).count
  }

  /// The tables of other programs also have such names.
  @Test(arguments: [
    "CREATE TABLE mine (x BIGINT)", "CREATE VIEW mine AS SELECT 1 AS x", "CREATE TABLE agents (id BIGINT)",
    "CREATE TABLE schema_version (version BIGINT); INSERT INTO schema_version VALUES (\(PostgreSQLSchema.newest))",
    "CREATE TABLE schema_version (version TEXT); CREATE TABLE agents (id BIGINT)",
    "CREATE TABLE agents (owner_verkey TEXT)",
  ])
  func aDatabaseOfAnotherProgramStaysAsItIs(script: String) throws {
    let uri = try PostgreSQLServer.newDatabase()
    try PostgreSQLConnection(uri).execute(script)
    let before = try tables(uri)
    let error = StorageError.incompatible("it is no agency's")
    #expect(throws: error) { try PostgreSQLStorage(uri, clock: { 0 }) }
    #expect(throws: error) { try PostgreSQLStorage(existing: uri) }
    var settings = AgencySettings()
    try settings.use(database: uri)
    for change in AccountChange.allCases { #expect(throws: error) { try change.make(to: "x", in: settings) } }
    #expect(try tables(uri) == before)
  }

  @Test func extensionsAndOtherSchemasDoNotMakeADatabaseForeign() throws {
    let uri = try PostgreSQLServer.newDatabase()
    try PostgreSQLConnection(uri).execute(
      "CREATE EXTENSION pg_stat_statements; CREATE SCHEMA other; CREATE TABLE other.mine (x BIGINT)")
    #expect(throws: StorageError.incompatible("it is no agency's")) { try PostgreSQLStorage(existing: uri) }
    for _ in 0..<2 { #expect(throws: Never.self) { try PostgreSQLStorage(uri, clock: { 0 }).checkReading() } }
    #expect(throws: Never.self) { try PostgreSQLStorage(existing: uri) }
  }

  /// The next start of the program begins again.
  @Test func anUpdateThatFailsChangesNothing() throws {
    let connection = try PostgreSQLConnection(PostgreSQLServer.newDatabase())
    func migrate(by steps: [String]) throws -> Int64? {
      try connection.transaction { () throws(PostgreSQLError) in
        try PostgreSQLSchema.migrate(connection, by: steps)
      }
    }
    let later = "CREATE TABLE later (x BIGINT)"
    #expect(try migrate(by: PostgreSQLSchema.steps) == nil)
    #expect(throws: (any Error).self) { try migrate(by: PostgreSQLSchema.steps + [later, later]) }
    #expect(try PostgreSQLSchema.version(of: connection) == PostgreSQLSchema.newest)
    #expect(try migrate(by: PostgreSQLSchema.steps + [later]) == nil)
    #expect(try migrate(by: PostgreSQLSchema.steps) == PostgreSQLSchema.newest + 1)
  }

  @Test func agenciesThatStartAtOnceMakeTheTablesOnce() throws {
    let uri = try PostgreSQLServer.newDatabase()
    let outcomes = Monitor<[Bool]>([])
    for _ in 0..<6 {
      Threads.shared.post {
        let hasOpened = (try? PostgreSQLStorage(uri, clock: { 0 }).checkReading()) != nil
        outcomes.withLock { $0.append(hasOpened) }
      }
    }
    #expect(outcomes.wait { $0.count == 6 ? $0 : nil } == Array(repeating: true, count: 6))
  }

  @Test func aStoreGoesOnWhenItsConnectionsWereCut() throws {
    let uri = try PostgreSQLServer.newDatabase()
    let storage = try PostgreSQLStorage(uri, clock: { 0 })
    let agent = try Store.agent(in: storage)
    let mailbox = try Store.mailbox(of: agent, in: storage)
    let others = "pid <> pg_backend_pid() AND datname = current_database()"
    let cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE \(others)"
    try PostgreSQLConnection(uri).execute(cut)
    #expect(try storage.pairwiseDIDs(of: agent, among: []) == [mailbox.forDID.text])
    try PostgreSQLConnection(uri).execute(cut)
    let mail = Mail(uid: "1", payload: [1], digest: [2], arrival: 0)
    #expect(try storage.deliver(mail, to: mailbox, quota: Quota()) == .stored(notifications: 0))
  }

  @Test func aSweepPassesOverRowsThatOthersHold() throws {
    let uri = try PostgreSQLServer.newDatabase()
    let storage = try PostgreSQLStorage(uri, clock: { 0 })
    for number in UInt8(0)..<3 { _ = try storage.firstSight(of: [number]) }
    let other = try PostgreSQLConnection(uri)
    try other.execute(#"BEGIN; SELECT FROM seen_requests WHERE digest = '\x01' FOR UPDATE"#)
    let expiry = Expiry(Retention(), now: 10 * 86_400)
    #expect(try storage.removeExpired(expiry, limit: 9) == 2)
    try other.execute("ROLLBACK")
    #expect(try storage.removeExpired(expiry, limit: 9) == 1)
  }

  @Test func aDatabaseThatCannotBeReachedIsAFailure() throws {
    let missing = try PostgreSQLServer.shared.get().uri("missing")
    let error = #expect(throws: StorageError.self) { try PostgreSQLStorage(missing, clock: { 0 }) }
    guard case .failed = error else { throw Store.Unexpected() }
  }

  /// It would confirm messages that are not on its disk yet. The database answers in its place here.
  @Test func aServerThatDoesNotWaitForItsDiskIsRefused() throws {
    let uri = try PostgreSQLServer.newDatabase()
    let name = try #require(uri.split(separator: "/").last)
    try PostgreSQLConnection(uri).execute(
      """
      CREATE SCHEMA answers;
      CREATE FUNCTION answers.current_setting(text) RETURNS text LANGUAGE sql AS 'SELECT CAST(''off'' AS text)';
      ALTER DATABASE \(name) SET search_path = answers, pg_catalog, public
      """)
    let reason = "its server runs with fsync=off, which loses accepted messages"
    #expect(throws: StorageError.incompatible(reason)) { try PostgreSQLStorage(uri, connections: 1, clock: { 0 }) }
  }
}
