import CSQLite
import Foundation
import TestSupport
import Testing

@testable import SQLite

/// What is committed is in the files at once, and what a connection reads is what it wrote.
@Suite struct GatheredLogTests {
  let folder: TemporaryFolder
  let database: Database

  var path: String { folder.path + "/test.db" }

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path + "/test.db")
    try database.configure()
    try database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v)")
  }

  /// What somebody finds who gets the files as they are now, after a power cut.
  func survivors() throws -> Int64? {
    let copy = folder.path + "/copy-\(UUID().uuidString)"
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
    let survivor = try Database(path: copy, .readWrite)
    #expect(try survivor.text("PRAGMA integrity_check") == "ok")
    return try survivor.count()
  }

  func insert(_ count: Int, size: Int = 1000) throws {
    for _ in 0..<count { try database.kept("INSERT INTO t(v) VALUES(zeroblob(?1))").run(.integer(Int64(size))) }
  }

  @Test func theLogIsGathered() throws {
    try insert(1)
    var file: UnsafeMutablePointer<sqlite3_vfs>?
    sqlite3_file_control(database.handle, "main", SQLITE_FCNTL_VFS_POINTER, &file)
    #expect(String(cString: try #require(file).pointee.zName) == GatheringFiles.name)
  }

  /// Small commits, and such as are longer than what is gathered at most.
  @Test(arguments: [1, 40, 400]) func whatIsCommittedIsInTheFiles(rows: Int) throws {
    for round in 1...5 {
      try database.transaction { () throws(SQLiteError) in
        for _ in 0..<rows { try database.kept("INSERT INTO t(v) VALUES(zeroblob(1000))").run() }
      }
      #expect(try survivors() == Int64(round * rows))
    }
  }

  @Test func whatIsNotCommittedIsNot() throws {
    try insert(10)
    try database.execute("PRAGMA cache_size=5; BEGIN IMMEDIATE")
    try insert(500)
    #expect(try database.count() == 510)
    #expect(try survivors() == 10)
    try database.execute("ROLLBACK")
    try insert(1)
    #expect(try survivors() == 11)
  }

  /// With a small cache, pages go into the log in the middle of a transaction, and are read again from there.
  @Test func aTransactionReadsItsOwnPages() throws {
    try database.execute("PRAGMA cache_size=5")
    try database.transaction { () throws(SQLiteError) in
      for round in 0..<20 {
        try database.nested { () throws(SQLiteError) in
          for _ in 0..<50 { try database.kept("INSERT INTO t(v) VALUES(zeroblob(3000))").run() }
          try database.kept("UPDATE t SET v = ?1 WHERE id % 7 = 0").run(.text("round \(round)"))
        }
        _ = try? database.nested { () throws(SQLiteError) in
          try database.kept("DELETE FROM t").run()
          throw SQLiteError.closed
        }
      }
    }
    #expect(try database.count() == 1000)
    #expect(try database.text("SELECT v FROM t WHERE id = 994") == "round 19")
    #expect(try survivors() == 1000)
  }

  /// What a transaction has put into the log before it was undone must not land on what others commit after it.
  @Test func aTransactionThatWasUndoneTouchesNothing() throws {
    let other = try Database(path: path, .readWrite)
    try other.configure()
    try database.execute("PRAGMA cache_size=5")
    for round in 1...10 {
      try database.execute("BEGIN IMMEDIATE")
      try insert(20 + round, size: 3000)
      try database.execute("ROLLBACK")
      for _ in 0..<10 { try other.kept("INSERT INTO t(v) VALUES(zeroblob(3000))").run() }
      try insert(1)
      #expect(try other.count() == Int64(11 * round))
      #expect(try survivors() == Int64(11 * round))
    }
  }

  @Test func otherConnectionsSeeWhatIsCommitted() throws {
    let other = try Database(path: path, .readWrite)
    for round in 1...50 {
      try insert(1)
      #expect(try other.count() == Int64(round))
    }
    try other.execute("DELETE FROM t")
    #expect(try database.count() == 0)
  }

  @Test func theFileGrowsAheadAndNotForEver() throws {
    for _ in 0..<300 { try insert(20) }
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
    #expect(size.isMultiple(of: 64 << 10) && size < 20 << 20)
    #expect(try database.text("PRAGMA wal_checkpoint(TRUNCATE)") == nil)
    try insert(5)
    #expect(try survivors() == 6005)
  }
}

extension Database {
  fileprivate func count() throws(SQLiteError) -> Int64? {
    try prepare("SELECT count(*) FROM t").first { row throws(SQLiteError) in try row.integer(0) }
  }

