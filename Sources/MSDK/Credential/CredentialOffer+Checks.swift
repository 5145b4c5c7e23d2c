package import Aries
package import Credentials
package import JSON

// The holder checks an exchange for consistency: it compares the offer with the public definition before the request,
// and the credential with the offer before it stores the credential. The engine checks signatures, but none of this.

extension CredentialOffer {
  /// Compares the offer with its credential definition, which names its schema by an id and has the engine's form or
  /// Indy's, and with the attributes of the schema. If the schema has other attributes than the definition, or has the
  /// link secret among its attributes, no presentation could show the credential.
  package func check(against definition: JSON, schema: [AttributeName]) throws(CredentialMismatch) {
    guard let keys = definition["value"]?["primary"]?["r"]?.object?.keys else { throw .definition }
    if let schema = definition["schemaId"]?.string, !schema.isExactly(schemaID) { throw .schema }
    let defined = Set(keys.map(AttributeName.init)).subtracting(AttributeName.linkSecrets)
    guard schema.count == defined.count, Set(schema) == defined else { throw .schemaAttributes }
    guard let preview else { return }
    let offered = preview.map { AttributeName($0.name) }
    guard offered.count == defined.count, Set(offered) == defined else { throw .attributes }
  }

  /// Compares a credential with the offer: it must have the same definition, and the values of the preview.
  package func check(credential: JSON) throws(CredentialMismatch) {
    guard credential["cred_def_id"] == .string(definitionID) else { throw .definition }
    guard credential["schema_id"] == .string(schemaID) else { throw .schema }
    guard let values = credential["values"]?.object else { throw .attributes }
    var raw: [AttributeName: String] = [:]
    for (name, value) in values.members { raw[AttributeName(name)] = value["raw"]?.string }
    for attribute in preview ?? [] {
      // Swift's strings compare equal across Unicode's normal forms, which are signed as different numbers.
      guard let raw = raw[AttributeName(attribute.name)], raw.isExactly(attribute.raw) else {
        throw .value(of: attribute.name)
      }
    }
    guard preview == nil || preview?.count == values.count else { throw .attributes }
  }
}

/// The part in which two objects of one exchange differ.
package enum CredentialMismatch: Error, Equatable, Sendable {
  case definition
  case schema
  /// The names of the attributes, or their count.
  case attributes
  /// The attributes of the schema.
  case schemaAttributes
  /// The public schema does not exist.
  case absentSchema
  /// The value of the attribute with this name.
  case value(of: String)
}

extension CredentialMismatch: CustomStringConvertible {
  package var description: String {
    switch self {
    case .definition: "the credential definition is not the offered one"
    case .schema: "the schema is not the offered one"
    case .schemaAttributes: "the attributes of its schema are not those of its credential definition"
    case .absentSchema: "its schema does not exist"
    case .attributes: "the attributes are not the offered ones"
    case .value(let name): "the value of the attribute \"\(name)\" is not the offered one"
    }
  }
}
