package import JSON

/// The attributes and predicates that a prover proposes to present (RFC 0037).
package struct PresentationPreview: Equatable, Sendable {
  package let attributes: [Attribute]
  package let predicates: [Predicate]

  package struct Attribute: Equatable, Sendable {
    package let name: String
    package let definitionID: String?
    package let mediaType: String?
    package let value: String?
    /// Attributes with the same referent come from one credential.
    package let referent: String?

    package init(
      name: String, definitionID: String? = nil, mediaType: String? = nil, value: String? = nil, referent: String? = nil
    ) {
      self.name = name
      self.definitionID = definitionID
      self.mediaType = mediaType
      self.value = value
      self.referent = referent
    }
  }

  package struct Predicate: Equatable, Sendable {
    package let name: String
    package let definitionID: String?
    /// `>=`, `>`, `<=` or `<`.
    package let comparison: String
    package let threshold: Int64
  }

  private static let maximumItems = 1_000

  package init(attributes: [Attribute], predicates: [Predicate] = []) {
    self.attributes = attributes
    self.predicates = predicates
  }

  /// Reads a preview: `{"attributes": […], "predicates": […]}`. Throws if it names nothing, or if attributes that shall come
  /// from one credential name several definitions.
  package init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    let (attributes, predicates) = (
      try object.optionalArray("attributes") ?? [], try object.optionalArray("predicates") ?? []
    )
    guard (1...Self.maximumItems).contains(attributes.count + predicates.count) else {
      throw .wrongType(key: nil, expected: "a preview of 1 to \(Self.maximumItems) attributes and predicates")
    }
    var preview = (attributes: [Attribute](), predicates: [Predicate]())
    for attribute in attributes { preview.attributes.append(try Attribute(attribute.requireObject())) }
    for predicate in predicates { preview.predicates.append(try Predicate(predicate.requireObject())) }
    try Self.requireOneDefinition(forEachReferent: preview.attributes)
    self.init(attributes: preview.attributes, predicates: preview.predicates)
  }

  /// Reads the preview of a prover whose proposal was shown to the user. Throws also for a member that is not known: the user
  /// has seen the member, and a request would not ask for it.
  package init(proposed json: JSON) throws(JSONError) {
    try self.init(json)
    let preview = try json.requireObject()
    try preview.requireOnly(["@type", "attributes", "predicates"])
    for (name, known) in [("attributes", Attribute.members), ("predicates", Predicate.members)] {
      for item in try preview.optionalArray(name) ?? [] { try item.requireObject().requireOnly(known) }
    }
  }

  private static func requireOneDefinition(forEachReferent attributes: [Attribute]) throws(JSONError) {
    let groups = Dictionary(grouping: attributes.filter { $0.referent != nil }) { $0.referent.map(ExactText.init) }
    guard groups.values.allSatisfy({ Set($0.compactMap(\.definitionID).map(ExactText.init)).count < 2 }) else {
      throw .wrongType(key: "referent", expected: "attributes of one referent with the same cred_def_id")
    }
  }

  /// The preview in the form of version 1.0.
  func json(in dialect: Dialect) -> JSON {
    [
      "@type": .string(dialect.type("presentation-preview")),
      "attributes": .array(attributes.map { .object($0.object) }),
      "predicates": .array(predicates.map { .object($0.object) }),
    ]
  }

  /// The preview as the proof request that version 2.0 attaches, without a nonce. Proposed values become restrictions,
  /// unless `isForAnyValue`: a verifier then asks for the values.
  package func request(name: String?, isForAnyValue: Bool = false) -> JSON {
    [
      "name": .string(name ?? "proof-request"), "version": "1.0",
      "requested_attributes": .object(requestedAttributes(isForAnyValue: isForAnyValue)),
      "requested_predicates": .object(
        JSONObject(
          predicates.enumerated().map { index, predicate in (freeReferent("predicate_\(index)"), predicate.request) })),
    ]
  }

  /// `name`, or a longer name if an attribute has `name` as its referent.
  private func freeReferent(_ name: String) -> String {
    attributes.contains { $0.referent == name } ? freeReferent(name + "_") : name
  }

  private func requestedAttributes(isForAnyValue: Bool) -> JSONObject {
    var items = JSONObject()
    for (index, attribute) in attributes.enumerated() {
      let key = attribute.referent ?? freeReferent("attribute_\(index)")
      guard items[key] == nil else { continue }
      let group =
        attribute.referent.map { referent in attributes.filter { $0.referent.isExactly(referent) } } ?? [attribute]
      var item: JSONObject =
        group.count == 1 ? ["name": .string(attribute.name)] : ["names": JSON(group.map(\.name))]
      var restriction = JSONObject()
      for member in group {
        restriction["cred_def_id"] = restriction["cred_def_id"] ?? member.definitionID.map(JSON.string)
        if !isForAnyValue { restriction["attr::\(member.name)::value"] = member.value.map(JSON.string) }
      }
      if !restriction.isEmpty { item["restrictions"] = [.object(restriction)] }
      items[key] = .object(item)
    }
    return items
  }
}

extension PresentationPreview.Attribute {
  fileprivate static let members: Set<String> = ["name", "cred_def_id", "mime-type", "value", "referent"]

  fileprivate init(_ object: JSONObject) throws(JSONError) {
    self.init(
      name: try object.string("name"), definitionID: try object.optionalString("cred_def_id"),
      mediaType: try object.optionalString("mime-type"), value: try object.optionalString("value"),
      referent: try object.optionalString("referent"))
  }

  fileprivate var object: JSONObject {
    var object: JSONObject = ["name": .string(name)]
    object["cred_def_id"] = definitionID.map(JSON.string)
    object["mime-type"] = mediaType.map(JSON.string)
    object["value"] = value.map(JSON.string)
    object["referent"] = referent.map(JSON.string)
    return object
  }
}

extension PresentationPreview.Predicate {
  fileprivate static let members: Set<String> = ["name", "cred_def_id", "predicate", "threshold"]

  fileprivate init(_ object: JSONObject) throws(JSONError) {
    name = try object.string("name")
    definitionID = try object.optionalString("cred_def_id")
    comparison = try object.string("predicate")
    guard [">=", ">", "<=", "<"].contains(comparison) else {
      throw .wrongType(key: "predicate", expected: "one of >=, >, <=, <")
    }
    guard let threshold = object["threshold"]?.integer ?? object["threshold"]?.string.flatMap(Int64.init) else {
      throw .wrongType(key: "threshold", expected: "an integer")
    }
    self.threshold = threshold
  }

  fileprivate var object: JSONObject {
    var object: JSONObject = [
      "name": .string(name), "predicate": .string(comparison), "threshold": .integer(threshold),
    ]
    object["cred_def_id"] = definitionID.map(JSON.string)
    return object
  }

  fileprivate var request: JSON {
    var item: JSONObject = ["name": .string(name), "p_type": .string(comparison), "p_value": .integer(threshold)]
    if let definitionID { item["restrictions"] = [["cred_def_id": .string(definitionID)]] }
    return .object(item)
  }
}
