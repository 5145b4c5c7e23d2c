internal import JSON

/// A credential as its JSON text describes it: the text is the same before and after processing, and in the wallet.
package struct CredentialContent: Equatable, Sendable {
  package let schemaID, definitionID: String
  /// Nil if the credential cannot be revoked.
  package let registryID: String?
  /// The credential's place in its revocation registry.
  package let revocationIndex: Int64?
  /// The attributes in the order of the text.
  package let attributes: [Attribute]
  private let positions: [AttributeName: Int]

  package struct Attribute: Equatable, Sendable {
    /// The name as the issuer wrote it.
    package let spelling: String
    package let name: AttributeName
    package let raw, encoded: String
  }

  package init(parsing text: String) throws(CredentialsError) {
    do { try self.init(JSON(parsing: text).requireObject()) } catch { throw .malformedCredential("\(error)") }
  }

  private init(_ credential: JSONObject) throws(JSONError) {
    schemaID = try credential.string("schema_id")
    definitionID = try credential.string("cred_def_id")
    registryID = try credential.optionalString("rev_reg_id")
    revocationIndex = credential["signature"]?["r_credential"]?["i"]?.integer
    var attributes: [Attribute] = []
    for (spelling, value) in try credential.object("values").members {
      let value = try value.requireObject()
      attributes.append(
        Attribute(
          spelling: spelling, name: AttributeName(spelling), raw: try value.string("raw"),
          encoded: try value.string("encoded")))
    }
    self.attributes = attributes
    positions = Dictionary(attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The attribute with this name; nil if the credential has none.
  package subscript(name: AttributeName) -> Attribute? { positions[name].map { attributes[$0] } }

  func position(of name: AttributeName) -> Int? { positions[name] }
}

extension CredentialContent {
  /// Throws unless the registry is for credentials of this definition, by the definition's issuer, and has the credential's
  /// place. `definition` is the text of the credential's definition.
  package func check(registry: RegistryDefinition, of definition: String) throws(CredentialsError) {
    guard let issuer = (try? JSON(parsing: definition))?["issuerId"]?.string else {
      throw .malformedCredential("its definition names no issuer")
    }
    guard registry.definitionID.isExactly(definitionID) else {
      throw .malformedCredential("its revocation registry is for another definition")
    }
    guard registry.belongs(as: registryID, to: definitionID, of: issuer) else {
      throw .malformedCredential("its revocation registry is of another issuer")
    }
    if let index = revocationIndex, !(1...registry.size).contains(index) {
      throw .malformedCredential("its revocation registry has no place \(index)")
    }
  }
}
