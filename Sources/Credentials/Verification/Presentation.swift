package import JSON
internal import Soundness

/// A presentation as a prover sent it: its answers to the items of a request, and the parts of its proofs that the
/// answers depend on. The AnonCreds engine reads the numbers.
package struct Presentation: Equatable, Sendable {
  /// The value that the checks read. The engine gets its text, so that a repeated name cannot mean one thing here and
  /// another thing in the engine.
  let json: JSON
  let proofs: [Proof]
  let answers: Answers

  /// The proof of one credential, with its public objects.
  struct Proof: Equatable, Sendable {
    let schemaID, definitionID: String
    let registryID: String?
    /// The time of the status list that the proof names, in seconds since 1970.
    let timestamp: Int64?
    /// The encoded values that the proof shows.
    let shown: [AttributeName: String]
    let predicates: [Statement.Predicate]
    /// Whether there is a proof that the credential was not revoked.
    let showsNonRevocation: Bool
  }

  /// The answers by the referents of the items.
  struct Answers: Equatable, Sendable {
    var revealed: [ExactText: Revealed] = [:]
    var groups: [ExactText: Group] = [:]
    var selfAttested: [ExactText: String] = [:]
    /// The indices of the proofs, by the items' referents.
    var unrevealed: [ExactText: Int] = [:]
    var predicates: [ExactText: Int] = [:]
  }

  struct Revealed: Equatable, Sendable {
    let proof: Int
    let value: Value
  }

  struct Group: Equatable, Sendable {
    let proof: Int
    /// The values by the names as the prover spells them.
    let values: [ExactText: Value]
  }

  struct Value: Equatable, Sendable {
    let raw, encoded: String
  }
}

// MARK: - Reading

extension Presentation {
  /// The limits of a presentation, in proofs and in bytes. No wallet shows this much at once.
  private static let mostProofs = 100
  private static let mostBytes = 2 << 20
  /// The most bytes of an id, which becomes a file name or a part of a URL.
  fileprivate static let longestID = 512

  /// Reads a presentation, with the ids of public objects in their `canonical` form. Throws if its parts do not fit together.
  package init(parsing text: String, naming canonical: (String) -> String = { $0 }) throws(JSONError) {
    guard text.utf8.count <= Self.mostBytes else { throw Self.fault(nil, "at most \(Self.mostBytes) bytes") }
    let json = try JSON(parsing: text).namingObjects(canonical)
    let object = try json.requireObject()
    let proofs = try object.object("proof").array("proofs")
    let identifiers = try object.array("identifiers")
    guard proofs.count == identifiers.count, proofs.count <= Self.mostProofs else {
      throw Self.fault("identifiers", "one for each proof, and at most \(Self.mostProofs)")
    }
    self.json = json
    var read: [Proof] = []
    for (proof, identifier) in zip(proofs, identifiers) { read.append(try Proof(proof, identifier)) }
    try Self.checkIDs(of: read)
    self.proofs = read
    answers = try Answers(object.object("requested_proof"))
    // For a proof without an item, this side would fetch objects that the request does not need.
    guard answers.proofs == Set(proofs.indices) else { throw Self.fault("requested_proof", "items of all the proofs") }
  }

  /// Throws if two ids differ in their bytes and look the same: the engine gets the public objects by ids that Swift
  /// compares by their look.
  private static func checkIDs(of proofs: [Proof]) throws(JSONError) {
    let ids = proofs.flatMap { [$0.schemaID, $0.definitionID, $0.registryID ?? ""] }
    guard Set(ids).count == Set(ids.map(ExactText.init)).count else {
      throw fault("identifiers", "ids that do not look the same")
    }
  }

  fileprivate static func fault(_ key: String?, _ expected: String) -> JSONError {
    .wrongType(key: key, expected: expected)
  }
}

