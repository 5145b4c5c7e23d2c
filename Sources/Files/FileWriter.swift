internal import Platform

/// Writes a new file from front to back, and holds a lock on it meanwhile: the file of a process that has ended is free.
package final class FileWriter {
  private let file: Int32

  /// Creates the file, which must not exist.
  package init(creating path: String, mode: UInt32 = 0o600) throws(FileError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else { throw FileError("make a file") }
    self.file = file
    flock(file, LOCK_EX | LOCK_NB)  // best effort: some file systems have no locks
  }

  deinit { close(file) }

  package func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw FileError("write a file") }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Returns when the written bytes survive a power cut.
  package func synchronize() throws(FileError) {
    guard fsync(file) == 0 else { throw FileError("write a file") }
  }
}
