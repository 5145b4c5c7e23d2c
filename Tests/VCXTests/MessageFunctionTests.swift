import JSON
import TestSupport
import Testing

@testable import VCX

/// The functions that need no session. Functions that answer otherwise without one are tested in Tests/C, in a process
/// of their own.
@Suite(.theAgent) struct MessageFunctionTests {
  @Test(
    arguments: [
      (#"{"request~attach":[{"data":{"base64":"eyJhIjoxfQ=="}}]}"#, 0, #"{"a":1}"#),
      (#"{"request~attach":[{"data":{"json":{"a": 1}}}]}"#, 0, #"{"a":1}"#),
      ("{}", 1016, nil), ("x", 1016, nil), (#"{"request~attach":[{"data":{}}]}"#, 1016, nil),
      (#"{"request~attach":[]}"#, 1100, nil), (#"{"request~attach":[{"data":{"base64":"!"}}]}"#, 1100, nil),
      (#"{"request~attach":[{"data":{"base64":"/w=="}}]}"#, 1100, nil),
      (#"{"request~attach":[{"data":{"base64":"eyJhIjoxfQA="}}]}"#, 1100, nil),
    ] as [(String, UInt32, String?)])
  func attachmentsAreExtracted(message: String, error: UInt32, content: String?) async throws {
    let ending = await strings.call { vcx_extract_attached_message($0, message, stringCallback) }
    let delivery = try #require(ending.delivery)
    #expect(delivery.error == error && delivery.value == content)
  }

  @Test(
    arguments: [
      (#"{"@id":"1","~thread":{"thid":"t"}}"#, 0, "t"), (#"{"@id":"1"}"#, 0, "1"), ("{}", 1016, nil), ("x", 1016, nil),
    ] as [(String, UInt32, String?)])
  func threadsAreExtracted(message: String, error: UInt32, thread: String?) async throws {
    let ending = await strings.call { vcx_extract_thread_id($0, message, stringCallback) }
    let delivery = try #require(ending.delivery)
    #expect(delivery.error == error && delivery.value == thread)
  }

  @Test func aConfigurationFileIsJudgedAtOnce() async {
    for path in ["/no/such/file.json", nil] as [String?] {
      let ending = await done.call { vcx_init($0, path, doneCallback) }
      #expect(ending.refusal == 1004)
    }
    let folder = await done.call { vcx_init($0, "/", doneCallback) }
    #expect(folder.refusal == 1074)
    #expect(vcx_init(0, "/no/such/file.json", nil) == 1007)
  }

  @Test func aSubscriptionNeedsACallbackAndASession() {
    #expect(msdk_messages_subscribe(1, nil) == 1007)
    #expect(msdk_messages_subscribe(1, stringCallback) == 1004)
    #expect(msdk_messages_unsubscribe(1) == 0)
  }

  @Test func theInstitutionNeedsNameAndLogo() {
    #expect(vcx_update_institution_info(nil, "http://logo") == 1007)
    #expect(vcx_update_institution_info("Faber", nil) == 1007)
    #expect(vcx_update_institution_info("Faber", "") == 1007)
  }
}
