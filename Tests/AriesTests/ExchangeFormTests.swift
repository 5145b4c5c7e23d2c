import JSON
import TestSupport
import Testing

@testable import Aries

/// The version, the format and the members of messages in an exchange.
@Suite struct ExchangeFormTests {
  typealias Scene = ExchangeScene

  /// The formats of a message whose only attachment has the id `indy`.
  static func formats(_ name: String) -> [String: JSON] {
    ["formats": [["attach_id": "indy", "format": .string(name)]]]
  }

  @Test func anAnswerHasTheMinorVersionOfItsMessage() throws {
    let offer = try Scene.message("issue_2_0", "offer").with([
      "@type": "https://didcomm.org/issue-credential/2.2/offer-credential"
    ])
    var machine = try HolderMachine(offer: offer)
    let report = try #require(machine.reject("no", id: "r", over: Scene.connection).sent).message
    #expect(report["@type"] == "https://didcomm.org/issue-credential/2.2/problem-report")
  }

  @Test func ofBothFormatsTheNewerCounts() throws {
    let offer = try Scene.message("issue_2_0", "offer")
    let indy = try #require(offer["offers~attach"]?.array?.first)
    let names = [("indy", "hlindy/cred-abstract@v2.0"), ("new", "anoncreds/credential-offer@v1.0")]
    for names in [names, names.reversed()] {
      let both = offer.with([
        "formats": .array(names.map { ["attach_id": .string($0.0), "format": .string($0.1)] }),
        "offers~attach": [indy, indy.with(["@id": "new"])],
      ])
      #expect(try CredentialOffer(both).content.format == .anonCreds)
    }
  }

  /// Some provers declare their proposal as the request that it becomes.
  @Test(arguments: ["anoncreds/proof-proposal@v1.0", "anoncreds/proof-request@v1.0"])
  func aProposalIsReadUnderBothOfItsNames(format: String) throws {
    let proposal = try VerifierMachineTests.proposal().with(Self.formats(format))
    #expect(try PresentProofMessage(.propose, proposal).content().format == .anonCreds)
  }

  @Test func aProverAnswersInTheFormatOfTheRequest() throws {
    let request = try Scene.message("present_2_0", "request").with(Self.formats("anoncreds/proof-request@v1.0"))
    var machine = try ProverMachine(request: request)
    var other = machine
    try machine.prepare("{}", id: "p")
    let presentation = try #require(machine.send(over: Scene.connection).sent).message
    #expect(presentation["formats"] == [["attach_id": "anoncreds", "format": "anoncreds/proof@v1.0"]])
    let proposing = try other.decline(
      proposing: ProverMachineTests.preview, comment: nil, id: "q", over: Scene.connection)
    let proposal = try #require(proposing.sent).message
    #expect(proposal["formats"] == [["attach_id": "anoncreds", "format": "anoncreds/proof-proposal@v1.0"]])
  }

