internal import Indy
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
  let naming: ObjectNaming
  let schemaID: String
  /// The schema in the engine's form.
  let schema: JSON
  /// The number of the schema in its registry.
  let number: Int64
  let tag: String
  let isRevocable: Bool

  /// Throws if no id can have this tag.
  package init(
    schemaID: String, schema: JSON, number: Int64, naming: ObjectNaming, tag: String, isRevocable: Bool
  ) throws(IssuingError) {
    if case .indy(let issuer) = naming, !IndyID(issuer, .definition(schema: String(number), tag: tag)).isReadable {
      throw .invalidTag("it is empty, or has a character that separates the parts of an id")
    }
    self.naming = naming
    self.schemaID = schemaID
    self.schema = schema
    self.number = number
    self.tag = tag
    self.isRevocable = isRevocable
  }

  /// The choices that distinguish definitions.
  var choices: [String] { [naming.issuer, schemaID, tag] }

  /// The id of the definition that the engine has made, in the engine's form.
  func id(of definition: String) throws -> String {
    switch naming {
    case .indy(let issuer): IndyID(issuer, .definition(schema: String(number), tag: tag)).text
    case .content(_, let id): try id(JSON(parsing: definition))
    }
  }
}
