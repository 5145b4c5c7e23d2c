internal import JSON
internal import Sodium

/// The terms of a credential. All offers and credentials of one thread have the same terms.
package struct CredentialTerms: Equatable, Sendable {
  let definitionID: String
  /// Nil if the credential cannot be revoked.
  let registryID: String?
  /// The raw values by their names.
  let values: [String: String]

  package init(definitionID: String, registryID: String?, values: [String: String]) {
    self.definitionID = definitionID
    self.registryID = registryID
    self.values = values
  }

  /// A hash that distinguishes these terms from other terms.
  var digest: String {
    let pairs = values.map { JSON.array([.string($0.key), .string($0.value)]).text }
    let json: JSON = [
      .string(definitionID), JSON(registryID),
      .array(pairs.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSON.string)),
    ]
    return Base58.encode(sha256(Array(json.text.utf8)))
  }
}

extension OwnDefinition {
  /// Whether each credential needs a place in a revocation registry.
  var isRevocable: Bool {
    get throws { try JSON(parsing: text)["value"]?["revocation"].map { !$0.isNull } ?? false }
  }
}

extension CredentialIssuer {
  /// The definition of the terms. Throws `malformedRevocation` unless the registry fits it: if a definition has
  /// revocation, holders can use only credentials with a place in a registry of this definition.
  func definition(for terms: CredentialTerms) throws -> OwnDefinition {
    let definition = try definition(terms.definitionID)
    guard try definition.isRevocable == (terms.registryID != nil) else {
      throw IssuingError.malformedRevocation(
        try definition.isRevocable
          ? "credential definition \(definition.id) has revocation, and no registry is given for its credentials"
          : "credential definition \(definition.id) has no revocation, and a registry is given for its credentials")
    }
    try terms.registryID.map { try checkRegistry($0, of: definition) }
    return definition
  }

  private func checkRegistry(_ id: String, of definition: OwnDefinition) throws {
    let owner = try registry(id).definitionID
    guard owner.isExactly(definition.id) else {
      throw IssuingError.malformedRevocation(
        "revocation registry \(id) is for credential definition \(owner), and not for \(definition.id)")
    }
  }
}
