import Aries
import Credentials
import DIDComm
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// Requests that are attached to an out-of-band invitation. A real engine verifies their proofs.
  @Suite(.eachCloudAgent) struct InvitedProofTests {
    @Test func aRequestTravelsInAnInvitation() throws {
      let scene = try VerifyingScene()
      var proof = try scene.created()
      let message = try proof.requestMessage(with: scene.session)
      #expect(try proof.requestMessage(with: scene.session) == message)
      var connection = Connection(
        sourceID: "anybody",
        inviting: .outOfBand(
          try OutOfBandPlan(goalCode: nil, goal: nil, handshake: false, request: JSON(parsing: message))))
      #expect(throws: ConnectionError.self) { try proof.bind(to: connection) }
      try connection.connect(ConnectionOptions(parsing: nil), with: scene.session)
      try proof.bind(to: connection)
      #expect(proof.state == 1)
      #expect(try JSON(parsing: proof.requestMessage(with: scene.session))["~service"] != nil)
      // The prover answers the invitation, and names its own service.
      let invitation = try #require(connection.invitation?.json.value)
      let request = try JSON(parsing: Attachment(firstOf: invitation).content)
      #expect(request["~thread"]?["pthid"] == invitation["@id"])
      let content = try scene.content(for: JSON(parsing: Attachment(firstOf: request).content))
      try scene.post(VerifyingScene.presentation(content.text, to: request), answering: connection)
      var restored = try RequestedProof(serialized: proof.serialized())
      try restored.update(with: scene.session)
      #expect(restored.state == 4, "\(restored.explanation)")
      #expect(try scene.last()["@type"]?.string?.hasSuffix("/ack") == true)
    }

    @Test func aProposalToAnInvitationIsAnsweredAtTheServiceOfTheProver() throws {
      let scene = try VerifyingScene()
      var proof = try scene.created()
      let message = try JSON(parsing: proof.requestMessage(with: scene.session))
      let plan = try OutOfBandPlan(goalCode: nil, goal: nil, handshake: false, request: message)
      var connection = Connection(sourceID: "anybody", inviting: .outOfBand(plan))
      try connection.connect(ConnectionOptions(parsing: nil), with: scene.session)
      try proof.bind(to: connection)
      let proposal = PresentProofMessage(
        proposing: PresentationPreview(attributes: [.init(name: "degree")]), comment: nil, id: "proposal-1",
        thread: Aries.Thread(thid: message["@id"]?.string ?? ""), in: Dialect(ProofStep.family, 1), .indy)
      try scene.post(proposal.json, answering: connection)
      try proof.update(with: scene.session)
      #expect(proof.state == 3)
      try proof.send(over: connection, with: scene.session)
      #expect(proof.state == 2)
      let request = try scene.request()
      #expect(request.message["~thread"]?["thid"] == message["@id"])
      #expect(request.content["requested_attributes"]?["attribute_0"]?["name"] == "degree")
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
  }
}
