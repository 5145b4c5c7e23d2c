internal import AnonCreds
internal import JSON
internal import Sodium
internal import Wallet

/// The credential definitions of an issuer in the wallet, with their keys, in libindy's records. An issuer can
/// therefore continue with a wallet of libindy.
struct DefinitionRecords: Sendable {
  private let definitions, keys, proofs, schemas, schemaIDs: LibraryRecords

  init(wallet: Wallet) {
    definitions = LibraryRecords(of: "Indy::CredentialDefinition", in: wallet)
    keys = LibraryRecords(of: "Indy::CredentialDefinitionPrivateKey", in: wallet)
    proofs = LibraryRecords(of: "Indy::CredentialDefinitionCorrectnessProof", in: wallet)
    schemas = LibraryRecords(of: "Indy::Schema", in: wallet)
    schemaIDs = LibraryRecords(of: "Indy::SchemaId", in: wallet)
  }

  /// The definition with this id; nil if the wallet does not have it with all of its keys.
  func find(_ id: String) throws -> OwnDefinition? {
    guard let definition = try definitions.find(id), let key = try keys.find(id), let proof = try proofs.find(id)
    else { return nil }
    let schemaID = try schemaID(of: id, definition.value)
    var json = try JSON(parsing: IndyForm.engineDefinition(definition.value))
    json["schemaId"] = .string(schemaID)
    return OwnDefinition(
      id: id, schemaID: schemaID, text: json.text, privateKey: SecretBytes(copying: Array(key.value.utf8)),
      keyProof: (try JSON(parsing: proof.value)["value"] ?? .null).text)
  }

  /// The record names the schema's id. If it does not, the definition may.
  private func schemaID(of id: String, _ definition: String) throws -> String {
    if let record = try schemaIDs.find(id) { return record.value }
    let named = try JSON(parsing: definition)["schemaId"]?.string ?? ""
    if let record = try schemas.find(named), let id = try JSON(parsing: record.value)["id"]?.string { return id }
    return named
  }

  /// The condition that no other process stores keys of the definition. Take it before making new ones.
  func unusedKey(of id: String) throws -> LibraryChange { keys.expecting(id, value: try keys.find(id)?.value) }

  /// The changes that store a new definition with its keys.
  func storing(_ made: NewDefinition, _ plan: DefinitionPlan, _ id: String) throws -> [LibraryChange] {
    let number = String(plan.number)
    var definition = try JSON(parsing: IndyForm.definition(made.definition, id: id))
    definition["schemaId"] = .string(number)
    definition["issuerId"] = nil
    let schema: JSON = [
      "ver": "1.0", "id": .string(plan.schemaID), "name": plan.schema["name"] ?? .null,
      "version": plan.schema["version"] ?? .null, "attrNames": plan.schema["attrNames"] ?? [],
      "seqNo": .integer(plan.number),
    ]
    var changes = [
      definitions.putting(id, value: definition.text), keys.putting(id, value: made.privateKey.text),
      proofs.putting(id, value: #"{"value":\#(made.keyProof)}"#), schemaIDs.putting(id, value: plan.schemaID),
    ]
    if try schemas.find(number) == nil { changes.append(schemas.putting(number, value: schema.text)) }
    return changes
  }
}
