import Aries
import Credentials
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// The explanation of a verdict, for the program that requested the proof.
  @Suite struct ProofExplanationTests {
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
  }
}
