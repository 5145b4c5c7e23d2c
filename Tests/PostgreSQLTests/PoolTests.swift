import Dispatch
import TestSupport
import Testing
import Threading

@testable import PostgreSQL

@Suite struct PoolTests {
  let target: String
  let outside: PostgreSQLConnection

  init() throws {
    target = try PostgreSQLServer.shared.get().uri()
    outside = try PostgreSQLConnection(target)
  }

  private func process(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int64 {
    try connection.query("SELECT pg_backend_pid()::BIGINT").first { row throws(PostgreSQLError) in
      try row.integer(0)
    } ?? 0
  }

  private func end(_ process: Int64) throws(PostgreSQLError) {
    try outside.query("SELECT pg_terminate_backend($1::INTEGER, 5000)", .integer(process))
  }

  @Test func connectionsAreKeptAndReplacedWhenTheyHaveGone() throws {
    let pool = ConnectionPool(target, limit: 4)
    let first = try pool.read(process)
    #expect(try pool.read(process) == first)
    try end(first)
    let second = try pool.read(process)
    #expect(second != first)
    try end(second)
    #expect(try pool.write(process) != second)
  }

  @Test func aFailureOfTheWorkItselfIsNotRepeated() throws {
    let pool = ConnectionPool(target, limit: 1)
    let runs = Locked(0)
    let error = #expect(throws: PostgreSQLError.self) {
      try pool.write { connection throws(PostgreSQLError) in
        runs.withLock { $0 += 1 }
        try connection.query("SELECT 1 / 0")
      }
    }
    #expect(error?.state == "22012")
    #expect(runs.withLock { $0 } == 1)
    // The connection is good for the next.
    #expect(try pool.read(process) > 0)
  }

