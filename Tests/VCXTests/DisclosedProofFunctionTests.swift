import Aries
import JSON
import MSDK
import TestSupport
import Testing

@testable import VCX

/// The functions of disclosed proofs without a running SDK; MSDKTests tests the exchanges.
@Suite struct DisclosedProofFunctionTests {
  private func created(_ request: String) async -> Ending<UInt32> {
    await numbers.call { vcx_disclosed_proof_create_with_request($0, "proof", request, numberCallback) }
  }

  /// The handle of a proof that is requested.
  private func requested() async throws -> UInt32 {
    let ending = await created(Self.request)
    return try #require(ending.delivery?.value)
  }

  private static let request = #"""
    {"@type":"https://didcomm.org/present-proof/1.0/request-presentation","@id":"request-1","comment":"please",
     "request_presentations~attach":[{"@id":"libindy-request-presentation-0","data":{"json":
       {"name":"Check","version":"1.0","nonce":"1","requested_attributes":{"a":{"name":"age"}},
        "requested_predicates":{}}}}]}
    """#

  private static let preview = #"{"attributes":[{"name":"age"}]}"#

  @Test func aRequestMakesAProof() async throws {
    let handle = try await requested()
    let state = await numbers.call { vcx_disclosed_proof_get_state($0, handle, numberCallback) }
    #expect(state.delivery?.value == 3)
    let text = await strings.call { vcx_disclosed_proof_serialize($0, handle, stringCallback) }
    let serialized = try #require(text.delivery?.value ?? nil)
    let restored = await numbers.call { vcx_disclosed_proof_deserialize($0, serialized, numberCallback) }
    let again = try #require(restored.delivery?.value)
    #expect(again != handle)
    let report = await strings.call { vcx_disclosed_proof_get_problem_report($0, again, stringCallback) }
    #expect(report.delivery?.value == "null")
    for each in [handle, again] { #expect(vcx_disclosed_proof_release(each) == 0) }
    let gone = await numbers.call { vcx_disclosed_proof_get_state($0, handle, numberCallback) }
    #expect(gone.delivery?.error == 1049)
  }

  @Test(arguments: ["{}", "no JSON", "[]", #"{"@type":"x","@id":"y"}"#]) func anythingElseIsNoRequest(text: String)
    async
  {
    #expect(await created(text).delivery?.error == 1086)
    let parsed = await strings.call { vcx_disclosed_proof_parse_request($0, text, stringCallback) }
    #expect(parsed.delivery?.error == 1086)
  }

  @Test func aRequestIsRead() async throws {
    let parsed = await strings.call { vcx_disclosed_proof_parse_request($0, Self.request, stringCallback) }
    let summary = try JSON(parsing: #require(parsed.delivery?.value ?? nil))
    #expect(summary["name"] == "Check" && summary["thid"] == "request-1")
    #expect(summary["requested_attributes"] == ["a": ["name": "age"]])
  }

  @Test func aProofBeginsWithAProposal() async throws {
    let made = await numbers.call {
      vcx_disclosed_proof_create_proposal($0, "proof", Self.preview, "my age", numberCallback)
    }
    let handle = try #require(made.delivery?.value)
    let state = await numbers.call { vcx_disclosed_proof_get_state($0, handle, numberCallback) }
    #expect(state.delivery?.value == 1)
    for broken in ["{}", "no JSON", #"{"attributes":[{}]}"#] {
      let refused = await numbers.call {
        vcx_disclosed_proof_create_proposal($0, "proof", broken, "my age", numberCallback)
      }
      #expect(refused.delivery?.error == 1110)
    }
  }

  @Test func beforeItIsBuiltThereIsNoMessage() async throws {
    let handle = try await requested()
    let message = await strings.call { vcx_disclosed_proof_get_proof_msg($0, handle, stringCallback) }
    #expect(message.delivery?.error == 1005)
    let reject = await strings.call { vcx_disclosed_proof_get_reject_msg($0, handle, stringCallback) }
    #expect(reject.delivery?.error == 1103)
  }

  @Test func unknownHandlesAreNamed() async throws {
    let handle = try await requested()
    let unknown = await VCXTests.done.call { vcx_disclosed_proof_send_proof($0, handle, 4711, doneCallback) }
    #expect([1003, 1004].contains(unknown.delivery?.error))
    let gone = await VCXTests.done.call { vcx_disclosed_proof_send_proof($0, 4711, 0, doneCallback) }
    #expect(gone.delivery?.error == 1049)
    let broken = await numbers.call { vcx_disclosed_proof_deserialize($0, "{}", numberCallback) }
    #expect(broken.delivery?.error == 1016)
  }

  @Test func errorsHaveTheirNumbers() throws {
    #expect(VCXError(ProtocolError.outOfTurn).code.rawValue == 1081)
    #expect(VCXError(MessageError.unsupportedFormat).code.rawValue == 1100)
    #expect(VCXError(MessageError.tooLarge("x")).code.rawValue == 1016)
    #expect(VCXError(MessageError.malformedAttachment(.undecodable("base64"))).code.rawValue == 1100)
  }
}
