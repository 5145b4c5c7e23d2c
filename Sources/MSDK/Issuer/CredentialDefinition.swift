internal import Credentials
internal import Indy
internal import JSON
internal import Logging
internal import Registry

/// An issuer's keys for credentials of a schema, published under an id.
package struct CredentialDefinition: Sendable {
  package let sourceID: String
  package let id: String
  let name: String
  let tag: String
  let issuer: String
  package internal(set) var isPublished: Bool {
    didSet { keeping.noteChange() }
  }
  /// Nil if the credentials cannot be revoked.
  package internal(set) var registry: DefinitionRegistry? {
    didSet { keeping.noteChange() }
  }
  /// Whether an endorser publishes the definition, because its issuer may not write to the ledger.
  var isForEndorser = false {
    didSet { keeping.noteChange() }
  }
  package var keeping = Keeping()

  init(
    sourceID: String, id: String, name: String, tag: String, issuer: String, isPublished: Bool,
    registry: DefinitionRegistry? = nil
  ) {
    self.sourceID = sourceID
    self.id = id
    self.name = name
    self.tag = tag
    self.issuer = issuer
    self.isPublished = isPublished
    self.registry = registry
  }

  /// An object for a definition that another object, or another program with this wallet, has made. Asks neither wallet
  /// nor network. `revocation` is the serialized form of its revocation registry.
  package init(sourceID: String, id: String, issuer: String, revocation: String?) throws {
    let registry = try revocation.flatMap { try DefinitionRegistry(stored: PublicObjectState.data(of: $0)) }
    self.init(
      sourceID: sourceID, id: id, name: "", tag: IndyID(id)?.tag ?? "", issuer: issuer, isPublished: false,
      registry: registry)
  }

  /// 1 for a published definition, otherwise 0.
  package var state: UInt32 { isPublished ? 1 : 0 }
}

/// The revocation registry of a definition, as the definition's object keeps it.
package struct DefinitionRegistry: Equatable, Sendable {
  package let id: String
  /// The registry's definition and its first entry as JSON texts, in Indy's form. Nil if the object was made without
  /// them.
  let definition: String?
  let entry: String?
  /// The folder of the tails file.
  package let tailsFolder: String?
}

// MARK: - Stored

extension DefinitionRegistry {
  /// Returns nil if the object names no registry.
  init?(stored data: JSONObject) throws(JSONError) {
    guard let id = try data.optionalString("rev_reg_id") else { return nil }
    self.id = id
    definition = try data.optionalString("rev_reg_def")
    entry = try data.optionalString("rev_reg_entry")
    tailsFolder = try data.optionalString("tails_file")
  }
}

extension CredentialDefinition {
  /// The definition as JSON text, in the form of Evernym's library. It contains no keys: they are in the wallet.
  package func serialized() -> String {
    var data: JSON = [
      "id": .string(id), "tag": .string(tag), "name": .string(name), "source_id": .string(sourceID),
      "issuer_did": .string(issuer), "cred_def_payment_txn": nil, "rev_reg_def_payment_txn": nil,
      "rev_reg_delta_payment_txn": nil, "rev_reg_id": JSON(registry?.id), "rev_reg_def": JSON(registry?.definition),
      "rev_reg_entry": JSON(registry?.entry), "tails_file": JSON(registry?.tailsFolder),
      "state": .integer(Int64(state)),
    ]
    if isForEndorser { data["msdk"] = ["for_endorser": true] }
    return PublicObjectState.text(with: data, keptAs: keeping.id)
  }

  /// Restores a definition. Needs neither wallet nor network.
  package init(serialized text: String) throws {
    let (data, objectID) = try PublicObjectState.parts(of: text)
    self.init(
      sourceID: try data.string("source_id"), id: try data.string("id"), name: try data.string("name"),
      tag: try data.string("tag"), issuer: try data.optionalString("issuer_did") ?? "",
      isPublished: try PublicObjectState.isPublished(data), registry: try DefinitionRegistry(stored: data))
    isForEndorser = data["msdk"]?["for_endorser"]?.bool ?? false
    keeping = Keeping(restored: objectID)
  }
}
