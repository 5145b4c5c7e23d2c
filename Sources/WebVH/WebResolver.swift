package import HTTP
package import JSON
internal import Threading
package import Time

/// Resolves DIDs of `did:webvh` and `did:web`, and fetches the resources of the former. Calls block.
package final class WebResolver: Sendable {
  private let fetcher: WebFetcher
  /// The versions in the wallet. The registry keeps the times of its status lists beside them.
  package let kept: any SeenVersions
  private let seen: VersionMemory
  private let now: Clock
  private let logs = Locked(BoundedMemory<String, Remembered>(limit: WebResolver.mostRemembered))

  private struct Remembered: Sendable {
    let log: DIDLog
    let fetched: Int64

    func isFresh(at time: Int64) -> Bool {
      let life = min(max(log.ttl, WebResolver.shortestLife), WebResolver.longestLife)
      return (0..<life).contains(time - fetched)
    }
  }

  /// The most bytes of all remembered logs together.
  private static let mostRemembered = 16 << 20
  /// A log serves the objects of one presentation, even if its DID permits less: a long log takes a second to verify.
  private static let shortestLife: Int64 = 10
  /// A log is fetched again after an hour, even if its DID permits more: then a key that the controller has removed counts
  /// no more.
  private static let longestLife: Int64 = 3600
  private static let witnessLimit = 1 << 20
  private static let documentLimit = 256 << 10

  /// `authorities` is a file of certificates in PEM, which replace the system's.
  package init(
    reach: HTTPClient.Reach, authorities: String? = nil, seen: any SeenVersions, now: @escaping Clock = systemClock
  ) {
    fetcher = WebFetcher(reach: reach, authorities: authorities)
    kept = seen
    self.seen = VersionMemory(seen)
    self.now = now
  }

  /// The verified log of a DID. A log is remembered as long as its DID permits, unless the caller wants the server's.
  package func log(of did: WebVHDID, fromServer: Bool = false) throws(DIDLogError) -> DIDLog {
    let time = now()
    if !fromServer, let known = logs.withLock({ $0[did.text] }), known.isFresh(at: time) { return known.log }
    guard let bytes = try file(did.logURL, limit: UnwitnessedLog.limit) else { throw .notFound }
    let unwitnessed = try UnwitnessedLog(bytes, now: time)
    let proofs = unwitnessed.needsWitnesses ? try file(did.witnessURL, limit: Self.witnessLimit) : nil
    let log = try unwitnessed.witnessed(by: proofs)
    try log.require(did)
    try remember(log, of: did, weight: bytes.count, at: time)
    return log
  }

  /// Remembers a log that its controller has read or written. Throws if it lacks a version that was seen before.
  package func remember(_ log: DIDLog, of did: WebVHDID) throws(DIDLogError) {
    try remember(log, of: did, weight: 0, at: now())
  }

  /// `weight` is the size of the log's file in bytes.
  private func remember(_ log: DIDLog, of did: WebVHDID, weight: Int, at time: Int64) throws(DIDLogError) {
    try seen.note(log, at: time)
    let remembered = Remembered(log: log, fetched: time)
    logs.withLock { $0.keep(remembered, for: did.text, weight: weight + Self.overhead) }
  }

  /// About the bytes of a remembered log beside its content.
  private static let overhead = 4096

  /// The document of a DID of `did:webvh`, with or without a query for a version, or of `did:web`.
  ///
  /// Throws `deactivated` for the latest version of a deactivated DID. The server is always asked: a key that the controller
  /// has replaced stands for nobody.
  package func document(of did: String) throws(DIDLogError) -> JSONObject {
    if let asked = VersionedDID(did) {
      let log = try log(of: asked.did, fromServer: true)
      guard asked.query != .latest || !log.isDeactivated else { throw .deactivated }
      return try log.version(asked.query).document
    }
    guard let web = WebDID(did) else { throw .malformedDID }
    guard let bytes = try file(web.documentURL, limit: Self.documentLimit) else { throw .notFound }
    guard let document = (try? JSON(parsing: bytes, limits: JSONLimits(depth: 32)))?.object,
      document["id"] == .string(did)
    else { throw .malformedDocument }
    return document
  }

  /// An attested resource of the given type. `limit` is in bytes.
  ///
  /// A resource that no key of a remembered document has signed is checked again with the server's document.
  package func resource(
    _ id: ResourceID, type: String, limit: Int, limits: JSONLimits = .standard
  ) throws(ResourceError) -> AttestedResource {
    let log = try resolved(id.did, fromServer: false)
    guard let url = id.url(in: log.latest.document, of: log.names) else { throw .malformed("the service #files") }
    let bytes: [UInt8]?
    do { bytes = try fetcher.file(url, limit: limit) } catch { throw ResourceError(error) }
    guard let bytes else { throw .notFound }
    let time = now()
    do {
      return try AttestedResource(bytes, id: id, type: type, of: log, limits: limits, now: time)
    } catch .notSigned {
      let newer = try resolved(id.did, fromServer: true)
      guard newer.latest.id != log.latest.id else { throw .notSigned }
      return try AttestedResource(bytes, id: id, type: type, of: newer, limits: limits, now: time)
    }
  }

  private func resolved(_ did: WebVHDID, fromServer: Bool) throws(ResourceError) -> DIDLog {
    let log: DIDLog
    do { log = try self.log(of: did, fromServer: fromServer) } catch { throw .did(error) }
    guard !log.isDeactivated else { throw .deactivated }
    return log
  }

  private func file(_ url: String, limit: Int) throws(DIDLogError) -> [UInt8]? {
    do { return try fetcher.file(url, limit: limit) } catch { throw DIDLogError(error) }
  }
}

extension DIDLogError {
  fileprivate init(_ error: FetchError) {
    self =
      switch error {
      case .unreachable(let reason): .unreachable(reason)
      case .unusable(let reason): .unusable(reason)
      }
  }
}

extension ResourceError {
  fileprivate init(_ error: FetchError) {
    self =
      switch error {
      case .unreachable(let reason): .unreachable(reason)
      case .unusable(let reason): .unusable(reason)
      }
  }
}
