internal import AnonCreds
internal import JSON
internal import Soundness
internal import Wallet

/// A proof of a presentation, with its public objects.
struct ResolvedProof {
  let proof: Presentation.Proof
  let schema, definition: String
  let registry: String?
  /// The key of the definition for signatures.
  let key: JSONObject
  /// The attributes of the schema.
  let schemaAttributes: Set<ExactText>
  /// The attributes of the definition.
  let attributes: Set<AttributeName>
  let isRevocable: Bool
  private let tags: [Tags.Tag]

  /// Whether the definition belongs to the schema, and the registry to the definition and its issuer. A registry of another
  /// author could show a revoked credential as valid.
  let isConsistent: Bool

  /// Whether the engine can compute with the numbers of the definition and the registry.
  var isUsable: Bool { NumberBounds.permit(definition) && registry.map(NumberBounds.permit) ?? true }

  /// Fetches the objects. Throws `CredentialsError.absentObject` if an object does not exist, and other errors if an
  /// object is not available now.
  init(_ proof: Presentation.Proof, from objects: any PublicObjectSource) throws {
    self.proof = proof
    definition = try objects.definition(proof.definitionID)
    schema = try objects.schema(proof.schemaID)
    registry = try proof.registryID.map(objects.registry)
    let published = try JSON(parsing: definition).requireObject()
    let issuer = try published.string("issuerId")
    isConsistent =
      try published.string("schemaId").isExactly(proof.schemaID)
      && registry.map {
        try RegistryDefinition(parsing: $0).belongs(
          as: proof.registryID, to: proof.definitionID, of: issuer, naming: objects.canonical)
      } ?? true
    let keys = try published.object("value")
    isRevocable = keys["revocation"].map { !$0.isNull } ?? false
    // The keys of the attributes include the key of the link secret.
    key = try keys.object("primary")
    attributes = Set(try key.object("r").keys.map(AttributeName.init))
      .subtracting(AttributeName.linkSecrets)
    let details = try JSON(parsing: schema).requireObject()
    schemaAttributes = Set(try details.strings("attrNames").map { AttributeName($0).exact })
    tags = CredentialTags.identifying(
      schemaID: proof.schemaID,
      schema: SchemaName(
        issuer: try details.string("issuerId"), name: try details.string("name"),
        version: try details.string("version")),
      definitionID: proof.definitionID, issuer: issuer, registryID: proof.registryID)
  }

  /// The tags that the proof does not support: a prover is free to name any registry, or none, in a proof that shows
  /// nothing about revocation.
  private var unprovedTags: Set<String> {
    isRevocable && (proof.timestamp == nil || !proof.showsNonRevocation) ? ["rev_reg_id"] : []
  }

  /// Whether the credential provably satisfies a restriction. `revealed` has the values of the credential that the
  /// presentation shows, and `canonical` converts an id to the form of the proof's ids.
  func satisfies(
    _ restriction: Restriction, showing revealed: [AttributeName: Presentation.Value],
    naming canonical: @escaping (String) -> String
  ) -> Bool {
    let facts = ProvedFacts(
      tags: Tags(tags), unproved: unprovedTags, attributes: attributes, values: revealed, canonical: canonical)
    return facts.prove(restriction)
  }
}
