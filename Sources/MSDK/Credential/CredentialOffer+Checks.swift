package import Aries
internal import Credentials
package import JSON

// The holder checks each side of an exchange for consistency: it compares the offer with the public definition before
// the request, and the credential with the offer before it stores it. The engine checks signatures, and nothing of
// this.

extension CredentialOffer {
  /// Compares the offer with its credential definition, in the form of the engine or of Indy. A definition of Indy may
  /// name its schema by a number.
  package func check(against definition: JSON) throws(CredentialMismatch) {
    guard let keys = definition["value"]?["primary"]?["r"]?.object?.keys else { throw .definition }
    if let schema = definition["schemaId"]?.string, !schema.isExactly(schemaID), Int(schema) == nil { throw .schema }
    guard let preview else { return }
    let defined = Set(keys.map(AttributeName.init)).subtracting(AttributeName.linkSecrets)
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
      // Strings of Swift also compare equal in another normal form of Unicode, which is signed as another number.
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
  /// The value of the attribute of this name.
  case value(of: String)
}

extension CredentialMismatch: CustomStringConvertible {
  package var description: String {
    switch self {
    case .definition: "the credential definition is not the offered one"
    case .schema: "the schema is not the offered one"
    case .attributes: "the attributes are not the offered ones"
    case .value(let name): "the value of the attribute \"\(name)\" is not the offered one"
    }
  }
}
