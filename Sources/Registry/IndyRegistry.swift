internal import Indy
package import IndyVDR
package import JSON
internal import Platform

/// Asks a network: a pool of its nodes, or a substitute in tests.
package protocol Ledger: Sendable {
  /// Sends a request, and returns the `result` of the reply.
  func submit(_ request: LedgerRequest) throws(LedgerError) -> JSON
}

extension LedgerPool: Ledger {}

/// The public objects of an Indy network.
package struct IndyRegistry: Registry {
  /// Connects to a network, at first use.
  package typealias Connect = @Sendable () throws(LedgerError) -> any Ledger

  package let networks: [String]
  private let ledger: @Sendable () throws(LedgerError) -> any Ledger

  /// `networks` are the network's names in ids of `did:indy`. `ledger` connects at first use.
  package init(networks: [String], ledger: @escaping @Sendable () throws(LedgerError) -> any Ledger) {
    self.networks = networks
    self.ledger = ledger
  }

  /// Ids in the older form name no network, so every network is asked for them.
  package func supports(_ id: String) -> Bool {
    guard let id = IndyID(id) else { return false }
    return id.issuer.network.map { network in networks.contains { $0.isExactly(network) } } ?? true
  }

  package func schema(_ id: String) throws(RegistryError) -> JSON {
    try requireOnLedger(id) { if case .schema = $0 { true } else { false } }
    let result = try submit(.schema(id: id.onLedger))
    guard result["seqNo"]?.integer != nil, let data = result["data"], let schema = data.fromIndy(.schema, id) else {
      throw .notFound
    }
    return schema
  }

  package func definition(_ id: String) throws(RegistryError) -> JSON {
    try requireOnLedger(id) { if case .definition = $0 { true } else { false } }
    let result = try submit(.definition(id: id.onLedger))
    guard let value = result["data"], value.object != nil, let number = result["ref"]?.integer,
      let tag = result["tag"] ?? IndyID(id)?.tag.map(JSON.string)
    else { throw .notFound }
    let schema = try schemaID(number, of: id) ?? String(number)
    let definition: JSON = ["schemaId": .string(schema), "tag": tag, "value": value]
    return definition.fromIndy(.definition, id) ?? .null
  }

  package func revocationRegistry(_ id: String) throws(RegistryError) -> JSON {
    let registry = try indyRegistry(id)
    guard var converted = registry.fromIndy(.revocationRegistry, id) else {
      throw .notFound
    }
    // The ledger has only ids in its own form.
    if let id = IndyID(id), id.issuer.network != nil, case .revocationRegistry(let definition, _) = id.object {
      converted["credDefId"] = .string(definition)
    }
    return converted
  }

  package func statusList(_ id: String, at time: Int64) throws(RegistryError) -> JSON {
    let registry = try indyRegistry(id)
    let result = try submit(.revocationState(id: id.onLedger, time: time))
    guard let value = result["data"]?["value"], let last = value["accum_to"], last.object != nil else {
      throw .notFound
    }
    guard let size = registry["value"]?["maxCredNum"]?.integer, (1...(1 << 20)).contains(size),
      let accumulator = last["value"]?["accum"]?.string, let timestamp = last["txnTime"]?.integer
    else { throw .invalid("the status of the registry cannot be read") }
    let startsIssued = registry["value"]?["issuanceType"]?.string != "ISSUANCE_ON_DEMAND"
    // Credentials are counted from 1: the first place of the list is not used.
    var list = [JSON](repeating: startsIssued ? 0 : 1, count: Int(size) + 1)
    for (name, mark) in [("issued", JSON.integer(0)), ("revoked", JSON.integer(1))] {
      for index in value[name]?.array ?? [] {
        guard let index = index.integer, list.indices.contains(Int(index)) else {
          throw .invalid("the status of the registry has a place outside of it")
        }
        list[Int(index)] = mark
      }
    }
    return [
      "revRegDefId": .string(id), "issuerId": .string(IndyID(id)?.issuer.text ?? ""), "revocationList": .array(list),
      "currentAccumulator": .string(accumulator), "timestamp": .integer(timestamp),
    ]
  }

  /// The ledger gives each status its time, so that no status is later than the ledger's clock.
  package func newestStatusList(_ id: String) throws(RegistryError) -> JSON {
    try statusList(id, at: Int64(time(nil)) + clockTolerance)
  }
}

extension IndyRegistry {
  /// The definition of a revocation registry in the ledger's form.
  private func indyRegistry(_ id: String) throws(RegistryError) -> JSON {
    try requireOnLedger(id) { if case .revocationRegistry = $0 { true } else { false } }
    guard let registry = try submit(.revocationRegistry(id: id.onLedger))["data"], registry.object != nil else {
      throw .notFound
    }
    return registry
  }

  /// The id of the schema with this number in the ledger, in the form of `id`. Returns nil if the ledger has no such
  /// schema.
  private func schemaID(_ number: Int64, of id: String) throws(RegistryError) -> String? {
    guard let number = Int32(exactly: number), number > 0 else { return nil }
    guard let transaction = try submit(.transaction(number))["data"]?["txn"], transaction["type"]?.string == "101",
      let issuer = transaction["metadata"]?["from"]?.string, let data = transaction["data"]?["data"],
      let name = data["name"]?.string, let version = data["version"]?.string
    else { return nil }
    let did = IndyID(id)?.issuer.network.map { "did:indy:\($0):\(issuer)" } ?? issuer
    return IndyDID(did).map { IndyID($0, .schema(name: name, version: version)).text }
  }

  /// The most bytes that a ledger's nodes accept for a schema's name or version, or for a tag.
  private static let longestName = 256

  /// Throws `notFound` for an id that no ledger can have: the id of another kind of object, or an id with a name that
  /// is too long. The nodes refuse such a request, but the network is not at fault: a prover may have chosen the id.
  private func requireOnLedger(_ id: String, _ isOfKind: (IndyID.Object) -> Bool) throws(RegistryError) {
    guard let read = IndyID(id), isOfKind(read.object), read.namesNumber,
      id.onLedger.split(separator: ":").allSatisfy({ $0.utf8.count <= Self.longestName })
    else { throw .notFound }
  }

  private func submit(_ request: LedgerRequest) throws(RegistryError) -> JSON {
    do { return try ledger().submit(request) } catch { throw .unreachable("\(error)") }
  }
}

extension IndyID {
  /// Whether the id names no schema's number, or a number that ledgers can have.
  fileprivate var namesNumber: Bool {
    switch object {
    case .schema: true
    case .definition(let schema, _): Int32(schema) != nil
    case .revocationRegistry(let definition, _): IndyID(definition)?.namesNumber ?? false
    }
  }
}
