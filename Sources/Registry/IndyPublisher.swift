internal import Indy
internal import IndyVDR
package import JSON
package import Sodium

/// Publishes on an Indy ledger, in the name of the DID that begins an object's id. The ledger has only ids in Indy's
/// older form.
package struct IndyPublisher: Publisher {
  private let registry: IndyRegistry
  private let ledger: IndyRegistry.Connect
  private let agreement: AgreementAcceptance?
  private let sign: IndyTransaction.Sign
  /// The time in nanoseconds since 1970, which numbers the requests.
  private let now: @Sendable () -> Int64

  package init(
    registry: IndyRegistry, agreement: AgreementAcceptance?, now: @escaping @Sendable () -> Int64,
    sign: @escaping IndyTransaction.Sign, ledger: @escaping IndyRegistry.Connect
  ) {
    self.registry = registry
    self.ledger = ledger
    self.agreement = agreement
    self.now = now
    self.sign = sign
  }

  package func number(ofSchema id: String) throws(PublicationError) -> Int64 {
    guard let number = try submit(.schema(id: id.onLedger))["seqNo"]?.integer else {
      throw .refused("the ledger has no schema \(id)")
    }
    return number
  }

  // MARK: Publishing

  package func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) {
    if let known = try published(kind, id) {
      guard known.isSame(kind, as: object) else { throw .exists(known.difference(kind, from: object)) }
      return
    }
    do throws(PublicationError) {
      try write(operation(object, kind, id), by: author(of: id))
    } catch {
      // Another process may have been faster.
      guard case .refused(let reason) = error, kind == .schema, try published(kind, id) != nil else { throw error }
      throw .exists(reason)
    }
  }

  /// If the ledger refuses the update, it may have written an earlier update whose answer was lost. The next attempt
  /// then begins from the ledger's status. It undoes no revocation that it does not know: another copy of the wallet
  /// may have published one.
  package func publish(_ update: StatusUpdate) throws(PublicationError) {
    if update.previousAccumulator == nil, try status(update.registryID) != nil { return }
    let author = try author(of: update.registryID)
    do throws(PublicationError) { try write(Self.operation(update), by: author) } catch {
      guard case .refused = error, let known = try status(update.registryID) else { throw error }
      let accumulator = known["currentAccumulator"]?.string
      if accumulator == update.list["currentAccumulator"]?.string { return }
      guard accumulator != update.previousAccumulator, let rest = update.following(known) else { throw error }
      try update.requireRevocations(of: known)
      try write(Self.operation(rest), by: author)
    }
  }

  /// The ledger has no files: holders fetch the issuer's file.
  package func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String { path }

  /// The DID that begins the id of an object, in the ledger's form.
  private func author(of id: String) throws(PublicationError) -> String {
    guard let id = IndyID(id) else { throw .refused("the ledger takes no objects of the id \(id)") }
    return id.issuer.bare
  }

  private func write(_ operation: JSON, by author: String) throws(PublicationError) {
    var transaction = IndyTransaction(operation, by: author, id: now(), accepting: agreement)
    try transaction.sign(with: sign)
    _ = try submit(.written(transaction.text))
  }

  // MARK: Endpoints

  /// Publishes the endpoint of a DID, which has no method here. Publishes nothing if the ledger has the endpoint already.
  /// Throws if the ledger does not know the DID, or knows another key: peers would write to that key.
  package func publish(endpoint: JSON, of did: String, with key: PublicKey) throws(PublicationError) {
    guard let known = try asking({ (ledger) throws(LedgerError) in try ledger.nym(did) })?.key else {
      throw .unknownAuthor(did)
    }
    guard known == key else { throw .refused("the ledger has another key of the DID \(did)") }
    guard try submit(.attribute("endpoint", of: did))["data"]?.parsedData?["endpoint"] != endpoint else { return }
    let attribute: JSON = ["endpoint": endpoint]
    try write(["type": "100", "dest": .string(did), "raw": .string(attribute.text)], by: did)
  }

  // MARK: Endorsing

  package func prepare(
    _ object: JSON, _ kind: ObjectKind, _ id: String, for endorser: String
  ) throws(PublicationError) -> String {
    try prepared(operation(object, kind, id), by: author(of: id), for: endorser)
  }

  package func prepare(_ update: StatusUpdate, for endorser: String) throws(PublicationError) -> String {
    try prepared(Self.operation(update), by: author(of: update.registryID), for: endorser)
  }

  private func prepared(
    _ operation: JSON, by author: String, for endorser: String
  ) throws(PublicationError) -> String {
    var transaction = IndyTransaction(
      operation, by: author, id: now(), accepting: agreement, endorser: endorser.onLedger)
    try transaction.sign(as: author, with: sign)
    return transaction.text
  }

  package func endorse(_ transaction: IndyTransaction) throws(PublicationError) {
    let author = transaction.author
    guard let key = try asking({ (ledger) throws(LedgerError) in try ledger.nym(author) })?.key else {
      throw .unknownAuthor(author)
    }
    guard transaction.isSigned(byAuthorWith: key) else { throw .forged(author: author) }
    var transaction = transaction
    try transaction.sign(as: transaction.endorser ?? "", with: sign)
    _ = try submit(.written(transaction.text))
  }

  // MARK: Operations

  private func operation(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) -> JSON {
    switch kind {
    case .schema:
      return [
        "type": "101",
        "data": [
          "name": object["name"] ?? .null, "version": object["version"] ?? .null,
          "attr_names": object["attrNames"] ?? [],
        ],
      ]
    case .definition:
      return [
        "type": "102", "ref": .integer(try number(ofSchema: object["schemaId"]?.string ?? "")),
        "tag": object["tag"] ?? .null, "signature_type": "CL", "data": object["value"] ?? .null,
      ]
    case .revocationRegistry:
      var value = object["value"] ?? [:]
      value["issuanceType"] = "ISSUANCE_BY_DEFAULT"
      return [
        "type": "113", "id": .string(id.onLedger), "revocDefType": "CL_ACCUM", "tag": object["tag"] ?? .null,
        "credDefId": JSON(object["credDefId"]?.string?.onLedger), "value": value,
      ]
    }
  }

  private static func operation(_ update: StatusUpdate) -> JSON {
    var value: JSON = ["accum": update.list["currentAccumulator"] ?? .null]
    if let previous = update.previousAccumulator {
      value["prevAccum"] = .string(previous)
      value["issued"] = .array(update.issued.map(JSON.integer))
      value["revoked"] = .array(update.revoked.map(JSON.integer))
    }
    return [
      "type": "114", "revocRegDefId": .string(update.registryID.onLedger), "revocDefType": "CL_ACCUM", "value": value,
    ]
  }

  // MARK: Reading

  /// The published object in the engine's form; nil if it is not published.
  private func published(_ kind: ObjectKind, _ id: String) throws(PublicationError) -> JSON? {
    do {
      switch kind {
      case .schema: return try registry.schema(id)
      case .definition: return try registry.definition(id)
      case .revocationRegistry: return try registry.revocationRegistry(id)
      }
    } catch .notFound {
      return nil
    } catch {
      throw .unreachable("\(error)")
    }
  }

  /// The present status of a registry; nil if none is published.
  private func status(_ id: String) throws(PublicationError) -> JSON? {
    do { return try registry.statusList(id, at: now() / 1_000_000_000 + clockTolerance) } catch .notFound {
      return nil
    } catch {
      throw .unreachable("\(error)")
    }
  }

  private func submit(_ request: LedgerRequest) throws(PublicationError) -> JSON {
    try asking { (ledger) throws(LedgerError) in try ledger.submit(request) }
  }

  private func asking<Answer>(
    _ ask: (any Ledger) throws(LedgerError) -> Answer
  ) throws(PublicationError) -> Answer {
    do { return try ask(ledger()) } catch {
      switch error {
      case .rejected(let reason): throw .refused(reason)
      case .refused(let reason): throw .notAccepted(reason)
      case .unavailable, .malformedGenesis, .unreachable: throw .unreachable("\(error)")
      }
    }
  }
}
