/// The source of schemas, definitions and registries, as JSON texts in the engine's form. Calls block.
package protocol PublicObjectSource: Sendable {
  func schema(_ id: String) throws -> String
  func definition(_ id: String) throws -> String
  /// The same definition with the id of its schema. Older libraries kept definitions that name its number on a ledger.
  func definitionNamingSchema(_ id: String) throws -> String
  func registry(_ id: String) throws -> String
  /// The status list in force at a time, in seconds since 1970.
  func statusList(_ registryID: String, at time: Int64) throws -> String
  /// The id or DID in the one form in which the source knows it, if an object has several. Asks nobody.
  func canonical(_ id: String) -> String
}

extension PublicObjectSource {
  package func canonical(_ id: String) -> String { id }
}

extension PublicObjectSource {
  package func definitionNamingSchema(_ id: String) throws -> String { try definition(id) }
}
