import DIDComm
import JSON
import TestSupport
import Testing

@testable import Aries

/// The proposals of a credential in both versions and formats, and the rounds of proposals and offers.
@Suite struct CredentialProposalTests {
  typealias Scene = ExchangeScene

  private func message(_ text: String, _ major: Int, _ format: ContentFormat) throws -> IssueCredentialMessage {
    IssueCredentialMessage(
      proposing: try CredentialProposal(parsing: text), comment: "please", id: "p", thread: nil,
      in: Dialect(CredentialStep.family, major), format)
  }

  @Test func version1HasTheFilterInTheMessage() throws {
    let json = try message(#"{"attributes":{"age":28},"filter":{"cred_def_id":"d"}}"#, 1, .indy).json
    #expect(
      json == [
        "@type": "https://didcomm.org/issue-credential/1.0/propose-credential", "@id": "p", "comment": "please",
        "credential_proposal": [
          "@type": "https://didcomm.org/issue-credential/1.0/credential-preview",
          "attributes": [["name": "age", "value": "28"]],
        ], "cred_def_id": "d",
      ])
  }

  @Test(arguments: [
    (ContentFormat.indy, "hlindy/cred-filter@v2.0", "issuer_did"),
    (.anonCreds, "anoncreds/credential-filter@v1.0", "issuer_id"),
  ])
  func version2AttachesTheFilter(row: (format: ContentFormat, name: String, issuer: String)) throws {
    let message = try message(#"{"attributes":{"age":28},"filter":{"issuer_did":"i"}}"#, 2, row.format)
    #expect(message.json["formats"]?.array?.first?["format"] == .string(row.name))
    #expect(try message.content().json() == [row.issuer: "i"])
    #expect(message.json["credential_preview"]?["attributes"] == [["name": "age", "value": "28"]])
  }

  @Test(arguments: [1, 2], [ContentFormat.indy, .anonCreds])
  func aProposalIsReadAsItWasWritten(major: Int, format: ContentFormat) throws {
    let text = #"""
      {"attributes":[{"name":"photo","value":"x","mime-type":"image/png"}],
       "filter":{"schema_name":"degree","schema_issuer_did":"s","issuer_did":"i","cred_def_id":"d"}}
      """#
    let message = try message(text, major, format)
    #expect(try CredentialProposal(message) == CredentialProposal(parsing: text))
    #expect(
      try CredentialProposal(message).summary(of: message) == [
        "attributes": [["name": "photo", "value": "x", "mime-type": "image/png"]],
        "filter": ["schema_issuer_did": "s", "schema_name": "degree", "cred_def_id": "d", "issuer_did": "i"],
        "comment": "please", "thid": "p",
      ])
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"attributes":{}}"#, #"{"filter":{}}"#, #"{"filter":{"color":"red"}}"#,
    #"{"filter":{"cred_def_id":1}}"#,
    #"{"attributes":{"a":1.10}}"#, #"{"attributes":{"a":"1","a":"2"}}"#, #"{"atributes":{"a":"1"}}"#,
  ])
  func otherTextsAreNotProposed(text: String) {
    #expect(throws: JSONError.self) { try CredentialProposal(parsing: text) }
  }

  @Test(arguments: [1, 2]) func anIssuerAnswersOnTheThreadOfTheProposal(major: Int) throws {
    var machine = try IssuerMachine(proposal: IssuerMachineTests.proposal(major, on: nil))
    try machine.plan(IssuerMachineTests.terms, of: "definition", name: "Degree")
    let offer = try #require(try IssuerMachineTests.offer(&machine))
    #expect(offer["@type"] == .string("https://didcomm.org/issue-credential/\(major).0/offer-credential"))
    #expect(
      offer["~thread"] == ["thid": "p1", "sender_order": 0, "received_orders": [Scene.peerKey.did.text: 0]])
    // The values are the program's, and not the proposal's.
    #expect(offer["credential_preview"]?["attributes"]?.array?.last?["value"] == "Alice Andersen")
    #expect(try machine == IssuerMachine.restored(from: machine.serialized(sourceID: "s")).machine)
  }

  /// Two processes that plan from one stored state make the same offer.
  @Test func thePlanOfAnOfferHasOneID() throws {
    let machines = try (0..<2).map { _ in try IssuerMachineTests.machine("planned again") }
    guard case .planned(let one) = machines[0].state, case .planned(let other) = machines[1].state else {
      throw Unexpected(machine: machines[0])
    }
    #expect(one.id == other.id && one.id != IssuerMachineTests.thread)
  }

  @Test func aHolderAndAnIssuerBargainUntilTheyAgree() throws {
    var holder = try HolderMachineTests.machine("proposed")
    var issuer = try IssuerMachine(proposal: #require(proposal(of: holder)).json)
    for round in 0..<3 {
      try issuer.plan(IssuerMachineTests.terms, of: "definition", name: "Degree")
      let offer = try #require(try IssuerMachineTests.offer(&issuer)).with(Self.content)
      #expect(offer["~thread"]?["sender_order"] == .integer(Int64(round)))
      #expect(try holder.receive(Message(offer), from: Scene.sender, id: "r") == .nothing)
      let proposal = try HolderMachineTests.proposal()
      let next = try holder.propose(instead: proposal, comment: nil, id: "n\(round)", over: Scene.connection)
      let message = try #require(next.sent).message
      #expect(message["~thread"]?["sender_order"] == .integer(Int64(round + 1)))
      #expect(try issuer.receive(Message(message), from: Scene.sender) == .nothing)
      // An offer and a proposal that were answered have no effect when they come again.
      #expect(try holder.receive(Message(offer), from: Scene.sender, id: "r") == .leave)
      #expect(try issuer.receive(Message(message), from: Scene.sender) == .leave)
    }
  }

  private func proposal(of holder: HolderMachine) -> IssueCredentialMessage? {
    if case .proposed(let state) = holder.state { state.proposal } else { nil }
  }

  /// An attachment that a holder can read.
  private static let content: [String: JSON] = [
    "offers~attach": [["@id": "indy", "data": ["json": ["cred_def_id": "d", "schema_id": "s"]]]]
  ]

  @Test func theRoundsAreBounded() throws {
    var issuer = try IssuerMachineTests.machine("offered")
    for round in 0..<mostRounds {
      let proposal = try IssuerMachineTests.proposal(2, id: "p\(round)", on: IssuerMachineTests.thread)
      _ = try issuer.receive(Message(proposal), from: Scene.sender)
      try issuer.plan(IssuerMachineTests.terms, of: "definition", name: "n")
      try IssuerMachineTests.offer(&issuer)
    }
    let last = try IssuerMachineTests.proposal(2, id: "last", on: IssuerMachineTests.thread)
    let report = try #require(try issuer.receive(Message(last), from: Scene.sender).sent).message
    #expect(report["description"]?["code"] == "issuance-abandoned")
    guard case .finished = issuer.state else { throw Unexpected(machine: issuer) }
  }

  @Test(arguments: ["planned", "offered", "requested", "issued", "accepted", "declined"])
  func anOfferIsPlannedOnlyForAProposal(state: String) throws {
    var machine = try IssuerMachineTests.machine(state)
    #expect(throws: ProtocolError.outOfTurn) {
      try machine.plan(IssuerMachineTests.terms, of: "definition", name: "n")
    }
  }

  @Test(arguments: ["proposed", "requested", "finished", "rejected"])
  func aProposalAnswersOnlyAnOffer(state: String) throws {
    var machine = try HolderMachineTests.machine(state)
    let proposal = try HolderMachineTests.proposal()
    #expect(throws: ProtocolError.outOfTurn) {
      try machine.propose(instead: proposal, comment: nil, id: "n", over: Scene.connection)
    }
  }

  @Test func aProposalThatCannotBeReadEndsTheExchange() throws {
    var machine = try IssuerMachineTests.machine("offered")
    let proposal = Scene.bare("issue-credential/2.0/propose-credential", on: IssuerMachineTests.thread)
    let report = try #require(try machine.receive(Message(proposal), from: Scene.sender).sent).message
    #expect(report["description"]?["code"] == "issuance-abandoned")
    guard case .finished(let finished) = machine.state else { throw Unexpected(machine: machine) }
    #expect(finished.status.report?.json == report)
    #expect(throws: MessageError.self) { try IssuerMachine(proposal: proposal) }
  }

  @Test func anOfferThatCannotBeReadEndsTheExchange() throws {
    var machine = try HolderMachineTests.machine("proposed")
    let offer = Scene.bare("issue-credential/2.0/offer-credential", on: HolderMachineTests.thread)
    guard case .refuse(_, let report, _) = try machine.receive(Message(offer), from: Scene.sender, id: "r") else {
      throw Unexpected(machine: machine)
    }
    #expect(report["description"]?["code"] == "invalid-credential-offer")
    guard case .finished = machine.state else { throw Unexpected(machine: machine) }
  }

  @Test func bothSidesCanEndIt() throws {
    var holder = try HolderMachineTests.machine("proposed")
    let withdrawn = try #require(holder.reject("no", id: "r", over: Scene.connection).sent).message
    #expect(withdrawn["description"]?["en"] == "credential-proposal was withdrawn.")
    var issuer = try IssuerMachineTests.machine("proposed")
    let declined = try #require(try issuer.decline(because: "no", id: "r", over: Scene.connection).sent).message
    #expect(declined["description"] == ["code": "rejection", "en": "credential-proposal was rejected."])
    #expect(throws: ProtocolError.outOfTurn) {
      try issuer.decline(because: "no", id: "r", over: Scene.connection)
    }
    var verifier = try VerifierMachineTests.machine("proposed")
    let refused = try #require(try verifier.decline(because: "no", id: "r", over: Scene.connection).sent).message
    #expect(refused["description"]?["code"] == "rejection" && verifier.report?.json == refused)
  }
}
