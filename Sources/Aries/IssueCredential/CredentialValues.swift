package import JSON

/// The values of a credential that an issuer offers, as its program writes them.
package struct CredentialValues: Equatable, Sendable {
  /// The program's JSON text.
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

  /// Reads the values of a new offer. Throws if a name occurs twice or has several values, or if a number would become a
  /// different text than the program has written, since the issuer signs the text. Such numbers are `1.10`, `1e2` and `-0`.
  package init(offering text: String) throws(JSONError) {
    for (name, value) in try Self.exact(text).object?.members ?? [] where (value.array?.count ?? 1) != 1 {
      throw .wrongType(key: name, expected: "one value")
    }
    try self.init(parsing: text)
    var names: Set<ExactText> = []
    for attribute in attributes where !names.insert(ExactText(attribute.name)).inserted {
      throw .repeatedName(attribute.name)
    }
  }

  /// Reads a JSON text that has one meaning: without repeated names and ambiguous numbers.
  static func exact(_ text: String) throws(JSONError) -> JSON {
    let json = try JSON(parsing: Array(text.utf8), repeatedNames: .refused)
    guard numbers(in: text) == numbers(in: json.text) else {
      throw .wrongType(key: nil, expected: "free of numbers that JSON writes in several ways; write them as texts")
    }
    return json
  }

  /// The numbers of a JSON text, as they are written.
  private static func numbers(in text: String) -> [[UInt8]] {
    var (numbers, number): ([[UInt8]], [UInt8]) = ([], [])
    var (isInText, isEscaped) = (false, false)
    for byte in text.utf8 {
      let isPart =
        !isInText && (byte.isDigit || !number.isEmpty && "+-.eE".utf8.contains(byte) || byte == UInt8(ascii: "-"))
      if isPart { number.append(byte) }
      if !isPart, !number.isEmpty { (numbers, number) = (numbers + [number], []) }
      if byte == UInt8(ascii: "\""), !isEscaped { isInText.toggle() }
      isEscaped = isInText && !isEscaped && byte == UInt8(ascii: "\\")
    }
    return numbers + [number]
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

  /// The preview of the values in an offer.
  func preview(in dialect: Dialect) -> JSON { Self.preview(of: attributes, in: dialect) }

  /// The preview of attributes in an offer or a proposal.
  static func preview(of attributes: [PreviewAttribute], in dialect: Dialect) -> JSON {
    let attributes = attributes.map { attribute -> JSON in
      var object: JSONObject = ["name": .string(attribute.name)]
      object["mime-type"] = attribute.mediaType.map(JSON.string)
      object["value"] = attribute.value
      return .object(object)
    }
    return ["@type": .string(dialect.type("credential-preview")), "attributes": .array(attributes)]
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
