internal import Wallet

/// The names and values by which libindy finds a credential.
enum CredentialTags: Sendable {
  /// Longer values have no tag of their own: no restriction names a picture of 400 kB.
  static let longestValue = 4_096

  /// `issuer` and `schema` are those of the public objects; ids of the Indy form contain them. `policy` names the
  /// attributes that get tags; nil means all.
  static func tags(
    of credential: CredentialContent, schema: SchemaName, issuer: String, policy: [AttributeName]? = nil
  ) -> Tags {
    var tags: [Tags.Tag] = [
      ("schema_id", credential.schemaID), ("schema_issuer_did", schema.issuer), ("schema_name", schema.name),
      ("schema_version", schema.version), ("issuer_did", issuer), ("cred_def_id", credential.definitionID),
      ("rev_reg_id", credential.registryID ?? "None"),
    ]
    if QualifiedID.isQualified(definition: credential.definitionID) {
      let qualified = tags.filter { $0.value != "None" && shortened.contains($0.name) }
      tags += qualified.map { ("\($0.name)_short", QualifiedID.short($0.value)) }
    }
    for attribute in credential.attributes where policy?.contains(attribute.name) ?? true {
      tags.append((attribute.name.marker, "1"))
      if attribute.raw.utf8.count <= longestValue { tags.append((attribute.name.valueTag, attribute.raw)) }
    }
    return Tags(tags)
  }

  /// The tags of which libindy keeps a second one for qualified ids, named `…_short`.
  static let shortened: Set<String> = ["schema_id", "schema_issuer_did", "issuer_did", "cred_def_id", "rev_reg_id"]
}
