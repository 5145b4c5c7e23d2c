import Foundation
import TestSupport
import Testing
import Threading

@testable import SQLite

/// A reader sees one state of the file while a thread has it, and keeps nothing from the others when it is back.
@Suite struct PoolTests {
  let folder: TemporaryFolder
  let other: Database
  let pool: ReaderPool<Database>

  var path: String { folder.path + "/test.db" }

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/test.db"
    other = try Database(path: path)
    try other.configure()
    try other.execute("CREATE TABLE t(v INTEGER NOT NULL); INSERT INTO t VALUES(0)")
    pool = ReaderPool(limit: 4) { () throws(SQLiteError) in
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

  /// Whether all that is in the log can be written into the file, as it cannot while a reader sees an older state.
  func isLogWritten() throws -> Bool {
    try other.prepare("PRAGMA wal_checkpoint(PASSIVE)").first { row throws(SQLiteError) in
      try row.integer(1) == row.integer(2)
    } ?? false
  }

  /// Its file would stay open.
  @Test func aClosedPoolKeepsNoReader() throws {
    weak var reader: Database?
    try pool.lend { lent throws(SQLiteError) in
      reader = lent.reader
      pool.refuse()
      pool.giveBack(lent)
    }
    pool.drain()
    #expect(reader == nil)
  }

  @Test func aSurplusReaderIsClosed() throws {
    let path = path
    let small = ReaderPool<Database>(limit: 1) { () throws(SQLiteError) in try Database(path: path) }
    weak var first: Database?
    weak var second: Database?
    try small.lend { lent throws(SQLiteError) in
      first = lent.reader
      try small.lend { other throws(SQLiteError) in
        second = other.reader
        small.giveBack(lent)
        small.giveBack(other)
      }
    }
    #expect(first != nil && second == nil)
  }

  @Test func aClosedPoolClosesItsIdleReaders() throws {
    weak var reader: Database?
    try pool.read { (each: Database) throws(SQLiteError) in reader = each }
    #expect(reader != nil)
    pool.refuse()
    #expect(reader == nil)
  }

  @Test func aClosedPoolRefusesReaders() throws {
    #expect(try value() == 0)
    pool.refuse()
    #expect(pool.isClosed)
    #expect(throws: SQLiteError.closed) { try value() }
    #expect(throws: SQLiteError.closed) { try pool.lend { _ throws(SQLiteError) in } }
  }

  @Test func drainingWaitsForTheThreadsThatRead() {
    let (state, threads) = (Monitor((isReading: false, isReleased: false, hasEnded: false)), Threads(limit: 2))
    threads.post { [pool] in
      try? pool.read { _ throws(SQLiteError) in
        state.withLock { $0.isReading = true }
        state.wait { $0.isReleased ? () : nil }
        state.withLock { $0.hasEnded = true }
      }
    }
    state.wait { $0.isReading ? () : nil }
    pool.refuse()
    threads.post {
      _ = Monitor(false).wait(milliseconds: 50) { $0 ? true : nil }
      state.withLock { $0.isReleased = true }
    }
    pool.drain()
    #expect(state.withLock { $0.hasEnded })
  }

  /// Each reader holds files open, and memory.
  @Test func noMoreThreadsReadAtOnceThanTheLimit() {
    let (readers, threads) = (Monitor((now: 0, most: 0, done: 0)), Threads(limit: 8))
    for _ in 0..<8 {
      threads.post { [pool] in
        try? pool.read { _ throws(SQLiteError) in
          readers.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.done) }
          _ = readers.wait(milliseconds: 50) { $0.now > 4 ? true : nil }
          readers.withLock { $0.now -= 1 }
        }
        readers.withLock { $0.done += 1 }
      }
    }
    #expect(readers.wait { $0.done == 8 ? $0.most : nil } <= 4)
  }

  @Test func aReaderSeesEachCommitThatCameBefore() throws {
    for round in 1...100 {
      try set(round)
      for _ in 0...round % 3 { #expect(try value() == round) }
    }
  }

  @Test func aReaderSeesOneStateUntilItIsGivenBack() throws {
    for round in 1...50 {
      let seen = try pool.read { reader throws(SQLiteError) in
        let first = try Self.value(reader)
        try set(round)
        return [first, try Self.value(reader)]
      }
      #expect(try seen + [value()] == [round - 1, round - 1, round])
    }
  }

  /// More failures than readers, in a thread of its own: with a turn lost at each, the last would wait for ever.
  @Test func aReaderThatCannotBeOpenedGivesItsTurnBack() throws {
    let (isBroken, done) = (Locked(true), Monitor<Int?>(nil))
    let broken = ReaderPool(limit: 2) { [path] () throws(SQLiteError) in
      if isBroken.withLock({ $0 }) { throw SQLiteError(message: "broken") }
      return try Database(path: path)
    }
    Threads(limit: 1).post {
      for _ in 0..<3 { #expect(throws: SQLiteError(message: "broken")) { try broken.read(Self.value) } }
      isBroken.withLock { $0 = false }
      let value = try? broken.read(Self.value)
      done.withLock { $0 = value }
    }
    #expect(done.wait(milliseconds: 60_000) { $0 } == 0)
  }

  @Test func aReaderThatWasGivenBackHoldsNoOldState() throws {
    let wasWritten = try pool.read { reader throws(SQLiteError) in
      _ = try Self.value(reader)
      try set(1)
      return Result { try isLogWritten() }
    }
    #expect(try !wasWritten.get())
    #expect(try isLogWritten())
  }

  /// Otherwise the log would grow as long as somebody reads: to 240 MB here.
  @Test func theLogIsEmptiedWhileOthersReadWithoutPause() throws {
    let writer = GroupCommit(other, on: other)
    let (threads, isOver, left) = (Threads(limit: 2), Locked(false), Monitor(0))
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

  @Test func aPoolReadsAFileWithoutAWriteAheadLog() throws {
    let path = path + "-rollback"
    let writer = try Database(path: path)
    try writer.execute("CREATE TABLE t(v INTEGER NOT NULL); INSERT INTO t VALUES(0)")
    let pool = ReaderPool(limit: 1) { () throws(SQLiteError) in try Database(path: path) }
    for round in 0..<3 {
      try writer.kept("UPDATE t SET v = ?1").run(.integer(Int64(round)))
      #expect(try pool.read(Self.value) == round)
    }
  }
}

/// A commit is in the files before anybody hears of it: a copy of the files, as a power cut leaves them, has it.
@Suite struct DurabilityTests {
  @Test(arguments: [1, 400]) func aCommitIsInTheFilesAtOnce(rows: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/test.db"
    let database = try Database(path: path)
    try database.configure()
    try database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v)")
    for round in 1...3 {
      try database.transaction { () throws(SQLiteError) in
        for _ in 0..<rows { try database.kept("INSERT INTO t(v) VALUES(zeroblob(1000))").run() }
      }
      let copy = path + "-copy-\(round)"
      for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
      let count = try Database(path: copy, .readWrite).prepare("SELECT count(*) FROM t").first {
        row throws(SQLiteError) in try row.integer(0)
      }
      #expect(count == Int64(round * rows))
    }
  }
}
