/// All that the engine needs to make a presentation, beside the link secret. Objects are JSON texts.
package struct PresentationInput: Equatable, Sendable {
  package let request: String
  package let entries: [Entry]
  package let shown: [Shown]
  package let selfAttested: [ChosenCredentials.SelfAttested]
  /// Each once, by the ids that the credentials have.
  package let schemas, definitions: [PublicObject]

  /// A credential, and the proof that it is not revoked.
  package struct Entry: Equatable, Sendable {
    package let credential: String
    package let nonRevocation: NonRevocation?
  }

  /// The state of a revocation registry from the point of view of one credential, at the time of a status list.
  package struct NonRevocation: Equatable, Sendable {
    package let state: String
    package let timestamp: Int64

    package init(state: String, timestamp: Int64) {
      self.state = state
      self.timestamp = timestamp
    }
  }

  /// An item, and the entry that answers it.
  package struct Shown: Equatable, Sendable {
    package let entry: Int
    package let referent: String
    package let isPredicate, isRevealed: Bool
  }

  package struct PublicObject: Equatable, Sendable {
    package let id, text: String
  }
}

extension PresentationInput {
  /// A group of the plan with the text of its credential.
  package struct Part: Sendable {
    let group: PresentationPlan.Group
    let text: String
    let content: CredentialContent
    let nonRevocation: NonRevocation?

    package init(
      _ group: PresentationPlan.Group, text: String, content: CredentialContent, nonRevocation: NonRevocation?
    ) {
      self.group = group
      self.text = text
      self.content = content
      self.nonRevocation = nonRevocation
    }
  }

  /// Puts the parts together. The engine wants no two entries of one credential at one time: their items share one.
  package init(
    request: String, parts: [Part], selfAttested: [ChosenCredentials.SelfAttested],
    schema: (String) throws -> String, definition: (String) throws -> String
  ) rethrows {
    var entries: [Entry] = []
    var owners: [(credential: String, timestamp: Int64?)] = []
    var shown: [Shown] = []
    for part in parts {
      let owner = (credential: part.group.credential, timestamp: part.nonRevocation?.timestamp)
      let known = owners.firstIndex { $0 == owner }
      if known == nil {
        owners.append(owner)
        entries.append(Entry(credential: part.text, nonRevocation: part.nonRevocation))
      }
      let entry = known ?? entries.count - 1
      shown += part.group.items.map {
        Shown(entry: entry, referent: $0.referent, isPredicate: $0.isPredicate, isRevealed: $0.isRevealed)
      }
    }
    self.request = request
    self.entries = entries
    self.shown = shown
    self.selfAttested = selfAttested
    schemas = try Self.distinct(parts.map(\.content.schemaID)).map { PublicObject(id: $0, text: try schema($0)) }
    definitions = try Self.distinct(parts.map(\.content.definitionID)).map {
      PublicObject(id: $0, text: try definition($0))
    }
  }

  private static func distinct(_ ids: [String]) -> [String] {
    ids.indices.filter { !ids[..<$0].contains(ids[$0]) }.map { ids[$0] }
  }
}
