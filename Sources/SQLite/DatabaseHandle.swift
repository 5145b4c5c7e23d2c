internal import CSQLite

/// An open database file: SQLite's own, except that the log is told when a transaction is over.
struct DatabaseHandle {
  private let extra: UnsafeMutablePointer<Extra>

  /// What stands behind SQLite's own file in memory.
  private struct Extra {
    /// The functions of the file. First, because the file points to them, and that is how the rest is found.
    var methods: sqlite3_io_methods
    let original: UnsafePointer<sqlite3_io_methods>
    var log: Unmanaged<GatheredLog>?
  }

  /// The bytes that are needed behind those of the file.
  static let extraSize = MemoryLayout<Extra>.stride + MemoryLayout<Extra>.alignment

  /// The log of the database while it is open. Kept alive by its own handle.
  var log: GatheredLog? {
    get { extra.pointee.log?.takeUnretainedValue() }
    nonmutating set { extra.pointee.log = newValue.map { .passUnretained($0) } }
  }

  /// Of a file that has just been opened, with room behind its `size` bytes.
  static func initialize(_ file: UnsafeMutablePointer<sqlite3_file>, size: Int) {
    guard let original = file.pointee.pMethods else { return }
    let extra = (UnsafeMutableRawPointer(file) + size).alignedUp(for: Extra.self)
      .initializeMemory(as: Extra.self, to: Extra(methods: original.pointee, original: original))
    extra.pointee.methods.xShmLock = { DatabaseHandle($0.unsafelyUnwrapped).lock($0, $1, $2, $3) }
    file.pointee.pMethods = UnsafeRawPointer(extra).assumingMemoryBound(to: sqlite3_io_methods.self)
  }

  /// Of a file that `initialize` was called with.
  init(_ file: UnsafeMutablePointer<sqlite3_file>) {
    extra = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(file.pointee.pMethods.unsafelyUnwrapped))
      .assumingMemoryBound(to: Extra.self)
  }

  /// A writer holds the first of the locks, exclusively, until its transaction is committed or undone.
  private func lock(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ first: Int32, _ count: Int32, _ flags: Int32
  ) -> Int32 {
    if first == 0, flags == SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE { log?.forget() }
    return extra.pointee.original.pointee.xShmLock(file, first, count, flags)
  }
}
