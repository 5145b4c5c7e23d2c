/// The base URL of an agency for clients and peers: `https://agency.example`, perhaps with a path.
package struct PublicEndpoint: Equatable, Sendable {
  package let text: String

  /// Returns nil for anything but an http or https URL without query, fragment, user, and slash at its end: clients
  /// append `/agency/msg` to it.
  package init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    guard let first = rest.first, first != UInt8(ascii: "/"), first != UInt8(ascii: ":"),
      rest.last != UInt8(ascii: "/"), rest.allSatisfy(Self.isAllowed)
    else { return nil }
    self.text = text
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && !"?#@\\\"<>{}|^`".utf8.contains(byte)
  }
}
