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
    /// The attributes that the items show, and the attributes that they compare.
    fileprivate var shown: Set<AttributeName> = []
    fileprivate var compared: Set<AttributeName> = []

    fileprivate mutating func add(_ item: Item, about names: Set<AttributeName>) {
      items.append(item)
      if item.isRevealed { shown.formUnion(names) }
      if item.isPredicate { compared.formUnion(names) }
    }

    /// Whether a proof with this item would both show an attribute and compare it, which no proof can.
    fileprivate func excludes(_ item: Item, about names: Set<AttributeName>) -> Bool {
      item.isRevealed && !names.isDisjoint(with: compared) || item.isPredicate && !names.isDisjoint(with: shown)
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
      try add(item, about: attribute.names, attribute.interval, to: group)
    } else if let predicate = request.predicates.first(where: { $0.referent.isExactly(choice.referent) }) {
      let item = Item(referent: choice.referent, isPredicate: true, isRevealed: false)
      try add(item, about: [predicate.name], predicate.interval, to: group)
    } else {
      throw .malformedSelection("the request has no item \(choice.referent)")
    }
  }

  /// Items of one credential share a proof if their times overlap, or if no item has an interval. A proof for a time
  /// must not answer an item without an interval: ACA-Py refuses such presentations. Throws if a proof would have to show an
  /// attribute and compare it: the engine makes one proof of a credential for a time.
  ///
  /// `new` is the group of the credential without items, which is added if no known group fits.
  private mutating func add(
    _ item: Item, about spellings: [String], _ interval: Interval?, to new: Group
  ) throws(CredentialsError) {
    let names = Set(spellings.map(AttributeName.init))
    for index in groups.indices where groups[index].credential.isExactly(new.credential) {
      switch (groups[index].interval, interval) {
      case (let known?, let interval?):
        guard let common = known.intersection(interval) else { continue }
        groups[index].interval = common
      case (nil, nil): break
      case (nil, _), (_, nil): continue
      }
      guard !groups[index].excludes(item, about: names) else {
        throw .malformedSelection(
          "one credential cannot show an attribute and prove a predicate about it, as \(item.referent) and another item "
            + "ask: hide the value, or choose another credential for one of them")
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
