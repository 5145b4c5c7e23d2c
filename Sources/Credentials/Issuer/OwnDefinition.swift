package import Indy
package import JSON
internal import Sodium

/// A credential definition of this program, with the keys that only its issuer has.
package struct OwnDefinition: Sendable {
  package let id: String
  package let schemaID: String
  /// The definition in the engine's form.
  package let text: String
  let privateKey: SecretBytes
  /// The proof that the keys are well made, in the engine's form.
  let keyProof: String

  /// The names of the attributes of the schema.
  package func attributes() throws -> Set<AttributeName> {
    let keys = try JSON(parsing: text)["value"]?["primary"]?["r"]?.object?.keys ?? []
    return Set(keys.map(AttributeName.init)).subtracting(AttributeName.linkSecrets)
  }
}

/// The caller's choices for a new credential definition.
package struct DefinitionPlan: Sendable {
  package let id: String
  let schemaID: String
  /// The schema in the engine's form.
  let schema: JSON
  /// The number of the schema in its registry.
  let number: Int64
  let issuer: IndyDID
  let tag: String
  let isRevocable: Bool

  /// Throws if no id can have this tag.
  package init(
    schemaID: String, schema: JSON, number: Int64, issuer: IndyDID, tag: String, isRevocable: Bool
  ) throws(IssuingError) {
    let id = IndyID(issuer, .definition(schema: String(number), tag: tag))
    guard id.isReadable else { throw .invalidTag("it is empty, or has a character that separates the parts of an id") }
    self.id = id.text
    self.schemaID = schemaID
    self.schema = schema
    self.number = number
    self.issuer = issuer
    self.tag = tag
    self.isRevocable = isRevocable
  }
}
