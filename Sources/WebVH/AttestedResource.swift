internal import DIDComm
package import JSON

/// A resource that the controller of a DID has published under the hash of its content (did:webvh AnonCreds method,
/// "Attested Resources").
package struct AttestedResource: Sendable {
  /// Another resource that belongs to this one.
  package struct Link: Sendable {
    package let id: String
    package let type: String
    /// In seconds since 1970; nil if the link has no time.
    package let timestamp: Int64?
  }

  package let content: JSONObject
  /// The links as the issuer has written them.
  package let allLinks: [JSON]
  /// The links of a known form.
  package var links: [Link] { allLinks.compactMap(Link.init) }

  private static let mostProofs = 16

  /// Reads a resource and checks it against its id, its type, and the keys of its DID. `now` is in seconds since 1970.
  package init(
    _ bytes: [UInt8], id: ResourceID, type: String, of log: DIDLog, limits: JSONLimits, now: Int64
  ) throws(ResourceError) {
    guard var resource = (try? JSON(parsing: bytes, limits: limits, repeatedNames: .refused))?.object,
      let content = resource["content"]?.object, let metadata = resource["metadata"]?.object
    else { throw .malformed("it is no attested resource") }
    guard resource["id"] == .string(id.text) else { throw .malformed("it has another id") }
    guard metadata["resourceType"] == .string(type) else { throw .malformed("it is not of the type \(type)") }
    guard let digest = try? Multihash.multibase(of: JSON.object(content).canonicalBytes()), digest == id.digest,
      metadata["resourceId"] == .string(digest)
    else { throw .otherDigest }
    let proofs: [DataIntegrityProof]
    do { proofs = try resource.proofs(now: now, limit: Self.mostProofs) } catch { throw .malformed("\(error)") }
    resource["proof"] = nil
    guard proofs.contains(where: { log.hasSigned(resource, $0) }) else { throw .notSigned }
    self.content = content
    allLinks = resource["links"]?.array ?? []
  }
}

extension AttestedResource.Link {
  fileprivate init?(_ json: JSON) {
    guard let id = json["id"]?.string, let type = json["type"]?.string else { return nil }
    self.init(id: id, type: type, timestamp: json["timestamp"]?.integer)
  }
}

extension DIDLog {
  /// All names that the DID has had.
  var names: Set<String> { Set(versions.map(\.did.text)) }

  /// Whether a proof is by a key with which the DID makes assertions today. A key that the DID's controller has removed
  /// proves nothing any more: a thief may have it.
  fileprivate func hasSigned(_ resource: JSONObject, _ proof: DataIntegrityProof) -> Bool {
    guard let key = assertionKey(proof.method) else { return false }
    return (try? proof.verify(resource, by: key)) != nil
  }

  /// The key with this DID URL, if the latest document lists it under `assertionMethod`.
  private func assertionKey(_ method: String) -> VerKey? {
    let names = names
    guard let fragment = Self.fragment(method, of: names) else { return nil }
    let document = latest.document
    let assertions = (document["assertionMethod"]?.array ?? []).prefix(Self.mostMethods)
    let isListed = assertions.contains {
      ($0.string ?? $0["id"]?.string).flatMap { Self.fragment($0, of: names) } == fragment
    }
    guard isListed else { return nil }
    let methods = (document["verificationMethod"]?.array ?? []).prefix(Self.mostMethods) + assertions
    let found = methods.first { $0["id"]?.string.flatMap { Self.fragment($0, of: names) } == fragment }
    return found?["publicKeyMultibase"]?.string.flatMap { try? VerKey(multibase: $0) }
  }

  /// The keys with which the DID makes assertions today, by their DID URLs.
  var assertionKeys: [(method: String, key: VerKey)] {
    (latest.document["assertionMethod"]?.array ?? []).prefix(Self.mostMethods).compactMap { entry in
      guard let method = entry.string ?? entry["id"]?.string, let key = assertionKey(method) else { return nil }
      return (method.hasPrefix("#") ? latest.did.text + method : method, key)
    }
  }

  private static let mostMethods = 64

  /// The fragment of a DID URL of one of the names, or of a relative one. Nil for a URL of another DID.
  private static func fragment(_ url: String, of names: Set<String>) -> String? {
    let parts = url.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty, parts[0].isEmpty || names.contains(parts[0]) else { return nil }
    return parts[1]
  }
}

/// The reasons why a resource is not the requested one.
package enum ResourceError: Error, Equatable, Sendable {
  case malformed(String)
  /// The content is not the content that the id names.
  case otherDigest
  /// No key of the DID has signed the resource.
  case notSigned
  /// The server has no such resource.
  case notFound
  /// The server gave no answer, for the given reason.
  case unreachable(String)
  /// The answer of the server is no file, for the given reason.
  case unusable(String)
  /// The DID is deactivated.
  case deactivated
  /// The DID cannot be resolved.
  case did(DIDLogError)
}

extension ResourceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let reason): "the resource is malformed: \(reason)"
    case .otherDigest: "the content of the resource does not have the hash that its id names"
    case .notSigned: "no key of the DID's document has signed the resource"
    case .notFound: "the server has no such resource"
    case .unreachable(let reason): "no answer: \(reason)"
    case .unusable(let reason): "the answer is no resource: \(reason)"
    case .deactivated: "the issuer has deactivated the DID"
    case .did(let error): "\(error)"
    }
  }
}
