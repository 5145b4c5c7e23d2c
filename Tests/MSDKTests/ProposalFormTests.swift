import Aries
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// The version and the format of a proposal, which the configuration and the holder's credentials decide.
  @Suite struct ProposalFormTests {
    private func proposal(_ settings: [String: JSON]) throws -> JSON {
      let scene = try ProvingScene()
      try scene.issuing.restart(with: settings)
      var proof = try DisclosedProof(
        sourceID: "p", proposing: #"{"attributes":[{"name":"degree"}]}"#, comment: "my degree")
      try proof.propose(over: scene.connection, with: scene.session)
      #expect(proof.state == 2)
      return try scene.last()
    }

    @Test(arguments: [
      ("auto", "hlindy/proof-req@v2.0"), ("hlindy", "hlindy/proof-req@v2.0"),
      ("anoncreds", "anoncreds/proof-proposal@v1.0"),
    ])
    func aProposalIsInTheConfiguredFormat(setting: String, format: String) throws {
      let proposal = try proposal(["present_proof_version": "2.0", "anoncreds_format": .string(setting)])
      #expect(proposal["@type"] == "https://didcomm.org/present-proof/2.0/propose-presentation")
      #expect(proposal["formats"]?.array?.map { $0["format"] } == [.string(format)])
    }

    /// A verifier of such credentials has the newer format.
    @Test func aProposalIsInTheFormatInWhichTheCredentialCame() throws {
      let scene = try ProvingScene()
      let wallet = try scene.session.wallet
      let records = LibraryRecords(of: "msdk.credential", in: wallet)
      var facts = try JSON(parsing: #require(try records.find("offer-1")).value)
      facts["format"] = "anoncreds"
      try wallet.make([records.putting("offer-1", value: facts.text)])
      for (wanted, definition, format) in [
        ("auto", TestIssuer.definitionID, "anoncreds/proof-proposal@v1.0"), ("auto", "other", "hlindy/proof-req@v2.0"),
        ("hlindy", TestIssuer.definitionID, "hlindy/proof-req@v2.0"),
      ] {
        try scene.issuing.restart(with: ["present_proof_version": "2.0", "anoncreds_format": .string(wanted)])
        let preview: JSON = ["attributes": [["name": "degree", "cred_def_id": .string(definition)]]]
        var proof = try DisclosedProof(sourceID: "p", proposing: preview.text, comment: "my degree")
        try proof.propose(over: scene.connection, with: scene.session)
        #expect(try scene.last()["formats"]?.array?.map { $0["format"] } == [.string(format)])
      }
    }

    /// A proposal names the format that its verifier can read.
    @Test func theFormatOfACredentialIsNoted() throws {
      let scene = try IssuingScene()
      let connection = try scene.world.completed()
      var offer = try scene.offerText()
      offer["formats"] = [["attach_id": "indy", "format": "anoncreds/credential-offer@v1.0"]]
      var credential = try Credential(sourceID: "degree", offer: offer.text)
      try credential.sendRequest(over: connection, with: scene.session)
      let content = try scene.issuer.credential(
        answering: Attachment(firstOf: scene.last()).content, to: Attachment(firstOf: offer).content)
      var message = IssuingScene.credential(content)
      message["formats"] = [["attach_id": "indy", "format": "anoncreds/credential@v1.0"]]
      try scene.world.inviter.send(message)
      try credential.update(with: scene.session)
      #expect(credential.state == 4)
      let records = LibraryRecords(of: "msdk.credential", in: try scene.session.wallet)
      #expect(try JSON(parsing: #require(try records.find("offer-1")).value)["format"] == "anoncreds")
    }

    @Test func aPeerIsSpokenToInTheVersionThatItHasDisclosed() throws {
      let scene = try VerifyingScene()
      var connection = try scene.issuing.world.completed()
      for version in ["1.0", "2.0"] {
        guard case .completed(var facts) = connection.machine else { return }
        facts.protocols = JSONText([["pid": .string("https://didcomm.org/present-proof/\(version)")]])
        connection.machine = .completed(facts)
        var requested = try scene.created()
        try requested.send(over: connection, with: scene.session)
        #expect(try scene.last()["@type"]?.string?.contains("present-proof/\(version)/request") == true)
        var proposed = try DisclosedProof(
          sourceID: "p", proposing: #"{"attributes":[{"name":"degree"}]}"#, comment: "x")
        try proposed.propose(over: connection, with: scene.session)
        #expect(try scene.last()["@type"]?.string?.contains("present-proof/\(version)/propose") == true)
      }
    }

    @Test func withoutAConfigurationTheConnectionDecides() throws {
      for (setting, version) in [("auto", "1.0"), ("1.0", "1.0"), ("2.0", "2.0")] as [(JSON, String)] {
        let type = try proposal(["present_proof_version": setting])["@type"]
        #expect(type == .string("https://didcomm.org/present-proof/\(version)/propose-presentation"))
      }
    }
  }
}
