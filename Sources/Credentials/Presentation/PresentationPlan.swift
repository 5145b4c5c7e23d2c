/// The credentials that a presentation proves, the items that each of them answers, and the time for which it must show
/// that it was not revoked.
package struct PresentationPlan: Equatable, Sendable {
  package let request: ProofRequest
  package private(set) var groups: [Group] = []
  package let selfAttested: [ChosenCredentials.SelfAttested]

  /// The items that one credential answers, for one time.
  package struct Group: Equatable, Sendable {
    package let credential: String
    package fileprivate(set) var items: [Item]
    /// The common time of all items with an interval; nil if no item has one.
    package fileprivate(set) var interval: Interval?
    package fileprivate(set) var tails: String?
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
    for choice in choice.choices { try add(choice) }
  }

  private mutating func add(_ choice: ChosenCredentials.Choice) throws(CredentialsError) {
    if let attribute = request.attributes.first(where: { $0.referent == choice.referent }) {
      let item = Item(referent: choice.referent, isPredicate: false, isRevealed: choice.isRevealed)
      add(item, attribute.interval, choice)
    } else if let predicate = request.predicates.first(where: { $0.referent == choice.referent }) {
      add(Item(referent: choice.referent, isPredicate: true, isRevealed: false), predicate.interval, choice)
    } else {
      throw .malformedSelection("the request has no item \(choice.referent)")
    }
  }

  /// Items of one credential share a proof unless their times do not overlap.
  private mutating func add(_ item: Item, _ interval: Interval?, _ choice: ChosenCredentials.Choice) {
    for index in groups.indices where groups[index].credential == choice.credential {
      switch (groups[index].interval, interval) {
      case (let known?, let interval?):
        guard let common = known.intersection(interval) else { continue }
        groups[index].interval = common
      case (nil, let interval): groups[index].interval = interval
      case (_, nil): break
      }
      groups[index].items.append(item)
      groups[index].tails = groups[index].tails ?? choice.tails
      return
    }
    groups.append(
      Group(credential: choice.credential, items: [item], interval: interval, tails: choice.tails))
  }
}
