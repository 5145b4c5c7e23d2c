internal import Sodium

/// The number that stands for the text of an attribute in a signature (Aries RFC 0592, "encoding claims").
package enum AttributeEncoding: Sendable {
  /// Text that is a signed 32-bit integer stands for that number, any other text for its SHA-256. The result is decimal.
  package static func encode(_ raw: String) -> String {
    if let number = Int32(raw) { return String(number) }
    return sha256(Array(raw.utf8)).decimal
  }
}
