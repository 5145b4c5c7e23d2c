package import JSON
package import Time
package import WebVH

/// The public objects of issuers whose DIDs are of the method webvh: resources on the issuers' own servers, which the
/// issuers have signed (did:webvh AnonCreds method).
///
/// The server alone can invent nothing: the id of an object is the hash of its content, and a key of the issuer's DID has
/// signed it.
package final class WebVHRegistry: Registry {
  private let resolver: WebResolver
  private let match: IDPattern
  private let times: ListTimes
  private let now: Clock

  /// The most bytes of a revocation registry, which links to all of its status lists.
  static let registryLimit = 8 << 20
  /// The most bytes of a status list: a million credentials.
  static let listLimit = 2 << 20

  package init(_ resolver: WebResolver, match: IDPattern, now: @escaping Clock = systemClock) {
    self.resolver = resolver
    self.match = match
    self.now = now
    times = ListTimes(resolver.kept)
  }

  /// Everybody can have a DID and a server.
  package var isOpenToAll: Bool { true }

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
    // A link ahead of the clock is a mistake that its issuer may mend. It neither counts as seen nor hides a missing list.
    let latest = now() + clockTolerance
    try self.times.require(times.filter { $0 <= latest }.max(), of: id)
    guard let chosen = times.filter({ $0 <= time }).max(), let link = lists.last(where: { $0.timestamp == chosen })
    else {
      throw .notFound
    }
    guard issuer(of: link.id).isExactly(issuer(of: id)) else { throw .invalid("the status list is of another issuer") }
    let list = try resource(link.id, type: Self.listType, limit: Self.listLimit, limits: .numberLists).content
    guard list["timestamp"] == .integer(chosen) else {
      throw .invalid("the status list has another time than its registry says")
    }
    if chosen <= latest { self.times.note(chosen, of: id) }
    return .object(list)
  }

  package func keepListTime(of id: String) { times.keep(of: id, at: now()) }

  static let listType = "anonCredsStatusList"

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
      case .unusable, .malformed, .otherDigest, .notSigned, .deactivated, .did: .invalid("\(error)")
      }
  }
}
