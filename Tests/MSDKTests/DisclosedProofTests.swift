import Aries
import Credentials
import Foundation
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// A prover with a real agency, a real engine and a credential, and a verifier that does what the test tells it.
  @Suite(.eachCloudAgent) struct DisclosedProofTests {
    // MARK: The whole way

    @Test(arguments: [1, 2]) func aRequestedProofIsGivenAndAccepted(version: Int) throws {
      let scene = try ProvingScene()
      try scene.verifier.send(ProvingScene.request(ProvingScene.content(), version: version))
      #expect(try JSON(parsing: DisclosedProof.requests(of: scene.connection, with: scene.session)).array?.count == 1)
      let (requested, request) = try DisclosedProof.requested(
        by: scene.issuing.newMessage().uid, over: scene.connection, sourceID: "p", with: scene.session)
      #expect(try JSON(parsing: request)["@id"] == "request-1")
      var proof = requested
      #expect(proof.state == 3)
      try proof.prepare(
        showing: scene.firstChoice(for: proof), selfAttested: #"{"attribute_1":"123"}"#, with: scene.session)
      try proof.send(over: scene.connection, with: scene.session)
      #expect(proof.state == 2)
      let presentation = try scene.last()
      #expect(presentation["@type"]?.string?.hasSuffix("present-proof/\(version).0/presentation") == true)
      #expect(presentation["~thread"]?["thid"] == "request-1")
      #expect(try scene.isVerified(ProvingScene.content()))
      #expect(try proof.message(asVersion3: false) == presentation.text)
      try scene.ack()
      try proof.update(with: scene.session)
      #expect(proof.state == 4)
      #expect(proof.problemReport == "null")
    }

    @Test func theVerifierMayRefuse() throws {
      let scene = try ProvingScene()
      var proof = try scene.sent()
      try scene.report()
      try proof.update(with: scene.session)
      #expect(proof.state == 0)
      #expect(try JSON(parsing: proof.problemReport)["@id"] == "report")
    }

    @Test func aPendingAckDoesNotHideTheFinalOne() throws {
      let scene = try ProvingScene()
      var proof = try scene.sent()
      try scene.ack(status: "PENDING")
      try proof.update(with: scene.session)
      #expect(proof.state == 2)
      try scene.ack()
      try proof.update(with: scene.session)
      #expect(proof.state == 4)
    }

    @Test func messagesOfOtherThreadsStayAndMessagesOfStrangersHaveNoEffect() throws {
      let scene = try ProvingScene()
      var proof = try scene.sent()
      try scene.ack("another")
      try scene.verifier.send(ProvingScene.request(ProvingScene.content(), id: "request-2"))
      try scene.verifier.send(
        ["@type": "https://didcomm.org/present-proof/2.0/ack", "@id": "a", "~thread": ["thid": "request-1"]],
        from: KeyPair())
      try proof.update(with: scene.session)
      #expect(proof.state == 2)
      try scene.ack()
      try proof.update(with: scene.session)
      #expect(proof.state == 4)
      #expect(try scene.issuing.newMessages().count == 2)
    }

    @Test func anApplicationHandsTheAnswerOver() throws {
      let scene = try ProvingScene()
      var proof = try scene.sent()
      let ack: (String) -> String = {
        #"{"@type":"https://didcomm.org/present-proof/2.0/ack","@id":"a","~thread":{"thid":"\#($0)"}}"#
      }
      try proof.receive(ack("another"), with: scene.session)
      #expect(proof.state == 2)
      #expect(throws: MailboxError.unprovenSender) { try proof.receive(ack("request-1"), with: scene.session) }
      try scene.verifier.send(JSON(parsing: ack("request-1")))
      try proof.receive(ack("request-1"), with: scene.session)
      #expect(proof.state == 4)
      try proof.receive(ack("request-1"), with: scene.session)
      #expect(throws: JSONError.self) { try proof.receive("no JSON", with: scene.session) }
    }

    @Test func theOlderFormOfARequestIsTaken() throws {
      let content = try ProvingScene.content()
      let older: JSON = [
        "@type": ["name": "PROOF_REQUEST", "version": "1.0"], "@topic": ["mid": 0, "tid": 0],
        "proof_request_data": content, "msg_ref_id": nil, "from_timestamp": nil, "to_timestamp": nil,
        "thread_id": "request-1", "comment": "please",
      ]
      let proof = try DisclosedProof(sourceID: "p", request: older.text)
      #expect(try JSON(parsing: DisclosedProof.summary(ofRequest: older.text))["thid"] == "request-1")
      #expect(try OlderRequest.json(of: #require(proof.machine.request).json) == older)
    }

    /// A program that decodes the attachment would show another request than the answered one.
    @Test(arguments: [1, 2]) func aMemberOfTheOlderFormDoesNotReplaceTheAttachment(version: Int) throws {
      var message = ProvingScene.request(try ProvingScene.content(), version: version)
      message["proof_request_data"] = ["requested_attributes": ["attribute_0": ["name": "degree"]]]
      message["thread_id"] = "another"
      let proof = try DisclosedProof(sourceID: "p", request: message.text)
      #expect(try proof.machine.request?.content().text == ProvingScene.content().text)
      #expect(try JSON(parsing: DisclosedProof.summary(ofRequest: message.text))["thid"] == "request-1")
    }

    @Test(arguments: [1, 2]) func aRequestThatGivesItsDataTwiceIsRefused(version: Int) throws {
      var message = ProvingScene.request(try ProvingScene.content(), version: version)
      var attachment = message["request_presentations~attach"]?.array?.first ?? .null
      attachment["data"]?["json"] = ["requested_attributes": ["attribute_0": ["name": "degree"]]]
      message["request_presentations~attach"] = [attachment]
      #expect(throws: MessageError.ambiguous) { try DisclosedProof(sourceID: "p", request: message.text) }
    }

    // MARK: Selecting

    @Test func theItemsAreListedInBothForms() throws {
      let scene = try ProvingScene()
      let proof = try scene.requested()
      let items = try JSON(parsing: proof.matchingCredentials(asVersion3: false, with: scene.session))
      #expect(items["attributes"]?["attribute_1"]?["self_attest_allowed"] == true)
      #expect(items["predicates"]?["predicate_0"]?["missing"] == false)
      #expect(items["attributes"]?["attribute_2"]?["names"] == ["degree", "Issue Date"])
      let attrs = try JSON(parsing: proof.matchingCredentials(asVersion3: true, with: scene.session))["attrs"]
      #expect(attrs?["predicate_0"]?.array?.count == 1)
    }

    @Test func aRequestThatAsksForNothingHasNoSelection() throws {
      let scene = try ProvingScene()
      let proof = try scene.requested(["name": "x", "version": "1.0", "nonce": "1"])
      #expect(throws: CredentialsError.self) { try proof.matchingCredentials(asVersion3: false, with: scene.session) }
      #expect(throws: CredentialsError.self) {
        try DisclosedProof.summary(ofRequest: ProvingScene.request(["name": "x"]).text)
      }
    }

    @Test func aValueMayStayHidden() throws {
      let scene = try ProvingScene()
      var proof = try scene.requested()
      var selected = try JSON(parsing: scene.firstChoice(for: proof))
      selected["attrs"]?["attribute_0"]?["revealed"] = false
      try proof.prepare(showing: selected.text, selfAttested: #"{"attribute_1":"123"}"#, with: scene.session)
      try proof.send(over: scene.connection, with: scene.session)
      #expect(try scene.isVerified(ProvingScene.content()))
      let presentation = try Attachment(firstOf: scene.last()).content
      #expect(!presentation.contains("Alice Andersen"))
    }

    /// A process ends between the delivery and the record of it. The next one chooses otherwise.
    @Test func aPresentationThatMayBeSentIsNotReplaced() throws {
      let scene = try ProvingScene()
      try scene.issuing.restart(with: ["keep_objects": true])
      var proof = try scene.prepared()
      try proof.keep(with: scene.session)
      let id = try #require(proof.keeping.id)
      func restored() throws -> DisclosedProof { try DisclosedProof(kept: scene.session.keptObjects.find(id)) }
      func presentation(sending proof: DisclosedProof) throws -> JSON {
        var proof = proof
        let choice = try scene.firstChoice(for: proof)
        try proof.prepare(showing: choice, selfAttested: #"{"attribute_1":"456"}"#, with: scene.session)
        try proof.send(over: scene.connection, with: scene.session)
        #expect(proof.state == 2)
        return try scene.last()
      }
      #expect(try !restored().machine.mayBeSent, "nothing was sent")
      try proof.send(over: scene.connection, with: scene.session)
      let sent = try scene.last()
      let next = try restored()
      #expect(try presentation(sending: next) == sent)
      #expect(try presentation(sending: restored()) == sent)
      #expect(try presentation(sending: DisclosedProof(serialized: next.serialized())) == sent)
    }

    /// The verifier's server may have kept the presentation, and the holder would be told that another one was accepted.
    @Test func afterAFailedSendThatMayHaveArrivedTheSamePresentationIsSent() throws {
      let scene = try ProvingScene()
      try scene.issuing.restart(with: ["keep_objects": true])
      var proof = try scene.prepared()
      try proof.keep(with: scene.session)
      scene.verifier.answer(500)
      #expect(throws: DeliveryError.self) { try proof.send(over: scene.connection, with: scene.session) }
      #expect(proof.state == 3 && proof.mayBeSent)
      #expect(throws: ProtocolError.outOfTurn) {
        try proof.decline(because: nil, over: scene.connection, with: scene.session)
      }
      scene.verifier.answer(200)
      proof = try DisclosedProof(serialized: proof.serialized())
      let choice = try scene.firstChoice(for: proof)
      try proof.prepare(showing: choice, selfAttested: #"{"attribute_1":"456"}"#, with: scene.session)
      try proof.send(over: scene.connection, with: scene.session)
      #expect(proof.state == 2)
      let given = try JSON(parsing: Attachment(firstOf: scene.last()).content)["requested_proof"]
      #expect(given?["self_attested_attrs"]?["attribute_1"] == "123")
    }

    @Test func aProgramNotesThatItSendsAndReadsWhatItSends() throws {
      let scene = try ProvingScene()
      #expect(throws: ExchangeError.notReady) { try scene.requested().content() }
      var proof = try scene.prepared()
      let content = try JSON(parsing: proof.content())
      #expect(content["self_attested"]?["attribute_1"]?["values"]?.object?.members.first?.value == "123")
      #expect(!proof.mayBeSent)
      proof.noteSending()
      var restored = try DisclosedProof(serialized: proof.serialized())
      #expect(restored.mayBeSent && restored.state == 3)
      let choice = try scene.firstChoice(for: restored)
      try restored.prepare(showing: choice, selfAttested: #"{"attribute_1":"456"}"#, with: scene.session)
      #expect(try JSON(parsing: restored.content()) == content)
      try restored.send(over: scene.connection, with: scene.session)
      #expect(restored.state == 2 && !restored.mayBeSent)
    }

    // MARK: Declining and proposing

    @Test(arguments: [false, true]) func aProverDeclines(isPrepared: Bool) throws {
      let scene = try ProvingScene()
      var proof = try isPrepared ? scene.prepared() : scene.requested()
      try proof.decline(because: "not to you", over: scene.connection, with: scene.session)
      #expect(proof.state == 9)
      #expect(try scene.last()["comment"] == "not to you")
      #expect(throws: ProtocolError.outOfTurn) {
        try proof.decline(because: nil, over: scene.connection, with: scene.session)
      }
    }

    /// A process that forgets the step and repeats it sends the same message.
    @Test func aRepeatedRefusalIsTheSame() throws {
      let scene = try ProvingScene()
      let before = try scene.requested().serialized()
      let sent = try ["ill", "ill", "late"].map { reason in
        var proof = try DisclosedProof(serialized: before)
        try proof.decline(because: reason, over: scene.connection, with: scene.session)
        return try scene.last()
      }
      #expect(sent[0] == sent[1] && sent[0]["@id"] != sent[2]["@id"])
    }

    @Test func anotherPresentationIsProposedAndRequested() throws {
      let scene = try ProvingScene()
      var proof = try scene.requested()
      try proof.decline(
        proposing: #"{"attributes":[{"name":"degree"}]}"#, over: scene.connection, with: scene.session)
      #expect(proof.state == 2)
      #expect(try scene.last()["@type"] == "https://didcomm.org/present-proof/2.0/propose-presentation")
      let content = try PresentProofMessage(.propose, scene.last()).content().json().with(["nonce": "7"])
      var request = ProvingScene.request(content, id: "request-2")
      request["~thread"] = ["thid": "request-1"]
      try scene.verifier.send(request)
      try proof.update(with: scene.session)
      #expect(proof.state == 3)
      try proof.prepare(showing: scene.firstChoice(for: proof), selfAttested: "{}", with: scene.session)
      try proof.send(over: scene.connection, with: scene.session)
      #expect(try scene.isVerified(content))
    }

    @Test func aProofBeginsWithAProposal() throws {
      let scene = try ProvingScene()
      var proof = try DisclosedProof(
        sourceID: "p", proposing: #"{"attributes":[{"name":"degree"}]}"#, comment: "my degree")
      #expect(proof.state == 1)
      try proof.propose(over: scene.connection, with: scene.session)
      #expect(proof.state == 2)
      let proposal = try scene.last()
      #expect(proposal["presentation_proposal"]?["attributes"] == [["name": "degree"]])
      #expect(throws: ExchangeError.notReady) { try proof.matchingCredentials(asVersion3: false, with: scene.session) }
      var request = ProvingScene.request(try ProvingScene.content(), version: 1)
      request["~thread"] = ["thid": proposal["@id"] ?? .null]
      try scene.verifier.send(request)
      try proof.update(with: scene.session)
      #expect(proof.state == 3)
    }

    /// A process has ended before its record told of the proposal. ACA-Py would make a second exchange of it.
    @Test func aProposalThatIsAnsweredIsNotRepeated() throws {
      let scene = try ProvingScene()
      var proof = try DisclosedProof(sourceID: "p", proposing: #"{"attributes":[{"name":"degree"}]}"#, comment: "")
      var kept = try DisclosedProof(serialized: proof.serialized())
      try proof.propose(over: scene.connection, with: scene.session)
      let proposal = try scene.last()
      var request = ProvingScene.request(try ProvingScene.content(), version: 1)
      request["~thread"] = ["thid": proposal["@id"] ?? .null]
      try scene.verifier.send(request)
      let before = try scene.issuing.world.inviter.received().count
      try kept.propose(over: scene.connection, with: scene.session)
      #expect(try kept.state == 3 && scene.issuing.world.inviter.received().count == before)
    }

    // MARK: Revocation

    static func nonRevoked() throws -> JSON {
      var content = try ProvingScene.content()
      content["non_revoked"] = ["from": 0, "to": 1_700_000_500]
      return content
    }

    @Test func aCredentialIsShownNotToBeRevoked() throws {
      let scene = try ProvingScene(at: 5)
      let content = try Self.nonRevoked()
      var proof = try scene.prepared(content)
      try proof.send(over: scene.connection, with: scene.session)
      #expect(try scene.isVerified(content))
    }

    @Test func theTailsOfCredentialsGoWithTheWallet() throws {
      let scene = try ProvingScene(at: 5)
      _ = try scene.prepared(Self.nonRevoked())
      let folder = scene.issuing.world.folder.path + "/wallets"
      let tails = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
      #expect(tails.contains { $0.contains("tails") })
      Agent.ofTest.stop(deletingWallet: true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func aRevokedCredentialProvesNothing() throws {
      let scene = try ProvingScene(at: 5)
      var content = try Self.nonRevoked()
      content["non_revoked"] = ["from": 0, "to": 2_000_000_000]
      var proof = try scene.prepared(content)
      #expect(proof.state == 3)
      #expect(throws: CredentialsError.revoked) { try proof.send(over: scene.connection, with: scene.session) }
    }

    @Test func aRevokedCredentialIsPresentedAllTheSameIfTheUserWants() throws {
      let scene = try ProvingScene(at: 5)
      var content = try Self.nonRevoked()
      content["non_revoked"] = ["from": 0, "to": 2_000_000_000]
      var proof = try scene.requested(content)
      let selected = try scene.firstChoice(for: proof).replacing(
        #"{"credential":"#, with: #"{"present_revoked":true,"credential":"#)
      try proof.prepare(showing: selected, selfAttested: #"{"attribute_1":"123"}"#, with: scene.session)
      try proof.send(over: scene.connection, with: scene.session)
      #expect(proof.state == 2)
      #expect(try scene.isVerified(ProvingScene.content()))
      #expect((try? scene.isVerified(content)) != true)
    }

    // MARK: Showing

    @Test func aRequestIsDescribedWithItsWordsAndTheCredentialsThatFit() throws {
      let scene = try ProvingScene()
      let proof = try scene.requested()
      let shown = try JSON(parsing: proof.description(with: scene.session))
      let content = try ProvingScene.content()
      #expect(shown["thid"]?.string == proof.threadID && shown["name"] == content["name"])
      #expect(shown["display"] == ["comment": "please"])
      let found = try JSON(parsing: proof.matchingCredentials(asVersion3: false, with: scene.session))
      #expect(shown["attributes"] == found["attributes"] && shown["predicates"] == found["predicates"])
      #expect(shown["attributes"]?.object?.keys == content["requested_attributes"]?.object?.keys)
      let proposed = try DisclosedProof(sourceID: "p", proposing: #"{"attributes":[{"name":"age"}]}"#, comment: "x")
      #expect(throws: ExchangeError.notReady) { try proposed.description(with: scene.session) }
    }
  }
}
