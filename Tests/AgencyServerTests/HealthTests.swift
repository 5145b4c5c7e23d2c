import Foundation
import HTTP
import Logging
import SQLite
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// `/health` and `/metrics`.
@Suite struct HealthTests {
  @Test func answersAreCountedByTheirStatusInItsOrder() {
    let metrics = Metrics()
    for status in [503, 200, 404, 429, 200, 202, 413] { metrics.countAnswer(status) }
    let lines = metrics.text.split(separator: "\n").filter { $0.contains("{status=") }
    let counts = [(200, 2), (202, 1), (404, 1), (413, 1), (429, 1), (503, 1)]
    #expect(lines.map(String.init) == counts.map { "msdk_agency_http_answers_total{status=\"\($0)\"} \($1)" })
  }

  @Test func healthAndMetricsAreShown() throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.showsMetrics = true
    let server = try AgencyServer(dataFolder: folder.path, rules: rules)
    let client = Client(server)
    let mailbox = try client.createMailbox(client.provision())
    let body = try client.forward("x", to: mailbox)
    for _ in 0..<3 { _ = try client.post(body) }
    _ = try client.post([])
    #expect(try HTTPClient().get(server.endpoint + "/health").status == 200)
    #expect(try HTTPClient().get(server.endpoint + "/nowhere").status == 404)
    let text = String(decoding: try HTTPClient().get(server.endpoint + "/metrics").body, as: UTF8.self)
    #expect(text.contains("\nmsdk_agency_messages_stored_total 1\n"))
    #expect(text.contains("\nmsdk_agency_messages_repeated_total 2\n"))
    // The three requests of provisioning, that for the mailbox, three deliveries and the check.
    for (status, count) in [(200, 8), (400, 1), (404, 1)] {
      #expect(text.contains("\nmsdk_agency_http_answers_total{status=\"\(status)\"} \(count)\n"))
    }
    #expect(text.contains("# TYPE msdk_agency_http_answers_total counter\n"))
  }

  /// The agency itself never sees two of these requests: a refused body, an unclear one, and an escaped zero in the path.
  @Test func refusalsOfTheServerAreCountedAndLogged() throws {
    let (folder, events) = (try TemporaryFolder(), Locked<[String]>([]))
    var rules = Agency.Rules()
    rules.showsMetrics = true
    let server = try AgencyServer(
      dataFolder: folder.path, rules: rules,
      log: LogChannel { event in events.withLock { $0.append(event.line(at: 0)) } })
    func ask(_ start: String) throws -> String? {
      let connection = try RawConnection(port: Client(server).port)
      connection.send("\(start)\r\n\r\n")
      return connection.read()
    }
    let post = "POST /agency/msg HTTP/1.1\r\nHost: x\r\nContent-Length: "
    #expect(try ask(post + "900000000")?.hasPrefix("HTTP/1.1 413 ") == true)
    #expect(try ask(post + "5\r\nTransfer-Encoding: chunked")?.hasPrefix("HTTP/1.1 400 ") == true)
    #expect(try ask("GET /metrics%00 HTTP/1.1\r\nHost: x")?.hasPrefix("HTTP/1.1 404 ") == true)
    let text = String(decoding: try HTTPClient().get(server.endpoint + "/metrics").body, as: UTF8.self)
    for status in [413, 400, 404] {
      #expect(text.contains("\nmsdk_agency_http_answers_total{status=\"\(status)\"} 1\n"))
      #expect(events.withLock { $0.filter { $0.contains(#""event":"refused","status":"\#(status)""#) }.count } == 1)
    }
  }

  /// A reverse proxy that keeps `/metrics` from the public may compare the target as it was sent.
  @Test(arguments: [
    ("/metrics", 200), ("/%6detrics", 404), ("/metrics?", 404), ("/metrics?x", 404), ("/metrics#x", 404),
    ("/metrics/", 404), ("//metrics", 404), ("/a/../metrics", 404), ("http://x/metrics", 404),
  ])
  func metricsHaveOneSpelling(target: String, status: Int) throws {
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.showsMetrics = true
    let server = try AgencyServer(dataFolder: folder.path, rules: rules)
    let connection = try RawConnection(port: Client(server).port)
    connection.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(connection.read()?.hasPrefix("HTTP/1.1 \(status) ") == true)
  }

  @Test func metricsAreHiddenUnlessTheyAreAskedFor() throws {
    let folder = try TemporaryFolder()
    let server = try AgencyServer(dataFolder: folder.path)
    #expect(try HTTPClient().get(server.endpoint + "/metrics").status == 404)
  }

  /// Writing is tried when the last success is old, and each time after a failure.
  @Test func healthIsLookedAtNowAndThen() throws {
    let folder = try TemporaryFolder()
    let time = Locked<Int64>(100)
    let path = folder.path + "/agency.db"
    let storage = try SQLiteStorage(path: path, clock: { 1 })
    let health = HealthCheck(storage, clock: { time.withLock { $0 } })
    let other = try Database(path: path)
    try health.check()
    try other.execute("CREATE TRIGGER full BEFORE INSERT ON writing_check BEGIN SELECT RAISE(ABORT, 'full'); END")
    time.withLock { $0 += 9 }
    try health.check()
    time.withLock { $0 += 1 }
    for _ in 0..<2 { #expect(throws: StorageError.self) { try health.check() } }
    try other.execute("DROP TRIGGER full")
    try health.check()
    try other.execute("DROP TABLE identity")
    #expect(throws: StorageError.self) { try health.check() }
  }

  @Test func aSuccessBeforeTheClockWasSetBackCountsNoMore() throws {
    let (folder, time) = (try TemporaryFolder(), Locked<Int64>(1000))
    let path = folder.path + "/agency.db"
    let health = HealthCheck(try SQLiteStorage(path: path, clock: { 1 }), clock: { time.withLock { $0 } })
    try health.check()
    try Database(path: path).execute(
      "CREATE TRIGGER full BEFORE INSERT ON writing_check BEGIN SELECT RAISE(ABORT, 'full'); END")
    time.withLock { $0 = 999 }
    #expect(throws: StorageError.self) { try health.check() }
  }

  @Test func aFailureIsForgottenWithTheNextSuccess() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    let health = HealthCheck(try SQLiteStorage(path: path, clock: { 1 }), clock: { 1 })
    let other = try Database(path: path)
    try other.execute("CREATE TRIGGER full BEFORE INSERT ON writing_check BEGIN SELECT RAISE(ABORT, 'full'); END")
    #expect(throws: StorageError.self) { try health.check() }
    try other.execute("DROP TRIGGER full")
    for _ in 0..<2 { #expect(throws: Never.self) { try health.check() } }
  }

  /// While another thread writes, which takes a moment here, the last failure is the answer.
  @Test func aFailureIsToldWhileTheNextAttemptRuns() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/agency.db"
    let storage = try SQLiteStorage(path: path, clock: { 1 })
    let health = HealthCheck(storage, clock: { 1 })
    let other = try Database(path: path)
    try other.execute(
      """
      CREATE VIEW slow AS WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000000)
      SELECT n FROM number;
      CREATE TRIGGER full BEFORE INSERT ON writing_check BEGIN
      SELECT count(*) FROM slow; SELECT RAISE(ABORT, 'full'); END
      """)
    #expect(throws: StorageError.self) { try health.check() }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? health.check()
      ended.signal()
    }
    usleep(20_000)
    #expect(throws: StorageError.self) { try health.check() }
    ended.wait()
  }

  /// The other one has its turn to write only when all that wait have written: a check waits for nobody.
  @Test func aCheckDoesNotWaitForAnother() throws {
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: { 1 })
    let health = HealthCheck(storage, clock: { 1 })
    let member = Mirror(reflecting: storage).children.first { $0.label == "writer" }?.value
    let writer = try #require(member as? GroupCommit<Database>)
    let (isHeld, isReleased, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Thread.detachNewThread {
      try? writer.write { _ throws(SQLiteError) in
        isHeld.signal()
        isReleased.wait()
      }
      ended.signal()
    }
    isHeld.wait()
    for _ in 0..<2 {
      Thread.detachNewThread {
        try? health.check()
        ended.signal()
      }
    }
    while writer.waitingCount < 1 { usleep(1000) }
    #expect(ended.wait(timeout: .now() + 20) == .success)
    #expect(writer.waitingCount == 1)
    isReleased.signal()
    for _ in 0..<2 { ended.wait() }
  }
}
