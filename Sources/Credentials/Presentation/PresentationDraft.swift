internal import AnonCreds
internal import JSON

/// The engine's input for a presentation, while it is being put together.
struct PresentationDraft {
  private(set) var credentials: [PresentedCredential] = []
  private(set) var objects = PublicObjects()
  /// An entry for each of the credentials, in their order.
  private var entries: [Entry] = []

  private struct Entry {
    let credential: ExactText
    let timestamp: Int64?
    /// The attributes that the items show, and the attributes about which they prove predicates.
    var shown, compared: Set<AttributeName>
  }

  /// Adds the items of a group. The engine accepts only one entry for a credential and a time, so the group's items
  /// share the entry. Throws if the entry would show an attribute and prove a predicate about it, which no proof can.
  mutating func add(
    _ group: PresentationPlan.Group, credential: String, evidence: RevocationEvidence?
  ) throws(CredentialsError) {
    let id = ExactText(group.credential)
    let items = group.items.map { item in
      PresentedItem(item.referent, item.isPredicate ? .predicate : item.isRevealed ? .revealed : .unrevealed)
    }
    let index = entries.firstIndex { $0.credential == id && $0.timestamp == evidence?.timestamp } ?? entries.endIndex
    if index == entries.endIndex {
      entries.append(Entry(credential: id, timestamp: evidence?.timestamp, shown: [], compared: []))
      credentials.append(PresentedCredential(credential: credential, revocation: evidence, items: []))
    }
    credentials[index].items += items
    entries[index].shown.formUnion(group.shown)
    entries[index].compared.formUnion(group.compared)
    guard let name = entries[index].shown.intersection(entries[index].compared).first else { return }
    throw .malformedSelection(
      "one credential cannot show \(name.text) and prove a predicate about it: hide the value, or choose another "
        + "credential for one of the items")
  }

  mutating func needSchema(_ id: String, _ fetch: (String) throws -> String) rethrows {
    if objects.schemas[id] == nil { objects.schemas[id] = try fetch(id) }
  }

  mutating func needDefinition(_ id: String, _ fetch: (String) throws -> String) rethrows {
    if objects.definitions[id] == nil { objects.definitions[id] = try fetch(id) }
  }
}
