import Aries
import Credentials
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// A prover that answers a request without a connection. The verifier's answer comes in the response, or not at all.
  @Suite struct ConnectionlessProofTests {
    @Test(.eachCloudAgent, arguments: [nil, "OK", "FAIL"], [false, true])
    func withoutAConnectionTheAnswerComesAtOnceOrNever(status: String?, isOverInvitation: Bool) throws {
      let scene = try ProvingScene()
      let ack = status.map { status -> JSON in
        [
          "@type": "https://didcomm.org/present-proof/2.0/ack", "@id": "a", "status": .string(status),
          "~thread": ["thid": "request-1"],
        ]
      }
      let verifier = try ConnectionlessVerifier(answering: ack)
      defer { verifier.server.stop() }
      var proof = try DisclosedProof(sourceID: "p", request: verifier.request().text)
      try proof.prepare(
        showing: scene.firstChoice(for: proof), selfAttested: #"{"attribute_1":"123"}"#, with: scene.session)
      try proof.send(over: isOverInvitation ? verifier.invited() : nil, with: scene.session)
      #expect(proof.state == (status == "FAIL" ? 0 : 4))
      #expect(verifier.received.count == 1)
      #expect(verifier.received.last?["~transport"]?["return_route"] == "all")
    }

    @Test(.eachCloudAgent) func withoutAConnectionARequestIsDeclined() throws {
      let scene = try ProvingScene()
      let verifier = try ConnectionlessVerifier(answering: nil)
      defer { verifier.server.stop() }
      var proof = try DisclosedProof(sourceID: "p", request: verifier.request().text)
      try proof.decline(because: nil, over: nil, with: scene.session)
      #expect(proof.state == 9)
      #expect(verifier.received.last?["description"]?["code"] == "rejection")
      var other = try scene.prepared()
      #expect(throws: ExchangeError.noService) { try other.send(over: nil, with: scene.session) }
    }

    @Test(.eachCloudAgent) func aProposalNeedsAMailbox() throws {
      let scene = try ProvingScene()
      let verifier = try ConnectionlessVerifier(answering: nil)
      defer { verifier.server.stop() }
      var proof = try DisclosedProof(sourceID: "p", proposing: #"{"attributes":[{"name":"degree"}]}"#, comment: "x")
      #expect(throws: ConnectionError.noMailbox) { try proof.propose(over: verifier.invited(), with: scene.session) }
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
  }
}
