internal import JSON

/// The answers of a presentation, each with the item that it answers. Needs no public objects.
struct AnswerMatching {
  /// The items that a credential answers.
  private(set) var items: [Item] = []
  private(set) var verdict = Verdict()

  /// An item with the proof that answers it.
  struct Item {
    let referent: String
    /// The index of the proof.
    let proof: Int
    let names: [AttributeName]
    /// The values of the names, in their order; nil if the answer shows none.
    let values: [Presentation.Value]?
    let predicate: ProofRequest.Predicate?
    let restriction: Restriction?
    let interval: Interval?

    /// The values of the credential for the item's restriction: the item's own values, and the values of other items
    /// about the same credential. One number can encode several texts: if other items give different texts, none of
    /// them counts.
    func shown(among items: [Item]) -> [AttributeName: Presentation.Value] {
      let own = Dictionary(zip(names, values ?? []), uniquingKeysWith: { first, _ in first })
      var others: [AttributeName: Presentation.Value?] = [:]
      for item in items where item.proof == proof {
        for (name, value) in zip(item.names, item.values ?? []) where own[name] == nil {
          let isOther = others[name].map { known in !(known?.raw).isExactly(value.raw) } ?? false
          others.updateValue(isOther ? nil : value, forKey: name)
        }
      }
      return own.merging(others.compactMapValues(\.self)) { own, _ in own }
    }
  }

  init(_ presentation: Presentation, to request: ProofRequest) {
    let answers = presentation.answers
    for attribute in request.attributes { match(attribute, answers) }
    for predicate in request.predicates { match(predicate, answers) }
    let attributes = Set(request.attributes.map { ExactText($0.referent) })
    let given = [
      Array(answers.revealed.keys), Array(answers.groups.keys), Array(answers.selfAttested.keys),
      Array(answers.unrevealed.keys),
    ]
    let isRequested =
      given.joined().allSatisfy(attributes.contains)
      && Set(answers.predicates.keys).isSubset(of: request.predicates.map { ExactText($0.referent) })
    if !isRequested { verdict.fail(.unrequested) }
  }

  private mutating func match(_ attribute: ProofRequest.Attribute, _ answers: Presentation.Answers) {
    let referent = attribute.referent
    let exact = ExactText(referent)
    let (revealed, group) = (answers.revealed[exact], answers.groups[exact])
    let (attested, unrevealed) = (answers.selfAttested[exact], answers.unrevealed[exact])
    let count = [revealed != nil, group != nil, attested != nil, unrevealed != nil].filter { $0 }.count
    guard count <= 1 else { return verdict.fail(.repeated, referent) }
    if attested != nil {
      guard attribute.mayBeSelfAttested else { return verdict.fail(.selfAttested, referent) }
      verdict.warn(.selfAttested, referent)
    } else if let revealed, !attribute.isGroup {
      add(attribute, revealed.proof, [revealed.value])
    } else if let group, attribute.isGroup, Set(group.values.keys) == Set(attribute.names.map(ExactText.init)) {
      add(attribute, group.proof, attribute.names.compactMap { group.values[ExactText($0)] })
    } else if let unrevealed, !attribute.isGroup {
      verdict.warn(.withheld, referent)
      add(attribute, unrevealed, nil)
    } else {
      verdict.fail(.missing, referent)
    }
  }

  private mutating func add(_ attribute: ProofRequest.Attribute, _ proof: Int, _ values: [Presentation.Value]?) {
    items.append(
      Item(
        referent: attribute.referent, proof: proof, names: attribute.names.map(AttributeName.init), values: values,
        predicate: nil, restriction: attribute.restriction, interval: attribute.interval))
  }

  private mutating func match(_ predicate: ProofRequest.Predicate, _ answers: Presentation.Answers) {
    guard let proof = answers.predicates[ExactText(predicate.referent)] else {
      return verdict.fail(.missing, predicate.referent)
    }
    items.append(
      Item(
        referent: predicate.referent, proof: proof, names: [AttributeName(predicate.name)], values: nil,
        predicate: predicate, restriction: predicate.restriction, interval: predicate.interval))
  }
}
