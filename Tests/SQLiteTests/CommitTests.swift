import Foundation
import TestSupport
import Testing
import Threading

@testable import SQLite

/// A write is confirmed when it is committed, and only then.
@Suite struct CommitTests {
  let folder: TemporaryFolder
  let database: Database
  let writes: GroupCommit<Database>

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path + "/test.db")
    try database.configure()
    try database.execute(
      """
      CREATE TABLE parents(id INTEGER PRIMARY KEY);
      CREATE TABLE t(id INTEGER PRIMARY KEY, parent REFERENCES parents(id) DEFERRABLE INITIALLY DEFERRED);
      """)
    writes = GroupCommit(database, on: database)
  }

  static func insert(_ id: Int) -> @Sendable (Database) throws(SQLiteError) -> Void {
    { database throws(SQLiteError) in try database.kept("INSERT INTO t(id) VALUES(?1)").run(.integer(Int64(id))) }
  }

  /// Every statement succeeds, and the commit fails: there is no such parent.
  static let orphan: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
    try database.execute("INSERT INTO t(parent) VALUES(99)")
  }

  static let fails: @Sendable (Database) throws(SQLiteError) -> Void = { _ throws(SQLiteError) in
    throw SQLiteError(message: "no")
  }

  func ids() throws -> [Int64] {
    var ids: [Int64] = []
    try Database(path: folder.path + "/test.db").prepare("SELECT id FROM t ORDER BY id").forEach {
      row throws(SQLiteError) in ids.append(try row.integer(0))
    }
    return ids
  }

  /// Runs `bodies` in one turn; why each failed, nil where it did not.
  func together(_ bodies: [@Sendable (Database) throws(SQLiteError) -> Void]) throws -> [SQLiteError?] {
    let endings = Monitor<[Int: SQLiteError?]>([:])
    try writes.write { _ throws(SQLiteError) in
      for (index, body) in bodies.enumerated() {
        writes.write(body) { (failure: SQLiteError?) in endings.withLock { $0[index] = .some(failure) } }
      }
    }
    let ended = try #require(endings.wait(milliseconds: 60_000) { $0.count == bodies.count ? $0 : nil })
    return try bodies.indices.map { try #require(ended[$0]) }
  }

  @Test func aWriteThatSucceedsAtTheSecondTryHasSucceeded() throws {
    let tries = Locked(0)
    let second: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
      let isFirst = tries.withLock { tries in
        tries += 1
        return tries == 1
      }
      if isFirst { throw SQLiteError(message: "not yet") }
      try Self.insert(2)(database)
    }
    #expect(try together([Self.insert(1), second]) == [nil, nil])
    #expect(try ids() == [1, 2])
  }

  @Test func aTransactionWhoseCommitFailsHasFailed() throws {
    #expect(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in try Self.orphan(database) }
    }
    #expect(!database.isInTransaction)
    #expect(throws: SQLiteError.self) {
      try database.nested { () throws(SQLiteError) in try Self.orphan(database) }
    }
    #expect(!database.isInTransaction)
    #expect(try ids().isEmpty)
  }

  @Test func aWriteWhoseCommitFailsHasFailed() throws {
    #expect(throws: SQLiteError.self) { try writes.write(Self.orphan) }
    try writes.write(Self.insert(1))
    #expect(try ids() == [1])
    #expect(writes.commits == 1)
  }

  /// One of several makes the commit of all fail, one more fails by itself: each gets the answer that is its own.
  @Test func eachOfSeveralGetsTheAnswerOfItsOwnCommit() throws {
    let failures = try together([Self.insert(1), Self.orphan, Self.insert(2), Self.fails, Self.insert(3)])
    #expect(failures.map { $0 == nil } == [true, false, true, false, true])
    #expect(failures[1]?.primary == .constraint && failures[3]?.message == "no")
    #expect(try ids() == [1, 2, 3])
  }

  /// Only the checkpoint itself gives up sooner.
  @Test func afterACheckpointAWriteWaitsForLocksAsBefore() throws {
    writes.checkpoint()
    let wait = try database.prepare("PRAGMA busy_timeout").first { row throws(SQLiteError) in try row.integer(0) }
    #expect(wait == 5000)
  }

  /// Each by itself would wait for the lock as long as the first did.
  @Test(arguments: [false, true]) func whileAnotherHoldsTheLockAllFailTogether(oneFails: Bool) throws {
    database.waitForLocks(milliseconds: 500)
    let (other, endings) = (try Database(path: folder.path + "/test.db"), Monitor<[SQLiteError?]>([]))
    try other.execute("BEGIN IMMEDIATE")
    let count = 100
    for index in 1...count {
      Threads.shared.post { [writes] in
        let body = oneFails && index == 50 ? Self.fails : Self.insert(index)
        writes.write(body) { (failure: SQLiteError?) in endings.withLock { $0.append(failure) } }
      }
    }
    // One by one, they would take 50 seconds, and most would find the lock free.
    let ended = endings.wait(milliseconds: 15_000) { $0.count == count ? $0 : nil }
    try other.execute("ROLLBACK")
    #expect(ended?.allSatisfy { $0?.primary == .busy } == true)
    #expect(endings.wait(milliseconds: 60_000) { $0.count == count ? true : nil } == true)
    try writes.write(Self.insert(1))
    #expect(try ids() == [1])
  }

  @Test func writesBehindALoneWriterFailWithIt() throws {
    database.waitForLocks(milliseconds: 500)
    let other = try Database(path: folder.path + "/test.db")
    while true {
      try other.execute("BEGIN IMMEDIATE")
      let endings = Monitor<[SQLiteError?]>([])
      let insert = { @Sendable [writes] (id: Int) in
        writes.write(Self.insert(id)) { (failure: SQLiteError?) in endings.withLock { $0.append(failure) } }
      }
      Threads.shared.post { insert(1) }
      usleep(100_000)
      for id in 2...4 { insert(id) }
      let areInTime = endings.withLock { $0.isEmpty }
      endings.wait { $0.isEmpty ? nil : () }
      try other.execute("ROLLBACK")
      let failures = endings.wait { $0.count == 4 ? $0 : nil }
      guard areInTime else {  // the lone writer had given up: once more, with an empty table
        try writes.write { database throws(SQLiteError) in try database.execute("DELETE FROM t") }
        continue
      }
      #expect(failures.allSatisfy { $0?.primary == .busy })
      return
    }
  }

  /// Writes behind a writer that waits for the lock are refused with it, and closing waits for one of them at most.
  @Test func closingDoesNotWaitForEachWrite() throws {
    database.waitForLocks(milliseconds: 200)
    let (other, endings) = (try Database(path: folder.path + "/test.db"), Monitor<[SQLiteError?]>([]))
    try other.execute("BEGIN IMMEDIATE")
    let (count, isClosed) = (1000, Monitor(false))
    for index in 1...count {
      Threads.shared.post { [writes] in
        writes.write(Self.insert(index)) { (failure: SQLiteError?) in endings.withLock { $0.append(failure) } }
      }
    }
    Thread.detachNewThread { [writes] in
      writes.close()
      isClosed.withLock { $0 = true }
    }
    #expect(isClosed.wait(milliseconds: 30_000) { $0 ? true : nil } == true)
    try other.execute("ROLLBACK")
    let ended = endings.wait(milliseconds: 300_000) { $0.count == count ? $0 : nil }
    #expect(ended?.allSatisfy { $0 != nil } == true)
    #expect(try ids().isEmpty)
  }
}

