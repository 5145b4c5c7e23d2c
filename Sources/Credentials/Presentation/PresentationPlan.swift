internal import JSON

/// The credentials that a presentation proves, the items that each of them answers, and the time for which the
/// presentation must show that the credential was not revoked.
package struct PresentationPlan: Equatable, Sendable {
  package let request: ProofRequest
  package private(set) var groups: [Group] = []
  package let selfAttested: [ChosenCredentials.SelfAttested]

  /// The items that one credential answers, for one time.
  package struct Group: Equatable, Sendable {
    package let credential: String
    package fileprivate(set) var items: [Item] = []
    /// The common time of all items; nil if the items have no interval.
    package fileprivate(set) var interval: Interval?
    /// The first tails file that the choice names for the credential.
    package let tails: String?
    /// Whether one of the choices permits to present the credential even if it is revoked.
    package let presentsRevoked: Bool
    /// The attributes that the items show, and the attributes about which they prove predicates.
    private(set) var shown: Set<AttributeName> = []
    private(set) var compared: Set<AttributeName> = []

    fileprivate mutating func add(_ item: Item, about names: [String]) {
      items.append(item)
      if item.isRevealed { shown.formUnion(names.map(AttributeName.init)) }
      if item.isPredicate { compared.formUnion(names.map(AttributeName.init)) }
    }
  }

  package struct Item: Equatable, Sendable {
    package let referent: String
    package let isPredicate, isRevealed: Bool
  }

  /// Refuses choices for items that the request does not have, and self-attested values for items that need
  /// credentials. The verifier judges missing items.
  package init(_ choice: ChosenCredentials, for request: ProofRequest) throws(CredentialsError) {
    self.request = request
    selfAttested = choice.selfAttested
    for value in selfAttested {
      guard let item = request.attributes.first(where: { $0.referent.isExactly(value.referent) }) else {
        throw .malformedSelection("the request has no attribute \(value.referent)")
      }
      guard item.mayBeSelfAttested else {
        throw .malformedSelection("\(value.referent) must not be self-attested")
      }
      guard !choice.choices.contains(where: { $0.referent.isExactly(value.referent) }) else {
        throw .malformedSelection("\(value.referent) has both a credential and a self-attested value")
      }
    }
    let tails = Dictionary(
      choice.choices.compactMap { choice in choice.tails.map { (ExactText(choice.credential), $0) } },
      uniquingKeysWith: { first, _ in first })
    let evenRevoked = Set(choice.choices.filter(\.presentsRevoked).map { ExactText($0.credential) })
    for choice in choice.choices {
      let id = ExactText(choice.credential)
      let group = Group(credential: id.text, tails: tails[id], presentsRevoked: evenRevoked.contains(id))
      try add(choice, to: group)
    }
  }

  private mutating func add(_ choice: ChosenCredentials.Choice, to group: Group) throws(CredentialsError) {
    if let attribute = request.attributes.first(where: { $0.referent.isExactly(choice.referent) }) {
      let item = Item(referent: choice.referent, isPredicate: false, isRevealed: choice.isRevealed)
      add(item, about: attribute.names, attribute.interval, to: group)
    } else if let predicate = request.predicates.first(where: { $0.referent.isExactly(choice.referent) }) {
      let item = Item(referent: choice.referent, isPredicate: true, isRevealed: false)
      add(item, about: [predicate.name], predicate.interval, to: group)
    } else {
      throw .malformedSelection("the request has no item \(choice.referent)")
    }
  }

  /// Items of one credential share a proof if their times overlap, or if no item has an interval. A proof for a time
  /// must not answer an item without an interval: ACA-Py refuses such presentations.
  ///
  /// `new` is the group of the credential without items, which is added if no known group fits.
  private mutating func add(_ item: Item, about names: [String], _ interval: Interval?, to new: Group) {
    for index in groups.indices where groups[index].credential.isExactly(new.credential) {
      switch (groups[index].interval, interval) {
      case (let known?, let interval?):
        guard let common = known.intersection(interval) else { continue }
        groups[index].interval = common
      case (nil, nil): break
      case (nil, _), (_, nil): continue
      }
      groups[index].add(item, about: names)
      return
    }
    var new = new
    new.interval = interval
    new.add(item, about: names)
    groups.append(new)
  }
}
