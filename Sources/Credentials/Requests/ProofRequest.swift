internal import JSON

/// A proof request: the items that a verifier wants to see (AnonCreds, "presentation request").
package struct ProofRequest: Equatable, Sendable {
  package let name, version: String
  /// Binds a presentation to the request. Empty if the verifier sent no nonce.
  package let nonce: String
  package let attributes: [Attribute]
  package let predicates: [Predicate]

  package struct Attribute: Equatable, Sendable {
    package let referent: String
    /// The requested names. Several names form a group, whose values must come from one credential.
    package let names: [String]
    package let isGroup: Bool
    /// Nil if any credential is acceptable.
    package let restriction: Restriction?
    package let interval: Interval?
    /// Whether the holder may state the value without a credential.
    package let mayBeSelfAttested: Bool
  }

  package struct Predicate: Equatable, Sendable {
    package let referent, name: String
    package let comparison: Comparison
    package let value: Int32
    package let restriction: Restriction?
    package let interval: Interval?

    /// Whether a proof can show the predicate. Proofs of `>` and `<` are about the next number, which must fit 32 bits.
    package var isProvable: Bool {
      switch comparison {
      case .greater: value < .max
      case .less: value > .min
      case .greaterOrEqual, .lessOrEqual: true
      }
    }
  }

  package enum Comparison: String, Sendable {
    case greaterOrEqual = ">="
    case greater = ">"
    case lessOrEqual = "<="
    case less = "<"

    /// Whether a proof can show that the comparison holds. Proofs are about the distance from the bound, which must be
    /// zero or more and fit 32 bits.
    func isProvable(_ value: Int32, _ bound: Int32) -> Bool {
      let (value, bound) = (Int(value), Int(bound))
      let distance =
        switch self {
        case .greaterOrEqual: value - bound
        case .greater: value - bound - 1
        case .lessOrEqual: bound - value
        case .less: bound - value - 1
        }
      return (0...Int(Int32.max)).contains(distance)
    }
  }
}

extension ProofRequest {
  /// Reads the JSON text of a request. Throws if it asks for nothing.
  package init(parsing text: String) throws(CredentialsError) {
    let object: JSONObject
    do { object = try JSON(parsing: text).requireObject() } catch { throw .malformedRequest("\(error)") }
    do {
      try self.init(object)
    } catch let error as CredentialsError {
      throw error
    } catch {
      throw .malformedRequest("\(error)")
    }
  }

  /// Reads a request of another party, to answer it. Throws also if an attribute and a predicate have one referent: the
  /// user's choice for one of them would be taken for the other.
  package init(received text: String) throws(CredentialsError) {
    try self.init(parsing: text)
    let common = Set(attributes.map(\.referent)).intersection(predicates.map(\.referent))
    guard common.isEmpty else { throw .malformedRequest("an attribute and a predicate have one referent") }
  }

  private init(_ request: JSONObject) throws {
    try Self.checkSize(request)
    try Self.checkReferents(request)
    name = try request.optionalString("name") ?? ""
    version = try request.optionalString("version") ?? ""
    nonce = try request.optionalString("nonce") ?? ""
    let items = ItemReader(
      interval: try Interval(request["non_revoked"]), isUnqualified: try request.optionalString("ver") ?? "1.0" == "1.0"
    )
    attributes = try (request.optionalObject("requested_attributes") ?? [:]).members.map { referent, json in
      try items.attribute(referent, json.requireObject())
    }
    predicates = try (request.optionalObject("requested_predicates") ?? [:]).members.map { referent, json in
      try items.predicate(referent, json.requireObject())
    }
    guard !attributes.isEmpty || !predicates.isEmpty else {
      throw CredentialsError.malformedRequest("it asks for nothing")
    }
  }

  /// The limit of items and of the names in them, beyond any verifier's needs. Each item is compared with every
  /// credential of the wallet.
  private static let mostItems = 1_000

  private static func checkSize(_ request: JSONObject) throws(CredentialsError) {
    let items = ["requested_attributes", "requested_predicates"].flatMap { request[$0]?.object?.members ?? [] }
    let names = items.reduce(0) { sum, item in sum + max(1, item.1["names"]?.array?.count ?? 1) }
    guard names <= mostItems else { throw .malformedRequest("it has more than \(mostItems) items or names") }
  }

  /// Two referents that look the same differ for the engine and for peers, which compare bytes, and are equal for other
  /// programs.
  private static func checkReferents(_ request: JSONObject) throws(CredentialsError) {
    for name in ["requested_attributes", "requested_predicates"] {
      let referents = request[name]?.object?.keys ?? []
      guard Set(referents).count == referents.count else { throw .malformedRequest("two referents look the same") }
    }
  }
}

/// Reads the items of a request.
private struct ItemReader {
  /// The interval for items that have no interval.
  let interval: Interval?
  /// Whether the request has version 1.0, in which ids may be meant in either form.
  let isUnqualified: Bool

  func attribute(_ referent: String, _ item: JSONObject) throws -> ProofRequest.Attribute {
    let group = try item.optionalStrings("names")
    let names: [String]
    switch (try item.optionalString("name"), group) {
    case (let name?, nil): names = [name]
    case (nil, let group?) where !group.isEmpty: names = group
    case (.some, .some): throw CredentialsError.malformedRequest("\(referent) has both a name and names")
    default: throw CredentialsError.malformedRequest("\(referent) has neither a name nor names")
    }
    let mayBeSelfAttested =
      try item.optionalBool("self_attest_allowed") != false && group == nil
      && !Restriction.restricts(item["restrictions"])
    return ProofRequest.Attribute(
      referent: referent, names: names, isGroup: group != nil, restriction: try restriction(of: item),
      interval: try Interval(item["non_revoked"]) ?? interval, mayBeSelfAttested: mayBeSelfAttested)
  }

  func predicate(_ referent: String, _ item: JSONObject) throws -> ProofRequest.Predicate {
    let type = try item.string("p_type")
    guard let comparison = ProofRequest.Comparison(rawValue: type) else {
      throw CredentialsError.malformedRequest("\(referent) has an unknown p_type")
    }
    guard let value = Int32(exactly: try item.integer("p_value")) else {
      throw CredentialsError.malformedRequest("the p_value of \(referent) has more than 32 bits")
    }
    return ProofRequest.Predicate(
      referent: referent, name: try item.string("name"), comparison: comparison, value: value,
      restriction: try restriction(of: item), interval: try Interval(item["non_revoked"]) ?? interval)
  }

  private func restriction(of item: JSONObject) throws(CredentialsError) -> Restriction? {
    try Restriction.parse(item["restrictions"], isUnqualified: isUnqualified)
  }
}
