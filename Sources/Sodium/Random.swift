internal import CSodium

/// A source of random bytes. Tests of wire formats use sources of their own, to compare with known answers byte for
/// byte.
package typealias RandomSource = (_ count: Int) -> [UInt8]

/// The system's randomness.
package func randomBytes(_ count: Int) -> [UInt8] {
  _ = Library.ready
  var bytes = [UInt8](repeating: 0, count: count)
  randombytes_buf(&bytes, count)
  return bytes
}

extension String {
  /// A random UUID, version 4 (RFC 9562), lower case with hyphens: the form of Aries message ids.
  package static func randomUUID() -> String { uuid(randomBytes(16)) }

  /// A UUID derived from a text. The same text gives the same UUID, which reveals nothing about the text.
  package static func uuid(derivedFrom text: String) -> String { uuid(Array(sha256(Array(text.utf8)).prefix(16))) }

  /// 16 bytes in the form of a UUID of version 4.
  package static func uuid(_ bytes: [UInt8]) -> String {
    precondition(bytes.count == 16)
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { bytes[$0].hex }.joined(separator: "-")
  }
}
