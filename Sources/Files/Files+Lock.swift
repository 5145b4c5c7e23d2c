internal import Platform

extension Files {
  /// Runs `body` while this thread holds the lock of the directory at `path`, among all threads and processes that use
  /// this function. Blocks until the others are done. On a file system without such locks, runs `body` without one.
  package static func locked(_ path: String, _ body: () throws(FileError) -> Void) throws(FileError) {
    let directory = try lock(path)
    defer { close(directory) }
    try body()
  }

  /// The directory, open and locked until it is closed.
  private static func lock(_ path: String) throws(FileError) -> Int32 {
    while true {
      let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard directory >= 0 else { throw FileError("open a directory") }
      while flock(directory, LOCK_EX) != 0, errno == EINTR {}
      // Another process may have removed the directory before it released the lock.
      var status = stat()
      if fstat(directory, &status) == 0, status.st_nlink > 0 { return directory }
      close(directory)
    }
  }
}
