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

  /// The objects are found by their ids, among those of other credentials.
  @Test func eachItemComesFromItsCredential() throws {
    let second = try #require(Objects.json("wallet_records").array?.compactMap { $0["value"] }.last)
    #expect(second["rev_reg_id"]?.string == Objects.registryID)
    let credentials = [
      PresentedCredential(
        credential: try Objects.text("credential_processed"),
        items: [PresentedItem("attribute_0", .revealed), PresentedItem("attribute_2", .revealed)]),
      PresentedCredential(credential: second.text, items: [PresentedItem("predicate_0", .predicate)]),
    ]
    var objects = try Objects.published()
    objects.schemas["NcYxiDXkpYi6ov5FcYDi1e:2:o:1.0"] =
      #"{"name":"o","version":"1.0","attrNames":["other"],"issuerId":"NcYxiDXkpYi6ov5FcYDi1e"}"#
    let other = try #require(Fixtures.json("issuer/engine_objects.json")["cred_def"])
    objects.definitions["NcYxiDXkpYi6ov5FcYDi1e:3:CL:12:tag1"] = other.text
    let presentation = try engine.createPresentation(
      request: Objects.text("proof_request"), credentials: credentials, selfAttested: ["attribute_1": "555"],
      linkSecret: Objects.linkSecret(), objects: objects)
    let shown = try JSON(parsing: presentation)
    #expect(shown["identifiers"]?.array?.map { $0["rev_reg_id"]?.string } == [nil, Objects.registryID])
    #expect(shown["requested_proof"]?["revealed_attrs"]?["attribute_0"]?["sub_proof_index"] == 0)
    #expect(shown["requested_proof"]?["predicates"]?["predicate_0"]?["sub_proof_index"] == 1)
    #expect(
      try engine.verify(presentation: presentation, request: Objects.text("proof_request"), objects: objects))
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

  /// The proof is one of the list of 1700001000, which was still in force then.
  @Test func aListServesForALaterTimeIfThatIsSaid() throws {
    let vector = try Objects.json("presentation_nonrevoked_1700001000")
    let request = try #require(vector["request"]).with(["non_revoked": ["from": 1_700_001_050, "to": 1_700_001_100]])
    for overrides in [
      [], [StatusListOverride(registryID: Objects.registryID, requested: 1_700_001_050, served: 1_700_001_000)],
    ] {
      let revocation = RevocationObjects(
        registries: [Objects.registryID: try Objects.text("rev_reg_def")], statusLists: try Objects.statusLists(),
        overrides: overrides)
      #expect(
        try engine.verify(
          presentation: try #require(vector["presentation"]).text, request: request.text, objects: Objects.published(),
          revocation: revocation) == !overrides.isEmpty)
    }
  }

  // MARK: Faults

  @Test(arguments: ["", "{}", "[]", "no JSON"]) func aMalformedPresentationIsNotVerified(text: String) throws {
    #expect(
      try !engine.verify(presentation: text, request: Objects.text("proof_request"), objects: Objects.published()))
  }

  /// The prover is not to blame for the objects of a registry.
  @Test(arguments: ["request", "schema", "definition", "registry", "list"])
  func aMalformedInputOfTheVerifierIsAnError(part: String) throws {
    var objects = try Objects.published()
    var revocation = RevocationObjects()
    switch part {
    case "schema": objects.schemas[Objects.schemaID] = "{}"
    case "definition": objects.definitions[Objects.definitionID] = "{}"
    case "registry": revocation.registries = [Objects.registryID: "{}"]
    case "list": revocation.statusLists = ["{}"]
    default: break
    }
    let request = part == "request" ? "{}" : try Objects.text("proof_request")
    let error = #expect(throws: AnonCredsError.self) {
      try engine.verify(
        presentation: Objects.text("presentation"), request: request, objects: objects, revocation: revocation)
    }
    #expect(error?.code == .input)
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
