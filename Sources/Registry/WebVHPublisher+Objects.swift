package import JSON
internal import WebVH

/// Objects as attested resources: a file for each, under the hash of its content. The file of a revocation registry also
/// links to its status lists.
extension WebVHPublisher: Publisher {
  package func takes(_ id: String) -> Bool { ResourceID(id) != nil }

  package func number(ofSchema id: String) throws(PublicationError) -> Int64 { hashNumber(ofSchema: id) }

  package func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) {
    guard let content = object.object else { throw .refused("it is no object") }
    let id = try resourceID(id, of: content)
    try add(content, id, kind.resourceType, kind.name(of: content), to: log(for: id))
  }

  /// Publishes the list, and then its link in the registry. If another writer has added a link meanwhile, begins again.
  package func publish(_ update: StatusUpdate) throws(PublicationError) {
    guard let id = ResourceID(update.registryID), let file = id.file else { throw .refused("its id has another form") }
    let (log, clock) = (try log(for: id), ListClock(now: now))
    while true {
      guard let content = try read(file, WebVHRegistry.registryLimit) else {
        throw .refused("its registry is not there")
      }
      let registry = try resource(content, id, ObjectKind.revocationRegistry.resourceType, of: log)
      let last = registry.newestList
      if let last {
        if update.previousAccumulator == nil { return }
        try update.requireRevocations(of: published(last, of: log))
      }
      guard let time = try last?.timestamp.map(clock.time) ?? now() else {
        clock.wait(until: last?.timestamp ?? 0)
        continue
      }
      let link = try addList(update.list(at: time), time, name: registry.content["tag"]?.string ?? "", to: log)
      guard try !add(link, to: registry, in: file, id, of: log) else { return }
    }
  }

  package func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String {
    guard let location = ResourceID(id)?.did.location, let folder = location.folder else {
      throw .refused("the definition's id has another form")
    }
    try files.add(tails: path, as: "\(folder)tails/\(hash)")
    return "\(location.base)tails/\(hash)"
  }

  // MARK: Status lists

  /// The list with the time of the newest link.
  private func published(_ link: AttestedResource.Link, of log: WritableLog) throws(PublicationError) -> JSON {
    guard let id = ResourceID(link.id), let file = id.file, let content = try read(file, WebVHRegistry.listLimit) else {
      throw .refused("the registry's newest status list is not there")
    }
    return .object(try resource(content, id, WebVHRegistry.listType, .numberLists, of: log).content)
  }

  private func addList(
    _ list: JSON, _ time: Int64, name: String, to log: WritableLog
  ) throws(PublicationError) -> JSON {
    guard let content = list.object else { throw .refused("it is no object") }
    let id = try resourceID(nil, of: content, by: log.did)
    try add(content, id, WebVHRegistry.listType, name, limit: WebVHRegistry.listLimit, .numberLists, to: log)
    return ["id": .string(id.text), "type": .string(WebVHRegistry.listType), "timestamp": .integer(time)]
  }

  /// Adds a link to the file of a registry. Returns false, and changes nothing, if the file is no longer as it was read.
  private func add(
    _ link: JSON, to registry: AttestedResource, in file: String, _ id: ResourceID, of log: WritableLog
  ) throws(PublicationError) -> Bool {
    var isAdded = false
    try files.change(file, limit: WebVHRegistry.registryLimit) { (content) throws(PublicationError) in
      isAdded = false
      let type = ObjectKind.revocationRegistry.resourceType
      guard let content, try resource(content, id, type, of: log).allLinks == registry.allLinks else { return nil }
      isAdded = true
      return try signed(
        registry.content, id, type, registry.content["tag"]?.string ?? "", links: registry.allLinks + [link], log)
    }
    return isAdded
  }

  // MARK: Resources

  private func log(for id: ResourceID) throws(PublicationError) -> WritableLog {
    let log = try ownLog(of: id.did)
    guard !log.log.isDeactivated else { throw .refused("its issuer's DID is deactivated") }
    guard id.isBesideLog(of: log.log) else {
      throw .refused("the service #files of its issuer's DID names another place than that of the log")
    }
    return log
  }

  /// The id of a resource, which must be `given` if that is not nil.
  private func resourceID(
    _ given: String?, of content: JSONObject, by issuer: WebVHDID? = nil
  ) throws(PublicationError) -> ResourceID {
    guard let did = issuer ?? given.flatMap({ ResourceID($0)?.did }) else { throw .refused("its id has another form") }
    let id: ResourceID
    do { id = try ResourceID(of: content, by: did) } catch { throw .refused("\(error)") }
    guard given.map(id.text.isExactly) ?? true else { throw .refused("its id is not the hash of its content") }
    return id
  }

  /// Adds a resource, unless it is there. Refuses to sign over a file that is not valid: a stranger may have written it.
  private func add(
    _ content: JSONObject, _ id: ResourceID, _ type: String, _ name: String, limit: Int = objectLimit,
    _ limits: JSONLimits = .standard, to log: WritableLog
  ) throws(PublicationError) {
    guard let file = id.file else { throw .refused("its path has an encoded character") }
    try files.change(file, limit: limit) { (known) throws(PublicationError) in
      guard let known else { return try signed(content, id, type, name, log) }
      _ = try resource(known, id, type, limits, of: log)
      return nil
    }
  }

  private func signed(
    _ content: JSONObject, _ id: ResourceID, _ type: String, _ name: String, links: [JSON] = [], _ log: WritableLog
  ) throws(PublicationError) -> [UInt8] {
    try controlling { () throws(ControllerError) in
      try AttestedResource.signed(
        content, id: id, type: type, name: name, links: links, of: log.log, by: keys, now: now())
    }
  }

  private func resource(
    _ content: [UInt8], _ id: ResourceID, _ type: String, _ limits: JSONLimits = .standard, of log: WritableLog
  ) throws(PublicationError) -> AttestedResource {
    do {
      return try AttestedResource(content, id: id, type: type, of: log.log, limits: limits, now: now())
    } catch {
      throw .exists("\(error)")
    }
  }

  private func read(_ path: String, _ limit: Int) throws(PublicationError) -> [UInt8]? {
    do { return try files.read(path, limit: limit) } catch { throw .unreachable("\(error)") }
  }
}

extension AttestedResource {
  /// The link to the status list that was published last.
  fileprivate var newestList: Link? {
    links.filter { $0.type == WebVHRegistry.listType && $0.timestamp != nil }
      .max { ($0.timestamp ?? 0) < ($1.timestamp ?? 0) }
  }
}

extension ObjectKind {
  /// The type of a resource with such an object (did:webvh AnonCreds method).
  var resourceType: String {
    switch self {
    case .schema: "anonCredsSchema"
    case .definition: "anonCredsCredDef"
    case .revocationRegistry: "anonCredsRevocRegDef"
    }
  }

  /// A name of an object for human readers.
  fileprivate func name(of content: JSONObject) -> String { content[self == .schema ? "name" : "tag"]?.string ?? "" }
}
