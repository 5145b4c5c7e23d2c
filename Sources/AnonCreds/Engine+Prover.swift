internal import CAnonCreds
package import Sodium

/// A credential in a presentation, with the requested items that it answers.
package struct PresentedCredential: Equatable, Sendable {
  package var credential: String
  /// Nil proves nothing about revocation.
  package var revocation: RevocationEvidence?
  package var items: [PresentedItem]

  package init(credential: String, revocation: RevocationEvidence? = nil, items: [PresentedItem]) {
    self.credential = credential
    self.revocation = revocation
    self.items = items
  }
}

/// A revocation state, and the timestamp of the status list that it was made from.
package struct RevocationEvidence: Equatable, Sendable {
  package var timestamp: Int64
  package var state: String

  package init(timestamp: Int64, state: String) {
    self.timestamp = timestamp
    self.state = state
  }
}

/// A requested attribute, group of attributes or predicate, by its referent in the request.
package struct PresentedItem: Equatable, Sendable {
  package var referent: String
  package var kind: Kind

  package enum Kind: Equatable, Sendable { case revealed, unrevealed, predicate }

  package init(_ referent: String, _ kind: Kind) {
    self.referent = referent
    self.kind = kind
  }
}

/// Schemas and definitions, as JSON, by their ids.
package struct PublicObjects: Equatable, Sendable {
  package var schemas: [String: String]
  package var definitions: [String: String]

  package init(schemas: [String: String] = [:], definitions: [String: String] = [:]) {
    self.schemas = schemas
    self.definitions = definitions
  }
}

extension Engine {
  /// A presentation that answers `request`.
  ///
  /// Every referent must be one of the request: the library writes to standard error about any other, and fails with
  /// `unexpected`. `objects` has the schema and the definition of each credential.
  package func createPresentation(
    request: String, credentials: [PresentedCredential], selfAttested: [String: String] = [:], linkSecret: SecretBytes,
    objects: PublicObjects
  ) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let request = try memory.object(request, functions.presentationRequest)
      let entries = try memory.entries(credentials)
      let items = memory.items(credentials)
      let attested = selfAttested.sorted { $0.key < $1.key }
      let (names, values) = (memory.texts(attested.map(\.key)), memory.texts(attested.map(\.value)))
      let secret = memory.text(linkSecret)
      let schemas = try memory.named(objects.schemas, functions.schema)
      let definitions = try memory.named(objects.definitions, functions.definition)
      return try memory.newJSON {
        functions.createPresentation(
          request, entries, items, names, values, secret, schemas.objects, schemas.ids, definitions.objects,
          definitions.ids, $0)
      }
    }
  }
}

extension CallMemory {
  fileprivate func entries(_ credentials: [PresentedCredential]) throws(AnonCredsError) -> anoncreds_entries {
    var entries: [anoncreds_entry] = []
    for each in credentials {
      let credential = try object(each.credential, functions.credential)
      let state = try object(each.revocation?.state, functions.revocationState)
      let timestamp = try each.revocation.map { (evidence) throws(AnonCredsError) in try number(evidence.timestamp) }
      entries.append(anoncreds_entry(credential: credential, timestamp: timestamp ?? -1, revocation_state: state))
    }
    return anoncreds_entries(count: entries.count, data: copy(entries))
  }

  fileprivate func items(_ credentials: [PresentedCredential]) -> anoncreds_items {
    let items = credentials.enumerated().flatMap { index, credential in
      credential.items.map {
        anoncreds_item(
          entry: Int64(index), referent: text($0.referent), is_predicate: $0.kind == .predicate ? 1 : 0,
          is_revealed: $0.kind == .unrevealed ? 0 : 1)
      }
    }
    return anoncreds_items(count: items.count, data: copy(items))
  }

  /// Objects with their ids, both in the same order.
  func named(
    _ jsons: [String: String], _ reader: EngineFunctions.Reader
  ) throws(AnonCredsError) -> (objects: anoncreds_objects, ids: anoncreds_texts) {
    let pairs = jsons.sorted { $0.key < $1.key }
    return (try objects(pairs.map(\.value), reader), texts(pairs.map(\.key)))
  }

  /// A timestamp in the library's form, with 32 bits.
  func number(_ timestamp: Int64) throws(AnonCredsError) -> Int32 {
    guard let number = Int32(exactly: timestamp) else {
      throw .failed(.input, message: "the timestamp \(timestamp) has more than 32 bits")
    }
    return number
  }
}
