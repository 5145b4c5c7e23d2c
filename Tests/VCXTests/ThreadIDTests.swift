import JSON
import TestSupport
import Testing

@testable import VCX

/// The threads and places of stored exchanges, which need no session.
@Suite struct ThreadIDTests {
  private func restored(
    _ name: String, _ deserialize: (UInt32, CString?, vcx_number_cb?) -> vcx_error_t
  ) async throws -> UInt32 {
    let text = try Fixtures.json("exchanges/\(name).json").text
    return try #require(await numbers.call { deserialize($0, text, numberCallback) }.delivery?.value)
  }

  private typealias Read = (UInt32, UInt32, vcx_string_cb?) -> vcx_error_t

  private func read(_ read: Read, _ handle: UInt32) async -> Delivery<String?>? {
    await strings.call { read($0, handle, stringCallback) }.delivery
  }

  private func thread(_ name: String) throws -> String? {
    try Fixtures.json("exchanges/\(name).json")["data"]?.object?.members.first?.value["state"]?.object?.members.first?
      .value["thread"]?["thid"]?.string
  }

  @Test func eachExchangeHasAThread() async throws {
    let credential = try await restored("holder-requested", vcx_credential_deserialize)
    #expect(await read(msdk_credential_get_thread_id, credential)?.value == (try thread("holder-requested")))
    let proof = try await restored("prover-requested", vcx_disclosed_proof_deserialize)
    #expect(await read(msdk_disclosed_proof_get_thread_id, proof)?.value == (try thread("prover-requested")))
    let issued = try await restored("issuer-issued", vcx_issuer_credential_deserialize)
    #expect(await read(msdk_issuer_credential_get_thread_id, issued)?.value == (try thread("issuer-issued")))
    let requested = try await restored("verifier-sent", vcx_proof_deserialize)
    #expect(await read(msdk_proof_get_thread_id, requested)?.value == (try thread("verifier-sent")))
    for name in ["holder-requested", "prover-requested", "issuer-issued", "verifier-sent"] {
      #expect(try thread(name)?.isEmpty == false)
    }
  }

  @Test func aRequestThatIsNotMadeHasNoThread() async throws {
    let requested = try await restored("verifier-initiated", vcx_proof_deserialize)
    #expect(await read(msdk_proof_get_thread_id, requested)?.error == 1005)
  }

  @Test func aConnectionHasTheThreadOfItsHandshake() async throws {
    let invitation = #"""
      {"@type":"https://didcomm.org/connections/1.0/invitation","@id":"invitation-1","label":"Faber",
       "recipientKeys":["CnEDk9HrMnmiHXEV1WFgbVCRteYnPqsJwrTdcZaNhFVW"],"serviceEndpoint":"http://faber.example"}
      """#
    let made = await numbers.call { vcx_connection_create_with_invite($0, "c", invitation, numberCallback) }
    let connection = try #require(made.delivery?.value)
    #expect(await read(msdk_connection_get_thread_id, connection)?.value == "invitation-1")
  }

  @Test func unknownHandlesAreNamed() async {
    let reads: [(Read, UInt32)] = [
      (msdk_connection_get_thread_id, 1003), (msdk_credential_get_thread_id, 1053),
      (msdk_disclosed_proof_get_thread_id, 1049), (msdk_issuer_credential_get_thread_id, 1015),
      (msdk_proof_get_thread_id, 1017), (msdk_issuer_credential_get_place, 1015),
      (msdk_disclosed_proof_describe_request, 1049),
    ]
    for (function, code) in reads {
      let ending = await strings.call { function($0, 4711, stringCallback) }
      #expect([code, 1004].contains(ending.refusal ?? ending.delivery?.error))
    }
  }

  @Test func anIssuedCredentialHasAPlace() async throws {
    let issued = try await restored("issuer-revoked", vcx_issuer_credential_deserialize)
    let place = try JSON(parsing: #require(await read(msdk_issuer_credential_get_place, issued)?.value ?? nil))
    #expect(place["revoked"] == true && place["rev_reg_id"]?.string != nil && place["cred_rev_id"]?.string != nil)
    let planned = try await restored("issuer-planned", vcx_issuer_credential_deserialize)
    #expect(await read(msdk_issuer_credential_get_place, planned)?.error == 1005)
  }
}
