package import HTTP
package import JSON
internal import Threading
package import Time

/// Resolves DIDs of `did:webvh` and `did:web`, and fetches the resources of the former. Calls block.
package final class WebResolver: Sendable {
  private let fetcher: WebFetcher
  private let seen: VersionMemory
  private let now: Clock
  private let logs = Locked<[String: Remembered]>([:])

  private struct Remembered: Sendable {
    let log: DIDLog
    let fetched: Int64

    func isFresh(at time: Int64) -> Bool { (0..<min(log.ttl, WebResolver.longestLife)).contains(time - fetched) }
  }

  private static let mostRemembered = 256
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
    try seen.note(log, at: time)
    logs.withLock { logs in
      if logs.count >= Self.mostRemembered { logs = [:] }
      logs[did.text] = Remembered(log: log, fetched: time)
    }
    return log
  }

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
    do { bytes = try fetcher.file(url, limit: limit) } catch { throw .unreachable(error.reason) }
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
    do { return try fetcher.file(url, limit: limit) } catch { throw .unreachable(error.reason) }
  }
}
