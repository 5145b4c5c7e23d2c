// Some requests of this side could have no answer, or every presentation would answer them. They are refused when they
// are made, and not when an answer comes.

extension ProofRequest {
  /// Throws if an answer to an item could never be judged: because of its names, its bound, its interval or its
  /// restrictions, or because a predicate has the same referent.
  func requireJudgeable() throws(CredentialsError) {
    let referents = attributes.map(\.referent) + predicates.map(\.referent)
    guard Set(referents).count == referents.count else {
      throw .malformedRequestedPredicates("a referent is that of an attribute too, or looks the same")
    }
    for interval in attributes.map(\.interval) + predicates.map(\.interval) {
      if let flaw = interval?.flaw { throw .malformedInterval(flaw) }
    }
    for attribute in attributes {
      if let flaw = attribute.flaw { throw .malformedRequestedAttributes("\(attribute.referent): \(flaw)") }
    }
    for predicate in predicates {
      if let flaw = predicate.flaw { throw .malformedRequestedPredicates("\(predicate.referent): \(flaw)") }
    }
  }
}

extension ProofRequest.Attribute {
  /// The reason why no answer could be judged; nil if an answer can be judged.
  fileprivate var flaw: String? {
    let common = names.map(AttributeName.init)
    if let flaw = common.lazy.compactMap(\.flaw).first { return flaw }
    guard Set(common).count == names.count, Set(names).count == names.count else {
      return "two of its names mean the same attribute, or look the same"
    }
    return restriction?.flaw
  }
}

extension ProofRequest.Predicate {
  /// The reason why no answer could be judged; nil if an answer can be judged.
  fileprivate var flaw: String? {
    guard isProvable else { return "no integer of 32 bits is \(comparison.rawValue) \(value)" }
    return AttributeName(name).flaw ?? restriction?.flaw
  }
}

extension AttributeName {
  /// Credentials have no attribute without a name, and no proof shows the link secret.
  fileprivate var flaw: String? {
    if text.isEmpty { return "it names no attribute" }
    return AttributeName.linkSecrets.contains(self) ? "it asks for the link secret" : nil
  }
}

extension Restriction {
  /// The reason if a condition has no parts. Some verifiers ignore such a condition, and for others no credential
  /// satisfies it.
  var flaw: String? {
    switch self {
    case .all(let parts), .any(let parts):
      parts.isEmpty ? "a condition of its restrictions is empty" : parts.lazy.compactMap(\.flaw).first
    case .not(let part): part.flaw
    case .oneOf(_, let texts): texts.isEmpty ? "$in of its restrictions is empty" : nil
    case .equal, .different: nil
    }
  }
}
