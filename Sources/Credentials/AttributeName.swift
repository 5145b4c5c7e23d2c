/// The name of an attribute for AnonCreds' comparison: without spaces, in lower case. `Issue Date` and `issuedate` are
/// one attribute.
package struct AttributeName: Hashable, Sendable {
  package let text: String

  /// Reads a name in any spelling.
  package init(_ spelling: String) {
    let bytes = spelling.utf8
    let isPlain = bytes.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: " ") && !(0x41...0x5a).contains($0) }
    text = isPlain ? spelling : String(spelling.unicodeScalars.filter { $0 != " " }.map(Character.init)).lowercased()
  }

  /// The names of the link secret, which a definition has beside the attributes of its schema.
  package static let linkSecrets = ["master_secret", "link_secret"].map(AttributeName.init)

  /// The tag that marks a credential with the attribute.
  var marker: String { "attr::\(text)::marker" }

  /// The tag that holds the attribute's raw value.
  var valueTag: String { "attr::\(text)::value" }
}