/// A file that is no longer where it was opened takes no writes and gives no answers.
@Suite struct MovedFileTests {
  let folder: TemporaryFolder

  enum Change: CaseIterable { case removed, renamed, replaced, moved }

  init() throws { folder = try TemporaryFolder() }

  func change(_ change: Change, _ path: String) throws {
    let files = FileManager.default
    switch change {
    case .removed: try files.removeItem(atPath: path)
    case .renamed: try files.moveItem(atPath: path, toPath: path + ".deleted")
    case .replaced:
      try files.copyItem(atPath: path, toPath: path + ".copy")
      #expect(rename(path + ".copy", path) == 0)
    case .moved: try files.moveItem(atPath: folder.path + "/below", toPath: folder.path + "/elsewhere")
    }
  }

  @Test(arguments: Change.allCases) func isRefused(change: Change) throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/below", withIntermediateDirectories: true)
    let path = folder.path + "/below/test.db"
    let database = try Database(path: path)
    try database.configure()
    try database.execute("CREATE TABLE t(v); INSERT INTO t VALUES(1)")
    let pool = ReaderPool<Database>(limit: 1) { () throws(SQLiteError) in
      let reader = try Database(path: path, .readWrite)
      try reader.configure()
      return reader
    }
    let writes = GroupCommit(database, on: database)
    let count = { () throws(SQLiteError) in
      try pool.read { reader throws(SQLiteError) in
        try reader.kept("SELECT count(*) FROM t").first { row throws(SQLiteError) in try row.integer(0) }
      }
    }
    let insert = { () throws(SQLiteError) in
      try writes.write { writer throws(SQLiteError) in try writer.execute("INSERT INTO t VALUES(2)") }
    }
    try insert()
    #expect(try count() == 2)
    try self.change(change, path)
    #expect(throws: SQLiteError.moved) { try insert() }
    #expect(throws: SQLiteError.moved) { try count() }
    #expect(throws: SQLiteError.moved) { try insert() }
    #expect(!database.isInTransaction)
  }
}
