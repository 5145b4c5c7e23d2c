package import JSON
internal import Threading
package import WebVH

/// The public objects of issuers whose DIDs are of the method webvh: resources on the issuers' own servers, which the
/// issuers have signed (did:webvh AnonCreds method).
///
/// The server alone can invent nothing: the id of an object is the hash of its content, and a key of the issuer's DID has
/// signed it.
package final class WebVHRegistry: Registry {
  private let resolver: WebResolver
  private let match: IDPattern
  /// The time of the newest status list that was seen of each registry.
  private let newest = Locked<[ExactText: Int64]>([:])

  /// The most bytes of a revocation registry, which links to all of its status lists.
  static let registryLimit = 8 << 20
  /// The most bytes of a status list: a million credentials.
  static let listLimit = 2 << 20
  private static let mostRemembered = 256

  package init(_ resolver: WebResolver, match: IDPattern) {
    self.resolver = resolver
    self.match = match
  }

  package func supports(_ id: String) -> Bool { ResourceID(id) != nil && match.matches(id) }

  package func schema(_ id: String) throws(RegistryError) -> JSON {
    .object(try resource(id, type: ObjectKind.schema.resourceType, limit: objectLimit).content)
  }

  package func definition(_ id: String) throws(RegistryError) -> JSON {
    .object(try resource(id, type: ObjectKind.definition.resourceType, limit: objectLimit).content)
  }

  package func revocationRegistry(_ id: String) throws(RegistryError) -> JSON {
    .object(try registry(id).content)
  }

  package func statusList(_ id: String, at time: Int64) throws(RegistryError) -> JSON {
    let lists = try registry(id).links.filter { $0.type == Self.listType }
    let times = lists.compactMap(\.timestamp)
    try requireNewest(times.max(), of: id)
    guard let chosen = times.filter({ $0 <= time }).max(), let link = lists.last(where: { $0.timestamp == chosen })
    else {
      throw .notFound
    }
    guard issuer(of: link.id).isExactly(issuer(of: id)) else { throw .invalid("the status list is of another issuer") }
    let list = try resource(link.id, type: Self.listType, limit: Self.listLimit, limits: .numberLists).content
    guard list["timestamp"] == .integer(chosen) else {
      throw .invalid("the status list has another time than its registry says")
    }
    return .object(list)
  }

  static let listType = "anonCredsStatusList"

  /// Throws if the registry has lost its newest status list: its server would take revocations back.
  private func requireNewest(_ time: Int64?, of id: String) throws(RegistryError) {
    try newest.withLock { (newest) throws(RegistryError) in
      let key = ExactText(id)
      let seen = newest[key] ?? .min
      guard (time ?? .min) >= seen else { throw .invalid("a status list that was seen before is missing") }
      if newest.count >= Self.mostRemembered, newest[key] == nil { newest = [:] }
      newest[key] = time
    }
  }

  private func registry(_ id: String) throws(RegistryError) -> AttestedResource {
    try resource(id, type: ObjectKind.revocationRegistry.resourceType, limit: Self.registryLimit)
  }

  /// The resource, if its issuer is the DID that the id names.
  private func resource(
    _ id: String, type: String, limit: Int, limits: JSONLimits = .standard
  ) throws(RegistryError) -> AttestedResource {
    guard let resourceID = ResourceID(id) else { throw .notFound }
    let resource: AttestedResource
    do { resource = try resolver.resource(resourceID, type: type, limit: limit, limits: limits) } catch {
      throw RegistryError(error)
    }
    guard resource.content["issuerId"] == .string(resourceID.did.text) else {
      throw .invalid("\"issuerId\" is not the issuer that the id names")
    }
    return resource
  }

  private func issuer(of id: String) -> String? { ResourceID(id)?.did.text }
}

extension RegistryError {
  fileprivate init(_ error: ResourceError) {
    self =
      switch error {
      case .notFound, .did(.notFound): .notFound
      case .unreachable(let reason), .did(.unreachable(let reason)): .unreachable(reason)
      case .malformed, .otherDigest, .notSigned, .deactivated, .did: .invalid("\(error)")
      }
  }
}