  fileprivate func text(_ sql: String) throws -> String? {
    try prepare(sql).first { row throws(SQLiteError) in
      if case .text(let text) = try row.value(0) { text } else { nil }
    } ?? nil
  }
}

// MARK: - Faults

/// A disk that can be full. SQLite's own files cannot be made to fail at a chosen moment.
private final class Disk {
  var bytes: [UInt8] = []
  var capacity = Int.max
  var writes = 0

  func write(_ new: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    guard offset + new.count <= capacity else { return SQLITE_FULL }
    writes += 1
    if bytes.count < offset + new.count { bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count) }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
    return SQLITE_OK
  }
}

private struct File {
  var known: sqlite3_file
  let disk: Unmanaged<Disk>

  static func disk(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Disk {
    let file = UnsafeMutableRawPointer(file.unsafelyUnwrapped).assumingMemoryBound(to: File.self)
    return file.pointee.disk.takeUnretainedValue()
  }
}

@Suite final class FullDiskTests {
  private let disk = Disk()
  private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  private let file = UnsafeMutablePointer<File>.allocate(capacity: 1)

  init() {
    methods.initialize(to: sqlite3_io_methods())
    methods.pointee.xWrite = { File.disk($0).write(UnsafeRawBufferPointer(start: $1, count: Int($2)), at: Int($3)) }
    methods.pointee.xRead = { file, bytes, count, offset in
      let bytes = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
      bytes.copyBytes(from: File.disk(file).bytes[Int(offset)..<Int(offset) + Int(count)])
      return SQLITE_OK
    }
    methods.pointee.xFileSize = { file, size in
      size?.pointee = Int64(File.disk(file).bytes.count)
      return SQLITE_OK
    }
    file.initialize(to: File(known: sqlite3_file(pMethods: methods), disk: .passUnretained(disk)))
  }

  deinit {
    file.deallocate()
    methods.deallocate()
  }

  func log() -> GatheredLog { GatheredLog(UnsafeMutableRawPointer(file).assumingMemoryBound(to: sqlite3_file.self)) }

  func write(_ text: String, at offset: Int64, to log: GatheredLog) -> Int32 {
    Array(text.utf8).withUnsafeBytes { log.write($0, at: offset) }
  }

  @Test func neighboursAreWrittenTogether() {
    let log = log()
    for index in 0..<10 { #expect(write("abcd", at: Int64(index * 4), to: log) == SQLITE_OK) }
    #expect(disk.writes == 0)
    #expect(log.flush() == SQLITE_OK)
    #expect(disk.writes == 2)  // one of them makes room
    #expect(disk.bytes.starts(with: String(repeating: "abcd", count: 10).utf8))
  }

  /// Whoever goes on after a full disk misses nothing.
  @Test func whatFindsNoRoomWaits() {
    let log = log()
    #expect(write("first", at: 0, to: log) == SQLITE_OK)
    disk.capacity = 0
    #expect(log.flush() == SQLITE_FULL)
    #expect(write("elsewhere", at: 100, to: log) == SQLITE_FULL)
    disk.capacity = .max
    #expect(write("second", at: 5, to: log) == SQLITE_OK)
    #expect(log.flush() == SQLITE_OK)
    #expect(disk.bytes.starts(with: "firstsecond".utf8))
  }

  @Test func aFullDiskCanBeRead() {
    let log = log()
    disk.bytes = Array("0123456789".utf8)
    disk.capacity = 0
    #expect(write("xx", at: 4, to: log) == SQLITE_OK)
    for (offset, status) in [(0, SQLITE_OK), (2, SQLITE_OK), (3, SQLITE_FULL), (5, SQLITE_FULL), (6, SQLITE_OK)] {
      var bytes = [0, 0] as [UInt8]
      #expect(log.read(&bytes, 2, at: Int64(offset)) == status)
      if status == SQLITE_OK { #expect(bytes == Array(disk.bytes[offset..<offset + 2])) }
    }
    disk.capacity = .max
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(log.read(&bytes, 10, at: 0) == SQLITE_OK)
    #expect(bytes == Array("0123xx6789".utf8))
  }

  @Test func noRoomAheadIsNoReasonToFail() {
    let log = log()
    disk.capacity = 10
    #expect(write("first", at: 0, to: log) == SQLITE_OK)
    #expect(log.flush() == SQLITE_OK)
    #expect(disk.bytes == Array("first".utf8))
  }

  @Test func theLaterOfTwoWritesCounts() {
    let log = log()
    #expect(write("aaaa", at: 0, to: log) == SQLITE_OK)
    #expect(write("bb", at: 1, to: log) == SQLITE_OK)
    #expect(log.flush() == SQLITE_OK)
    #expect(disk.bytes.starts(with: "abba".utf8))
  }
}