extension Presentation.Proof {
  fileprivate init(_ proof: JSON, _ identifier: JSON) throws(JSONError) {
    let (proof, identifier) = (try proof.requireObject(), try identifier.requireObject())
    schemaID = try identifier.string("schema_id")
    definitionID = try identifier.string("cred_def_id")
    registryID = try identifier.optionalString("rev_reg_id")
    for id in [schemaID, definitionID, registryID ?? ""] where id.utf8.count > Presentation.longestID {
      throw Presentation.fault("identifiers", "ids of at most \(Presentation.longestID) bytes")
    }
    timestamp = try identifier.optionalInteger("timestamp")
    guard timestamp.map({ (0..<(1 << 40)).contains($0) }) ?? true else {
      throw Presentation.fault("timestamp", "seconds since 1970")
    }
    let primary = try proof.object("primary_proof")
    let shown = try primary.object("eq_proof").object("revealed_attrs").members.map { name, json throws(JSONError) in
      (AttributeName.common(name), try json.requireText())
    }
    // No name occurs twice: the names of one object differ in their bytes, and so do the attributes.
    self.shown = Dictionary(shown, uniquingKeysWith: { first, _ in first })
    var predicates: [Statement.Predicate] = []
    for part in try primary.array("ge_proofs") {
      let predicate = try part.requireObject().object("predicate")
      predicates.append(
        Statement.Predicate(
          attribute: ExactText(try predicate.string("attr_name")), comparison: try predicate.string("p_type"),
          value: try predicate.integer("value")))
    }
    self.predicates = predicates
    showsNonRevocation = try proof.optionalObject("non_revoc_proof") != nil
  }
}

extension Presentation.Answers {
  fileprivate init(_ object: JSONObject) throws(JSONError) {
    revealed = try object.object("revealed_attrs").map { json throws(JSONError) in
      let answer = try json.requireObject()
      return Presentation.Revealed(proof: try answer.proof(), value: try Presentation.Value(answer))
    }
    groups = try (object.optionalObject("revealed_attr_groups") ?? [:]).map { json throws(JSONError) in
      let answer = try json.requireObject()
      let values = try answer.object("values").map { value throws(JSONError) in
        try Presentation.Value(value.requireObject())
      }
      return Presentation.Group(proof: try answer.proof(), values: values)
    }
    selfAttested = try object.object("self_attested_attrs").texts()
    unrevealed = try object.object("unrevealed_attrs").map { json throws(JSONError) in
      try json.requireObject().proof()
    }
    predicates = try object.object("predicates").map { json throws(JSONError) in try json.requireObject().proof() }
  }

  /// The indices of the proofs that answer an item.
  fileprivate var proofs: Set<Int> {
    Set(revealed.values.map(\.proof) + groups.values.map(\.proof)).union(unrevealed.values).union(predicates.values)
  }
}

extension Presentation.Value {
  fileprivate init(_ object: JSONObject) throws(JSONError) {
    self.init(raw: try object.string("raw"), encoded: try object.string("encoded"))
  }
}

extension JSONObject {
  fileprivate func proof() throws(JSONError) -> Int { Int(try integer("sub_proof_index")) }

  fileprivate func texts() throws(JSONError) -> [ExactText: String] {
    try map { value throws(JSONError) in try value.requireText() }
  }

  /// The members as a dictionary.
  fileprivate func map<Value>(_ read: (JSON) throws(JSONError) -> Value) throws(JSONError) -> [ExactText: Value] {
    var values: [ExactText: Value] = [:]
    for (name, json) in members { values[ExactText(name)] = try read(json) }
    return values
  }
}

extension JSON {
  fileprivate func requireText() throws(JSONError) -> String {
    guard let string else { throw Presentation.fault(nil, "strings") }
    return string
  }
}

extension JSON {
  /// The presentation with the ids of public objects in their `canonical` form. The ids are no part of the proof, so a
  /// prover could choose among several forms.
  package func namingObjects(_ canonical: (String) -> String) -> JSON {
    guard let identifiers = self["identifiers"]?.array else { return self }
    var (json, renamed) = (self, identifiers)
    for index in renamed.indices {
      for name in ["schema_id", "cred_def_id", "rev_reg_id"] {
        guard let id = renamed[index][name]?.string else { continue }
        let known = canonical(id)
        if !known.isExactly(id) { renamed[index][name] = .string(known) }
      }
    }
    json["identifiers"] = .array(renamed)
    return json
  }
}
