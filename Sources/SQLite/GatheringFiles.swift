internal import CSQLite

/// The files of a database as SQLite opens them by itself, except that a write-ahead log is a `GatheredLog`: a VFS that
/// stands before the one that is there ("shim").
///
/// Source: https://sqlite.org/vfs.html
enum GatheringFiles {
  private typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

  /// The name to open a database with; nil, for SQLite's own way, when it could not be registered.
  static let name: String? = {
    let name = "\(zName)"
    if sqlite3_vfs_find(name) != nil { return name }  // of another copy of the library
    guard let base = sqlite3_vfs_find(nil) else { return nil }
    return sqlite3_vfs_register(make(before: base), 0) == SQLITE_OK ? name : nil
  }()

  private static let zName: StaticString = "msdk"

  /// Never freed: connections may use it until the process ends.
  private static func make(before base: VFS) -> VFS {
    let vfs: VFS = .allocate(capacity: 1)
    vfs.initialize(to: sqlite3_vfs())
    vfs.pointee.iVersion = 1
    vfs.pointee.szOsFile = base.pointee.szOsFile + Int32(max(LogHandle.size, DatabaseHandle.extraSize))
    vfs.pointee.mxPathname = base.pointee.mxPathname
    vfs.pointee.zName = UnsafeRawPointer(zName.utf8Start).assumingMemoryBound(to: CChar.self)
    vfs.pointee.pAppData = UnsafeMutableRawPointer(base)
    vfs.pointee.xOpen = { GatheringFiles.open(below($0), $1, $2.unsafelyUnwrapped, $3, $4) }
    forward(vfs)
    return vfs
  }

  private static func open(
    _ base: VFS, _ name: UnsafePointer<CChar>?, _ handle: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
    _ actual: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard flags & SQLITE_OPEN_WAL != 0, let database = sqlite3_database_file_object(name) else {
      let status = base.pointee.xOpen(base, name, handle, flags, actual)
      if status == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0 {
        DatabaseHandle.initialize(handle, size: Int(base.pointee.szOsFile))
      }
      return status
    }
    handle.pointee.pMethods = nil  // nothing to close, until it is open
    let status = base.pointee.xOpen(base, name, LogHandle.file(of: handle), flags, actual)
    if status == SQLITE_OK { LogHandle.initialize(handle, of: DatabaseHandle(database)) }
    return status
  }

  private static func forward(_ vfs: VFS) {
    vfs.pointee.xDelete = { below($0).pointee.xDelete(below($0), $1, $2) }
    vfs.pointee.xAccess = { below($0).pointee.xAccess(below($0), $1, $2, $3) }
    vfs.pointee.xFullPathname = { below($0).pointee.xFullPathname(below($0), $1, $2, $3) }
    vfs.pointee.xDlOpen = { below($0).pointee.xDlOpen(below($0), $1) }
    vfs.pointee.xDlError = { below($0).pointee.xDlError(below($0), $1, $2) }
    vfs.pointee.xDlSym = { below($0).pointee.xDlSym(below($0), $1, $2) }
    vfs.pointee.xDlClose = { below($0).pointee.xDlClose(below($0), $1) }
    vfs.pointee.xRandomness = { below($0).pointee.xRandomness(below($0), $1, $2) }
    vfs.pointee.xSleep = { below($0).pointee.xSleep(below($0), $1) }
    vfs.pointee.xCurrentTime = { below($0).pointee.xCurrentTime(below($0), $1) }
    vfs.pointee.xGetLastError = { below($0).pointee.xGetLastError(below($0), $1, $2) }
  }
}

private func below(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> UnsafeMutablePointer<sqlite3_vfs> {
  vfs.unsafelyUnwrapped.pointee.pAppData.assumingMemoryBound(to: sqlite3_vfs.self)
}
