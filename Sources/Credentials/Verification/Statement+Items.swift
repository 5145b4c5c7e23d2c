internal import Soundness

extension Statement {
  /// The statement that a proof must prove, so that the presentation answers these items. The items are all items that
  /// the proof answers.
  init(of resolved: ResolvedProof, answering items: [AnswerMatching.Item]) {
    let shown = items.flatMap { item in zip(item.names, item.values ?? []) }
    self.init(
      key: resolved.key, attributes: resolved.schemaAttributes,
      revealed: Dictionary(
        shown.map { ($0.exact, $1.encoded) }, uniquingKeysWith: { first, _ in first }),
      predicates: Set(items.compactMap { $0.predicate?.statement }),
      revocation: Revocation(
        isRevocable: resolved.isRevocable,
        namesStatusList: resolved.proof.registryID != nil && resolved.proof.timestamp != nil,
        isRequested: items.contains { $0.interval != nil }))
  }
}

extension ProofRequest.Predicate {
  /// The predicate as a proof names it.
  var statement: Statement.Predicate {
    Statement.Predicate(
      attribute: AttributeName(name).exact, comparison: comparison.nameInProofs, value: Int64(value))
  }
}

extension ProofRequest.Comparison {
  fileprivate var nameInProofs: String {
    switch self {
    case .greaterOrEqual: "GE"
    case .greater: "GT"
    case .lessOrEqual: "LE"
    case .less: "LT"
    }
  }
}
