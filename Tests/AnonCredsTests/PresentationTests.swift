import AnonCreds
import JSON
import Sodium
import TestSupport
import Testing

@Suite struct PresentationTests {
  private let engine: Engine

  init() throws { engine = try Engine.open(at: CredentialLibraries.anonCreds) }

  /// Answers `proof_request.json` with `credential`.
  private func presentation(_ credential: String, linkSecret: SecretBytes? = nil) throws -> String {
    let items: [PresentedItem] = [
      PresentedItem("attribute_0", .revealed), PresentedItem("attribute_2", .revealed),
      PresentedItem("predicate_0", .predicate),
    ]
    return try engine.createPresentation(
      request: Objects.text("proof_request"), credentials: [PresentedCredential(credential: credential, items: items)],
      selfAttested: ["attribute_1": "555"], linkSecret: try linkSecret ?? Objects.linkSecret(),
      objects: Objects.published())
  }

  @Test func aPresentationOfRevealedGroupedPredicateAndSelfAttestedItemsIsVerified() throws {
    let presentation = try presentation(Objects.text("credential_processed"))
    let shown = try #require(JSON(parsing: presentation)["requested_proof"])
    #expect(shown["revealed_attrs"]?["attribute_0"]?["raw"]?.string == "Alice Andersen")
    #expect(shown["self_attested_attrs"]?["attribute_1"]?.string == "555")
    #expect(
      try engine.verify(
        presentation: presentation, request: Objects.text("proof_request"), objects: Objects.published()))
  }

  @Test func theOtherProgramsPresentationIsVerified() throws {
    let (presentation, request) = (try Objects.text("presentation"), try Objects.json("proof_request"))
    #expect(try engine.verify(presentation: presentation, request: request.text, objects: Objects.published()))
    var other = request
    other["nonce"] = "1"
    #expect(try !engine.verify(presentation: presentation, request: other.text, objects: Objects.published()))
    other = request
    other["requested_attributes"]?["attribute_0"]?["restrictions"] = [["cred_def_id": "another"]]
    #expect(try !engine.verify(presentation: presentation, request: other.text, objects: Objects.published()))
  }

  @Test func aPresentationWithAnotherLinkSecretIsNotVerified() throws {
    let presentation = try presentation(
      Objects.text("credential_processed"), linkSecret: engine.createLinkSecret())
    #expect(
      try !engine.verify(
        presentation: presentation, request: Objects.text("proof_request"), objects: Objects.published()))
  }

  @Test(arguments: ["presentation_nonrevoked_1700000000", "presentation_nonrevoked_1700001000"])
  func theOtherProgramsProofOfNonRevocationIsVerified(name: String) throws {
    let vector = try Objects.json(name)
    let revocation = RevocationObjects(
      registries: [Objects.registryID: try Objects.text("rev_reg_def")], statusLists: try Objects.statusLists())
    #expect(
      try engine.verify(
        presentation: try #require(vector["presentation"]).text, request: try #require(vector["request"]).text,
        objects: Objects.published(), revocation: revocation))
  }

  @Test func aTimestampOver32BitsIsRefused() throws {
    let folder = try TemporaryFolder()
    let state = try engine.createRevocationState(
      registry: Objects.text("rev_reg_def"), statusList: Objects.statusLists()[0], index: 5,
      tailsFile: Objects.tailsFile(in: folder))
    let refusal = AnonCredsError.failed(.input, message: "the timestamp 2147483648 has more than 32 bits")
    let credential = PresentedCredential(
      credential: try Objects.text("credential_processed"),
      revocation: RevocationEvidence(timestamp: 1 << 31, state: state), items: [])
    #expect(throws: refusal) {
      try engine.createPresentation(
        request: Objects.text("proof_request"), credentials: [credential], linkSecret: Objects.linkSecret(),
        objects: Objects.published())
    }
    for times in [(requested: 1 << 31, served: 1), (1, 1 << 31)] as [(requested: Int64, served: Int64)] {
      let override = StatusListOverride(
        registryID: Objects.registryID, requested: times.requested, served: times.served)
      #expect(throws: refusal) {
        try engine.verify(
          presentation: Objects.text("presentation"), request: Objects.text("proof_request"),
          objects: Objects.published(), revocation: RevocationObjects(overrides: [override]))
      }
    }
  }
}
