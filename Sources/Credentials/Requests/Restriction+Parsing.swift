internal import JSON

extension Restriction {
  /// Reads `restrictions`: an array of filters, one of which must hold, or one query in the wallet's language (Aries
  /// RFC 0050). Returns nil if there is no restriction.
  ///
  /// In a request of version 1.0, which `isUnqualified` marks, an id also finds the holder's credentials with libindy's
  /// qualified id of the same object, as in libindy. A verifier knows no such tags.
  static func parse(_ json: JSON?, isUnqualified: Bool) throws(CredentialsError) -> Restriction? {
    let reader = RestrictionReader(isUnqualified: isUnqualified)
    switch json {
    case nil, .null?: return nil
    case .array(let filters)?: return join(try reader.filters(filters), Restriction.any)
    case .object(let query)?: return try reader.query(query)
    default: throw .malformedRequest("restrictions are neither an array nor an object")
    }
  }

  /// Whether restrictions contain any condition. Values without restrictions may be self-attested.
  static func restricts(_ json: JSON?) -> Bool {
    switch json {
    case .array(let filters)?: filters.contains { $0.object?.members.contains { !$0.value.isNull } ?? true }
    case .object(let query)?: !query.isEmpty
    case nil, .null?: false
    default: true
    }
  }

  fileprivate static func join(_ parts: [Restriction], _ join: ([Restriction]) -> Restriction) -> Restriction? {
    parts.count > 1 ? join(parts) : parts.first
  }
}

private struct RestrictionReader {
  let isUnqualified: Bool

  /// The tags of ids that have a second tag for the unqualified form.
  private static let doubled = CredentialTags.shortened

  /// The names that newer verifiers use, with libindy's names.
  private static let synonyms = ["issuer_id": "issuer_did", "schema_issuer_id": "schema_issuer_did"]

  /// Skips null members, and filters with no other members.
  func filters(_ filters: [JSON]) throws(CredentialsError) -> [Restriction] {
    var parts: [Restriction] = []
    for filter in filters where !filter.isNull {
      guard let object = filter.object else { throw .malformedRequest("a restriction is not an object") }
      if let part = try query(JSONObject(distinct: object.members.filter { !$0.value.isNull })) { parts.append(part) }
    }
    return parts
  }

  /// All members have to hold.
  func query(_ object: JSONObject) throws(CredentialsError) -> Restriction? {
    var parts: [Restriction] = []
    for (key, value) in object.members {
      if let part = try member(key, value) { parts.append(part) }
    }
    return Restriction.join(parts, Restriction.all)
  }

  private func member(_ key: String, _ value: JSON) throws(CredentialsError) -> Restriction? {
    switch key {
    // A condition without parts stays: a verifier must not ignore it.
    case "$and": return .all(try queries(value))
    case "$or": return .any(try queries(value))
    case "$not":
      guard let object = value.object, let part = try query(object), part != .all([]), part != .any([]) else {
        throw .malformedRequest("$not has no condition")
      }
      return .not(part)
    default: return try condition(Self.tag(key), value)
    }
  }

  private func queries(_ value: JSON) throws(CredentialsError) -> [Restriction] {
    guard let array = value.array else { throw .malformedRequest("$and and $or take an array") }
    var parts: [Restriction] = []
    for element in array {
      guard let object = element.object else { throw .malformedRequest("a restriction is not an object") }
      parts.append(try query(object) ?? .all([]))
    }
    return parts
  }

  private func condition(_ tag: String, _ value: JSON) throws(CredentialsError) -> Restriction {
    let short = isUnqualified && Self.doubled.contains(tag) ? "\(tag)_short" : nil
    if let text = value.string { return Self.either(.equal(tag: tag, text), short.map { .equal(tag: $0, text) }) }
    guard let (key, operand) = value.object?.members.first, value.object?.count == 1 else {
      throw .malformedRequest("a restriction is neither a text nor one operator")
    }
    switch key {
    case "$neq":
      guard let text = operand.string else { throw .malformedRequest("$neq takes a text") }
      // Most credentials have no short form, so its absence must not exclude them.
      guard let short else { return .different(tag: tag, text) }
      return .all([.different(tag: tag, text), .not(.equal(tag: short, text))])
    case "$in":
      let texts = operand.array?.compactMap(\.string) ?? []
      guard let array = operand.array, texts.count == array.count else {
        throw .malformedRequest("$in takes an array of texts")
      }
      return Self.either(.oneOf(tag: tag, texts), short.map { .oneOf(tag: $0, texts) })
    case "$gt", "$gte", "$lt", "$lte", "$like":
      throw .unsupportedRestriction("credentials are not searched with \(key)")
    default: throw .malformedRequest("a restriction has an unknown operator")
    }
  }

  private static func either(_ first: Restriction, _ second: Restriction?) -> Restriction {
    second.map { .any([first, $0]) } ?? first
  }

  /// The tag for a key of a restriction. Attributes may be spelled in any way.
  private static func tag(_ key: String) -> String {
    if let synonym = synonyms[key] { return synonym }
    for suffix in ["::value", "::marker"] {
      guard let spelling = AttributeName.spelling(in: key, suffix) else { continue }
      return "attr::\(AttributeName(spelling).text)\(suffix)"
    }
    return key
  }
}
