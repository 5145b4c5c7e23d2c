import AnonCreds
import JSON
import Sodium
import TestSupport
import Testing

@Suite struct HolderTests {
  private let engine: Engine

  init() throws { engine = try Engine.open(at: CredentialLibraries.anonCreds) }

  @Test(arguments: [RequestIdentity.proverDID("V4SGRU86Z58d6TV7PBUe6f"), .entropy("from somewhere")])
  func aRequestNamesItsHolderAndAnswersTheOffer(identity: RequestIdentity) throws {
    let made = try engine.createRequest(
      offer: Objects.text("cred_offer"), definition: Objects.text("cred_def"), linkSecret: Objects.linkSecret(),
      linkSecretName: "main", identity: identity)
    let request = try JSON(parsing: made.request)
    #expect(request["cred_def_id"]?.string == Objects.definitionID)
    switch identity {
    case .proverDID(let did): #expect(request["prover_did"]?.string == did)
    case .entropy(let text): #expect(request["entropy"]?.string == text)
    }
    #expect(try JSON(parsing: made.metadata)["link_secret_name"]?.string == "main")
  }

  @Test func aCredentialIsProcessedAsByTheOtherProgram() throws {
    let processed = try engine.process(
      credential: Objects.text("credential_issued"), metadata: Objects.text("cred_request_metadata"),
      linkSecret: Objects.linkSecret(), definition: Objects.text("cred_def"), registry: nil)
    #expect(try JSON(parsing: processed) == Objects.json("credential_processed"))
  }

  @Test func aCredentialForAnotherLinkSecretIsRefused() throws {
    let error = try #require(
      #expect(throws: AnonCredsError.self) {
        try engine.process(
          credential: Objects.text("credential_issued"), metadata: Objects.text("cred_request_metadata"),
          linkSecret: engine.createLinkSecret(), definition: Objects.text("cred_def"), registry: nil)
      })
    #expect(error.code == .invalidState)
  }

  @Test func revocationStatesEqualTheOtherPrograms() throws {
    let folder = try TemporaryFolder()
    let tails = try Objects.tailsFile(in: folder)
    let expected = try #require(Objects.json("rev_states").object)
    for list in try Objects.statusLists() {
      let state = try engine.createRevocationState(
        registry: Objects.text("rev_reg_def"), statusList: list, index: 5, tailsFile: tails)
      let timestamp = try #require(JSON(parsing: list)["timestamp"]?.integer)
      #expect(try JSON(parsing: state) == expected["\(timestamp)"])
    }
  }

  @Test func aMissingTailsFileIsAnErrorOfFiles() throws {
    let error = try #require(
      #expect(throws: AnonCredsError.self) {
        try engine.createRevocationState(
          registry: Objects.text("rev_reg_def"), statusList: Objects.statusLists()[0], index: 5,
          tailsFile: "/nowhere/tails")
      })
    #expect(error.code == .io)
  }
}
