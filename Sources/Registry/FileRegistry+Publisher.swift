internal import Files

/// Publishes in a folder, which a web server may serve. Writers in other processes take turns; readers never see half a
/// file.
extension FileRegistry: FolderPublisher {
  package func change(
    _ path: String, limit: Int, _ edit: ([UInt8]?) throws(PublicationError) -> [UInt8]?
  ) throws(PublicationError) {
    try writing(to: path) { (file) throws(PublicationError) in
      let content: [UInt8]?
      do { content = try read(path, limit: limit) } catch { throw .unreachable("\(error)") }
      if let changed = try edit(content) { try put(changed, at: file) }
    }
  }

  package func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String {
    try add(tails: path, as: "tails/\(hash)")
    return tailsBase.map { "\($0)\(hash)" } ?? "\(folder)/tails/\(hash)"
  }

  package func add(tails: String, as path: String) throws(PublicationError) {
    try writing(to: path) { (file) throws(PublicationError) in
      if Files.identity(of: file) == nil { try put(self.tails(at: tails), at: file) }
    }
  }

  /// Passes the path of a file of the registry to `body`, while no other writer changes the registry. The file's folder
  /// exists.
  private func writing<Result>(
    to path: String, _ body: (String) throws(PublicationError) -> Result
  ) throws(PublicationError) -> Result {
    var result: Swift.Result<Result, PublicationError>?
    do {
      let file = "\(folder)/\(path)"
      try Files.makeDirectory(Files.parent(of: file) ?? folder, mode: Self.directoryMode)
      try Files.locked(folder) { () throws(FileError) in
        result = Swift.Result { () throws(PublicationError) in try body("\(folder)/\(path)") }
      }
    } catch {
      throw .unreachable("\(folder): \(error)")
    }
    guard let result else { throw .unreachable("\(folder): it could not be locked") }
    return try result.get()
  }

  /// The file appears whole or not at all, and readable for web servers.
  private func put(_ bytes: [UInt8], at path: String) throws(PublicationError) {
    do { try Files.replace(path, with: bytes, mode: 0o644) } catch { throw .unreachable("\(path): \(error)") }
  }

  private static var directoryMode: UInt32 { 0o755 }
}
