import Aries
import JSON
import Testing

@testable import MSDK

/// The form of a request that the program passes on itself.
@Suite struct ProofFormTests {
  static let qualified = "did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/CLAIM_DEF/12/default"

  private func content(_ definition: String) throws -> (message: JSON, content: JSON) {
    var proof = try RequestedProof(
      sourceID: "p", attributes: #"[{"name":"a","restrictions":[{"cred_def_id":"\#(definition)"}]}]"#,
      predicates: "[]", interval: "{}", name: "n")
    let message = try JSON(parsing: proof.requestMessage(with: nil))
    return (message, try JSON(parsing: Attachment(firstOf: message).content))
  }

  /// Without a session nothing is configured. The older version of the protocol shows newer ids in the request itself.
  @Test func newerIDsNeedTheNewerFormOfARequest() throws {
    for (definition, version) in [(Self.qualified, "2.0"), ("V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default", nil)]
      as [(String, JSON?)]
    {
      let (message, content) = try content(definition)
      #expect(message["@type"] == "https://didcomm.org/present-proof/1.0/request-presentation")
      #expect(content["ver"] == version)
    }
  }
}