  /// Older libraries look for the attachment by its id, and read the standard alphabet only.
  @Test(
    arguments: [
      (CredentialStep.offer.attachments, "libindy-cred-offer-0"),
      (CredentialStep.request.attachments, "libindy-cred-request-0"),
      (CredentialStep.issue.attachments, "libindy-cred-0"),
      (ProofStep.request.attachments, "libindy-request-presentation-0"),
      (ProofStep.present.attachments, "libindy-presentation-0"),
    ])
  func anAttachmentOfTheFirstVersionHasItsID(form: AttachmentForm, id: String) throws {
    let content = AttachedContent(text: #"{"a":"?>?"}"#, format: .indy)
    let members = form.members(content, major: 1)
    let attachment: JSON = [
      "@id": .string(id), "mime-type": "application/json", "data": ["base64": "eyJhIjoiPz4/In0="],
    ]
    #expect(members.map(\.1) == [[attachment]])
    #expect(try form.content(of: JSONObject(members), major: 1) == content)
  }

  // MARK: Reports

  /// Some agents show nothing else.
  @Test func withoutACommentAReportRepeatsItsExplanation() throws {
    var holder = try HolderMachineTests.machine("offered")
    let rejection = try #require(holder.reject(nil, id: "r", over: Scene.connection).sent).message
    #expect(rejection["comment"] == "credential-offer was rejected.")
    var prover = try ProverMachineTests.machine("requested")
    let decline = try #require(try prover.decline(because: nil, id: "r", over: Scene.connection).sent).message
    #expect(decline["comment"] == "Presentation Request was rejected")
  }

  @Test func anUnusableOfferIsRefusedAndStays() throws {
    let machine = try HolderMachineTests.machine("offered")
    let action = machine.refusalOfOffer(because: "no such definition", id: "r", over: Scene.connection)
    guard case .notify(let report, Scene.peerService) = action else { throw Unexpected(machine: machine) }
    #expect(report["@type"] == "https://didcomm.org/issue-credential/2.0/problem-report")
    #expect(report["description"]?["code"] == "invalid-credential-offer" && report["comment"] == "no such definition")
    #expect(report["~thread"]?["thid"] == .string(HolderMachineTests.thread))
    let later = try HolderMachineTests.machine("requested")
    #expect(later.refusalOfOffer(because: "", id: "r", over: Scene.connection) == .nothing)
  }

  // MARK: Attributes

  /// The media type tells the holder's program how to show a value.
  @Test func theMediaTypeOfAnAttributeReachesTheHolder() throws {
    let attribute: JSON = ["name": "photo", "value": "R0lGODlh", "mime-type": "image/gif"]
    let terms = IssuerMachine.Terms(
      values: try CredentialValues(parsing: JSON.array([attribute]).text), registryID: nil, tailsFolder: nil)
    guard case .planned(let plan) = IssuerMachine(offering: terms, of: "d", name: "n", id: "i").state else {
      throw Unexpected(machine: terms)
    }
    let content = AttachedContent(text: #"{"schema_id":"s","cred_def_id":"d"}"#, format: .indy)
    let offer = plan.message(content, in: Dialect(CredentialStep.family, 2)).json
    #expect(offer["credential_preview"]?["attributes"] == [attribute])
    #expect(try CredentialOffer(offer).summary["attributes"] == [attribute])
  }

  @Test func aProposalOfTheFirstVersionHasAllMembersOfItsPreview() throws {
    let attribute: JSON = ["name": "a", "cred_def_id": "d", "mime-type": "text/plain", "value": "1", "referent": "r"]
    let predicate: JSON = ["name": "age", "predicate": ">=", "threshold": 18, "cred_def_id": "e"]
    let preview = try PresentationPreview(["attributes": [attribute], "predicates": [predicate]])
    var machine = ProverMachine(proposing: preview, comment: "x", id: "p")
    #expect(machine.proposedDefinitions == ["d", "e"])
    let sent = try #require(try machine.propose(inVersion: 1, .indy, over: Scene.connection).sent).message
    #expect(sent["presentation_proposal"]?["attributes"] == [attribute])
    #expect(sent["presentation_proposal"]?["predicates"] == [predicate])
    #expect(machine.proposedDefinitions.isEmpty)
  }

  /// Such values cannot come from one credential, and a request would name only one of the definitions.
  @Test(arguments: [("d", true), (nil, true), ("e", false)]) func attributesOfOneReferentHaveOneDefinition(
    definition: String?, isRead: Bool
  ) throws {
    let attributes: JSON = [
      ["name": "a", "cred_def_id": "d", "referent": "r"],
      ["name": "b", "cred_def_id": JSON(definition), "referent": "r"],
    ]
    #expect(((try? PresentationPreview(["attributes": attributes])) != nil) == isRead)
  }

  @Test(arguments: [(1_000, 0, true), (999, 1, true), (1_000, 1, false), (0, 1_001, false)])
  func aPreviewHasAsManyItemsAsReasonable(attributes: Int, predicates: Int, fits: Bool) throws {
    let preview: JSON = [
      "attributes": .array([JSON](repeating: ["name": "a"], count: attributes)),
      "predicates": .array([JSON](repeating: ["name": "a", "predicate": ">=", "threshold": 1], count: predicates)),
    ]
    #expect(((try? PresentationPreview(preview)) != nil) == fits)
  }

  @Test func aRequestWithoutMembersIsShownEmpty() throws {
    let attachment: JSON = [["@id": "indy", "data": ["json": [:]]]]
    let request = try Scene.message("present_2_0", "request").with(["request_presentations~attach": attachment])
    let thread = JSON.string(ProverMachineTests.thread)
    #expect(
      try PresentationRequest(request).summary
        == ["name": "", "version": "", "requested_attributes": [:], "requested_predicates": [:], "thid": thread])
  }
}
