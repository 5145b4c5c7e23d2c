internal import HTTP
package import JSON

/// The id of an attested resource: `<DID>/<path>/<digest>`, where the digest is the hash of the resource's content.
package struct ResourceID: Equatable, Sendable {
  package let text: String
  package let did: WebVHDID
  let digest: String
  /// The segments behind the DID, with slashes between them.
  private let path: String
  private static let folder = "resources"

  private static let mostSegments = 32
  private static let longest = 2048

  /// Returns nil if a part is malformed, or if the id has a query or a fragment.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let segments = parts.dropFirst()
    guard let did = WebVHDID(parts[0]), let digest = segments.last, digest.hasPrefix("zQm"),
      segments.count <= Self.mostSegments, segments.allSatisfy({ WebLocation.segment($0) != nil })
    else { return nil }
    (self.text, self.did, self.digest) = (text, did, digest)
    path = segments.joined(separator: "/")
  }

  /// The id of a resource that an issuer publishes.
  package init(of content: JSONObject, by did: WebVHDID) throws(InexactNumber) {
    digest = Multihash.multibase(of: try JSON.object(content).canonicalBytes())
    path = "\(Self.folder)/\(digest)"
    self.did = did
    text = "\(did.text)/\(path)"
  }

  /// The path of the resource's file on its server, below the root. Nil if the DID's path has an encoded character: servers
  /// differ about the names of such folders.
  package var file: String? { did.location.folder.map { $0 + path } }

  /// Whether readers look for the resource beside the log, where its issuer publishes it.
  package func isBesideLog(of log: DIDLog) -> Bool {
    url(in: log.latest.document, of: log.names) == did.location.base + path
  }

  /// The URL of the resource: below the service `#files` of the DID's document, or else below the DID's own folder. Nil if
  /// the service is not usable.
  func url(in document: JSONObject, of dids: Set<String>) -> String? {
    let names = Set(dids.map { "\($0)#files" } + ["#files"])
    let services = (document["service"]?.array ?? []).prefix(64)
    guard let files = services.first(where: { $0["id"]?.string.map(names.contains) ?? false }) else {
      return did.location.base + path
    }
    guard let base = files["serviceEndpoint"]?.string, let url = HTTPURL(base), url.user == nil,
      !url.hasQueryOrFragment, url.scheme == .https || ["localhost", "127.0.0.1", "[::1]"].contains(url.host)
    else { return nil }
    return "\(base)\(base.hasSuffix("/") ? "" : "/")\(path)"
  }
}
