internal import Files
internal import JSON

/// A registry in a folder of this machine.
package struct FileRegistry: FolderRegistry {
  private let folder: String

  package init(folder: String) { self.folder = folder }

  package func supports(_ id: String) -> Bool { true }

  func read(_ path: String, limit: Int) throws(RegistryError) -> JSON? {
    let file = "\(folder)/\(path)"
    let bytes: [UInt8]
    do { bytes = try Files.contents(of: file, limit: limit) } catch {
      guard error.isMissing else { throw .unreachable("\(file): \(error)") }
      return nil
    }
    do { return try JSON(parsing: bytes) } catch { throw .unreachable("\(file): \(error)") }
  }
}
