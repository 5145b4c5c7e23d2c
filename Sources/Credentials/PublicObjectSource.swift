/// The source of schemas, definitions and registries, as JSON texts in the engine's form. Calls block.
package protocol PublicObjectSource: Sendable {
  func schema(_ id: String) throws -> String
  func definition(_ id: String) throws -> String
  /// The definition with the id of its schema. Older libraries kept definitions with the schema's number on a ledger
  /// instead.
  func definitionNamingSchema(_ id: String) throws -> String
  func registry(_ id: String) throws -> String
  /// The status list in force at a time, in seconds since 1970.
  func statusList(_ registryID: String, at time: Int64) throws -> String
  /// The form of an id or DID that the source uses, if an object has several forms. Makes no request.
  func canonical(_ id: String) -> String
  /// The status lists of a registry have decided about a credential that somebody asked for: an older state must not count
  /// later.
  func keepListTime(ofRegistry id: String)
  /// The objects of a credential were of use, and are worth keeping.
  func keep(schema: String, definition: String, registry: String?)
}

extension PublicObjectSource {
  package func canonical(_ id: String) -> String { id }
  package func keepListTime(ofRegistry id: String) {}
  package func keep(schema: String, definition: String, registry: String?) {}
}

extension PublicObjectSource {
  package func definitionNamingSchema(_ id: String) throws -> String { try definition(id) }
}
