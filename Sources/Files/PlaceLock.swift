internal import Platform

/// The lock of one place in a file, among all holders in all processes. It ends with the last reference, or with the process.
/// The file need not be so long, and stays as it is. A missing file is made, for its user alone.
package final class PlaceLock: Sendable {
  /// The open file, which holds the lock.
  private let file: Int32

  /// `F_OFD_SETLK` of Linux, which Swift's module of the C library lacks. Such a lock belongs to the open file, and so it also
  /// excludes holders in the same process.
  private static let set: Int32 = 37

  /// Takes the lock without waiting. Returns nil if somebody else has it. On a file system without such locks, returns a lock
  /// that excludes nobody.
  package init?(_ place: Int64, of path: String) throws(FileError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("open a file") }
    var range = flock()
    (range.l_type, range.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (range.l_start, range.l_len) = (off_t(place), 1)
    guard unsafe fcntl(file, Self.set, &range) == 0 || ![EAGAIN, EACCES].contains(errno) else {
      close(file)
      return nil
    }
    self.file = file
  }

  deinit { close(file) }
}
