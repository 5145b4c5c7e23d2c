internal import Platform

extension Files {
  /// The bytes of a regular file, without waiting for anybody. Throws if it has more than `limit`, and for pipes, devices
  /// and directories.
  package static func contents(ofRegularFile path: String, limit: Int) throws(FileError) -> [UInt8] {
    let contents = try FileReader(path: path).read(limit + 1)
    guard contents.count <= limit else { throw FileError("read a file", code: EFBIG) }
    return contents
  }

  /// The bytes of a file. Throws if it has more than `limit`. Waits for the writer of a pipe.
  package static func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("open a file") }
    defer { close(file) }
    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError("read a file") }
      if count == 0 { return contents }
      contents += piece.prefix(count)
      guard contents.count <= limit else { throw FileError("read a file", code: EFBIG) }
    }
  }
}
