internal import Files
internal import JSON
internal import Platform
internal import Sodium

/// A registry of JSON files that takes an issuer's objects.
protocol FolderPublisher: FolderRegistry, Publisher {
  /// The time in seconds since 1970, for status lists.
  var now: @Sendable () -> Int64 { get }

  /// Replaces a file's content by the result of `edit`, unless the result is nil. `edit` receives nil if the file does
  /// not exist.
  ///
  /// No change of another writer is lost: if the file has changed meanwhile, `edit` is called again with its new content.
  func change(
    _ path: String, limit: Int, _ edit: ([UInt8]?) throws(PublicationError) -> [UInt8]?
  ) throws(PublicationError)
}

extension FolderPublisher {
  /// The first digits of the hash of the id, plus 1. Other programs that share such folders use the same rule, and so
  /// form the same ids of definitions.
  package func number(ofSchema id: String) throws(PublicationError) -> Int64 {
    let hash = sha256(Array(id.utf8)).hex
    return (Int64(hash.prefix(6), radix: 16) ?? 0) + 1
  }

  package func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) {
    try change(kind.path(of: id), limit: objectLimit) { (content) throws(PublicationError) in
      guard let content else { return object.bytes }
      let known = try reading(id, PublicationError.unreachable) { () throws(JSONError) in try JSON(parsing: content) }
      guard known.isSame(kind, as: object) else { throw .exists(known.difference(kind, from: object)) }
      return nil
    }
  }

  /// Appends the list. Its time is now, and later than the previous list's time, because readers find lists by their
  /// second: the call waits for the next second if necessary. Refuses the list if the previous one is of a time that
  /// readers do not accept yet: they would not find the new list either.
  package func publish(_ update: StatusUpdate) throws(PublicationError) {
    var taken: Int64?
    repeat {
      if let second = taken { wait(until: second) }
      taken = nil
      let path = StatusLists.path(of: update.registryID)
      try change(path, limit: StatusLists.limit) { (content) throws(PublicationError) in
        let lists = try reading(update.registryID, PublicationError.unreachable) { () throws(JSONError) in
          try content.flatMap { (bytes) throws(JSONError) in try StatusLists(bytes) }
        }
        guard let lists else { return StatusLists.text(nil, adding: update.list(at: now())) }
        if update.previousAccumulator == nil { return nil }
        let last = try reading(update.registryID, PublicationError.unreachable) { () throws(JSONError) in
          try lists.last()
        }
        try update.requireRevocations(of: last.list)
        let time = now()
        guard last.timestamp <= time + clockTolerance else {
          throw .refused(
            "its last status list is in force from the second \(last.timestamp), which is ahead of this machine's clock: a "
              + "later list would count only after it")
        }
        // Another clock may be somewhat ahead; the call does not wait for it.
        guard time > last.timestamp || last.timestamp > time + Self.longestWait else {
          taken = last.timestamp
          return nil
        }
        return StatusLists.text(lists, adding: update.list(at: max(time, last.timestamp + 1)))
      }
    } while taken != nil
  }

  /// Waits until the second is over.
  private func wait(until second: Int64) {
    while (second - Self.longestWait...second).contains(now()) { usleep(Self.pause) }
  }

  /// The content of a tails file of this machine.
  func tails(at path: String) throws(PublicationError) -> [UInt8] {
    do { return try Files.contents(of: path, limit: TailsServer.fileLimit) } catch {
      throw .refused("the tails file cannot be read: \(error)")
    }
  }

  /// The seconds that a list waits for its time.
  private static var longestWait: Int64 { 2 }
  /// Microseconds between two looks at the clock.
  private static var pause: UInt32 { 20_000 }
}

extension StatusUpdate {
  /// The list with its time.
  fileprivate func list(at time: Int64) -> JSON {
    var list = list
    list["timestamp"] = .integer(time)
    return list
  }
}
