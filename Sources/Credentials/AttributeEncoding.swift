internal import Sodium

/// The number that represents the text of an attribute in a signature (Aries RFC 0592, "encoding claims").
package enum AttributeEncoding: Sendable {
  /// A signed 32-bit integer is encoded as itself, any other text as its SHA-256. The result is decimal.
  package static func encode(_ raw: String) -> String {
    if let number = Int32(raw) { return String(number) }
    return sha256(Array(raw.utf8)).decimal
  }

  /// The encoding of Evernym's library, in which an unsigned 32-bit integer is encoded as itself.
  static func encodeUnsigned(_ raw: String) -> String {
    if let number = UInt32(raw) { return String(number) }
    return sha256(Array(raw.utf8)).decimal
  }

  /// The numbers that represent a text, by either rule.
  static func encodings(of raw: String) -> Set<String> { [encode(raw), encodeUnsigned(raw)] }
}
