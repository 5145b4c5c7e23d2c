internal import Files
package import JSON
internal import Platform
internal import Sodium

/// Publishes in a folder, which a web server may serve. Writers in other processes wait for each other; readers see each
/// file whole.
extension FileRegistry: Publisher {
  /// The first digits of the hash of the id, plus 1. Other programs that share such folders use the same rule, so they
  /// form the same ids of definitions.
  package func number(ofSchema id: String) throws(PublicationError) -> Int64 {
    let hash = sha256(Array(id.utf8)).hex
    return (Int64(hash.prefix(6), radix: 16) ?? 0) + 1
  }

  package func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) {
    try writing(to: kind.folder) { (directory) throws(PublicationError) in
      let path = "\(directory)/\(fileName(id))"
      let known: JSON?
      do { known = try find(kind, id) } catch { throw .unreachable("\(error)") }
      if let known {
        guard known.isSame(kind, as: object) else { throw .exists(known.difference(kind, from: object)) }
        return
      }
      try put(object.bytes, at: path)
    }
  }

  /// Appends the list. Its time is now, and later than that of the list before it, because readers find lists by their
  /// second: the call waits for the next second if it must.
  package func publish(_ update: StatusUpdate) throws(PublicationError) {
    while try !append(update) { usleep(Self.pause) }
  }

  /// Returns false if a list of this second is published.
  private func append(_ update: StatusUpdate) throws(PublicationError) -> Bool {
    try writing(to: "rev_status_list") { (directory) throws(PublicationError) in
      let (lists, time, last): (StatusLists?, Int64, Int64)
      do {
        lists = try statusLists(of: update.registryID)
        (time, last) = (now(), try lists?.lastTimestamp() ?? 0)
      } catch {
        throw .unreachable("\(error)")
      }
      if update.previousAccumulator == nil, lists != nil { return true }
      // Another clock may have written a time that is far ahead, which nobody waits for.
      guard time > last || last > time + 2 else { return false }
      var list = update.list
      list["timestamp"] = .integer(max(time, last + 1))
      try put(StatusLists.text(lists, adding: list), at: "\(directory)/\(fileName(update.registryID))")
      return true
    }
  }

  package func publish(tails path: String, hash: String) throws(PublicationError) -> String {
    try writing(to: "tails") { (directory) throws(PublicationError) in
      let file = "\(directory)/\(hash)"
      if Files.identity(of: file) == nil {
        let bytes: [UInt8]
        do { bytes = try Files.contents(of: path, limit: Self.tailsLimit) } catch {
          throw .refused("the tails file cannot be read: \(error)")
        }
        try put(bytes, at: file)
      }
      return tailsBase.map { "\($0)\(hash)" } ?? file
    }
  }

  /// The most bytes of a tails file, that of the largest registry.
  private static var tailsLimit: Int { 300 << 20 }
  /// Microseconds between two looks at the clock.
  private static var pause: UInt32 { 20_000 }

  // MARK: Writing

  /// Passes the path of a folder of the registry to `body`, while no other writer changes the registry.
  private func writing<Result>(
    to name: String, _ body: (String) throws(PublicationError) -> Result
  ) throws(PublicationError) -> Result {
    var result: Swift.Result<Result, PublicationError>?
    do {
      try Files.makeDirectory(folder, mode: Self.directoryMode)
      try Files.makeDirectory("\(folder)/\(name)", mode: Self.directoryMode)
      try Files.locked(folder) { () throws(FileError) in
        result = Swift.Result { () throws(PublicationError) in try body("\(folder)/\(name)") }
      }
    } catch {
      throw .unreachable("\(folder): \(error)")
    }
    guard let result else { throw .unreachable("\(folder): it could not be locked") }
    return try result.get()
  }

  /// The file appears whole or not at all, and readable for web servers.
  private func put(_ bytes: [UInt8], at path: String) throws(PublicationError) {
    let draft = Files.draftPath(for: path)
    do {
      defer { try? Files.remove(draft) }
      let file = try FileWriter(creating: draft, mode: 0o644)
      try file.write(bytes)
      try file.synchronize()
      try Files.rename(draft, to: path)
    } catch {
      throw .unreachable("\(path): \(error)")
    }
  }

  private static var directoryMode: UInt32 { 0o755 }
}
