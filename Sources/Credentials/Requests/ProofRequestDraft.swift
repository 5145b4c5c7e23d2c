package import JSON
internal import Sodium

/// A proof request of this side, from the texts of an application or from a prover's proposal.
///
/// It contains no null and no member that provers refuse: some provers do not answer a restriction that contains a
/// null.
package struct ProofRequestDraft: Equatable, Sendable {
  /// The proof request, with a new nonce.
  package let request: JSONObject

  /// Reads the texts of `vcx_proof_create`, all JSON: items in an object have its keys as referents, items in an array get
  /// numbers. An interval with only `to` asks for that time, one with only `from` for any time since.
  package init(
    attributes: String, predicates: String, interval: String, name: String
  ) throws(CredentialsError) {
    let attributes = try Self.items(attributes, named: "attribute", Self.attribute) {
      .malformedRequestedAttributes($0)
    }
    let predicates = try Self.items(predicates, named: "predicate", Self.predicate) {
      .malformedRequestedPredicates($0)
    }
    var request: JSONObject = [
      "name": .string(name), "version": "1.0", "requested_attributes": .object(attributes),
      "requested_predicates": .object(predicates),
    ]
    do {
      let interval = try JSON(parsing: interval)
      try interval.object?.requireOnly(Self.bounds)
      request["non_revoked"] = try Self.interval(interval)
    } catch let error as CredentialsError {
      throw error
    } catch {
      throw .malformedInterval("\(error)")
    }
    try self.init(checking: request)
  }

  /// Reads the proof request that a prover proposes. Replaces its nonce.
  package init(proposed request: JSONObject) throws(CredentialsError) {
    try Self.requireShownAsAsked(request)
    var request = JSON.object(request).withoutNulls.object ?? [:]
    for (name, usual) in [("name", JSON.string("proof-request")), ("version", "1.0")] {
      request[name] = request[name] ?? usual
    }
    request["ver"] = nil
    for name in Self.names where request[name]?.object == nil {
      request[name] = [:]
    }
    for (referent, item) in Self.names.flatMap({ request[$0]?.object?.members ?? [] }) {
      do { try Self.checkKeys(item["restrictions"] ?? .null) } catch {
        throw .malformedRequestedAttributes("\(referent): \(error)")
      }
    }
    try self.init(checking: request)
  }

  /// The user has seen the proposal as it came, so no part of it may be left out of the request.
  private static func requireShownAsAsked(_ request: JSONObject) throws(CredentialsError) {
    do { try requireOnlyKnown(request) } catch { throw .malformedRequestedAttributes("\(error)") }
    for name in names {
      guard let items = request[name], !items.isNull else { continue }
      guard let items = items.object, items.members.allSatisfy({ $0.value.object != nil }) else {
        throw .malformedRequestedAttributes("\(name) is not an object of objects")
      }
      for (referent, item) in items.members where item["restrictions"]?.isEmptiedByNulls ?? false {
        throw .malformedRequestedAttributes("\(referent): a restriction is null")
      }
    }
  }

  /// The engine and other verifiers ignore a member that they do not know.
  private static func requireOnlyKnown(_ request: JSONObject) throws(JSONError) {
    try request.requireOnly(Set(["name", "version", "ver", "nonce", "non_revoked"] + names))
    try request["non_revoked"]?.object?.requireOnly(bounds)
    for (kind, known) in zip(names, [attributeMembers, predicateMembers]) {
      for item in request[kind]?.object?.members.compactMap(\.value.object) ?? [] {
        try requireOnlyKnown(item, known)
      }
    }
  }

  /// A mistyped name of a condition would leave the item without the condition.
  private static func requireOnlyKnown(_ item: JSONObject, _ names: Set<String>) throws(JSONError) {
    try item.requireOnly(names)
    try item["non_revoked"]?.object?.requireOnly(bounds)
  }

  private static let attributeMembers: Set<String> = [
    "name", "names", "restrictions", "non_revoked", "self_attest_allowed",
  ]
  private static let predicateMembers: Set<String> = ["name", "p_type", "p_value", "restrictions", "non_revoked"]
  private static let bounds: Set<String> = ["from", "to"]

  /// The members of a request that have items.
  private static let names = ["requested_attributes", "requested_predicates"]

  private init(checking request: JSONObject) throws(CredentialsError) {
    var request = request
    request["nonce"] = .string(Self.newNonce())
    let read: ProofRequest
    do { read = try ProofRequest(parsing: JSON.object(request).text) } catch {
      throw .malformedRequestedAttributes("\(error)")
    }
    try read.requireJudgeable()
    self.request = request
  }

  /// A random number in decimal.
  private static func newNonce() -> String { randomBytes(nonceLength).decimal }

  private init(request: JSONObject) { self.request = request }

  /// The request of an object that has sent nothing, with another nonce: a program may send the request of one text to several
  /// provers, and none of them may show what another one has shown. `secret` is as for `repeatable`; without it, each call gives
  /// another nonce.
  package static func renewed(_ request: JSONObject, with secret: String?) -> JSONObject {
    if let secret { return ProofRequestDraft(request: request).repeatable(with: secret).request }
    var request = request
    request["nonce"] = .string(newNonce())
    return request
  }

  /// Returns the same request with a nonce derived from its content and from `secret`, which no prover may know: a step that a
  /// later process repeats asks for the same presentation.
  package func repeatable(with secret: String) -> ProofRequestDraft {
    var request = request
    request["nonce"] = nil
    let hash = sha256(Array(JSON(["nonce", secret, JSON.object(request).text]).text.utf8))
    request["nonce"] = .string(Array(hash.prefix(Self.nonceLength)).decimal)
    return ProofRequestDraft(request: request)
  }

  /// In bytes: the engine's nonces have 80 bits.
  private static let nonceLength = 10
}

