import Aries
import Credentials
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// A holder begins with a proposal, or answers an offer with one.
  @Suite struct CredentialProposalTests {
    private static let text = #"{"attributes":{"name":"Alice"},"filter":{"cred_def_id":"d"}}"#

    private func proposing(_ options: String? = nil) throws -> Credential {
      let form = try ExchangeForm(options: options)
      return try Credential(sourceID: "s", proposing: Self.text, comment: "please", in: form)
    }

    /// The issuer's answer to the holder's last proposal.
    private func answer(_ scene: IssuingScene, version: Int, id: String = "o1") throws -> JSON {
      let thread = try #require(scene.last()["~thread"])
      let offer = try scene.offerText(version: version, id: id).with(["~thread": ["thid": thread["thid"] ?? .null]])
      try scene.world.inviter.send(offer)
      return offer
    }

    @Test(arguments: [("1.0", 1), ("2.0", 2)]) func aProposedCredentialIsStored(version: (name: String, major: Int))
      throws
    {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      var credential = try proposing(#"{"version":"\#(version.name)"}"#)
      #expect(credential.state == 1)
      credential = try Credential(serialized: credential.serialized())
      try credential.propose(over: connection, with: scene.session)
      #expect(credential.state == 10)
      let proposal = try scene.last()
      #expect(proposal["@type"]?.string?.contains("issue-credential/\(version.name)/propose-credential") == true)
      #expect(proposal["comment"] == "please")
      #expect(throws: ExchangeError.notReady) { try credential.offerMessage() }
      let offer = try answer(scene, version: version.major)
      try credential.update(with: scene.session)
      #expect(try credential.state == 3 && JSON(parsing: credential.offerMessage()) == offer)
      credential = try Credential(serialized: credential.serialized())
      try credential.sendRequest(over: connection, with: scene.session)
      #expect(credential.state == 2)
      let content = try scene.issuer.credential(
        answering: Attachment(firstOf: scene.last()).content, to: Attachment(firstOf: offer).content,
        values: TestIssuer.values, at: TestIssuer.place)
      let thread = try #require(proposal["@id"]?.string)
      try scene.world.inviter.send(IssuingScene.credential(content, version: version.major, thread: thread))
      try credential.update(with: scene.session)
      #expect(try credential.state == 4 && scene.stored() == [thread])
    }

    /// The user has proposed values, and would get any others.
    @Test func anOfferThatAnswersAProposalShowsItsValues() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      var credential = try proposing(#"{"version":"2.0"}"#)
      try credential.propose(over: connection, with: scene.session)
      let thread = try #require(scene.last()["~thread"])
      let offer = try scene.offerText(version: 2, id: "o1").with([
        "~thread": ["thid": thread["thid"] ?? .null], "credential_preview": .null,
      ])
      try scene.world.inviter.send(offer)
      try credential.update(with: scene.session)
      #expect(credential.state == 3)
      #expect(throws: CredentialsError.malformedOffer("it answers a proposal without values")) {
        try credential.sendRequest(over: connection, with: scene.session)
      }
      #expect(try credential.state == 3 && scene.last()["@type"]?.string?.hasSuffix("problem-report") == true)
    }

    @Test func anOfferIsAnsweredWithAProposal() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      var credential = try scene.offered()
      for round in 1...3 {
        try credential.propose(instead: Self.text, comment: nil, over: connection, with: scene.session)
        #expect(credential.state == 10)
        let proposal = try scene.last()
        #expect(proposal["~thread"]?["thid"] == "offer-1")
        #expect(proposal["formats"]?.array?.first?["format"] == "hlindy/cred-filter@v2.0")
        credential = try Credential(serialized: credential.serialized())
        _ = try answer(scene, version: 2, id: "o\(round)")
        try credential.update(with: scene.session)
        #expect(try credential.state == 3 && JSON(parsing: credential.offerMessage())["@id"] == .string("o\(round)"))
      }
    }

    /// A process that ended before it stored the step.
    @Test func aForgottenProposalIsRepeatedAsItWas() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      let offered = try scene.offered().serialized()
      let ids = try [Self.text, Self.text, #"{"attributes":{"name":"Bob"}}"#].map { text in
        var credential = try Credential(serialized: offered)
        try credential.propose(instead: text, comment: nil, over: connection, with: scene.session)
        return try #require(scene.last()["@id"]?.string)
      }
      #expect(ids[0] == ids[1] && ids[1] != ids[2])
    }

    /// ACA-Py makes a second exchange of a proposal that comes twice, and goes on with neither.
    @Test func aProposalThatIsAnsweredIsNotRepeated() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      var credential = try proposing(#"{"version":"2.0"}"#)
      var kept = try Credential(serialized: credential.serialized())
      var early = kept
      try credential.propose(over: connection, with: scene.session)
      let sent = try scene.last()
      try early.propose(over: connection, with: scene.session)
      #expect(try early.state == 10 && scene.last()["@id"] == sent["@id"], "without an answer it is repeated")
      _ = try answer(scene, version: 2)
      let before = try scene.world.inviter.received().count
      try kept.propose(over: connection, with: scene.session)
      #expect(try kept.state == 3 && scene.world.inviter.received().count == before)
    }

    @Test func aStrangersOfferHasNoEffect() throws {
      let scene = try IssuingScene()
      var credential = try proposing()
      try credential.propose(over: scene.world.completed(), with: scene.session)
      let offer = try scene.offerText().with(["~thread": ["thid": .string(credential.thread)]])
      try scene.world.inviter.send(offer, from: KeyPair())
      try credential.update(with: scene.session)
      #expect(credential.state == 10)
    }

    @Test func anIssuerRefusesAProposalAndAHolderWithdrawsIt() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      var (refused, withdrawn) = (try proposing(), try proposing())
      try refused.propose(over: connection, with: scene.session)
      try scene.world.inviter.send([
        "@type": "https://didcomm.org/issue-credential/2.0/problem-report", "@id": "r",
        "~thread": ["thid": .string(refused.thread)], "description": ["code": "issuance-abandoned", "en": "no"],
      ])
      try refused.update(with: scene.session)
      #expect(refused.state == 0 && refused.problemReport.contains("issuance-abandoned"))
      try withdrawn.reject(comment: nil, over: nil, with: scene.session)
      #expect(withdrawn.state == 1)
      try withdrawn.propose(over: connection, with: scene.session)
      try withdrawn.reject(comment: "too late", over: nil, with: scene.session)
      #expect(try withdrawn.state == 9 && scene.last()["comment"] == "too late")
    }

    @Test(arguments: [
      (#"{"version":"2.0"}"#, "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1", "hlindy/cred-filter@v2.0"),
      (
        #"{"version":"2.0"}"#, "did:indy:sov:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/CLAIM_DEF/12/t",
        "anoncreds/credential-filter@v1.0"
      ),
      (#"{"version":"2.0","format":"anoncreds"}"#, "x", "anoncreds/credential-filter@v1.0"),
    ])
    func theFormatOfAProposal(options: String, definition: String, format: String) throws {
      let scene = try IssuingScene()
      var credential = try Credential(
        sourceID: "s", proposing: #"{"filter":{"cred_def_id":"\#(definition)"}}"#, comment: nil,
        in: ExchangeForm(options: options))
      try credential.propose(over: scene.world.completed(), with: scene.session)
      #expect(try scene.last()["formats"]?.array?.first?["format"] == .string(format))
    }

    @Test func theProgramChoosesTheVersionOfAProof() throws {
      let scene = try VerifyingScene()
      let connection = try scene.issuing.world.completed()
      for version in ["1.0", "2.0"] {
        let form = try ExchangeForm(options: #"{"version":"\#(version)"}"#)
        let requested = try RequestedProof(
          sourceID: "r", attributes: #"{"who":{"name":"name"}}"#, predicates: "[]", interval: "{}", name: "n", in: form)
        var request = try RequestedProof(serialized: requested.serialized())
        try request.send(over: connection, with: scene.session)
        #expect(try scene.request().message["@type"]?.string?.contains("present-proof/\(version)/request") == true)
        #expect(try scene.request().content["requested_attributes"]?.object?.keys == ["who"])
        let proposed = try DisclosedProof(
          sourceID: "p", proposing: #"{"attributes":[{"name":"degree"}]}"#, comment: "x", in: form)
        var proposal = try DisclosedProof(serialized: proposed.serialized())
        try proposal.propose(over: connection, with: scene.session)
        #expect(try scene.issuing.last()["@type"]?.string?.contains("present-proof/\(version)/propose") == true)
      }
    }

    @Test func aVerifierWithdrawsItsRequestAndAProverItsProposal() throws {
      let scene = try VerifyingScene()
      let connection = try scene.issuing.world.completed()
      var requested = try RequestedProof(
        sourceID: "r", attributes: #"[{"name":"name"}]"#, predicates: "[]", interval: "{}", name: "n")
      #expect(throws: ProtocolError.outOfTurn) {
        try requested.decline(because: nil, over: connection, with: scene.session)
      }
      try requested.send(over: connection, with: scene.session)
      try requested.decline(because: "too late", over: connection, with: scene.session)
      #expect(try requested.state == 9 && scene.issuing.last()["comment"] == "too late")
      var proposal = try DisclosedProof(
        sourceID: "p", proposing: #"{"attributes":[{"name":"degree"}]}"#, comment: "x", in: .undecided)
      try proposal.propose(over: connection, with: scene.session)
      try proposal.decline(because: "not this", over: nil, with: scene.session)
      #expect(try proposal.state == 9 && scene.issuing.last()["comment"] == "not this")
    }

    @Test func aVerifierDeclinesAProposal() throws {
      let scene = try VerifyingScene()
      let connection = try scene.issuing.world.completed()
      let message: JSON = [
        "@type": "https://didcomm.org/present-proof/1.0/propose-presentation", "@id": "p1",
        "presentation_proposal": ["attributes": [["name": "degree"]], "predicates": []],
      ]
      var proof = try RequestedProof(sourceID: "v", proposal: message.text)
      try proof.decline(because: "no need", over: connection, with: scene.session)
      let sent = try scene.issuing.last()
      #expect(proof.state == 9 && sent["comment"] == "no need")
      var repeated = try RequestedProof(sourceID: "v", proposal: message.text)
      try repeated.decline(because: "no need", over: connection, with: scene.session)
      #expect(try scene.issuing.last() == sent)
      #expect(throws: ProtocolError.outOfTurn) {
        try proof.decline(because: nil, over: connection, with: scene.session)
      }
    }
  }
}
