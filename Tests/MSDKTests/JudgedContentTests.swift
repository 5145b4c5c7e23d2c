import Aries
import Credentials
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// Programs are shown the presentation that was judged, and no other.
  @Suite struct JudgedContentTests {
    private func codes(_ proof: RequestedProof) throws -> [String] {
      try (JSON(parsing: proof.explanation)["reasons"]?.array ?? []).compactMap { $0["code"]?.string }
    }

    /// Judges a message that has the honest presentation, and a second one that names Mallory.
    private func judged(
      version: String = "1.0", _ change: (_ message: inout JSON, _ honest: JSON, _ forged: JSON) -> Void
    ) throws -> RequestedProof {
      let scene = try VerifyingScene()
      try scene.issuing.restart(with: ["present_proof_version": .string(version)])
      var proof = try scene.sent()
      let request = try scene.request()
      let content = try scene.content(for: request.content)
      var other = content
      other["requested_proof"]?["revealed_attrs"]?["attribute_0"]?["raw"] = "Mallory, President"
      var message = VerifyingScene.presentation(content.text, to: request.message)
      change(&message, content, other)
      try scene.prover.send(message)
      try proof.update(with: scene.session)
      return proof
    }

    private func expectNothingShown(of proof: RequestedProof) throws {
      #expect(proof.state == 0 && proof.result == 2)
      #expect(try codes(proof) == ["ambiguous"])
      for each in [proof, try RequestedProof(serialized: proof.serialized())] {
        #expect(throws: CredentialsError.notVerified) { try each.content() }
        let message = try JSON(parsing: each.presentation(asVersion3: false))
        #expect(message["presentations~attach"] == [] && message["~attach"] == nil)
      }
    }

    @Test(arguments: ["1.0", "2.0"], [true, false])
    func aMessageWithTwoPresentationsIsRefused(version: String, forgedFirst: Bool) throws {
      let proof = try judged(version: version) { message, _, forged in
        let honest = message["presentations~attach"]?.array ?? []
        let other = [IssuingScene.attachment(forged.text, "other")]
        message["presentations~attach"] = .array(forgedFirst ? other + honest : honest + other)
      }
      try expectNothingShown(of: proof)
    }

    @Test func anIDThatTwoAttachmentsHaveIsRefused() throws {
      let proof = try judged(version: "2.0") { message, _, forged in
        let honest = message["presentations~attach"]?.array ?? []
        message["presentations~attach"] = .array([IssuingScene.attachment(forged.text, "indy")] + honest)
      }
      try expectNothingShown(of: proof)
    }

    @Test(arguments: ["~attach", "request~attach", "messages~attach", "attachments~attach"])
    func anAttachmentInAnotherMemberIsRefused(member: String) throws {
      let proof = try judged { message, _, forged in
        message[member] = [IssuingScene.attachment(forged.text, "other")]
      }
      try expectNothingShown(of: proof)
    }

    @Test func dataInTwoFormsIsRefused() throws {
      try expectNothingShown(
        of: judged { message, _, forged in
          var attachment = message["presentations~attach"]?.array?[0] ?? .null
          attachment["data"]?["json"] = forged
          message["presentations~attach"] = [attachment]
        })
      try expectNothingShown(
        of: judged { message, _, _ in
          var attachment = message["presentations~attach"]?.array?[0] ?? .null
          attachment["data"]?["links"] = ["http://127.0.0.1:1/other"]
          message["presentations~attach"] = [attachment]
        })
    }

    @Test(arguments: ["1.0", "2.0"]) func theContentOutlivesTheProcess(version: String) throws {
      let proof = try judged(version: version) { message, _, _ in message["comment"] = "Mallory, President" }
      #expect(proof.state == 4, "\(proof.explanation)")
      let content = try JSON(parsing: proof.content())
      #expect(content["revealed"]?["attribute_0"]?["values"] == ["name": "Alice Andersen"])
      #expect(content["self_attested"] == ["attribute_2": ["values": ["phone": "555"]]])
      let group = try #require(content["revealed"]?["attribute_1"])
      #expect(group["values"]?.object?.keys == ["degree", "Issue Date"])
      #expect(group["credential"]?["cred_def_id"] == .string(TestIssuer.definitionID))
      #expect(content["predicates"]?["predicate_0"]?["p_value"] == 18)
      #expect(try !proof.presentation(asVersion3: false).contains("Mallory"))
      let restored = try RequestedProof(serialized: proof.serialized())
      #expect(try restored.content() == proof.content())
      #expect(try restored.presentation(asVersion3: false) == proof.presentation(asVersion3: false))
    }

    /// A reader that takes the first of two equal names would see another value.
    @Test func aRepeatedNameIsGoneFromTheShownPresentation() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      let request = try scene.request()
      let text = try scene.content(for: request.content).text
        .replacing(#""raw":"Alice Andersen""#, with: #""raw":"Mallory","raw":"Alice Andersen""#)
      #expect(text.contains("Mallory"))
      try scene.prover.send(VerifyingScene.presentation(text, to: request.message))
      try proof.update(with: scene.session)
      let shown = try Attachment(firstOf: JSON(parsing: proof.presentation(asVersion3: false))).content
      #expect(!shown.contains("Mallory"))
      #expect(!((try? proof.content()) ?? "").contains("Mallory"))
    }

    /// An older version judged the first presentation of version 1.0, and stored the whole message.
    @Test func aStateOfAnOlderVersionShowsTheJudgedPresentation() throws {
      let proof = try judged { _, _, _ in }
      var state = try JSON(parsing: proof.serialized())
      let path = ["data", "verifier_sm", "state", "Finished", "presentation"]
      var message = try #require(path.reduce(state as JSON?) { $0?[$1] })
      let forged = IssuingScene.attachment(#"{"forged":true}"#, "other")
      message["presentations~attach"] = .array((message["presentations~attach"]?.array ?? []) + [forged])
      message["~attach"] = [forged]
      state["data"]?["verifier_sm"]?["state"]?["Finished"]?["presentation"] = message
      let restored = try RequestedProof(serialized: state.text)
      #expect(try restored.content() == proof.content())
      #expect(try restored.presentation(asVersion3: false) == proof.presentation(asVersion3: false))
    }

    @Test func thereIsNoContentBeforeAVerdict() throws {
      let scene = try VerifyingScene()
      let proof = try scene.sent()
      #expect(throws: ExchangeError.notReady) { try proof.content() }
    }

    @Test func aPresentationThatIsNotVerifiedHasNoContent() throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer { $0["requested_proof"]?["revealed_attrs"]?["attribute_0"]?["raw"] = "Mallory" }
      try proof.update(with: scene.session)
      #expect(throws: CredentialsError.notVerified) { try proof.content() }
      #expect(try codes(proof) == ["value"])
    }

    /// The folder of the registry can have no file of such a name.
    @Test(arguments: ["schema_id", "cred_def_id"]) func anIDThatIsTooLongIsAFaultOfTheProver(name: String) throws {
      let scene = try VerifyingScene()
      var proof = try scene.sent()
      try scene.answer { content in
        var identifiers = content["identifiers"]?.array ?? []
        identifiers[0][name] = .string(String(repeating: "x", count: 300))
        content["identifiers"] = .array(identifiers)
      }
      try proof.update(with: scene.session)
      #expect(proof.state == 0)
      #expect(try codes(proof) == ["unknown-object"])
    }
  }
}
