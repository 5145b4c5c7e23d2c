package import JSON

/// The values of a credential that an issuer offers, as its program writes them.
package struct CredentialValues: Equatable, Sendable {
  /// The JSON text of the program.
  package let text: String
  package let attributes: [PreviewAttribute]

  /// Reads `{"name": "value"}`, the older form `{"name": ["value"]}`, or `[{"name", "value", "mime-type"}]`. A number
  /// becomes its JSON text. The attributes of an object are sorted by their names.
  package init(parsing text: String) throws(JSONError) {
    self.text = text
    let json = try JSON(parsing: text)
    if let list = json.array {
      var attributes: [PreviewAttribute] = []
      for element in list {
        let object = try element.requireObject()
        attributes.append(
          PreviewAttribute(
            name: try object.string("name"), value: try Self.raw(object["value"] ?? .null),
            mediaType: try object.optionalString("mime-type")))
      }
      self.attributes = attributes
    } else {
      var attributes: [PreviewAttribute] = []
      for (name, value) in try json.requireObject().members.sorted(by: { $0.key < $1.key }) {
        attributes.append(PreviewAttribute(name: name, value: try Self.raw(value.array?.first ?? value)))
      }
      self.attributes = attributes
    }
    guard !attributes.isEmpty else { throw .wrongType(key: nil, expected: "at least one attribute") }
  }

  private static func raw(_ value: JSON) throws(JSONError) -> String {
    if let text = value.string { return text }
    guard value.number != nil else { throw .wrongType(key: "value", expected: "a text or a number") }
    return value.text
  }

  /// The values by their names.
  package var raw: [String: String] {
    Dictionary(attributes.map { ($0.name, $0.raw) }, uniquingKeysWith: { first, _ in first })
  }

  /// The preview in an offer of a version.
  func preview(in dialect: Dialect) -> JSON {
    let attributes = attributes.map { attribute -> JSON in
      var object: JSONObject = ["name": .string(attribute.name)]
      object["mime-type"] = attribute.mediaType.map(JSON.string)
      object["value"] = attribute.value
      return .object(object)
    }
    return ["@type": .string(dialect.type("credential-preview")), "attributes": .array(attributes)]
  }
}
