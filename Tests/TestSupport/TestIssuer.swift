package import AnonCreds
package import Foundation
package import JSON
internal import Sodium

/// An issuer with the keys of `Tests/Fixtures/anoncreds`, who issues with the engine itself, and publishes what a holder
/// needs as files of a registry.
package struct TestIssuer {
  package let engine: Engine

  package static let schemaID = "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0"
  package static let definitionID = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default"
  package static let registryID = "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default:CL_ACCUM:r1"
  package static let values = [
    "name": "Alice Andersen", "age": "28", "degree": "Computer Science", "Issue Date": "20240131",
  ]

  package init() throws { engine = try Engine.open(at: CredentialLibraries.anonCreds) }

  package static func json(_ name: String) throws -> JSON { try Fixtures.json("anoncreds/\(name).json") }
  package static func text(_ name: String) throws -> String { try json(name).text }

  private static func secret(_ name: String) throws -> SecretBytes {
    SecretBytes(copying: Array((try json("issuer_private")[name] ?? .null).text.utf8))
  }

  // MARK: Issuing

  package func offer() throws -> String {
    let proof = try Self.json("issuer_private")["key_correctness_proof"] ?? .null
    return try engine.createOffer(schemaID: Self.schemaID, definitionID: Self.definitionID, keyProof: proof.text)
  }

  /// A place in the registry that no status list calls revoked.
  package static let place: Int64 = 7

  /// The credential that a request asks for, at a place of the registry. Without a place it lacks the parts for its
  /// revocation, which the definition requires.
  package func credential(
    answering request: String, to offer: String, values: [String: String] = values, at index: Int64? = place
  ) throws -> String {
    let place = try index.map { index in
      RegistryPlace(
        registry: try Self.text("rev_reg_def"), privateKey: try Self.secret("rev_reg_def_private"),
        statusList: try Self.statusLists()[0].text, index: index)
    }
    return try engine.createCredential(
      definition: Self.text("cred_def"), privateKey: Self.secret("cred_def_private"), offer: offer, request: request,
      values: values, place: place)
  }

  /// The status lists of three times, the oldest first; in the last one, the credential at 5 is revoked.
  package static func statusLists() throws -> [JSON] { try json("rev_status_lists").requireArray() }

  // MARK: Verifying

  package func verifies(_ presentation: String, of request: String, listsUntil time: Int64 = .max) throws -> Bool {
    let lists = try Self.statusLists().filter { ($0["timestamp"]?.integer ?? 0) <= time }
    return try engine.verify(
      presentation: presentation, request: request,
      objects: PublicObjects(
        schemas: [Self.schemaID: Self.text("schema")], definitions: [Self.definitionID: Self.text("cred_def")]),
      revocation: RevocationObjects(
        registries: [Self.registryID: Self.text("rev_reg_def")], statusLists: lists.map(\.text)))
  }

  // MARK: Publishing

  /// Writes schema, definition, registry, status lists and the tails file into a folder, as a registry of files has them.
  package func publish(in folder: URL) throws {
    try write(Self.json("schema"), "schema", Self.schemaID, in: folder)
    try write(Self.json("cred_def"), "cred_def", Self.definitionID, in: folder)
    try write(.array(Self.statusLists()), "rev_status_list", Self.registryID, in: folder)
    let tails = try Self.json("tails")
    let file = folder.appending(path: "tails/\(tails["tailsHash"]?.string ?? "")")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Base64.decodeAny(tails["base64"]?.string ?? "")).write(to: file)
    var registry = try Self.json("rev_reg_def")
    registry["value"]?["tailsLocation"] = .string(file.path)
    try write(registry, "rev_reg_def", Self.registryID, in: folder)
  }

  private func write(_ json: JSON, _ kind: String, _ id: String, in folder: URL) throws {
    let name = id.replacing(":", with: "%3A") + ".json"
    let directory = folder.appending(path: kind)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data(json.bytes).write(to: directory.appending(path: name, directoryHint: .notDirectory))
  }
}
