/// The type of a message: `<prefix><family>/<major>.<minor>/<name>` (RFC 0003).
///
/// Types are compared without their prefix, because one protocol has several: `https://didcomm.org/`,
/// `did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/` in older Aries agents, `did:sov:123456789abcdefghi1234;spec/` towards
/// agencies.
package struct MessageType: Hashable, Sendable {
  package let family: String
  package let major: Int
  package let minor: Int
  package let name: String

  package init(_ family: String, _ major: Int, _ minor: Int, _ name: String) {
    self.family = family
    self.major = major
    self.minor = minor
    self.name = name
  }

  /// Returns nil for a text of another form.
  package init?(_ text: String) {
    // By bytes: to find the characters of a text takes several times as long.
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
    guard parts.count >= 3, let name = parts.last, !name.isEmpty else { return nil }
    let version = parts[parts.count - 2].utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map(Substring.init)
    guard version.count >= 2, let major = Int(version[0]), let minor = Int(version[1]), major >= 0, minor >= 0 else {
      return nil
    }
    self.init(String(parts[parts.count - 3]), major, minor, String(name))
  }

  /// The type in the form for Aries agents.
  package var text: String { "https://didcomm.org/" + path }

  /// Family, version and name.
  package var path: String { "\(family)/\(major).\(minor)/\(name)" }

  /// Whether this type means the same message as `other`: the same family, major version and name (RFC 0003: a minor
  /// version may differ).
  package func matches(_ other: MessageType) -> Bool {
    family == other.family && major == other.major && name == other.name
  }
}

extension MessageType {
  /// The type in another minor version, to answer in the version of the request.
  package func text(minor: Int) -> String { MessageType(family, major, minor, name).text }
}
