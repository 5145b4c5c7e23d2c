internal import Files
internal import JSON
internal import Sodium

/// A registry of JSON files that takes an issuer's objects.
protocol FolderPublisher: FolderRegistry, ConditionalFiles, Publisher {
  /// The time in seconds since 1970, for status lists.
  var now: @Sendable () -> Int64 { get }
}

/// A number for a schema that no ledger has numbered: the first digits of the hash of the id, plus 1. Other programs that
/// share folders with this one use the same rule, and so form the same ids of definitions.
package func hashNumber(ofSchema id: String) -> Int64 {
  (Int64(sha256(Array(id.utf8)).hex.prefix(6), radix: 16) ?? 0) + 1
}

extension FolderPublisher {
  package func number(ofSchema id: String) throws(PublicationError) -> Int64 { hashNumber(ofSchema: id) }

  package func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) {
    try change(kind.path(of: id), limit: objectLimit) { (content) throws(PublicationError) in
      guard let content else { return object.bytes }
      let known = try reading(id, PublicationError.unreachable) { () throws(JSONError) in try JSON(parsing: content) }
      guard known.isSame(kind, as: object) else { throw .exists(known.difference(kind, from: object)) }
      return nil
    }
  }

  /// Appends the list. Its time is now, and later than the previous list's time: the call waits for the next second if
  /// necessary.
  package func publish(_ update: StatusUpdate) throws(PublicationError) {
    let clock = ListClock(now: now)
    var taken: Int64?
    repeat {
      if let second = taken { clock.wait(until: second) }
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
        guard let time = try clock.time(after: last.timestamp) else {
          taken = last.timestamp
          return nil
        }
        return StatusLists.text(lists, adding: update.list(at: time))
      }
    } while taken != nil
  }

  /// The content of a tails file of this machine.
  func tails(at path: String) throws(PublicationError) -> [UInt8] {
    do { return try Files.contents(of: path, limit: TailsServer.fileLimit) } catch {
      throw .refused("the tails file cannot be read: \(error)")
    }
  }
}

extension StatusUpdate {
  /// The list with its time.
  func list(at time: Int64) -> JSON {
    var list = list
    list["timestamp"] = .integer(time)
    return list
  }
}
