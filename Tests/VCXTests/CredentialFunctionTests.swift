import AnonCreds
import Aries
import Credentials
import JSON
import MSDK
import TestSupport
import Testing

@testable import VCX

/// The functions of credentials without a running SDK; the exchanges are tested below, in MSDKTests.
@Suite struct CredentialFunctionTests {
  private func created(_ offer: String) async -> Ending<UInt32> {
    await numbers.call { vcx_credential_create_with_offer($0, "degree", offer, numberCallback) }
  }

  /// The handle of a credential that is offered.
  private func offered() async throws -> UInt32 {
    let ending = await created(Self.offer)
    return try #require(ending.delivery?.value)
  }

  private static let offer = #"""
    {"@type":"https://didcomm.org/issue-credential/1.0/offer-credential","@id":"offer-1","comment":"yours",
     "credential_preview":{"attributes":[{"name":"age","value":"28"}]},
     "offers~attach":[{"@id":"libindy-cred-offer-0","data":{"json":
       {"schema_id":"V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0","cred_def_id":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default"}}}]}
    """#

  @Test func anOfferMakesACredential() async throws {
    let handle = try await offered()
    let state = await numbers.call { vcx_credential_get_state($0, handle, numberCallback) }
    #expect(state.delivery?.value == 3)
    let text = await strings.call { vcx_credential_serialize($0, handle, stringCallback) }
    let serialized = try #require(text.delivery?.value ?? nil)
    let restored = await numbers.call { vcx_credential_deserialize($0, serialized, numberCallback) }
    let again = try #require(restored.delivery?.value)
    #expect(again != handle)
    let report = await strings.call { vcx_credential_get_problem_report($0, again, stringCallback) }
    #expect(report.delivery?.value == "null")
    for each in [handle, again] { #expect(vcx_credential_release(each) == 0) }
    let gone = await numbers.call { vcx_credential_get_state($0, handle, numberCallback) }
    #expect(gone.delivery?.error == 1053)
  }

  @Test(arguments: ["{}", "no JSON", "[]", "[1]", #"[{"claim_id":"1"}]"#, #"{"@type":"x","@id":"y"}"#])
  func aMalformedOfferIsRefused(text: String) async {
    #expect(await created(text).delivery?.error == 1043)
    let parsed = await strings.call { vcx_credential_parse_offer($0, text, stringCallback) }
    #expect(parsed.delivery?.error == 1043)
  }

  @Test func anOfferIsRead() async throws {
    let parsed = await strings.call { vcx_credential_parse_offer($0, Self.offer, stringCallback) }
    let summary = try JSON(parsing: #require(parsed.delivery?.value ?? nil))
    #expect(summary["name"] == "degree" && summary["thid"] == "offer-1")
    #expect(summary["attributes"] == [["name": "age", "value": "28"]])
  }

  @Test func anUnknownConnectionIsNamed() async throws {
    let handle = try await offered()
    let sent = await VCXTests.done.call { vcx_credential_send_request($0, handle, 4711, 0, doneCallback) }
    #expect([1003, 1004].contains(sent.delivery?.error))
    for connection in [0, 4712] as [UInt32] {
      let unknown = await VCXTests.done.call { vcx_credential_send_request($0, 4711, connection, 0, doneCallback) }
      #expect(unknown.delivery?.error == 1053)
    }
  }

  @Test func beforeItIsStoredThereIsNoCredential() async throws {
    let handle = try await offered()
    let credential = await strings.call { vcx_get_credential($0, handle, stringCallback) }
    #expect(credential.delivery?.error == 1005)
    let deleted = await VCXTests.done.call { vcx_delete_credential($0, handle, doneCallback) }
    #expect([1004, 1005].contains(deleted.delivery?.error))
    let request = await strings.call {
      vcx_credential_get_request_msg($0, handle, "did", nil, 0, stringCallback)
    }
    #expect([1053, 1103].contains(request.delivery?.error))
  }

  @Test(
    arguments: [
      (AnonCredsError.unavailable(reason: "x"), 1103), (AnonCredsError.failed(.input, message: "x"), 1080),
      (AnonCredsError.failed(.io, message: "x"), 1074), (AnonCredsError.failed(.invalidState, message: "x"), 1035),
      (AnonCredsError.failed(.unexpected, message: "x"), 1035),
      (AnonCredsError.failed(.credentialRevoked, message: "x"), 1200),
      (AnonCredsError.failed(.invalidRevocationIndex, message: "x"), 1091),
      (AnonCredsError.failed(.proofRejected, message: "x"), 1023),
      (AnonCredsError.failed(.registryFull, message: "x"), 1092),
      (CredentialsError.malformedRequest("x"), 1086), (CredentialsError.unsupportedRestriction("x"), 1080),
      (CredentialsError.malformedSelection("x"), 1027), (CredentialsError.malformedSelfAttested("x"), 1016),
      (CredentialsError.malformedOffer("x"), 1043), (CredentialsError.malformedCredential("x"), 1054),
      (CredentialsError.notFound, 1073), (CredentialsError.exists, 1072), (CredentialsError.revoked, 1200),
      (CredentialsError.malformedQuery("x"), 1067),
      (CredentialsError.malformedRegistry("x"), 1091), (ExchangeError.notReady, 1005), (ExchangeError.ended, 1081),
      (ExchangeError.noService, 1003), (ExchangeError.otherMessage, 1020), (StateError.malformed("x"), 1016),
      (StateError.unsupportedVersion("x"), 1016), (StateError.proprietary, 1103),
      (ConnectionError.notCompleted, 1112),
    ] as [(any Error & Sendable, UInt32)])
  func errorsHaveTheirNumbers(error: any Error & Sendable, code: UInt32) {
    #expect(VCXError(error).code.rawValue == code)
  }
}
