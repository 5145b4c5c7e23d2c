import JSON
import Testing

@testable import VCX

/// The functions about proposals, names of items and forms of exchanges without a running SDK.
@Suite struct ProposalFunctionTests {
  private static let proposal = #"{"attributes":{"name":"Alice"},"filter":{"cred_def_id":"d"}}"#
  private static let message = #"""
    {"@type":"https://didcomm.org/issue-credential/1.0/propose-credential","@id":"p1","comment":"please",
     "credential_proposal":{"attributes":[{"name":"name","value":"Alice"}]},"cred_def_id":"d"}
    """#

  @Test func aCredentialIsProposed() async throws {
    let options = #"{"version":"2.0","format":"anoncreds"}"#
    let made = await numbers.call {
      msdk_credential_create_proposal($0, "c", Self.proposal, "please", options, numberCallback)
    }
    let handle = try #require(made.delivery?.value)
    #expect(await numbers.call { vcx_credential_get_state($0, handle, numberCallback) }.delivery?.value == 1)
    #expect(await strings.call { msdk_credential_get_offer($0, handle, stringCallback) }.delivery?.error == 1005)
    let text = await strings.call { vcx_credential_serialize($0, handle, stringCallback) }
    let state = try JSON(parsing: #require(text.delivery?.value ?? nil))["data"]?["holder_sm"]?["state"]
    #expect(state?["ProposalPrepared"]?["msdk"] == ["version": 2, "format": "anoncreds"])
    _ = vcx_credential_release(handle)
  }

  @Test(
    arguments: [
      ("{}", nil), (proposal, "{}x"), (proposal, #"{"version":"3.0"}"#), (proposal, #"{"x":1}"#),
    ] as [(String, String?)])
  func otherProposalsAndOptionsAreRefused(proposal: String, options: String?) async {
    let made = await numbers.call {
      msdk_credential_create_proposal($0, "c", proposal, nil, options, numberCallback)
    }
    #expect(made.delivery?.error == 1016)
  }

  @Test func aProposalIsTakenUp() async throws {
    let made = await numbers.call {
      msdk_issuer_credential_create_with_proposal($0, "c", Self.message, numberCallback)
    }
    let handle = try #require(made.delivery?.value)
    let state = await numbers.call { vcx_issuer_credential_get_state($0, handle, numberCallback) }
    #expect(state.delivery?.value == State.proposed.rawValue)
    let read = await strings.call { msdk_issuer_credential_get_proposal($0, handle, stringCallback) }
    #expect(
      try JSON(parsing: #require(read.delivery?.value ?? nil)) == [
        "attributes": [["name": "name", "value": "Alice"]], "filter": ["cred_def_id": "d"], "comment": "please",
        "thid": "p1",
      ])
    let planned = await done.call {
      msdk_issuer_credential_plan_offer($0, handle, 4_000_000_000, "{}", "n", doneCallback)
    }
    #expect([1004, 1037].contains(planned.delivery?.error))
    _ = vcx_issuer_credential_release(handle)
    let gone = await strings.call { msdk_issuer_credential_get_proposal($0, handle, stringCallback) }
    #expect(gone.delivery?.error == 1015)
    let other = await numbers.call { msdk_issuer_credential_create_with_proposal($0, "c", "{}", numberCallback) }
    #expect(other.delivery?.error == 1016)
  }

  @Test(
    arguments: [
      (#"{"who":{"name":"a"}}"#, "[]", nil, 0), (#"{"who":{"name":"a"}}"#, "[]", #"{"version":"1.0"}"#, 0),
      (#"{"who":{"name":"a"}}"#, #"{"who":{"name":"b","p_type":">","p_value":1}}"#, nil, 1028),
      (#"{"who":{"name":"a"}}"#, "[]", #"{"version":1}"#, 1016), (#"{"who":"a"}"#, "[]", nil, 1021),
    ] as [(String, String, String?, UInt32)])
  func itemsHaveNames(attributes: String, predicates: String, options: String?, error: UInt32) async throws {
    let made = await numbers.call {
      msdk_proof_create_with_options($0, "p", attributes, predicates, "{}", "Check", options, numberCallback)
    }
    #expect(made.delivery?.error == error)
    guard let handle = made.delivery?.value, error == 0 else { return }
    let text = await strings.call { vcx_proof_get_request_msg($0, handle, stringCallback) }
    let message = try #require(text.delivery?.value ?? nil)
    let read = await strings.call { vcx_disclosed_proof_parse_request($0, message, stringCallback) }
    let request = try JSON(parsing: #require(read.delivery?.value ?? nil))
    #expect(request["requested_attributes"] == ["who": ["name": "a"]])
    _ = vcx_proof_release(handle)
  }

  @Test func aProofIsProposedInAVersion() async {
    let preview = #"{"attributes":[{"name":"a"}]}"#
    for (options, error) in [(#"{"version":"2.0"}"#, 0), (#"{"version":"0"}"#, 1110)] as [(String, UInt32)] {
      let made = await numbers.call {
        msdk_disclosed_proof_create_proposal_with_options($0, "p", preview, "please", options, numberCallback)
      }
      #expect(made.delivery?.error == error)
    }
  }
}
