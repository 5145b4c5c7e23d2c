internal import CSQLite

/// What SQLite holds of an open write-ahead log. The file itself, as SQLite's own functions know it, follows in memory.
struct LogHandle {
  /// First, because it is all that SQLite knows.
  private let known: sqlite3_file
  private let log: Unmanaged<GatheredLog>
  private let database: DatabaseHandle

  /// The bytes of a handle, before those of the file.
  static let size = MemoryLayout<Self>.stride

  /// Makes the handle at `handle` of the file behind it, which is open.
  static func initialize(_ handle: UnsafeMutablePointer<sqlite3_file>, of database: DatabaseHandle) {
    let log = GatheredLog(file(of: handle))
    database.log = log
    UnsafeMutableRawPointer(handle).initializeMemory(
      as: Self.self,
      to: Self(known: sqlite3_file(pMethods: methods), log: .passRetained(log), database: database))
  }

  static func file(of handle: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(handle) + size).assumingMemoryBound(to: sqlite3_file.self)
  }

  private static func own(_ handle: UnsafeMutablePointer<sqlite3_file>?) -> Self {
    UnsafeMutableRawPointer(handle.unsafelyUnwrapped).assumingMemoryBound(to: Self.self).pointee
  }

  private static func log(_ handle: UnsafeMutablePointer<sqlite3_file>?) -> GatheredLog {
    own(handle).log.takeUnretainedValue()
  }

  private static func close(_ handle: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    own(handle).database.log = nil
    return own(handle).log.takeRetainedValue().ask { $1.xClose($0) }
  }

  // The functions of later versions are for databases, not for logs.
  private nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { close($0) }
    methods.xWrite = { log($0).write(UnsafeRawBufferPointer(start: $1, count: Int($2)), at: $3) }
    methods.xRead = { log($0).read($1, $2, at: $3) }
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
