internal import CSQLite

/// A write-ahead log whose writes are gathered.
///
/// SQLite writes a log in small pieces, 24 bytes and a page, again and again: for a record with three tags some forty
/// system calls, which cost more than what they write. Here the pieces wait in memory until SQLite wants them on the
/// disk (`xSync`) or anything else of the file, or until they are many.
///
/// Nobody misses them meanwhile: with `synchronous=FULL`, SQLite tells other connections of a commit only after the log
/// is on the disk. When they cannot be written, the transaction fails that they belong to. And they do not outlive it:
/// what was not committed is forgotten before somebody else may write to the same place.
///
/// Source: https://sqlite.org/c3ref/io_methods.html, https://sqlite.org/walformat.html
final class GatheredLog {
  /// The file, as SQLite's own functions know it. It lives behind the handle that SQLite holds of us.
  private let file: UnsafeMutablePointer<sqlite3_file>
  /// What SQLite has written, and where in the file it belongs.
  private var pieces: [UInt8] = []
  private var offset: Int64 = 0

  /// How long the file is, or shorter: other connections make it longer too.
  private var end: Int64 = 0

  /// The most that SQLite itself ever writes at once, a large page. Its functions for files are not made for more.
  private static let limit = 64 << 10
  private static let zeros = [UInt8](repeating: 0, count: limit)

  init(_ file: UnsafeMutablePointer<sqlite3_file>) { self.file = file }

  private var methods: sqlite3_io_methods { file.pointee.pMethods.pointee }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    if offset != self.offset + Int64(pieces.count) || pieces.count + bytes.count > Self.limit {
      let status = flush()
      guard status == SQLITE_OK else { return status }
      self.offset = offset
    }
    pieces.append(contentsOf: bytes)
    return SQLITE_OK
  }

  /// Reads from the file, and from what waits only if it has to: with a full disk, what is in the log must stay readable.
  func read(_ bytes: UnsafeMutableRawPointer?, _ count: Int32, at offset: Int64) -> Int32 {
    let isWaiting = offset < self.offset + Int64(pieces.count) && self.offset < offset + Int64(count)
    let status = isWaiting ? flush() : SQLITE_OK
    return status == SQLITE_OK ? methods.xRead(file, bytes, count, offset) : status
  }

  /// Writes what waits. When that fails it goes on waiting: a transaction that goes on after a full disk must not lose
  /// pages.
  func flush() -> Int32 {
    guard !pieces.isEmpty else { return SQLITE_OK }
    makeRoom(upTo: offset + Int64(pieces.count))
    let status = pieces.withUnsafeBytes { methods.xWrite(file, $0.baseAddress, Int32($0.count), offset) }
    guard status == SQLITE_OK else { return status }
    offset += Int64(pieces.count)
    pieces.removeAll(keepingCapacity: true)
    return SQLITE_OK
  }

  /// Makes a file that is too short twice as long, or a megabyte longer. What comes after the last commit has no meaning
  /// in a log, and a disk without room for it may still have room for commits.
  ///
  /// A file that became longer with each commit would be synchronised twice, once for its length. And the system keeps
  /// the pages of a file in units as large as the writes that made them, if these are aligned: a log made of small ones
  /// takes twice as long to write and to synchronise as long as it lives.
  private func makeRoom(upTo needed: Int64) {
    guard needed > end, methods.xFileSize(file, &end) == SQLITE_OK, needed > end else { return }
    let (unit, goal) = (Int64(Self.limit), max(needed, end + min(end, 1 << 20)))
    while end < goal {
      let count = unit - end % unit
      let status = Self.zeros.withUnsafeBytes { methods.xWrite(file, $0.baseAddress, Int32(count), end) }
      guard status == SQLITE_OK else { return }
      end += count
    }
  }

  /// The transaction is over.
  func forget() { pieces.removeAll(keepingCapacity: true) }

  func truncate(to size: Int64) -> Int32 {
    defer { end = size }
    return flushed { $1.xTruncate($0, size) }
  }

  /// Hands what waits to the file, and then asks it.
  func flushed(
    _ ask: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32
  ) -> Int32 {
    let status = flush()
    return status == SQLITE_OK ? ask(file, methods) : status
  }

  /// Asks the file something that what waits does not change.
  func ask(_ ask: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32) -> Int32 { ask(file, methods) }
}
