internal import Sodium

/// A decentralized identifier: unqualified as in the Indy world (base58 of 16 bytes, or of a whole key), or qualified
/// (`did:method:…`).
package struct DID: Hashable, Sendable {
  package let text: String

  /// The size limit of a received DID: a `did:peer:4` with its document.
  package static let maximumLength = 8_192

  package init(_ text: String) throws(IdentifierError) {
    guard text.utf8.count <= Self.maximumLength else { throw .malformedDID }
    guard Self.isQualified(text) || Self.isUnqualified(text) else { throw .malformedDID }
    self.text = text
  }

  init(unchecked text: String) { self.text = text }

  /// The identifier without `did:sov:`. Both spellings of an Indy DID give the same.
  package var unqualified: DID {
    text.hasPrefix(Self.sov) ? DID(unchecked: String(text.dropFirst(Self.sov.count))) : self
  }

  /// Returns the name by which both sides of a connection know a DID: without `did:sov:`, which agents may omit, and
  /// for a `did:peer:4` its short form.
  package static func name(of did: String) -> String {
    guard did.hasPrefix(PeerDID4.prefix) else { return (try? DID(did).unqualified.text) ?? did }
    return did.split(separator: ":").prefix(3).joined(separator: ":")
  }

  private static let sov = "did:sov:"

  private static func isQualified(_ text: String) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "did" && parts.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  }

  static func isUnqualified(_ text: String) -> Bool {
    guard let bytes = try? Base58.decode(text, limit: 64) else { return false }
    return bytes.count == 16 || bytes.count == 32
  }
}

extension DID: CustomStringConvertible {
  package var description: String { text }
}
