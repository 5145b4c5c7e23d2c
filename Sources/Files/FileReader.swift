internal import Platform

/// Reads a file from front to back.
package final class FileReader {
  private let file: Int32

  /// The length in bytes when the file was opened.
  package let length: Int

  /// Opens a regular file. Refuses pipes and devices, which could last for ever.
  package init(path: String) throws(FileError) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw FileError("open a file") }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw FileError("read a pipe, a device or a directory as a file", code: EINVAL)
    }
    self.file = file
    length = Int(status.st_size)
  }

  deinit { close(file) }

  /// The next bytes, `count` at most; fewer only at the end of the file.
  package func read(_ count: Int) throws(FileError) -> [UInt8] {
    var isFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let result = Glibc.read(file, buffer.baseAddress.map { $0 + filled }, count - filled)
        if result < 0, errno == EINTR { continue }
        isFailed = result < 0
        guard result > 0 else { return }
        filled += result
      }
    }
    guard !isFailed else { throw FileError("read a file") }
    return bytes
  }
}
