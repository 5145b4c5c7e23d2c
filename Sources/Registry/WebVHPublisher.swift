internal import JSON
package import WebVH

/// Publishes the DIDs of did:webvh that this program controls, in a place that a web server serves under the DIDs' host.
///
/// The wallet has the keys: of an update, which the log names or has committed to, and of assertions, which sign objects.
/// Logs and registries change under conditions, so that another writer with the same keys loses nothing.
package struct WebVHPublisher: Sendable {
  let files: any ConditionalFiles
  let keys: any ControllerKeys
  /// The time in seconds since 1970.
  let now: @Sendable () -> Int64
  private let resolver: WebResolver

  /// The names of the files of a DID.
  private static let logName = "did.jsonl"

  /// `files` is the root of the host. `resolver` knows the versions that were seen before.
  package init(
    _ files: any ConditionalFiles, keys: any ControllerKeys, resolver: WebResolver, now: @escaping @Sendable () -> Int64
  ) {
    self.files = files
    self.keys = keys
    self.resolver = resolver
    self.now = now
  }

  // MARK: DIDs

  /// Makes a DID at a place such as `example.com:issuers:1`, and publishes its log. Refuses a place that has a log.
  package func create(at place: String, _ choices: DIDChange) throws(PublicationFailure) -> String {
    try naming(place) { () throws(PublicationError) in
      let made = try controlling { () throws(ControllerError) in
        try WritableLog(at: place, choices, keys: keys, now: now())
      }
      try files.change(try file(of: made.did), limit: UnwitnessedLog.limit) { (content) throws(PublicationError) in
        guard content == nil else { throw .exists("the place has the log of another DID") }
        return made.bytes
      }
      try remember(made)
      return made.did.text
    }
  }

  /// Publishes the next version of a DID. Returns the id of the version.
  package func update(_ did: WebVHDID, _ change: DIDChange) throws(PublicationFailure) -> String {
    try naming(did.text) { () throws(PublicationError) in
      // Readers with an exact clock refuse a version of a later second.
      ListClock(now: now).wait(until: try ownLog(of: did).time)
      var next: WritableLog?
      try files.change(try file(of: did), limit: UnwitnessedLog.limit) { (content) throws(PublicationError) in
        let former = try read(content, of: did)
        let made = try controlling { () throws(ControllerError) in
          try former.appending(change, keys: keys, now: now())
        }
        next = made
        return made.bytes
      }
      guard let next else { throw .notAccepted("nothing was written") }
      try remember(next)
      return next.log.latest.id
    }
  }

  /// The log of an own DID, as its place has it now.
  func ownLog(of did: WebVHDID) throws(PublicationError) -> WritableLog {
    let content: [UInt8]?
    do { content = try files.read(file(of: did), limit: UnwitnessedLog.limit) } catch let error as RegistryError {
      throw .unreachable("\(error)")
    } catch let error as PublicationError {
      throw error
    } catch {
      throw .unreachable("\(error)")
    }
    return try read(content, of: did)
  }

  /// Throws for a log that lacks a version which was seen before: the place is a backup, and a continued log would fork.
  private func read(_ content: [UInt8]?, of did: WebVHDID) throws(PublicationError) -> WritableLog {
    guard let content else { throw .refused("the configured place does not have its log") }
    let log = try controlling { () throws(ControllerError) in try WritableLog(content, now: now()) }
    guard log.did == did else { throw .refused("the configured place has the log of another DID") }
    try remember(log)
    return log
  }

  private func remember(_ log: WritableLog) throws(PublicationError) {
    do { try resolver.remember(log.log, of: log.did) } catch { throw .refused("\(error)") }
  }

  private func file(of did: WebVHDID) throws(PublicationError) -> String {
    guard let file = did.location.file(Self.logName) else { throw .refused("its path has an encoded character") }
    return file
  }

  /// The result of `body`, whose errors are those of a controller.
  func controlling<Result>(_ body: () throws(ControllerError) -> Result) throws(PublicationError) -> Result {
    do { return try body() } catch {
      switch error {
      case .noKey: throw .noKey("the DID that may change it")
      case .keys(let reason): throw .unreachable(reason)
      case .malformedPlace, .unsupported, .log, .inexactNumber: throw .refused("\(error)")
      }
    }
  }

  private func naming<Result>(
    _ did: String, _ body: () throws(PublicationError) -> Result
  ) throws(PublicationFailure) -> Result {
    do { return try body() } catch { throw PublicationFailure(.did, did, error) }
  }
}
