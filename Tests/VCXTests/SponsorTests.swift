import TestSupport
import Testing

@testable import VCX

/// The exported functions that have to do with sponsors and push, without a wallet and without an agency: where each
/// error shows.
@Suite(.theAgent) struct SponsorTests {
  private static let token = """
    {"sponseeId":"a","sponsorId":"b","nonce":"c","timestamp":"2024-05-17T09:30:00Z","sig":"","sponsorVerKey":""}
    """

  @Test func aNotificationIsReadWithoutInitialisation() async {
    let payload = #"{"msgId":"uid-1","relationshipDid":"SnTKP3E2D6Y8zE4p62Le3n"}"#
    let read = await strings.call { msdk_parse_push($0, payload, stringCallback) }
    #expect(read.delivery?.error == 0)
    #expect(read.delivery?.value?.contains(#""uids":"uid-1""#) == true)
  }

  @Test func theCallbackGetsTheErrorOfAMalformedNotification() async throws {
    let refused = try #require(await strings.call { msdk_parse_push($0, "{}", stringCallback) }.delivery)
    #expect(refused.error == 1016 && refused.value == nil)
    #expect(refused.currentError?.contains("msgId") == true)
    #expect(msdk_parse_push(1, nil, stringCallback) == 1007)
    #expect(msdk_parse_push(1, "{}", nil) == 1007)
  }

  @Test(arguments: ["{", "{}", #"{"id":"a","value":"b","type":"3"}"#, #"{"id":"a","value":"b","type":9}"#])
  func aBadRegistrationIsTheReturnValue(json: String) async {
    let ending = await done.call { vcx_agent_update_info($0, json, doneCallback) }
    #expect(ending.refusal == 1016)
  }

  @Test func aRegistrationNeedsARunningLibrary() async {
    let ending = await done.call { vcx_agent_update_info($0, #"{"id":"a","value":"b"}"#, doneCallback) }
    #expect(ending.delivery?.error == 1004)
    let webhook = await done.call { vcx_update_webhook_url($0, "http://127.0.0.1:1", doneCallback) }
    #expect(webhook.delivery?.error == 1004)
  }

  @Test func messagesForTheOwnerNeedARunningLibrary() async {
    let ending = await strings.call { vcx_download_agent_messages($0, nil, nil, stringCallback) }
    #expect(ending.delivery?.error == 1004)
  }

  @Test(arguments: ["{", "{}", #"{"vcx_config":{},"sponsee_id":"a","sponsor_id":"b"}"#])
  func aBadRequestForATokenIsTheReturnValue(config: String) async {
    let ending = await strings.call { vcx_get_provision_token($0, config, stringCallback) }
    #expect(ending.refusal == 1004)
  }

  @Test(arguments: [
    ("{}", "{}", 1107), ("{}", "nonsense", 1107), ("{}", token, 1004),
    ("{}", String(token.dropLast()) + #","attestationData":"x"}"#, 1004),
  ])
  func provisioningLooksAtTheTokenFirst(config: String, token: String, code: UInt32) async {
    let ending = await strings.call { vcx_provision_agent_with_token_async($0, config, token, stringCallback) }
    #expect(ending.delivery?.error == code)
    #expect(vcx_provision_agent_with_token(config, token) == nil)
    #expect(currentError() != nil)
  }
}
