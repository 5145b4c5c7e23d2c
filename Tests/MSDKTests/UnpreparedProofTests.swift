import AnonCreds
import Credentials
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// Proofs that could not be prepared, and presentations that did not arrive.
  @Suite struct UnpreparedProofTests {
    @Test(arguments: [
      ("not JSON", "{}"), (#"{"attrs":{"nothing":{"credential":{"cred_info":{"referent":"offer-1"}}}}}"#, "{}"),
      (#"{"attrs":{"attribute_0":{"credential":{"cred_info":{"referent":"unknown"}}}}}"#, "{}"),
      ("{}", "[]"), ("{}", #"{"attribute_0":"Mallory"}"#),
    ])
    func sendThrowsTheErrorOfThePreparation(selected: String, selfAttested: String) throws {
      let scene = try ProvingScene()
      var proof = try scene.requested()
      try proof.prepare(showing: selected, selfAttested: selfAttested, with: scene.session)
      #expect(proof.state == 3)
      #expect(proof.problemReport != "null")
      var restored = try DisclosedProof(serialized: proof.serialized())
      #expect(throws: CredentialsError.self) { try proof.send(over: scene.connection, with: scene.session) }
      #expect(try scene.last()["description"]?["code"] == "invalid-request")
      #expect(throws: CredentialsError.self) { try restored.send(over: scene.connection, with: scene.session) }
      try proof.prepare(
        showing: scene.firstChoice(for: proof), selfAttested: #"{"attribute_1":"123"}"#, with: scene.session)
      try proof.send(over: scene.connection, with: scene.session)
      #expect(try scene.isVerified(ProvingScene.content()))
    }

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

    @Test func aFaultOnThisSideIsNotToldToTheVerifier() throws {
      let scene = try ProvingScene()
      var proof = try scene.requested()
      let selected = try scene.firstChoice(for: proof)
      let before = try scene.last()
      try scene.issuing.restart(engine: "/nowhere/libanoncreds.so")
      try proof.prepare(showing: selected, selfAttested: "{}", with: scene.session)
      var restored = try DisclosedProof(serialized: proof.serialized())
      for _ in 0..<2 {
        #expect {
          try proof.send(over: scene.connection, with: scene.session)
        } throws: { "\($0)".contains("AnonCreds engine not available") }
        #expect(throws: PresentationFailed.self) { try restored.send(over: scene.connection, with: scene.session) }
      }
      #expect(try scene.last() == before)
    }

    /// The caller learns why there is no presentation, and not that the verifier was not told.
    @Test func aVerifierThatIsAwayHidesNoErrorOfThePreparation() throws {
      let scene = try ProvingScene()
      var proof = try scene.requested()
      try proof.prepare(showing: "not JSON", selfAttested: "{}", with: scene.session)
      scene.verifier.answer(500)
      #expect(throws: CredentialsError.self) { try proof.send(over: scene.connection, with: scene.session) }
    }

    /// Such a fault does not pass: the verifier is told, also by a process that has restored the proof.
    @Test func onlyPassingFaultsAreOfThisSide() {
      let lasting: [any Error] = [
        CredentialsError.revoked, CredentialsError.unsupportedRestriction("$like"),
        PresentationFailed(reason: "x", isLocal: false), AnonCredsError.failed(.invalidState, message: "x"),
      ]
      for error in lasting { #expect(PreparationFailure(error) == nil, "\(error)") }
      let local: [any Error] = [
        PresentationFailed(reason: "x", isLocal: true), AnonCredsError.failed(.io, message: "x"),
        CredentialsError.malformedRegistry("/t: its list is another one"),
      ]
      for error in local { #expect(PreparationFailure(error) == .local, "\(error)") }
    }

    @Test func nothingIsSentBeforeThereIsAPresentation() throws {
      let scene = try ProvingScene()
      var proof = try scene.requested()
      let before = try scene.last()
      try proof.send(over: scene.connection, with: scene.session)
      #expect(try scene.last() == before)
      #expect(proof.state == 3)
      #expect(throws: ExchangeError.notReady) { try proof.message(asVersion3: false) }
    }

    @Test func aPresentationThatWasNotDeliveredIsSentLater() throws {
      let scene = try ProvingScene()
      var proof = try scene.prepared()
      scene.verifier.answer(500)
      #expect(throws: DeliveryError.self) { try proof.send(over: scene.connection, with: scene.session) }
      #expect(proof.state == 3)
      scene.verifier.answer(200)
      var restored = try DisclosedProof(serialized: proof.serialized())
      try restored.send(over: scene.connection, with: scene.session)
      #expect(restored.state == 2)
      #expect(try scene.isVerified(ProvingScene.content()))
    }
  }
}
