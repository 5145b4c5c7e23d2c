internal import Indy
internal import JSON
internal import Wallet

/// The facts about a credential that a presentation proves. Restrictions are judged against them.
///
/// An unproved fact does not count: a restriction on a value that is not shown is not satisfied, even if it excludes
/// the value.
struct ProvedFacts {
  /// The names and ids of the public objects.
  let tags: Tags
  /// The tags that the proof does not support.
  let unproved: Set<String>
  /// The attributes of the definition.
  let attributes: Set<AttributeName>
  /// The values that the presentation shows.
  let values: [AttributeName: Presentation.Value]
  /// Converts an id or a DID to the form that the tags have.
  let canonical: (String) -> String

  /// The tags that hold the id of an object or of an issuer.
  private static let ids: Set<String> = ["schema_id", "schema_issuer_did", "issuer_did", "cred_def_id", "rev_reg_id"]

  /// Whether the credential provably satisfies the restriction.
  func prove(_ restriction: Restriction) -> Bool { decide(restriction) ?? false }

  /// Whether the restriction holds; nil if the facts do not decide it, and for a condition without parts, which would
  /// permit every credential.
  private func decide(_ restriction: Restriction) -> Bool? {
    switch restriction {
    case .all(let parts):
      let results = parts.map(decide)
      return results.contains(false) ? false : results.isEmpty || results.contains(nil) ? nil : true
    case .any(let parts):
      let results = parts.map(decide)
      return results.contains(true) ? true : results.isEmpty || results.contains(nil) ? nil : false
    case .not(let part): return decide(part).map { !$0 }
    case .equal(let tag, let text): return exists(tag) ? compare(tag, [text]) : false
    case .different(let tag, let text): return exists(tag) ? compare(tag, [text]).map { !$0 } : false
    case .oneOf(_, let texts) where texts.isEmpty: return nil
    case .oneOf(let tag, let texts): return exists(tag) ? compare(tag, texts) : false
    }
  }

  /// Whether the credential has the tag, or may have it.
  private func exists(_ tag: String) -> Bool {
    if let name = AttributeName.of(valueTag: tag) ?? AttributeName.of(marker: tag) { return attributes.contains(name) }
    return tags[tag] != nil || unproved.contains(tag)
  }

  /// Whether the value of a tag is one of the texts; nil if the facts do not decide it.
  private func compare(_ tag: String, _ texts: [String]) -> Bool? {
    if let name = AttributeName.of(valueTag: tag) { return values[name].flatMap { Self.compare($0, texts) } }
    if AttributeName.of(marker: tag) != nil { return texts.contains("1") }
    guard !unproved.contains(tag) else { return nil }
    guard let value = tags[tag] else { return nil }
    return Self.ids.contains(tag)
      ? compare(id: value, texts.map(canonical)) : texts.contains { $0.isExactly(value) }
  }

  /// In its older form, an id of Indy names neither a network nor a method. If only one of two ids names a network, or
  /// has a prefix of libindy, nobody knows whether both name one object: a restriction can then neither require nor exclude
  /// the id. The same holds for two names of one DID of did:webvh: a verifier may mean only the server of one.
  private func compare(id: String, _ texts: [String]) -> Bool? {
    if texts.contains(where: id.isExactly) { return true }
    let plain = PrefixedID.short(id) ?? id
    let isUndecided = texts.contains { text in
      let other = PrefixedID.short(text) ?? text
      return other.isExactly(plain) || other.mayBeSameObject(as: plain) || text.isMoved(from: id)
    }
    return isUndecided ? nil : false
  }

  /// The proof shows a number. The prover chooses among the texts with this encoding: `28`, `028` and `+28` have one
  /// encoding. Another spelling of the value therefore neither satisfies the condition nor excludes the value.
  private static func compare(_ value: Presentation.Value, _ texts: [String]) -> Bool? {
    if texts.contains(where: { $0.isExactly(value.raw) }) { return true }
    return texts.contains { AttributeEncoding.isEncoding(value.encoded, of: $0) } ? nil : false
  }
}
