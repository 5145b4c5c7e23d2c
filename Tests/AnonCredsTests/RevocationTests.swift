import AnonCreds
import Foundation
import JSON
import Sodium
import TestSupport
import Testing

@Suite struct RevocationTests {
  private let engine: Engine
  private let folder: TemporaryFolder

  init() throws {
    engine = try Engine.open(at: CredentialLibraries.anonCreds)
    folder = try TemporaryFolder()
  }

  /// A credential of the registry, issued and taken by this engine, at `index`.
  private func credential(at index: Int64) throws -> String {
    let definition = try Objects.text("cred_def")
    let offer = try engine.createOffer(
      schemaID: Objects.schemaID, definitionID: Objects.definitionID, keyProof: Objects.keyProof())
    let made = try engine.createRequest(
      offer: offer, definition: definition, linkSecret: Objects.linkSecret(), linkSecretName: "main",
      identity: .proverDID("V4SGRU86Z58d6TV7PBUe6f"))
    let place = RegistryPlace(
      registry: try Objects.text("rev_reg_def"), privateKey: try Objects.privateKey("rev_reg_def_private"),
      statusList: try Objects.statusLists()[0], index: index)
    let issued = try engine.createCredential(
      definition: definition, privateKey: Objects.privateKey("cred_def_private"), offer: offer, request: made.request,
      values: ["name": "Bob", "age": "40", "degree": "none", "Issue Date": "20250101"], place: place)
    return try engine.process(
      credential: issued, metadata: made.metadata, linkSecret: Objects.linkSecret(), definition: definition,
      registry: Objects.text("rev_reg_def"))
  }

  /// Whether a presentation of `credential`, at `index`, is verified against `list`.
  private func isVerified(_ credential: String, at index: Int64, against list: String) throws -> Bool {
    let registry = try Objects.text("rev_reg_def")
    let timestamp = try #require(JSON(parsing: list)["timestamp"]?.integer)
    let state = try engine.createRevocationState(
      registry: registry, statusList: list, index: index, tailsFile: Objects.tailsFile(in: folder))
    let request: JSON = [
      "nonce": "1234567890", "name": "n", "version": "1.0",
      "requested_attributes": ["a": ["name": "name"]], "requested_predicates": [:],
      "non_revoked": ["from": 0, "to": .integer(timestamp)],
    ]
    let shown = PresentedCredential(
      credential: credential, revocation: RevocationEvidence(timestamp: timestamp, state: state),
      items: [PresentedItem("a", .revealed)])
    let presentation = try engine.createPresentation(
      request: request.text, credentials: [shown], linkSecret: Objects.linkSecret(), objects: Objects.published())
    return try engine.verify(
      presentation: presentation, request: request.text, objects: Objects.published(),
      revocation: RevocationObjects(registries: [Objects.registryID: registry], statusLists: [list]))
  }

  @Test func aRevokedCredentialIsNotVerifiedAndOneIssuedAgainIs() throws {
    let credential = try credential(at: 7)
    let update = { (list: String, issued: [Int32], revoked: [Int32], timestamp: Int64) in
      try engine.updateStatusList(
        list, definition: Objects.text("cred_def"), registry: Objects.text("rev_reg_def"),
        privateKey: Objects.privateKey("rev_reg_def_private"), issued: issued, revoked: revoked, timestamp: timestamp)
    }
    let first = try Objects.statusLists()[0]
    let revoked = try update(first, [], [7], 1_700_005_000)
    let again = try update(revoked, [7], [], 1_700_006_000)
    #expect(try isVerified(credential, at: 7, against: first))
    #expect(try !isVerified(credential, at: 7, against: revoked))
    #expect(try isVerified(credential, at: 7, against: again))
  }

  @Test func aFormerStateIsUpdated() throws {
    let (lists, tails) = (try Objects.statusLists(), try Objects.tailsFile(in: folder))
    let registry = try Objects.text("rev_reg_def")
    let former = try engine.createRevocationState(registry: registry, statusList: lists[0], index: 5, tailsFile: tails)
    let updated = try engine.createRevocationState(
      registry: registry, statusList: lists[1], index: 5, tailsFile: tails, former: (former, lists[0]))
    #expect(try JSON(parsing: updated)["timestamp"]?.integer == 1_700_001_000)
  }

  @Test func aRegistryHasAFirstListAndATailsFile() throws {
    let definition = try Objects.text("cred_def")
    let made = try engine.createRegistry(
      definitionID: Objects.definitionID, definition: definition, issuer: "V4SGRU86Z58d6TV7PBUe6f", tag: "r2", size: 4,
      tailsFolder: folder.path)
    let value = try #require(JSON(parsing: made.definition)["value"])
    let tails = try #require(value["tailsLocation"]?.string)
    #expect(try Data(contentsOf: URL(filePath: tails)).count == 2 + 128 * 9)
    let list = try engine.createStatusList(
      definition: definition, registryID: "V4SGRU86Z58d6TV7PBUe6f:4:\(Objects.definitionID):CL_ACCUM:r2",
      registry: made.definition, privateKey: made.privateKey,
      issuer: "V4SGRU86Z58d6TV7PBUe6f", allAreIssued: true, timestamp: 10)
    let later = try engine.updateStatusList(list, timestamp: 20)
    #expect(try JSON(parsing: later)["timestamp"]?.integer == 20)
    #expect(try JSON(parsing: later)["currentAccumulator"] == JSON(parsing: list)["currentAccumulator"])
  }

  @Test func aSchemaHasItsParts() throws {
    let schema = try engine.createSchema(
      name: "s", version: "1.0", issuer: "V4SGRU86Z58d6TV7PBUe6f", attributes: ["name", "age"])
    let parts = try JSON(parsing: schema)
    #expect(parts["name"] == "s" && parts["version"] == "1.0" && parts["issuerId"] == "V4SGRU86Z58d6TV7PBUe6f")
    #expect(Set((parts["attrNames"]?.array ?? []).compactMap(\.string)) == ["name", "age"])
  }
}
