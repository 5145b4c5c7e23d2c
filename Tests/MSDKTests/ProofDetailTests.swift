import Aries
import Credentials
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// Attempts of a proof that follow each other, and answers that come in a response.
  @Suite(.serialized) struct ProofDetailTests {
    /// Programs read the cause of a failed attempt from the proof.
    @Test func aLaterAttemptForgetsTheErrorOfTheFirst() throws {
      let scene = try ProvingScene()
      var proof = try scene.requested()
      try proof.prepare(showing: "not JSON", selfAttested: "{}", with: scene.session)
      #expect(proof.preparationError is CredentialsError)
      try proof.prepare(
        showing: scene.firstChoice(for: proof), selfAttested: #"{"attribute_1":"123"}"#, with: scene.session)
      #expect(proof.preparationError == nil && proof.problemReport == "null")
    }

    /// The verifier has the presentation, and its next words on another thread do not matter.
    @Test(arguments: [
      #"{"@type":"https://didcomm.org/present-proof/2.0/ack","@id":"a","status":"OK","~thread":{"thid":"other"}}"#,
      #"{"@type":"https://didcomm.org/basicmessage/1.0/message","@id":"b","content":"thanks"}"#,
      #"{"no":"message"}"#,
    ])
    func aResponseWithAnotherMessageIsNoAnswer(answer: String) throws {
      let scene = try ProvingScene()
      let verifier = try ConnectionlessVerifier(answering: JSON(parsing: answer))
      defer { verifier.server.stop() }
      var proof = try DisclosedProof(sourceID: "p", request: verifier.request().text)
      try proof.prepare(
        showing: scene.firstChoice(for: proof), selfAttested: #"{"attribute_1":"123"}"#, with: scene.session)
      try proof.send(over: nil, with: scene.session)
      #expect(proof.state == 4 && verifier.received.count == 1)
    }

    /// Without a connection, the verifier's new request comes in the response or never.
    @Test func aRequestInTheResponseToAProposalIsApplied() throws {
      let scene = try ProvingScene()
      var request = ProvingScene.request(try ProvingScene.content(), id: "request-2")
      request["~thread"] = ["thid": "request-1"]
      let verifier = try ConnectionlessVerifier(answering: request)
      defer { verifier.server.stop() }
      request["~service"] = try verifier.request()["~service"]
      var proof = try DisclosedProof(sourceID: "p", request: verifier.request().text)
      try proof.decline(proposing: #"{"attributes":[{"name":"degree"}]}"#, over: nil, with: scene.session)
      #expect(verifier.received.last?["@type"]?.string?.hasSuffix("/propose-presentation") == true)
      #expect(proof.state == 3 && proof.machine.request?.id == "request-2")
    }

    @Test func nobodyIsProposedToOverAnOwnInvitation() throws {
      let scene = try ProvingScene()
      var connection = try Connection(
        sourceID: "anybody", goalCode: nil, goal: nil, handshake: false,
        attaching: ProvingScene.request(ProvingScene.content()).text)
      try connection.connect(ConnectionOptions(parsing: nil), with: scene.session)
      var proof = try DisclosedProof(sourceID: "p", proposing: #"{"attributes":[{"name":"degree"}]}"#, comment: "x")
      #expect(throws: ConnectionError.noMailbox) { try proof.propose(over: connection, with: scene.session) }
      #expect(proof.state == 1)
    }

    /// The answer to the request needs a mailbox.
    @Test func aProofIsNotBoundToAConnectionWithoutAMailbox() throws {
      let scene = try VerifyingScene()
      let verifier = try ConnectionlessVerifier(answering: nil)
      defer { verifier.server.stop() }
      var proof = try scene.created()
      _ = try proof.requestMessage(with: scene.session)
      let invited = try verifier.invited()
      #expect(throws: ConnectionError.noMailbox) { try proof.bind(to: invited) }
      #expect(proof.route == nil)
    }

    /// Another library, or a later version of this one, may have stored the proof.
    @Test func anUnknownReasonIsToldByItsCode() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer { $0["requested_proof"]?["revealed_attrs"]?["attribute_0"]?["raw"] = "Mallory" }
      try proof.update(with: scene.session)
      let reason = try #require(JSON(parsing: proof.explanation)["reasons"]?.array?.first?["code"]?.string)
      let stored = proof.serialized().replacing("\"\(reason)\"", with: "\"future-reason\"")
      let explained = try JSON(parsing: RequestedProof(serialized: stored).explanation)
      let first = explained["reasons"]?.array?.first
      #expect(first?["code"] == "future-reason" && first?["text"] == "future-reason")
    }

    @Test func theFailedCheckOfAProofIsNamed() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer { content in
        var proofs = content["proof"]?["proofs"]?.array ?? []
        proofs[0]["primary_proof"]?["eq_proof"]?["m1"] = "1"
        content["proof"]?["proofs"] = .array(proofs)
      }
      try proof.update(with: scene.session)
      #expect(proof.state == 0)
      for judged in [proof, try RequestedProof(serialized: proof.serialized())] {
        let reason = try #require(JSON(parsing: judged.explanation)["reasons"]?.array?.first)
        #expect(reason["code"] == "proof" && reason["check"] == "N2" && reason["referent"] == .null)
        #expect(reason["text"]?.string?.contains("member") == true)
      }
    }

    /// A request over a connection that has sent one already would leave the prover with two.
    @Test func aRequestIsSentOnce() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      let (before, sent) = (proof.serialized(), try scene.prover.received().count)
      try proof.send(over: scene.issuing.world.completed(), with: scene.session)
      let requests = try scene.prover.received().dropFirst(sent).filter {
        $0.json["@type"]?.string?.contains("present-proof") == true
      }
      #expect(requests.isEmpty && proof.serialized() == before)
    }
  }
}
