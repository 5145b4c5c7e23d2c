internal import DIDComm

/// The form of an exchange's message types: prefix, family and version. A reply repeats the form of the answered
/// message.
package struct Dialect: Equatable, Sendable {
  package let prefix: String
  package let family: String
  package let major: Int
  package let minor: Int

  package init(_ family: String, _ major: Int, _ minor: Int = 0, prefix: String = "https://didcomm.org/") {
    self.prefix = prefix
    self.family = family
    self.major = major
    self.minor = minor
  }

  /// Reads the type of a message. A type without a prefix gets the usual one. Returns nil if the text is no type.
  init?(type text: String) {
    guard let type = MessageType(text) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast(3)
    let prefix = parts.map { Substring($0) + "/" }.joined()
    if prefix.isEmpty {
      self.init(type.family, type.major, type.minor)
    } else {
      self.init(type.family, type.major, type.minor, prefix: prefix)
    }
  }

  /// The type of a message of this name.
  package func type(_ name: String) -> String { "\(prefix)\(family)/\(major).\(minor)/\(name)" }
}
