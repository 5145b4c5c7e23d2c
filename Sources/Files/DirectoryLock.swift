internal import Platform

/// The lock of a directory among all processes that use this type or `Files.locked`. It ends with the last reference, or
/// with the process.
package final class DirectoryLock: Sendable {
  /// The open directory, which holds the lock.
  private let directory: Int32

  /// Takes the lock without waiting. Returns nil if somebody else has it. On a file system without such locks, returns a
  /// lock that excludes nobody.
  package init?(_ path: String) throws(FileError) {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw FileError("open a directory") }
    guard flock(directory, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      close(directory)
      return nil
    }
    self.directory = directory
  }

  deinit { close(directory) }
}
