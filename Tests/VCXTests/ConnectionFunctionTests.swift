import JSON
import TestSupport
import Testing

@testable import VCX

/// Connections through the C functions, as far as no agent is needed: handles, arguments, and restored states.
@Suite struct ConnectionFunctionTests {
  static let data: [UInt8] = [1, 2, 3]

  func restored(_ name: String) async throws -> UInt32 {
    let text = try Fixtures.json("connections/\(name).json").text
    let ending = await numbers.call { vcx_connection_deserialize($0, text, numberCallback) }
    let delivery = try #require(ending.delivery)
    #expect(delivery.error == 0)
    return delivery.value
  }

  /// An operation on a connection, by its callback's end.
  typealias Operation = @Sendable (_ command: UInt32, _ connection: UInt32) -> vcx_error_t

  static let question =
    #"{"@type":"https://didcomm.org/questionanswer/1.0/question","@id":"1","question_text":"?","#
    + #""valid_responses":[{"text":"Yes"}]}"#

  static let withText: [(Operation, unknown: UInt32)] = [
    ({ vcx_connection_info($0, $1, stringCallback) }, 1003),
    ({ vcx_connection_get_their_pw_did($0, $1, stringCallback) }, 1003),
    ({ vcx_connection_get_problem_report($0, $1, stringCallback) }, 1003),
    ({ vcx_connection_get_redirect_details($0, $1, stringCallback) }, 1003),
    ({ vcx_connection_invite_details($0, $1, true, stringCallback) }, 1003),
    ({ vcx_connection_send_invite_action($0, $1, #"{"goal_code":"x"}"#, stringCallback) }, 1048),
    ({ vcx_connection_connect($0, $1, nil, stringCallback) }, 1003),
  ]

  static let done: [(Operation, unknown: UInt32)] = [
    ({ vcx_connection_send_reuse($0, $1, #"{"@id":"1"}"#, doneCallback) }, 1003),
    ({ vcx_connection_send_discovery_features($0, $1, nil, nil, doneCallback) }, 1003),
    ({ vcx_connection_send_answer($0, $1, question, #"{"text":"Yes"}"#, doneCallback) }, 1048),
    ({ vcx_connection_delete_connection($0, $1, doneCallback) }, 1003),
    ({ vcx_connection_redirect($0, $1, $1, doneCallback) }, 1003),
  ]

  @Test func unknownHandlesHaveTheCodesOfTheContract() async {
    for (operation, unknown) in Self.withText {
      let ending = await strings.call { operation($0, 4_000_000) }
      #expect(ending.delivery?.error == unknown && ending.delivery?.value == nil)
    }
    for (operation, unknown) in Self.done {
      let ending = await VCXTests.done.call { operation($0, 4_000_000) }
      #expect(ending.delivery?.error == unknown)
    }
  }

  @Test func signingJudgesTheHandleAtOnce() async throws {
    let sign = await byteArrays.call { vcx_connection_sign_data($0, 4_000_000, Self.data, 3, bytesCallback) }
    #expect(sign.refusal == 1003)
    let verify = await answers.call {
      vcx_connection_verify_signature($0, 4_000_000, Self.data, 3, Self.data, 3, answerCallback)
    }
    #expect(verify.refusal == 1003)

    let invited = try await restored("invited")
    let early = await answers.call {
      vcx_connection_verify_signature($0, invited, Self.data, 3, Self.data, 3, answerCallback)
    }
    #expect(early.refusal == 1005)
    let completed = try await restored("completed")
    let wrong = await answers.call {
      vcx_connection_verify_signature($0, completed, Self.data, 3, Self.data, 3, answerCallback)
    }
    #expect(wrong.delivery?.error == 0 && wrong.delivery?.value == false)
    let empty = await byteArrays.call { vcx_connection_sign_data($0, completed, Self.data, 0, bytesCallback) }
    #expect(empty.refusal == 1007)
    for handle in [invited, completed] { #expect(vcx_connection_release(handle) == 0) }
  }

  @Test func anInviteActionIsReadAtOnce() async {
    for text in ["x", "{}", #"{"goal_code":"x","ack_on":["NEVER"]}"#] {
      let ending = await strings.call { vcx_connection_send_invite_action($0, 4_000_000, text, stringCallback) }
      #expect(ending.refusal == 1016)
    }
  }

  @Test func deletingReleasesTheHandleEvenWhenItFails() async throws {
    let handle = try await restored("invited")
    let ending = await VCXTests.done.call { vcx_connection_delete_connection($0, handle, doneCallback) }
    #expect([1004, 1008].contains(ending.delivery?.error))  // without an agent, or with that of another test
    let state = await numbers.call { vcx_connection_get_state($0, handle, numberCallback) }
    #expect(state.delivery?.value == 0)
    let again = await VCXTests.done.call { vcx_connection_delete_connection($0, handle, doneCallback) }
    #expect(again.delivery?.error == 1003)
  }

  @Test func aProprietaryConnectionIsShown() async throws {
    let handle = try await restored("proprietary-invited")
    let state = await numbers.call { vcx_connection_get_state($0, handle, numberCallback) }
    #expect(state.delivery?.value == 3)
    for (abbreviated, member) in [(true, "s"), (false, "senderDetail")] {
      let details = await strings.call { vcx_connection_invite_details($0, handle, abbreviated, stringCallback) }
      #expect(try JSON(parsing: #require(details.delivery?.value ?? nil))[member] != nil)
    }
    let redirect = await strings.call { vcx_connection_get_redirect_details($0, handle, stringCallback) }
    #expect(redirect.delivery?.value == "null")
    let report = await strings.call { vcx_connection_get_problem_report($0, handle, stringCallback) }
    #expect(report.delivery?.error == 1103)
    #expect(vcx_connection_release(handle) == 0)
  }

  /// Operations with two objects wait for both, also where both are one.
  @Test func aRedirectionNeedsBothConnections() async throws {
    let (invited, accepted) = (try await restored("proprietary-invited"), try await restored("proprietary-accepted"))
    let unknown = await VCXTests.done.call { vcx_connection_redirect($0, invited, 4_000_000, doneCallback) }
    #expect(unknown.delivery?.error == 1003)
    #expect(unknown.delivery?.currentError?.contains("4000000") == true)
    for (one, other) in [(invited, accepted), (accepted, invited), (invited, invited)] {
      let ending = await VCXTests.done.call { vcx_connection_redirect($0, one, other, doneCallback) }
      // Without a session, or with that of another test: another library has made the invitation.
      #expect([1004, 1005, 1103].contains(ending.delivery?.error))
    }
    let missing = await VCXTests.done.call { vcx_connection_redirect($0, invited, accepted, nil) }
    #expect(missing.refusal == 1007)
    for handle in [invited, accepted] { #expect(vcx_connection_release(handle) == 0) }
  }

  @Test(arguments: [("proprietary-invited", true), ("completed", false)]) func onlyProprietaryConnectionsNeedAnUpgrade(
    name: String, needed: Bool
  ) async throws {
    let text = try Fixtures.json("connections/\(name).json").text
    let ending = await answers.call { vcx_connection_need_upgrade($0, text, answerCallback) }
    #expect(ending.delivery?.error == 0 && ending.delivery?.value == needed)
    let malformed = await answers.call { vcx_connection_need_upgrade($0, "{", answerCallback) }
    #expect(malformed.delivery?.error == 1016)
  }

  @Test func anExistingConnectionIsFound() async throws {
    let connection = try Fixtures.json("connections/completed.json")
    let invitation = try #require(connection["state"]?["Invitee"]?["Completed"]?["invitation"]?.object?.members.first)
    let list = JSON.array([.string(connection.text)]).text
    let found = await strings.call {
      msdk_connection_find_existing($0, invitation.value.text, list, stringCallback)
    }
    #expect(found.delivery?.value == #"{"index":0,"same":"invitation"}"#)
    let malformed = await strings.call { msdk_connection_find_existing($0, "{}", "{}", stringCallback) }
    #expect(malformed.delivery?.error == 1016)
    let absent = await strings.call { msdk_connection_find_existing($0, nil, "[]", stringCallback) }
    #expect(absent.refusal == 1007)
  }
}
