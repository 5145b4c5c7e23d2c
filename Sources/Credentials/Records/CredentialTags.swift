internal import Wallet

/// The names and values by which libindy finds a credential.
enum CredentialTags: Sendable {
  /// Longer values get no tag of their own: no restriction names a picture of 400 kB.
  static let longestValue = 4_096

  /// `issuer` and `schema` come from the public objects; ids in Indy's form contain them. `policy` names the attributes
  /// that get tags; nil means all attributes.
  static func tags(
    of credential: CredentialContent, schema: SchemaName, issuer: String, policy: [AttributeName]? = nil
  ) -> Tags {
    var tags = identifying(
      schemaID: credential.schemaID, schema: schema, definitionID: credential.definitionID, issuer: issuer,
      registryID: credential.registryID)
    tags += short(tags, definitionID: credential.definitionID)
    for attribute in credential.attributes where policy?.contains(attribute.name) ?? true {
      tags.append((attribute.name.marker, "1"))
      if attribute.raw.utf8.count <= longestValue { tags.append((attribute.name.valueTag, attribute.raw)) }
    }
    return Tags(tags)
  }

  /// The tags that name the public objects of a credential, by the ids as they are.
  static func identifying(
    schemaID: String, schema: SchemaName, definitionID: String, issuer: String, registryID: String?
  ) -> [Tags.Tag] {
    [
      ("schema_id", schemaID), ("schema_issuer_did", schema.issuer), ("schema_name", schema.name),
      ("schema_version", schema.version), ("issuer_did", issuer), ("cred_def_id", definitionID),
      ("rev_reg_id", registryID ?? "None"),
    ]
  }

  /// The second tags of the ids that have libindy's prefix.
  private static func short(_ tags: [Tags.Tag], definitionID: String) -> [Tags.Tag] {
    guard PrefixedID.isPrefixed(definition: definitionID) else { return [] }
    let qualified = tags.filter { $0.value != "None" && shortened.contains($0.name) }
    return qualified.compactMap { tag in PrefixedID.short(tag.value).map { ("\(tag.name)_short", $0) } }
  }

  /// The tags that libindy writes a second time for qualified ids, named `…_short`. An id with a method other than
  /// `sov` has no second tag: a bare id of Indy would otherwise mean the ids of every method.
  static let shortened: Set<String> = ["schema_id", "schema_issuer_did", "issuer_did", "cred_def_id", "rev_reg_id"]
}
