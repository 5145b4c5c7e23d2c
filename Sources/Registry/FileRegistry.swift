internal import Files
internal import JSON
internal import Platform

/// A registry in a folder of this machine.
package struct FileRegistry: FolderRegistry {
  let folder: String
  /// The URL before the names of tails files; nil if holders read them from the folder.
  let tailsBase: String?
  /// The time in seconds since 1970, for status lists.
  let now: @Sendable () -> Int64

  /// Without `now`, the system's clock decides.
  package init(folder: String, tailsBase: String? = nil, now: (@Sendable () -> Int64)? = nil) {
    self.folder = folder
    self.tailsBase = tailsBase
    self.now = now ?? { Int64(time(nil)) }
  }

  package func supports(_ id: String) -> Bool { true }

  /// The folder has no object whose id is too long for a file name. A prover may have chosen such an id.
  package func read(_ path: String, limit: Int) throws(RegistryError) -> [UInt8]? {
    let file = "\(folder)/\(path)"
    do { return try Files.contents(of: file, limit: limit) } catch {
      guard error.isMissing || error.isNameTooLong else { throw .unreachable("\(file): \(error)") }
      return nil
    }
  }
}
