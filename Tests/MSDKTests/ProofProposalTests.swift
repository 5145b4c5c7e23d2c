import Aries
import Credentials
import DIDComm
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// A verifier that a prover has sent a proposal.
  @Suite(.eachCloudAgent) struct ProofProposalTests {
    @Test(arguments: [1, 2]) func aProposalIsRequestedAndProved(major: Int) throws {
      let scene = try VerifyingScene()
      let preview = PresentationPreview(
        attributes: [.init(name: "name", definitionID: TestIssuer.definitionID)],
        predicates: [])
      let proposal = PresentProofMessage(
        proposing: preview, comment: "my name", id: "proposal-1", thread: nil, in: Dialect(ProofStep.family, major),
        .indy)
      var proof = try RequestedProof(sourceID: "p", proposal: proposal.json.text)
      #expect(proof.state == 3)
      #expect(try JSON(parsing: proof.proposal()).object?.isEmpty == false)
      try proof.send(over: scene.issuing.world.completed(), with: scene.session)
      #expect(proof.state == 2)
      let request = try scene.request()
      #expect(request.message["~thread"]?["thid"] == "proposal-1")
      #expect(request.content["requested_attributes"]?["attribute_0"]?["name"] == "name")
      try scene.answer()
      try proof.update(with: scene.session)
      #expect(proof.state == 4, "\(proof.explanation)")
      #expect(throws: ExchangeError.notReady) { try proof.proposal() }
    }

    /// A process that ended before it stored the step sends the same request again, with the same nonce.
    @Test func aRepeatedRequestIsTheSame() throws {
      let scene = try VerifyingScene()
      let proposal = Self.proposal(#"{"requested_attributes":{"x":{"name":"name"}}}"#).text
      func asked(_ proof: RequestedProof) throws -> JSON {
        var proof = proof
        try proof.send(over: scene.issuing.world.completed(), with: scene.session)
        return try scene.request().message
      }
      var kept = try RequestedProof(sourceID: "p", proposal: proposal)
      _ = kept.keeping.begin()
      let message = try asked(kept)
      #expect(try asked(kept) == message)
      var other = try RequestedProof(sourceID: "p", proposal: proposal)
      _ = other.keeping.begin()
      let copy = try RequestedProof(serialized: kept.serialized())
      for different in [try asked(other), try asked(copy), try asked(copy)] {
        #expect(different["@id"] != message["@id"])
        #expect(different["request_presentations~attach"] != message["request_presentations~attach"])
      }
    }

    /// A prover could otherwise show what another prover of the same text has shown.
    @Test func eachRequestOfOneTextHasANonceOfItsOwn() throws {
      let scene = try VerifyingScene()
      let connection = try scene.issuing.world.completed()
      let text = try RequestedProof(
        sourceID: "p", attributes: #"[{"name":"name"}]"#, predicates: "[]", interval: "{}", name: "n"
      ).serialized()
      func sent(_ proof: RequestedProof) throws -> String? {
        var proof = proof
        try proof.send(over: connection, with: scene.session)
        return try scene.request().content["nonce"]?.string
      }
      var nonces = try (0..<3).map { _ in try sent(RequestedProof(serialized: text)) }
      for _ in 0..<2 {
        var proof = try RequestedProof(serialized: text)
        let message = try PresentProofMessage(.request, JSON(parsing: proof.requestMessage(with: scene.session)))
        nonces.append(try message.content().json()["nonce"]?.string)
        // A kept object sends the same request again.
        var kept = try RequestedProof(serialized: text)
        _ = kept.keeping.begin()
        nonces.append(try sent(kept))
        #expect(try sent(kept) == nonces.last)
      }
      #expect(Set(nonces.compactMap(\.self)).count == 7)
    }

    @Test func anotherPresentationThanTheProposedOneMayBeRequested() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      let thread = try scene.request().message["@id"]?.string ?? ""
      let preview = PresentationPreview(attributes: [.init(name: "degree")])
      try scene.prover.send(
        PresentProofMessage(
          proposing: preview, comment: nil, id: "proposal-1", thread: Aries.Thread(thid: thread),
          in: Dialect(ProofStep.family, 1), .indy
        ).json)
      try proof.update(with: scene.session)
      #expect(proof.state == 3)
      try proof.request(
        attributes: #"[{"name":"degree"}]"#, predicates: "[]", interval: "{}", name: "Only the degree",
        over: scene.issuing.world.completed(), with: scene.session)
      #expect(proof.state == 2)
      try scene.answer()
      try proof.update(with: scene.session)
      #expect(proof.state == 4)
    }

    @Test func aProposalOfNothingCannotBeRequested() throws {
      let scene = try VerifyingScene()
      let message: JSON = [
        "@type": "https://didcomm.org/present-proof/2.0/propose-presentation", "@id": "p",
        "formats": [["attach_id": "a", "format": "hlindy/proof-req@v2.0"]],
        "proposals~attach": [IssuingScene.attachment(#"{"name":"x"}"#, "a")],
      ]
      var proof = try RequestedProof(sourceID: "p", proposal: message.text)
      #expect(throws: CredentialsError.self) {
        try proof.send(over: scene.issuing.world.completed(), with: scene.session)
      }
      #expect(proof.state == 3)
    }

    private static func proposal(_ requests: String...) -> JSON {
      [
        "@type": "https://didcomm.org/present-proof/2.0/propose-presentation", "@id": "p",
        "formats": [["attach_id": "0", "format": "hlindy/proof-req@v2.0"]],
        "proposals~attach": .array(
          requests.enumerated().map { index, text in IssuingScene.attachment(text, String(index)) }),
      ]
    }

    @Test func aProposalOfSeveralRequestsIsRefused() throws {
      let (one, other) = (
        #"{"requested_attributes":{"x":{"name":"a"}}}"#, #"{"requested_attributes":{"x":{"name":"b"}}}"#
      )
      #expect(throws: MessageError.ambiguous) {
        try RequestedProof(sourceID: "p", proposal: Self.proposal(one, other).text)
      }
    }

    @Test func aProposalIsShownAsItWouldBeRequested() throws {
      let repeated = #"{"name":"age","p_type":">=","p_value":18,"p_value":5}"#
      let text = #"{"name":"x","requested_predicates":{"x":\#(repeated)}}"#
      let proof = try RequestedProof(sourceID: "p", proposal: Self.proposal(text).text)
      let shown = try proof.proposal()
      #expect(shown.split(separator: "p_value").count == 2)
      #expect(try JSON(parsing: shown) == JSON(parsing: text))
    }
  }
}
