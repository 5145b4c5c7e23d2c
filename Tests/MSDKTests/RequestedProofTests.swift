import AnonCreds
import Aries
import Credentials
import Foundation
import DIDComm
import JSON
import Registry
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// A verifier with a real agency and a real engine, and a prover that does what the test tells it.
  @Suite(.eachCloudAgent) struct RequestedProofTests {
    private func codes(_ proof: RequestedProof) throws -> [String] {
      try (JSON(parsing: proof.explanation)["reasons"]?.array ?? []).compactMap { $0["code"]?.string }
    }

    // MARK: The whole way

    @Test(arguments: ["1.0", "2.0"]) func aPresentationIsVerifiedAndAcknowledged(version: String) throws {
      let scene = try VerifyingScene()
      try scene.issuing.restart(with: ["present_proof_version": .string(version)])
      var proof = try scene.created()
      #expect(proof.state == 1 && proof.result == 0)
      try proof.send(over: scene.issuing.world.completed(), with: scene.session)
      #expect(proof.state == 2)
      let request = try scene.request().message
      #expect(request["@type"]?.string == "https://didcomm.org/present-proof/\(version)/request-presentation")
      let message = try scene.answer()
      try proof.update(with: scene.session)
      #expect(proof.state == 4 && proof.result == 1, "\(proof.explanation)")
      #expect(try scene.last()["@type"]?.string == "https://didcomm.org/present-proof/\(version)/ack")
      #expect(try JSON(parsing: proof.presentation(asVersion3: false)) == message)
      let older = try JSON(parsing: proof.presentation(asVersion3: true))
      #expect(try JSON(parsing: older["libindy_proof"]?.string ?? "")["requested_proof"] != nil)
      let explained = try JSON(parsing: proof.explanation)
      #expect(explained["verified"] == true && explained["reasons"] == [])
      #expect(explained["warnings"]?.array?.first?["code"] == "self-attested")
      #expect(explained["warnings"]?.array?.first?["text"] == .string(Verdict.Warning.selfAttested.text))
      #expect(explained["warnings"]?.array?.first?["referent"] == "attribute_2")
    }

    @Test(arguments: [("hlindy", "hlindy/proof-req@v2.0"), ("anoncreds", "anoncreds/proof-request@v1.0")])
    func aRequestIsInTheConfiguredFormat(setting: String, format: String) throws {
      let scene = try VerifyingScene()
      try scene.issuing.restart(with: ["present_proof_version": "2.0", "anoncreds_format": .string(setting)])
      var proof = try scene.created()
      let request = try JSON(parsing: proof.requestMessage(with: scene.session))
      #expect(request["formats"]?.array?.first?["format"] == .string(format))
    }

    /// A process may end after it has sent the request of a kept object, and before it has kept that. A text may be sent
    /// several times.
    @Test func aRepeatedStepOfAKeptObjectSendsTheSameRequest() throws {
      let scene = try VerifyingScene()
      try scene.issuing.restart(with: ["keep_objects": true])
      let connection = try scene.issuing.world.completed()
      func idOfRequest(sending proof: RequestedProof) throws -> String? {
        var proof = proof
        try proof.send(over: connection, with: scene.session)
        return try scene.request().message["@id"]?.string
      }
      var created = try scene.created()
      try created.keep(with: scene.session)
      let id = try #require(created.keeping.id)
      let restored = try RequestedProof(kept: scene.session.keptObjects.find(id))
      let copies = try (0..<2).map { _ in try RequestedProof(serialized: created.serialized()) }
      let ids = try [created, restored, copies[0], copies[1]].map(idOfRequest)
      #expect(ids[0] == ids[1])
      #expect(Set(ids).count == 3)
    }

    @Test func aPresentationThatClaimsAnotherValueIsReportedToTheProver() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer { $0["requested_proof"]?["revealed_attrs"]?["attribute_0"]?["raw"] = "Mallory" }
      try proof.update(with: scene.session)
      #expect(proof.state == 0 && proof.result == 2)
      #expect(try codes(proof) == ["value"])
      let report = try scene.last()
      #expect(report["description"]?["code"] == "invalid-presentation")
      #expect(report["comment"]?.string?.contains("Mallory") == false)
      #expect(try JSON(parsing: proof.problemReport) == report)
      #expect(try proof.presentation(asVersion3: false).contains("presentations~attach"))
    }

    @Test func aBrokenAttachmentIsNotVerified() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      var message = try VerifyingScene.presentation("{}", to: scene.request().message)
      message["presentations~attach"] = []
      try scene.prover.send(message)
      try proof.update(with: scene.session)
      #expect(proof.state == 0)
      #expect(try codes(proof) == ["malformed"])
    }

    @Test func thePresentationForOneRequestDoesNotServeAnother() throws {
      let scene = try VerifyingScene()
      var first = try scene.sent()
      let content = try scene.content(for: scene.request().content)
      var second = try scene.sent()
      try scene.prover.send(
        VerifyingScene.presentation(content.text, to: scene.request().message))
      try second.update(with: scene.session)
      #expect(second.state == 0)
      #expect(try codes(second) == ["proof"])
      #expect(first.state == 2)
      try first.update(with: scene.session)
      #expect(first.state == 2)
    }

    @Test func aPresentationThatTheProgramDownloadedIsJudged() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try proof.receive(scene.answer().text, with: scene.session)
      #expect(proof.state == 4 && proof.result == 1)
    }

    @Test func presentationsAreTakenFromTheirProverOnly() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      let presentation = try scene.answer(from: KeyPair())
      _ = try scene.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil)
      #expect(throws: ProtocolError.notFromPeer) { try proof.receive(presentation.text, with: scene.session) }
      #expect(proof.state == 2)
      try scene.prover.send(presentation)
      try proof.receive(presentation.text, with: scene.session)
      #expect(proof.state == 4)
    }

    @Test func oneRequestIsAnsweredOnce() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      let message = try scene.answer()
      try proof.update(with: scene.session)
      let judged = proof.serialized()
      try proof.receive(message.text, with: scene.session)
      var other = message
      other["@id"] = "presentation-2"
      try proof.receive(other.text, with: scene.session)
      #expect(proof.serialized() == judged)
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

    @Test func strangersAreNotHeard() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer(from: KeyPair())
      try proof.update(with: scene.session)
      #expect(proof.state == 2)
      try scene.answer()
      try proof.update(with: scene.session)
      #expect(proof.state == 4)
    }

    @Test func theProverMayDecline() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      let thread = try scene.request().message["@id"] ?? ""
      try scene.prover.send([
        "@type": "https://didcomm.org/present-proof/1.0/problem-report", "@id": "report", "~thread": ["thid": thread],
        "description": ["code": "rejection", "en": "no"],
      ])
      try proof.update(with: scene.session)
      #expect(proof.state == 9 && proof.result == 3)
      #expect(try JSON(parsing: proof.problemReport)["@id"] == "report")
      #expect(throws: ExchangeError.ended) { try proof.presentation(asVersion3: false) }
    }

    // MARK: Faults of this side

    @Test func aRegistryThatIsDownIsNoFaultOfTheProver() throws {
      let scene = try VerifyingScene()
      try scene.issuing.restart(with: ["anoncreds_registries": nil])
      var proof = try scene.sent()
      try scene.answer()
      #expect { try proof.update(with: scene.session) } throws: { $0 is RegistryFailure }
      #expect(proof.state == 2)
      try scene.issuing.restart()
      try proof.update(with: scene.session)
      #expect(proof.state == 4)
    }

    @Test func anObjectThatNobodyPublishedIsAFaultOfTheProver() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer { content in
        var identifiers = content["identifiers"]?.array ?? []
        identifiers[0]["schema_id"] = "V4SGRU86Z58d6TV7PBUe6f:2:unknown:1.0"
        content["identifiers"] = .array(identifiers)
      }
      try proof.update(with: scene.session)
      #expect(proof.state == 0)
      #expect(try codes(proof) == ["unknown-object"])
    }

    @Test(arguments: ["", "[]", #"{"type":"CL"}"#])
    func anObjectThatNobodyCanUseIsAFaultOfTheProver(text: String) throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      let id = "V4SGRU86Z58d6TV7PBUe6f:3:CL:99:wrong"
      let file = "\(scene.issuing.registry.path)/cred_def/\(id.split(separator: ":").joined(separator: "%3A")).json"
      try Data(text.utf8).write(to: URL(filePath: file))
      try scene.answer { content in
        var identifiers = content["identifiers"]?.array ?? []
        identifiers[0]["cred_def_id"] = .string(id)
        content["identifiers"] = .array(identifiers)
      }
      try proof.update(with: scene.session)
      #expect(proof.state == 0)
      #expect(try codes(proof) == ["unusable-object"])
    }

    @Test func anIDThatNoConfiguredRegistryCouldHaveIsAFaultOfTheProver() throws {
      let scene = try VerifyingScene()
      try scene.issuing.restart(with: [
        "anoncreds_registries": [["type": "http", "url": "http://127.0.0.1:1", "match": "^V4SGRU86Z58d6TV7PBUe6f:"]]
      ])
      var proof = try scene.sent()
      try scene.answer { content in
        var identifiers = content["identifiers"]?.array ?? []
        identifiers[0]["cred_def_id"] = "did:web:example.com/definition"
        content["identifiers"] = .array(identifiers)
      }
      try proof.update(with: scene.session)
      #expect(proof.state == 0)
      #expect(try codes(proof) == ["unknown-object"])
    }

    /// Older libraries kept definitions that name their schema by its number.
    @Test func aDefinitionThatAnOlderLibraryKeptIsFetchedAnew() throws {
      let scene = try VerifyingScene()
      var definition = try JSON(parsing: TestIssuer.text("cred_def"))
      definition["schemaId"] = "12"
      let wallet = try scene.session.wallet
      let records = LibraryRecords(of: "cred_def_cache", in: wallet)
      try wallet.make([records.putting(TestIssuer.definitionID, value: definition.text)])
      var proof = try scene.sent()
      try scene.answer()
      try proof.update(with: scene.session)
      #expect(proof.state == 4, "\(proof.explanation)")
    }

    @Test func aMissingEngineIsNoFaultOfTheProver() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer()
      try scene.issuing.restart(engine: "/nowhere/libanoncreds.so")
      #expect { try proof.update(with: scene.session) } throws: { $0 is AnonCredsError }
      #expect(proof.state == 2)
      try scene.issuing.restart()
      try proof.update(with: scene.session)
      #expect(proof.state == 4)
    }

    @Test func aProverThatCannotBeReachedIsJudgedAllTheSame() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer()
      scene.prover.answer(500)
      try proof.update(with: scene.session)
      #expect(proof.state == 4)
    }

    @Test func aProofGoesOnInAnotherProcess() throws {
      let scene = try VerifyingScene()
      let text = try scene.sent().serialized()
      try scene.answer()
      try scene.issuing.restart()
      var restored = try RequestedProof(serialized: text)
      try restored.update(with: scene.session)
      #expect(restored.state == 4)
      // A process that ended before it stored the result finds the presentation again.
      var again = try RequestedProof(serialized: text)
      try again.update(with: scene.session)
      #expect(again.state == 4)
      #expect(try RequestedProof(serialized: again.serialized()).explanation == again.explanation)
    }

    @Test func aMessageBeforeTheRequestIsOutOfTurn() throws {
      let scene = try VerifyingScene()
      var proof = try scene.created()
      #expect(throws: ProtocolError.outOfTurn) {
        try proof.receive(#"{"@type":"https://didcomm.org/x/1.0/y","@id":"1"}"#, with: scene.session)
      }
    }
  }
}
