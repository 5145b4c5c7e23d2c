internal import Platform

/// A file operation that the system refused.
package struct FileError: Error, Equatable, Sendable {
  /// The system's number for the reason (`errno`).
  package let code: Int32
  package let operation: String

  init(_ operation: String, code: Int32 = errno) {
    self.code = code
    self.operation = operation
  }

  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether no file can have this name or path, because it is too long.
  package var isNameTooLong: Bool { code == ENAMETOOLONG }
  package var isOccupied: Bool { code == EEXIST }
  package var isTooLarge: Bool { code == EFBIG }
  package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }
}

extension FileError: CustomStringConvertible {
  /// The description omits the path, which can name a person.
  package var description: String { "cannot \(operation): \(String(cString: strerror(code)))" }
}
