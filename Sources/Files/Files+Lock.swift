internal import Glibc

extension Files {
  /// Runs `body` while this thread alone has the directory at `path`, among all threads and processes that ask for it this
  /// way. Blocks until the others are done. On a file system without such locks, `body` runs without.
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
      // Another may have removed the directory before it let go of it.
      var status = stat()
      if fstat(directory, &status) == 0, status.st_nlink > 0 { return directory }
      close(directory)
    }
  }
}
