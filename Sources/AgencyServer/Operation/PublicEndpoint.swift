internal import HTTP

/// The base URL of an agency for clients and peers: `https://agency.example`, perhaps with a path.
package struct PublicEndpoint: Equatable, Sendable {
  package let text: String

  /// Returns nil for anything but an http or https URL without query, fragment, user, and slash at its end: clients
  /// append `/agency/msg` to it.
  package init?(_ text: String) {
    guard let url = HTTPURL(text), url.user == nil, !url.hasQueryOrFragment, text.hasPrefix(url.scheme.rawValue),
      text.utf8.last != UInt8(ascii: "/"), text.utf8.allSatisfy(Self.isPlain)
    else { return nil }
    self.text = text
  }

  /// Whether a character means the same in every text that the URL is written into.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && !"?#@\\\"<>{}|^`".utf8.contains(byte)
  }
}
