import JSON
import Testing

@testable import VCX

/// The functions of requested proofs without a running SDK; MSDKTests tests the exchanges.
@Suite struct RequestedProofFunctionTests {
  private func created(
    _ attributes: String = #"[{"name":"age"}]"#, _ predicates: String = "[]", _ interval: String = "{}"
  ) async -> Ending<UInt32> {
    await numbers.call { vcx_proof_create($0, "proof", attributes, predicates, interval, "Check", numberCallback) }
  }

  private func handle() async throws -> UInt32 {
    let ending = await created()
    return try #require(ending.delivery?.value)
  }

  @Test func aProofIsCreatedStoredAndForgotten() async throws {
    let handle = try await handle()
    let state = await numbers.call { vcx_proof_get_state($0, handle, numberCallback) }
    #expect(state.delivery?.value == 1)
    let text = await strings.call { vcx_proof_serialize($0, handle, stringCallback) }
    let serialized = try #require(text.delivery?.value ?? nil)
    let restored = await numbers.call { vcx_proof_deserialize($0, serialized, numberCallback) }
    let again = try #require(restored.delivery?.value)
    let report = await strings.call { vcx_proof_get_problem_report($0, again, stringCallback) }
    #expect(report.delivery?.value == "null")
    for each in [handle, again] { #expect(vcx_proof_release(each) == 0) }
    let gone = await numbers.call { vcx_proof_get_state($0, handle, numberCallback) }
    #expect(gone.delivery?.error == 1017)
  }

  @Test func eachMalformedTextHasItsError() async {
    #expect(await created("[]").delivery?.error == 1021)
    #expect(await created(#"[{"name":"a","restrictions":{"$or":[]}}]"#).delivery?.error == 1021)
    let bound = #"[{"name":"a","p_type":">","p_value":2147483647}]"#
    #expect(await created("[]", bound).delivery?.error == 1028)
    #expect(await created(#"[{"name":"a"}]"#, "7").delivery?.error == 1028)
    #expect(await created(#"[{"name":"a"}]"#, "[]", "[]").delivery?.error == 1016)
    let restored = await numbers.call { vcx_proof_deserialize($0, "{}", numberCallback) }
    #expect(restored.delivery?.error == 1016)
    let proposed = await numbers.call { vcx_proof_create_with_proposal($0, "p", "{}", "n", numberCallback) }
    #expect(proposed.delivery?.error == 1016)
  }

  @Test func theRequestIsHandedOut() async throws {
    let handle = try await handle()
    let message = await strings.call { vcx_proof_get_request_msg($0, handle, stringCallback) }
    let request = try JSON(parsing: #require(message.delivery?.value ?? nil))
    #expect(request["@type"]?.string?.hasSuffix("present-proof/1.0/request-presentation") == true)
    let attached = await strings.call { vcx_proof_get_request_attach($0, handle, stringCallback) }
    #expect(attached.delivery?.value == message.delivery?.value)
    let state = await numbers.call { vcx_proof_get_state($0, handle, numberCallback) }
    #expect(state.delivery?.value == 1)
  }

  @Test func beforeAPresentationThereIsNoResult() async throws {
    let handle = try await handle()
    let explained = await strings.call { msdk_proof_explain($0, handle, stringCallback) }
    let result = try JSON(parsing: #require(explained.delivery?.value ?? nil))
    #expect(result["verified"] == JSON.null && result["state"] == 1 && result["proof_state"] == 0)
    let content = await strings.call { msdk_proof_content($0, handle, stringCallback) }
    #expect(content.delivery?.error == 1005)
    let unknown = await strings.call { msdk_proof_content($0, 4711, stringCallback) }
    #expect(unknown.delivery?.error == 1017)
    let proposal = await strings.call { vcx_get_proof_proposal($0, handle, stringCallback) }
    #expect(proposal.delivery?.error == 1005)
  }

  @Test func aConnectionIsSetWithKnownHandlesOnly() async throws {
    let handle = try await handle()
    let unknown = await VCXTests.done.call { vcx_proof_set_connection($0, 4711, 4712, doneCallback) }
    #expect(unknown.refusal == 1015 && currentError()?.contains("no requested proof has the handle 4711") == true)
    #expect(vcx_proof_set_connection(1, 0, 0, doneCallback) == 1015)
    #expect(vcx_proof_set_connection(1, handle, 0, doneCallback) == 1003)
  }
}
