package import JSON

/// The name of an attribute for AnonCreds' comparison: without spaces, in lower case. `Issue Date` and `issuedate` are
/// one attribute.
///
/// Names are the same if their bytes are, as for the engine: an issuer may define two attributes whose names look the same.
package struct AttributeName: Hashable, Sendable {
  /// The name in the common form.
  package let exact: ExactText

  package var text: String { exact.text }

  /// Reads a name in any spelling.
  package init(_ spelling: String) {
    let bytes = spelling.utf8
    let isPlain = bytes.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: " ") && !(0x41...0x5a).contains($0) }
    exact = ExactText(isPlain ? spelling : lowerCase(spelling.unicodeScalars.filter { $0 != " " }))
  }

  private init(common text: String, from _: Void) { exact = ExactText(text) }

  /// Takes a name in the common form, as the engine writes it. A text in any other form stays a different name.
  static func common(_ text: String) -> AttributeName { AttributeName(common: text, from: ()) }

  /// The names of the link secret, which a definition has beside the attributes of its schema.
  package static let linkSecrets = ["master_secret", "link_secret"].map(AttributeName.init)

  /// The tag that marks a credential with the attribute.
  var marker: String { "attr::\(text)::marker" }

  /// The tag that holds the attribute's raw value.
  var valueTag: String { "attr::\(text)::value" }

  /// The attribute whose marker this tag is; nil for other tags.
  static func of(marker tag: String) -> AttributeName? { of(tag, "::marker") }

  /// The attribute whose value this tag holds; nil for other tags.
  static func of(valueTag tag: String) -> AttributeName? { of(tag, "::value") }

  private static func of(_ tag: String, _ suffix: String) -> AttributeName? { spelling(in: tag, suffix).map(common) }

  /// The spelling of the name between `attr::` and `suffix`; nil if the tag has another form, or no name.
  static func spelling(in tag: String, _ suffix: String) -> String? {
    guard tag.hasPrefix("attr::"), tag.hasSuffix(suffix) else { return nil }
    let name = tag.dropFirst("attr::".count).dropLast(suffix.count)
    return name.allSatisfy { $0 == " " } ? nil : String(name)
  }
}

// MARK: - Lower case

/// The text in lower case, as Unicode's chapter 3.13 maps it without a language, and as the engine does. Swift's
/// `lowercased` never gives the form of a sigma at the end of a word.
private func lowerCase(_ scalars: [Unicode.Scalar]) -> String {
  var text = String.UnicodeScalarView()
  for (index, scalar) in scalars.enumerated() {
    if scalar == "Σ" {
      let isLast = isLetter(next: scalars[..<index].reversed()) && !isLetter(next: scalars[(index + 1)...])
      text.append(isLast ? "ς" : "σ")
    } else {
      text.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    }
  }
  return String(text)
}

/// Whether a letter with a case comes next, after characters that do not count (Unicode, "Final_Sigma").
private func isLetter(next scalars: some Sequence<Unicode.Scalar>) -> Bool {
  scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
}
