internal import AnonCreds
internal import JSON

/// The engine's input for a presentation, while it is being put together.
struct PresentationDraft {
  private(set) var credentials: [PresentedCredential] = []
  private(set) var objects = PublicObjects()
  private var owners: [Owner] = []

  private struct Owner: Equatable {
    let credential: ExactText
    let timestamp: Int64?
  }

  /// Adds the items of a group. The engine accepts only one entry for a credential and a time, so the group's items
  /// share the entry.
  mutating func add(_ group: PresentationPlan.Group, credential: String, evidence: RevocationEvidence?) {
    let owner = Owner(credential: ExactText(group.credential), timestamp: evidence?.timestamp)
    let items = group.items.map { item in
      PresentedItem(item.referent, item.isPredicate ? .predicate : item.isRevealed ? .revealed : .unrevealed)
    }
    if let index = owners.firstIndex(of: owner) {
      credentials[index].items += items
    } else {
      owners.append(owner)
      credentials.append(PresentedCredential(credential: credential, revocation: evidence, items: items))
    }
  }

  mutating func needSchema(_ id: String, _ fetch: (String) throws -> String) rethrows {
    if objects.schemas[id] == nil { objects.schemas[id] = try fetch(id) }
  }

  mutating func needDefinition(_ id: String, _ fetch: (String) throws -> String) rethrows {
    if objects.definitions[id] == nil { objects.definitions[id] = try fetch(id) }
  }
}
