import JSON
import Testing

@testable import Credentials

/// The content of verified presentations, as programs show it.
@Suite struct ProofContentTests {
  private let scene: VerificationScene

  init() throws { scene = try VerificationScene() }

  private func content(_ base: String, _ alter: (inout JSON) -> Void = { _ in }) throws(CredentialsError) -> JSON {
    var presentation = scene.presentation(base)
    alter(&presentation)
    return try ProofContent(of: presentation.text, answering: scene.request(base).text).json
  }

  private func credential(registry: String? = nil, timestamp: Int64? = nil) -> JSON {
    [
      "schema_id": .string(VerificationScene.schemaID), "cred_def_id": .string(VerificationScene.definitionID),
      "rev_reg_id": JSON(registry), "timestamp": timestamp.map(JSON.integer) ?? .null,
    ]
  }

  @Test func aValueAndAPredicateHaveTheirCredential() throws {
    let expected: JSON = [
      "revealed": ["a": ["values": ["name": "Alice"], "credential": credential()]], "self_attested": [:],
      "unrevealed": [:],
      "predicates": ["p": ["name": "age", "p_type": ">=", "p_value": 18, "credential": credential()]],
    ]
    #expect(try content("plain") == expected)
  }

  @Test func aGroupHasItsValuesByName() throws {
    #expect(
      try content("group")["revealed"]
        == ["g": ["values": ["name": "Alice", "age": "28"], "credential": credential()]])
  }

  @Test func aSelfAttestedValueHasNoCredential() throws {
    #expect(try content("self_attested")["self_attested"] == ["a": ["values": ["nick": "Al"]]])
    #expect(try content("self_attested")["revealed"] == [:])
  }

  @Test func aWithheldValueIsNamed() throws {
    #expect(try content("unrevealed")["unrevealed"] == ["a": ["names": ["name"], "credential": credential()]])
  }

  @Test func aRegistryIsGivenOnlyWithTheTimeOfItsProof() throws {
    let proved = credential(registry: VerificationScene.registryID, timestamp: 1_700_001_000)
    #expect(try content("non_revoked")["revealed"]?["a"]?["credential"] == proved)
    #expect(try content("plain")["revealed"]?["a"]?["credential"]?["rev_reg_id"] == .null)
  }

  @Test(arguments: ["/requested_proof/revealed_attrs/a", "/identifiers", "/proof"])
  func aPresentationThatDoesNotAnswerHasNoContent(path: String) {
    #expect(throws: CredentialsError.notVerified) { try content("plain") { $0.set(path, to: nil) } }
  }

  @Test func namesAreSpelledAsTheRequestSpellsThem() throws {
    var request = scene.request("plain")
    request.set("/requested_attributes/a/name", to: "N ame")
    let content = try ProofContent(of: scene.presentation("plain").text, answering: request.text).json
    #expect(content["revealed"]?["a"]?["values"] == ["N ame": "Alice"])
  }
}
