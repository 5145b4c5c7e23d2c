package import JSON

/// The content of a verified presentation: the answer to each item of the request, with the credential that proves it.
///
/// The verdict and the content use the same types to read the presentation, so the content cannot differ from the
/// judged values.
package struct ProofContent: Equatable, Sendable {
  /// The items by their referents, in the order of the request.
  let revealed, selfAttested, unrevealed, predicates: JSONObject

  /// Reads the content. Both texts are JSON. Throws if the presentation does not answer the request.
  package init(of presentation: String, answering request: String) throws(CredentialsError) {
    let request = try ProofRequest(parsing: request)
    let read: Presentation
    do { read = try Presentation(parsing: presentation) } catch { throw .notVerified }
    guard AnswerMatching(read, to: request).verdict.isVerified else { throw .notVerified }
    revealed = Self.items(request.attributes, \.referent) { read.revealed($0) }
    selfAttested = Self.items(request.attributes, \.referent) { read.selfAttested($0) }
    unrevealed = Self.items(request.attributes, \.referent) { read.unrevealed($0) }
    predicates = Self.items(request.predicates, \.referent) { read.predicate($0) }
  }

  private static func items<Item>(
    _ items: [Item], _ referent: (Item) -> String, _ answer: (Item) -> JSON?
  ) -> JSONObject {
    JSONObject(items.compactMap { item in answer(item).map { (referent(item), $0) } })
  }

  /// `{"revealed", "self_attested", "unrevealed", "predicates"}`, each an object of items.
  package var json: JSON {
    [
      "revealed": .object(revealed), "self_attested": .object(selfAttested), "unrevealed": .object(unrevealed),
      "predicates": .object(predicates),
    ]
  }
}

extension Presentation {
  /// `{"values": {<name>: <raw value>}, "credential"}`, with the names as the request spells them.
  fileprivate func revealed(_ item: ProofRequest.Attribute) -> JSON? {
    if let single = answers.revealed[ExactText(item.referent)] {
      return Self.item(values: item.names.map { ($0, single.value.raw) }, proofs[single.proof].credential)
    }
    return answers.groups[ExactText(item.referent)].map { group in
      let values = item.names.compactMap { name in group.values[ExactText(name)].map { (name, $0.raw) } }
      return Self.item(values: values, proofs[group.proof].credential)
    }
  }

  /// `{"values": {<name>: <value>}}`.
  fileprivate func selfAttested(_ item: ProofRequest.Attribute) -> JSON? {
    answers.selfAttested[ExactText(item.referent)].map { value in Self.item(values: item.names.map { ($0, value) }) }
  }

  /// `{"names", "credential"}`.
  fileprivate func unrevealed(_ item: ProofRequest.Attribute) -> JSON? {
    answers.unrevealed[ExactText(item.referent)].map { proof in
      ["names": JSON(item.names), "credential": proofs[proof].credential]
    }
  }

  /// `{"name", "p_type", "p_value", "credential"}`.
  fileprivate func predicate(_ item: ProofRequest.Predicate) -> JSON? {
    answers.predicates[ExactText(item.referent)].map { proof in
      [
        "name": .string(item.name), "p_type": .string(item.comparison.rawValue), "p_value": .integer(Int64(item.value)),
        "credential": proofs[proof].credential,
      ]
    }
  }

  private static func item(values: [(String, String)], _ credential: JSON? = nil) -> JSON {
    var item: JSON = ["values": .object(JSONObject(values.map { ($0, JSON.string($1)) }))]
    item["credential"] = credential
    return item
  }
}

extension Presentation.Proof {
  /// The ids of the credential's public objects. The registry is proved only together with a time.
  fileprivate var credential: JSON {
    [
      "schema_id": .string(schemaID), "cred_def_id": .string(definitionID),
      "rev_reg_id": JSON(timestamp == nil ? nil : registryID), "timestamp": timestamp.map(JSON.integer) ?? .null,
    ]
  }
}
