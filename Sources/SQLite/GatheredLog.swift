internal import CSQLite

/// A write-ahead log whose writes are gathered.
///
/// SQLite writes a log in small pieces, 24 bytes and a page, again and again: for a record with three tags some forty
/// system calls, which cost more than what they write. Here the pieces wait in memory until SQLite wants them on the
/// disk (`xSync`) or anything else of the file, or until they are many.
///
/// Nobody misses them meanwhile: with `synchronous=FULL`, SQLite tells other connections of a commit only after the log
/// is on the disk. What fails is what would have failed at once: the transaction that they belong to.
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

/// What SQLite holds of an open log. The file itself follows it in memory.
struct GatheredLogHandle {
  /// First, because it is all that SQLite knows.
  private let known: sqlite3_file
  private let log: Unmanaged<GatheredLog>

  /// The bytes of a handle, before those of the file.
  static let size = MemoryLayout<Self>.stride

  /// Makes the handle at `handle` of the file behind it, which is open.
  static func initialize(_ handle: UnsafeMutablePointer<sqlite3_file>) {
    let log = Unmanaged.passRetained(GatheredLog(file(of: handle)))
    UnsafeMutableRawPointer(handle).initializeMemory(
      as: Self.self, to: Self(known: sqlite3_file(pMethods: methods), log: log))
  }

  static func file(of handle: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(handle) + size).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func log(_ handle: UnsafeMutablePointer<sqlite3_file>?) -> GatheredLog {
    UnsafeMutableRawPointer(handle.unsafelyUnwrapped).assumingMemoryBound(to: Self.self).pointee.log
      .takeUnretainedValue()
  }

  private static func close(_ handle: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    let log = Self.log(handle)
    // What still waits was never committed.
    defer { Unmanaged.passUnretained(log).release() }
    return log.ask { $1.xClose($0) }
  }

  // The functions of later versions are for databases, not for logs.
  private nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { close($0) }
    methods.xWrite = { log($0).write(UnsafeRawBufferPointer(start: $1, count: Int($2)), at: $3) }
    methods.xRead = { handle, bytes, count, offset in
      log(handle).flushed { $1.xRead($0, bytes, count, offset) }
    }
    methods.xTruncate = { log($0).truncate(to: $1) }
    methods.xSync = { handle, flags in log(handle).flushed { $1.xSync($0, flags) } }
    methods.xFileSize = { handle, size in log(handle).flushed { $1.xFileSize($0, size) } }
    methods.xLock = { handle, level in log(handle).ask { $1.xLock($0, level) } }
    methods.xUnlock = { handle, level in log(handle).ask { $1.xUnlock($0, level) } }
    methods.xCheckReservedLock = { handle, result in log(handle).ask { $1.xCheckReservedLock($0, result) } }
    methods.xFileControl = { handle, operation, argument in
      log(handle).ask { $1.xFileControl($0, operation, argument) }
    }
    methods.xSectorSize = { log($0).ask { $1.xSectorSize($0) } }
    methods.xDeviceCharacteristics = { log($0).ask { $1.xDeviceCharacteristics($0) } }
    let pointer = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    pointer.initialize(to: methods)
    return UnsafePointer(pointer)
  }()
}
