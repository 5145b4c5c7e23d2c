/// A DID of the method webvh (did:webvh 1.0): `did:webvh:<SCID>:<host>[%3A<port>][:<path>…]`.
///
/// The SCID is the hash of the first entry of the DID's log. Names outside of ASCII are refused: a DID has the form
/// `xn--…` of such a host.
package struct WebVHDID: Equatable, Sendable {
  package let text: String
  package let scid: String
  package let location: WebLocation

  static let prefix = "did:webvh:"
  private static let maximumLength = 1024
  /// The length of a multihash of SHA-256 in base58.
  private static let scidLength = 46

  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength, text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isSCID(parts[0]), let location = WebLocation(String(parts[1])) else { return nil }
    self.text = text
    scid = String(parts[0])
    self.location = location
  }

  /// The URL of the DID's log.
  package var logURL: String { location.url(of: "did.jsonl") }

  /// The URL of the proofs of the DID's witnesses.
  package var witnessURL: String { location.url(of: "did-witness.json") }

  package static func == (left: WebVHDID, right: WebVHDID) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  private static func isSCID(_ text: Substring) -> Bool {
    text.utf8.count == scidLength && text.hasPrefix("Qm")
      && text.utf8.allSatisfy { byte in
        (0x31...0x39).contains(byte) || (0x41...0x5a).contains(byte) && !"IO".utf8.contains(byte)
          || (0x61...0x7a).contains(byte) && byte != UInt8(ascii: "l")
      }
  }
}

/// A DID of the method web: the document at a URL, vouched for by the server alone.
package struct WebDID: Equatable, Sendable {
  package let text: String
  private let location: WebLocation

  private static let prefix = "did:web:"

  package init?(_ text: String) {
    guard text.utf8.count <= 1024, text.hasPrefix(Self.prefix),
      let location = WebLocation(String(text.dropFirst(Self.prefix.count)))
    else { return nil }
    self.text = text
    self.location = location
  }

  /// The URL of the DID's document.
  package var documentURL: String { location.url(of: "did.json") }
}
