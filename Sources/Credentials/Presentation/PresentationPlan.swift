/// The credentials that a presentation proves, the items that each of them answers, and the time for which the
/// presentation must show that the credential was not revoked.
package struct PresentationPlan: Equatable, Sendable {
  package let request: ProofRequest
  package private(set) var groups: [Group] = []
  package let selfAttested: [ChosenCredentials.SelfAttested]

  /// The items that one credential answers, for one time.
  package struct Group: Equatable, Sendable {
    package let credential: String
    package fileprivate(set) var items: [Item]
    /// The common time of all items; nil if the items have no interval.
    package fileprivate(set) var interval: Interval?
    /// The first tails file that the choice names for the credential.
    package let tails: String?
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
      guard let item = request.attributes.first(where: { $0.referent == value.referent }) else {
        throw .malformedSelection("the request has no attribute \(value.referent)")
      }
      guard item.mayBeSelfAttested else {
        throw .malformedSelection("\(value.referent) must not be self-attested")
      }
      guard !choice.choices.contains(where: { $0.referent == value.referent }) else {
        throw .malformedSelection("\(value.referent) has both a credential and a self-attested value")
      }
    }
    let tails = Dictionary(
      choice.choices.compactMap { choice in choice.tails.map { (choice.credential, $0) } },
      uniquingKeysWith: { first, _ in first })
    for choice in choice.choices { try add(choice, tails: tails[choice.credential]) }
  }

  private mutating func add(_ choice: ChosenCredentials.Choice, tails: String?) throws(CredentialsError) {
    if let attribute = request.attributes.first(where: { $0.referent == choice.referent }) {
      let item = Item(referent: choice.referent, isPredicate: false, isRevealed: choice.isRevealed)
      add(item, attribute.interval, of: choice.credential, tails)
    } else if let predicate = request.predicates.first(where: { $0.referent == choice.referent }) {
      let item = Item(referent: choice.referent, isPredicate: true, isRevealed: false)
      add(item, predicate.interval, of: choice.credential, tails)
    } else {
      throw .malformedSelection("the request has no item \(choice.referent)")
    }
  }

  /// Items of one credential share a proof if their times overlap, or if no item has an interval. A proof for a time
  /// must not answer an item without an interval: ACA-Py refuses such presentations.
  private mutating func add(_ item: Item, _ interval: Interval?, of credential: String, _ tails: String?) {
    for index in groups.indices where groups[index].credential == credential {
      switch (groups[index].interval, interval) {
      case (let known?, let interval?):
        guard let common = known.intersection(interval) else { continue }
        groups[index].interval = common
      case (nil, nil): break
      case (nil, _), (_, nil): continue
      }
      groups[index].items.append(item)
      return
    }
    groups.append(Group(credential: credential, items: [item], interval: interval, tails: tails))
  }
}
