// A DID of did:webvh may move to another server: its name changes, and its SCID, the hash of the first entry of its log,
// stays. Only the controller can move it, because the log under the new name has to continue the log from that entry on.

extension String {
  /// Whether both texts are names of one DID of did:webvh, before and after it moved, or ids of objects with one digest
  /// below two such names. Returns false for equal texts.
  package func isMoved(from other: String) -> Bool {
    guard let (own, others) = MovableName(self).flatMap({ own in MovableName(other).map { (own, $0) } }) else {
      return false
    }
    return own.scid.utf8.elementsEqual(others.scid.utf8) && !utf8.elementsEqual(other.utf8)
      && own.digest.map { Array($0.utf8) } == others.digest.map { Array($0.utf8) }
  }

  /// Whether both texts name one issuer: equal texts, names of a DID that has moved, or a DID of Indy with and without its
  /// former method.
  package func isIssuer(_ other: String) -> Bool {
    withoutSov.elementsEqual(other.withoutSov) || isMoved(from: other)
  }

  private var withoutSov: Substring.UTF8View { dropFirst(hasPrefix("did:sov:") ? 8 : 0).utf8 }
}

/// The parts of a DID of did:webvh, or of an object's id below it, that stay when the DID moves.
private struct MovableName {
  let scid: Substring
  /// The last segment of the id's path; nil for a DID.
  let digest: Substring?

  private static let prefix = "did:webvh:"

  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let rest = text.dropFirst(Self.prefix.count)
    guard let end = rest.firstIndex(of: ":"), end != rest.startIndex else { return nil }
    scid = rest[..<end]
    let segments = rest.split(separator: "/", omittingEmptySubsequences: false)
    digest = segments.count > 1 ? segments.last : nil
  }
}