// MARK: - Reading items

extension ProofRequestDraft {
  private static func items(
    _ text: String, named kind: String, _ read: (JSONObject) throws -> JSONObject,
    _ fault: (String) -> CredentialsError
  ) throws(CredentialsError) -> JSONObject {
    do {
      let items = try named(JSON(parsing: text), text, kind)
      return JSONObject(
        try items.map { referent, item -> (String, JSON) in
          (referent, .object(try read(item.requireObject())))
        })
    } catch CredentialsError.malformedInterval(let reason) {
      throw .malformedInterval(reason)
    } catch CredentialsError.malformedRequest(let reason) {
      throw fault(reason)
    } catch {
      throw fault("\(error)")
    }
  }

  /// The items with their referents: the names that the program gives them in an object, or numbers for an array.
  private static func named(_ json: JSON, _ text: String, _ kind: String) throws -> [(String, JSON)] {
    // A repeated name would silently drop an item, or the restrictions of one.
    _ = try JSON(parsing: Array(text.utf8), repeatedNames: .refused)
    guard let object = json.object else {
      return try json.requireArray().enumerated().map { ("\(kind)_\($0.offset)", $0.element) }
    }
    guard object.keys.allSatisfy({ referentLength.contains($0.utf8.count) }) else {
      throw CredentialsError.malformedRequest("the name of an item has 1 to \(referentLength.upperBound) bytes")
    }
    return object.members.map { ($0.key, $0.value) }
  }

  private static let referentLength = 1...256

  private static func attribute(_ given: JSONObject) throws -> JSONObject {
    try requireOnlyKnown(given, attributeMembers)
    var item = JSONObject()
    switch (try given.optionalString("name"), try given.optionalStrings("names")) {
    case (let name?, nil) where !name.isEmpty: item["name"] = .string(name)
    case (nil, let names?) where !names.isEmpty && !names.contains(""): item["names"] = JSON(names)
    default: throw CredentialsError.malformedRequest("an attribute has to have either a name or names")
    }
    try addConditions(of: given, to: &item)
    item["self_attest_allowed"] = try given.optionalBool("self_attest_allowed").map(JSON.bool)
    return item
  }

  private static func predicate(_ given: JSONObject) throws -> JSONObject {
    try requireOnlyKnown(given, predicateMembers)
    let type = try given.string("p_type")
    guard let comparison = comparisons[type] ?? ProofRequest.Comparison(rawValue: type) else {
      throw CredentialsError.malformedRequest("p_type is none of >=, >, <=, <")
    }
    guard
      let value = (given["p_value"]?.integer).flatMap(Int32.init(exactly:))
        ?? given["p_value"]?.string.flatMap(Int32.init)
    else { throw CredentialsError.malformedRequest("p_value is no integer of 32 bits") }
    var item: JSONObject = [
      "name": .string(try given.string("name")), "p_type": .string(comparison.rawValue),
      "p_value": .integer(Int64(value)),
    ]
    try addConditions(of: given, to: &item)
    return item
  }

  /// The names that Evernym's documents give to the comparisons.
  private static let comparisons: [String: ProofRequest.Comparison] = [
    "GE": .greaterOrEqual, "GT": .greater, "LE": .lessOrEqual, "LT": .less,
  ]

