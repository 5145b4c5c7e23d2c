import Foundation
import TestSupport
import Testing
import Threading

@testable import SQLite

/// A reader's snapshot goes on from one use to the next; nobody can tell, except by the time it takes.
@Suite struct SnapshotTests {
  let folder: TemporaryFolder
  let other: Database
  let pool: Pool<Database>
  let threads = Threads(limit: 4)

  var path: String { folder.path + "/test.db" }

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/test.db"
    other = try Database(path: path)
    try other.configure()
    try other.execute("CREATE TABLE t(v INTEGER NOT NULL); INSERT INTO t VALUES(0); CREATE TABLE others(v)")
    pool = Pool(limit: 4) { () throws(SQLiteError) in
      let database = try Database(path: path)
      try database.configure()
      return database
    }
  }

  func set(_ value: Int) throws(SQLiteError) { try other.kept("UPDATE t SET v = ?1").run(.integer(Int64(value))) }

  func value() throws(SQLiteError) -> Int { try pool.read(Self.value) }

  static func value(_ reader: Database) throws(SQLiteError) -> Int {
    Int(try reader.kept("SELECT v FROM t").first { row throws(SQLiteError) in try row.integer(0) } ?? -1)
  }

  private struct Job: @unchecked Sendable {
    // Whoever posts it waits for its end: that is what makes it Sendable.
    let body: () throws -> Void
  }

  /// Runs `body` on a thread of a pool: only there do snapshots go on.
  func onThread(_ body: @escaping () throws -> Void) {
    let (job, isDone) = (Job(body: body), Monitor(false))
    threads.post {
      do { try job.body() } catch { Issue.record(error) }
      isDone.withLock { $0 = true }
    }
    isDone.wait { $0 ? () : nil }
  }

  /// Whether a snapshot goes on that no longer shows the present state after a write.
  func isAnyoneBehind() throws -> Bool {
    try other.kept("INSERT INTO others VALUES(1)").run()
    return try !isLogWritten()
  }

  /// Whether all that is in the log can be written into the file, as it cannot while a snapshot shows an older state.
  func isLogWritten() throws -> Bool {
    try other.prepare("PRAGMA wal_checkpoint(PASSIVE)").first { row throws(SQLiteError) in
      try row.integer(1) == row.integer(2)
    } ?? false
  }

  /// The first time a reader does not know yet where to look for what was committed.
  func readTwice() throws -> [Int] { [try value(), try value()] }

  @Test func itGoesOnFromUseToUse() throws {
    onThread { () throws in
      for _ in 0..<3 {
        #expect(try readTwice() == [0, 0])
        #expect(try isAnyoneBehind())
      }
    }
  }

  @Test func itShowsWhatWasCommittedMeanwhile() {
    onThread { () throws in
      for round in 1...500 {
        try set(round)
        for _ in 0...round % 3 { #expect(try value() == round) }
      }
    }
  }

  /// What was read first and what is read last are of the same moment.
  @Test func itStaysTheSameDuringAUse() {
    onThread { () throws in
      for round in 1...100 {
        let seen = try pool.read { reader throws(SQLiteError) in
          let first = try Self.value(reader)
          try set(round)
          return [first, try Self.value(reader)]
        }
        #expect(try seen + [value()] == [round - 1, round - 1, round])
      }
    }
  }

  /// However seldom the readers are that still have an old one.
  @Test func outdatedOnesEndWhenOneIsFoundOut() {
    onThread { () throws in
      for _ in 0..<2 {
        let seen = try pool.read { reader throws(SQLiteError) in [try Self.value(reader), try value()] }
        #expect(seen == [0, 0])
      }
      #expect(try isAnyoneBehind())
      #expect(try value() == 0)
      #expect(try isLogWritten())
    }
  }

  @Test func itEndsWhenTheThreadHasNothingElseToDo() throws {
    onThread { () throws in #expect(try readTwice() == [0, 0]) }
    for _ in 0..<10_000 {
      if try !isAnyoneBehind() { return }
      usleep(1000)
    }
    Issue.record("it did not end")
  }

  @Test func itEndsAtOnceOnAThreadOfNoPool() throws {
    #expect(try readTwice() == [0, 0])
    #expect(try !isAnyoneBehind())
  }

  @Test func itEndsWithThePool() {
    onThread { () throws in
      #expect(try readTwice() == [0, 0])
      pool.refuse()
      #expect(try !isAnyoneBehind())
    }
  }

  /// Otherwise the log would grow as long as somebody reads: to 240 MB here.
  @Test func theLogIsEmptiedWhileOthersReadWithoutPause() throws {
    let writer = GroupCommit(other, on: other, beside: pool)
    let (isOver, left) = (Locked(false), Monitor(0))
    for _ in 0..<2 {
      threads.post { [pool] in
        while !isOver.withLock({ $0 }) { #expect((try? pool.read(Self.value)) != nil) }
        left.withLock { $0 += 1 }
      }
    }
    for _ in 0..<2000 {
      try writer.write { database throws(SQLiteError) in
        try database.kept("UPDATE t SET v = v + 1").run()
        try database.execute("DROP TABLE IF EXISTS big; CREATE TABLE big AS SELECT zeroblob(120000)")
      }
    }
    isOver.withLock { $0 = true }
    left.wait { $0 == 2 ? () : nil }
    let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
    #expect(size < 60_000_000)
    #expect(try value() == 2000)
  }

  /// Without a write-ahead log nothing tells what was committed.
  @Test func withoutAWriteAheadLogItEndsAfterEachUse() throws {
    let path = path + "-rollback"
    let writer = try Database(path: path)
    try writer.execute("CREATE TABLE t(v INTEGER NOT NULL); INSERT INTO t VALUES(0)")
    let pool = Pool(limit: 1) { () throws(SQLiteError) in try Database(path: path) }
    onThread { () throws in
      for round in 0..<3 {
        try writer.kept("UPDATE t SET v = ?1").run(.integer(Int64(round)))
        #expect(try pool.read(Self.value) == round)
      }
    }
  }
}
