internal import Credentials
internal import Indy
internal import JSON
internal import Logging
internal import Registry
internal import Time

extension CredentialDefinition {
  /// Makes a definition with its keys, and its revocation registry if its credentials can be revoked, stores the keys
  /// in the wallet, and publishes the definition and the registry. Takes seconds.
  ///
  /// If the wallet has keys for this schema and tag, they are used: a program that failed to publish can repeat the
  /// call.
  package init(
    sourceID: String, name: String, schemaID: String, issuer: String, tag: String, revocation: RevocationDetails,
    with session: Session
  ) throws {
    try self.init(
      unpublished: sourceID, name: name, schemaID: schemaID, issuer: issuer, tag: tag, revocation: revocation,
      with: session)
    try publish(session.credentialIssuer().definition(id), with: session)
  }

  /// Makes a definition for an endorser to publish.
  package init(
    unpublished sourceID: String, name: String, schemaID: String, issuer: String, tag: String,
    revocation: RevocationDetails, with session: Session
  ) throws {
    let naming = try ObjectNaming(issuer: issuer)
    let schema = try session.registries.schema(schemaID)
    let keys = try session.credentialIssuer()
    let made = try keys.define(
      DefinitionPlan(
        schemaID: schemaID, schema: schema.json, number: Self.number(ofSchema: schemaID, naming, with: session),
        naming: naming, tag: tag, isRevocable: revocation.registry != nil))
    Log.info("the keys of credential definition \(made.id) are in the wallet")
    let registry = try revocation.registry.map { registry in
      let own = try keys.makeRegistry(of: made, size: registry.size, folder: registry.folder, naming: naming) {
        try Self.publicForm(of: $0, for: made.id, with: session)
      }
      return DefinitionRegistry(own, folder: registry.folder)
    }
    self.init(
      sourceID: sourceID, id: made.id, name: name, tag: tag, issuer: issuer, isPublished: false, registry: registry)
  }

  /// The number of the schema in Indy's ids. Other ids do not contain it, and the schema may be of another issuer, whose
  /// registry does not number schemas for this one.
  private static func number(
    ofSchema id: String, _ naming: ObjectNaming, with session: Session
  ) throws -> Int64 {
    if case .indy = naming { try session.registries.number(ofSchema: id) } else { hashNumber(ofSchema: id) }
  }

  /// The transactions that publish a definition, signed for an endorser, as JSON texts. The last two are nil if its
  /// credentials cannot be revoked. Afterwards, this library no longer publishes the definition itself.
  package mutating func transactions(
    for endorser: String, with session: Session
  ) throws -> (definition: String, registry: String?, entry: String?) {
    isForEndorser = true
    let (keys, registries) = (try session.credentialIssuer(), session.registries)
    let made = try JSON(parsing: keys.definition(id).text)
    let definition = try registries.prepare(made, .definition, id, for: endorser)
    guard let registry else { return (definition, nil, nil) }
    let own = try Self.publicForm(of: JSON(parsing: keys.registry(registry.id).text), for: id, with: session)
    return (
      definition, try registries.prepare(own, .revocationRegistry, registry.id, for: endorser),
      try registries.prepare(StatusUpdate(keys.firstStatus(of: registry.id), of: registry.id), for: endorser)
    )
  }

  /// The registry's definition, with the place from which holders fetch the tails file in place of the local one.
  private static func publicForm(of own: JSON, for definitionID: String, with session: Session) throws -> JSON {
    var definition = own
    let value = try own.requireObject().object("value")
    definition["value"]?["tailsLocation"] = .string(
      try session.registries.publish(
        tails: value.string("tailsLocation"), hash: value.string("tailsHash"), of: definitionID))
    return definition
  }

  /// Publishes the definition, then the registry, and then the registry's first status. Skips published parts.
  private mutating func publish(_ made: OwnDefinition, with session: Session) throws {
    let registries = session.registries
    try registries.publish(JSON(parsing: made.text), .definition, id)
    if let registry {
      let keys = try session.credentialIssuer()
      let own = try keys.registry(registry.id)
      let text = try JSON(parsing: own.text)
      let isThere = registries.hasRevocationRegistry(own.id)
      try registries.publish(Self.publicForm(of: text, for: id, with: session), .revocationRegistry, own.id)
      let isFirst = try keys.publishFirst(of: own.id, isThere: isThere) { status in
        try registries.publish(StatusUpdate(status, of: own.id))
      }
      if !isFirst { Log.warning("the first status list of \(own.id) was published before, and is not published again") }
    }
    isPublished = true
    Log.info("credential definition \(id) is published")
  }

  /// Publishes the parts that an earlier attempt could not publish, and waiting revocations. If an endorser publishes
  /// the definition, or if its keys are not in the wallet, only looks whether it is published; if that fails, nothing
  /// changes.
  package mutating func update(with session: Session) throws {
    let made = try session.credentialIssuer().ownDefinition(id)
    if !isPublished {
      if let made, !isForEndorser { try publish(made, with: session) } else { isPublished = isReadable(with: session) }
    }
    if made != nil, isPublished, let registry { try session.publishPending(of: registry.id) }
  }

  /// Whether others can read the definition, and its registry with a status.
  private func isReadable(with session: Session) -> Bool {
    let registries = session.registries
    do {
      _ = try registries.definition(id)
      guard let registry else { return true }
      _ = try registries.revocationRegistry(registry.id)
      _ = try registries.statusList(of: registry.id, at: systemClock())
      return true
    } catch {
      return false
    }
  }
}

extension DefinitionRegistry {
  /// The registry that was made for a definition.
  init(_ made: OwnRegistry, folder: String) {
    self.init(id: made.id, definition: made.indyText, entry: made.entry, tailsFolder: folder)
  }
}