  private static func addConditions(of given: JSONObject, to item: inout JSONObject) throws {
    item["restrictions"] = try restrictions(given["restrictions"])
    item["non_revoked"] = try interval(given["non_revoked"])
  }

  /// Writes the interval without nulls. Returns nil if it has no bounds.
  private static func interval(_ json: JSON?) throws(CredentialsError) -> JSON? {
    let interval: Interval?
    do { interval = try Interval(json) } catch { throw .malformedInterval("\(error)") }
    guard let interval else { return nil }
    if let flaw = interval.flaw { throw .malformedInterval(flaw) }
    return Interval(from: interval.from ?? interval.to, to: interval.to).json
  }
}

// MARK: - Restrictions

extension ProofRequestDraft {
  /// Whether a restriction of a request names an object by an id with a DID method, which only the newer format knows.
  package static func namesQualifiedIDs(_ request: JSONObject) -> Bool {
    let items = names.flatMap { request[$0]?.object?.members ?? [] }
    return items.contains { ($0.value["restrictions"] ?? .null).namesQualifiedID }
  }

  /// The keys of restrictions that do not concern attributes.
  private static let keys: Set<String> = [
    "schema_id", "schema_issuer_did", "schema_name", "schema_version", "issuer_did", "cred_def_id", "rev_reg_id",
    "issuer_id", "schema_issuer_id", "$and", "$or", "$not",
  ]

  /// Writes restrictions as an array of filters wherever they have that form: many provers know no other form. Returns
  /// nil if there are no restrictions.
  private static func restrictions(_ json: JSON?) throws -> JSON? {
    guard json.map(\.isEmptiedByNulls) != true else { throw CredentialsError.malformedRequest("a restriction is null") }
    guard let json = json?.withoutNulls, !json.isNull else { return nil }
    try checkKeys(json)
    if let flaw = try Restriction.parse(json, isUnqualified: true)?.flaw {
      throw CredentialsError.malformedRequest(flaw)
    }
    guard let query = json.object else { return json }
    guard !query.isEmpty else { return nil }
    if query.isPlain { return [json] }
    if query.count == 1, let parts = query["$or"]?.array, parts.allSatisfy({ $0.object?.isPlain ?? false }) {
      return .array(parts)
    }
    return json
  }

  /// Some provers would ignore an unknown key, and others would find no credential for it.
  private static func checkKeys(_ json: JSON) throws(CredentialsError) {
    for element in json.array ?? [] { try checkKeys(element) }
    for (key, value) in json.object?.members ?? [] {
      let isAttribute = ["::value", "::marker"].contains { AttributeName.spelling(in: key, $0) != nil }
      guard isAttribute || keys.contains(key) else { throw .malformedRequest("restrictions have an unknown key") }
      if key.hasPrefix("$") { try checkKeys(value) }
    }
  }
}

extension JSON {
  /// Whether a condition in this value has only nulls. Without them it would ask for nothing, though its author meant to
  /// restrict. A null beside other members is an absent member, as libvcx's programs write it.
  fileprivate var isEmptiedByNulls: Bool {
    switch self {
    case .null, .bool, .integer, .real, .string: false
    case .array(let elements): elements.contains { $0.isNull || $0.isEmptiedByNulls }
    case .object(let object):
      !object.isEmpty && object.members.allSatisfy { $0.value.isNull }
        || object.members.contains { $0.key.hasPrefix("$") && $0.value.isNull || $0.value.isEmptiedByNulls }
    }
  }
}

extension JSONObject {
  /// Whether all members are texts: a filter.
  fileprivate var isPlain: Bool { members.allSatisfy { $0.value.string != nil } }
}

extension JSON {
  /// Whether a member that holds an id is a URI, in this value or inside of it.
  fileprivate var namesQualifiedID: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.namesQualifiedID)
    case .object(let object):
      object.members.contains { key, value in
        let isID = key.hasSuffix("_id") || key.hasSuffix("_did")
        return isID && value.hasQualifiedID || value.namesQualifiedID
      }
    case .null, .bool, .integer, .real, .string: false
    }
  }

  /// Whether the operand of an id's condition is a URI or contains a URI, within `$in` or `$neq`.
  private var hasQualifiedID: Bool {
    switch self {
    case .string(let text): text.isQualifiedID
    case .array(let elements): elements.contains(where: \.hasQualifiedID)
    case .object(let object): object.members.contains { $0.value.hasQualifiedID }
    case .null, .bool, .integer, .real: false
    }
  }
}