  @Test func aFailureOfAReadIsNotRepeated() throws {
    let (pool, runs) = (ConnectionPool(target, limit: 1), Locked(0))
    let error = #expect(throws: PostgreSQLError.self) {
      try pool.read { connection throws(PostgreSQLError) in
        runs.withLock { $0 += 1 }
        try connection.query("SELECT 1 / 0")
      }
    }
    #expect(error?.state == "22012")
    #expect(runs.withLock { $0 } == 1)
  }

  @Test func aConnectionThatGoesWithinATransactionUndoesItAndItIsRepeated() throws {
    try outside.execute("CREATE TABLE IF NOT EXISTS lost (number BIGINT)")
    let pool = ConnectionPool(target, limit: 2)
    let runs = Locked(0)
    try pool.write { connection throws(PostgreSQLError) in
      try connection.query("INSERT INTO lost VALUES (1)")
      let isFirst = runs.withLock { runs in
        runs += 1
        return runs == 1
      }
      if isFirst {
        try end(try process(connection))
        try connection.query("INSERT INTO lost VALUES (2)")
      }
    }
    #expect(runs.withLock { $0 } == 2)
    #expect(try outside.query("SELECT FROM lost").count == 1)
    try outside.execute("DROP TABLE lost")
  }

  @Test func aConflictThatDoesNotEndIsAnError() {
    let runs = Locked(0)
    let error = #expect(throws: PostgreSQLError.self) {
      try ConnectionPool(target, limit: 1).write { connection throws(PostgreSQLError) in
        let count = runs.withLock { runs in
          runs += 1
          return runs
        }
        if count <= 50 { try connection.execute("DO $$ BEGIN RAISE unique_violation; END $$") }
      }
    }
    #expect(error?.kind == .conflict)
    #expect(runs.withLock { $0 } == 5)
  }

  /// The idle connections went with the one that failed: their places are free for new ones.
  @Test func afterAnOutageThePoolHasAsManyConnectionsAsBefore() throws {
    let (pool, found) = (ConnectionPool(target, limit: 2), Monitor<Set<Int64>?>(nil))
    let both = { @Sendable [self] () throws(PostgreSQLError) -> Set<Int64> in
      try pool.read { first throws(PostgreSQLError) in [try process(first), try pool.read(process)] }
    }
    let before = try both()
    for process in before { try end(process) }
    let one = try pool.read(process)
    Threads(limit: 1).post {
      let after = try? both()
      found.withLock { $0 = after }
    }
    let after = try #require(found.wait(milliseconds: 20_000) { $0 })
    #expect(before.count == 2 && after.count == 2 && after.contains(one) && after.isDisjoint(with: before))
  }

  /// A server accepts a limited number, which other programs need too.
  @Test func noMoreConnectionsAreOpenThanTheLimit() {
    let (pool, threads) = (ConnectionPool(target, limit: 2), Threads(limit: 5))
    let users = Monitor((now: 0, most: 0, done: 0))
    for _ in 0..<5 {
      threads.post {
        try? pool.read { _ in
          users.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.done) }
          _ = users.wait(milliseconds: 100) { $0.now > 2 ? true : nil }
          users.withLock { $0.now -= 1 }
        }
        users.withLock { $0.done += 1 }
      }
    }
    #expect(users.wait { $0.done == 5 ? $0.most : nil } <= 2)
  }

  /// Nobody can know whether it took place: repeating it might do it twice.
  @Test func aConnectionThatGoesDuringTheCommitIsAnErrorAndNotRepeated() throws {
    // A deferred trigger ends its own session while the commit is under way.
    try outside.execute(
      """
      CREATE TABLE doomed (number BIGINT);
      CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER doom AFTER INSERT ON doomed DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION end_session();
      """)
    let runs = Locked(0)
    let error = #expect(throws: PostgreSQLError.self) {
      try ConnectionPool(target, limit: 1).write { connection throws(PostgreSQLError) in
        runs.withLock { $0 += 1 }
        try connection.query("INSERT INTO doomed VALUES (1)")
      }
    }
    #expect(error?.kind == .connectionLost)
    #expect(runs.withLock { $0 } == 1)
    try outside.execute("DROP TABLE doomed; DROP FUNCTION end_session")
  }

  /// The statement sees the row that it copies from; when the reference is checked, that row has gone.
  @Test func aTransactionIsRepeatedIfAReferencedRowHasGone() throws {
    try outside.execute(
      """
      CREATE TABLE methods (name BIGINT PRIMARY KEY);
      CREATE TABLE uses (method BIGINT NOT NULL REFERENCES methods (name));
      INSERT INTO methods VALUES (1);
      """)
    let runs = Locked(0)
    try ConnectionPool(target, limit: 1).write { connection throws(PostgreSQLError) in
      let methods = try connection.query("SELECT name FROM methods").map { row throws(PostgreSQLError) in
        try row.integer(0)
      }
      runs.withLock { $0 += 1 }
      try outside.execute("DELETE FROM methods")
      for method in methods { try connection.query("INSERT INTO uses VALUES ($1)", .integer(method)) }
    }
    #expect(runs.withLock { $0 } == 2)
    #expect(try outside.query("SELECT FROM uses").count == 0)
    try outside.execute("DROP TABLE uses, methods")
  }

  @Test func aRowThatManyMakeAtOnceIsMadeOnceAndFoundByAll() throws {
    try outside.execute("CREATE TABLE made (name BIGINT PRIMARY KEY, maker BIGINT NOT NULL)")
    let pool = ConnectionPool(target, limit: 3)
    let makers = Locked<[Int64: Set<Int64>]>([:])
    let failures = Locked<[PostgreSQLError]>([])
    let finished = DispatchSemaphore(value: 0)
    for number in Int64(0)..<60 {
      Threads.shared.post {
        do throws(PostgreSQLError) {
          let maker = try pool.write { connection throws(PostgreSQLError) in
            try findOrMake(number % 6, by: number, connection)
          }
          makers.withLock { _ = $0[number % 6, default: []].insert(maker) }
        } catch {
          failures.withLock { $0.append(error) }
        }
        finished.signal()
      }
    }
    for _ in 0..<60 { finished.wait() }
    #expect(failures.withLock { $0 } == [])
    #expect(makers.withLock { $0.values.map(\.count) } == [1, 1, 1, 1, 1, 1])
    try outside.execute("DROP TABLE made")
  }

  private func findOrMake(_ name: Int64, by new: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError)
    -> Int64
  {
    let select = "SELECT maker FROM made WHERE name = $1"
    let kept = try connection.query(select, .integer(name)).first { row throws(PostgreSQLError) in try row.integer(0) }
    if let kept { return kept }
    try connection.query("INSERT INTO made VALUES ($1, $2)", .integer(name), .integer(new))
    return new
  }

  @Test func aServerThatIsAwayIsAnErrorEachTimeAndHoldsNothingBack() {
    let pool = ConnectionPool("postgresql://msdk@127.0.0.1:1/postgres", limit: 1)
    for _ in 0..<3 {
      let error = #expect(throws: PostgreSQLError.self) { try pool.read(process) }
      #expect(error?.kind == .connectionLost)
    }
    #expect(throws: PostgreSQLError.self) { try pool.write(process) }
  }
}
