import JSON
import MSDK
import TestSupport
import Testing
import Threading

@testable import VCX

/// Functions of two connected sides: each argument arrives in its place.
@Suite(.theAgent) struct ConversationTests {
  let talk: Conversation

  init() async throws { talk = try await Conversation() }

  private func restored(_ name: String, _ deserialize: (UInt32, CString?, vcx_number_cb?) -> vcx_error_t) async throws
    -> UInt32
  {
    let text = try Fixtures.json("exchanges/\(name).json").text
    return try await talk.number { deserialize($0, text, numberCallback) }
  }

  // MARK: messages

  @Test func messagesOfConnectionsArriveWithTheirMembers() async throws {
    let (from, to) = (talk.invitee, talk.inviter)
    try await talk.finish { vcx_connection_send_ping($0, from, "hi", doneCallback) }
    #expect(try await talk.last(of: to)["comment"] == "hi")
    try await talk.finish { vcx_connection_send_discovery_features($0, from, "*ping*", "why", doneCallback) }
    let query = try await talk.last(of: to)
    #expect(query["query"] == "*ping*" && query["comment"] == "why")
    try await talk.finish { vcx_connection_send_reuse($0, from, #"{"@id":"invitation-2"}"#, doneCallback) }
    #expect(try await talk.last(of: to)["~thread"]?["pthid"] == "invitation-2")
    let action = try await talk.text {
      vcx_connection_send_invite_action($0, from, #"{"goal_code":"x"}"#, stringCallback)
    }
    #expect(try await talk.last(of: to) == JSON(parsing: action))
    #expect(try await talk.text { vcx_connection_send_message($0, from, "hello", "{}", stringCallback) } == "")
    #expect(try await talk.last(of: to)["content"] == "hello")
    let question = ConnectionFunctionTests.question
    try await talk.finish { vcx_connection_send_answer($0, from, question, #"{"text":"Yes"}"#, doneCallback) }
    #expect(try await talk.last(of: to)["response"] == "Yes")
  }

  @Test func refusalsArriveWithTheirReasons() async throws {
    let (from, to) = (talk.inviter, talk.invitee)
    let credential = try await restored("holder-offered", vcx_credential_deserialize)
    try await talk.finish { vcx_credential_reject($0, credential, from, "no thanks", doneCallback) }
    #expect(try await talk.last(of: to)["comment"] == "no thanks")
    let proof = try await restored("prover-requested", vcx_disclosed_proof_deserialize)
    try await talk.finish {
      vcx_disclosed_proof_decline_presentation_request($0, proof, from, "not to you", nil, doneCallback)
    }
    #expect(try await talk.last(of: to)["comment"] == "not to you")
    let other = try await restored("prover-requested", vcx_disclosed_proof_deserialize)
    try await talk.finish { vcx_disclosed_proof_reject_proof($0, other, from, doneCallback) }
    #expect(try await talk.last(of: to)["description"]?["code"] == "rejection")
  }

  @Test func proposalsAndRequestsArriveWithTheirNames() async throws {
    let (from, to) = (talk.inviter, talk.invitee)
    let preview = #"{"attributes":[{"name":"age"}]}"#
    let proposed = try await talk.number {
      vcx_disclosed_proof_create_proposal($0, "p", preview, "my age", numberCallback)
    }
    try await talk.finish { vcx_disclosed_proof_send_proposal($0, proposed, from, doneCallback) }
    #expect(try await talk.last(of: to)["comment"] == "my age")
    let requested = try await restored("verifier-proposal", vcx_proof_deserialize)
    try await talk.finish {
      vcx_proof_request_proof(
        $0, requested, from, #"[{"name":"degree"}]"#, #"[{"name":"age","p_type":"GE","p_value":18}]"#, "{}",
        "Another check", doneCallback)
    }
    let message = try await talk.last(of: to).text
    let attached = try JSON(parsing: await talk.text { vcx_extract_attached_message($0, message, stringCallback) })
    #expect(attached["name"] == "Another check")
    #expect(attached["requested_attributes"]?["attribute_0"]?["name"] == "degree")
    #expect(attached["requested_predicates"]?["predicate_0"]?["name"] == "age")
  }

  @Test func withoutAConnectionNothingIsSent() async throws {
    let proposed = try await restored("prover-proposing", vcx_disclosed_proof_deserialize)
    let requested = try await restored("verifier-initiated", vcx_proof_deserialize)
    let issued = try await restored("issuer-planned", vcx_issuer_credential_deserialize)
    for ending in [
      await done.call({ vcx_disclosed_proof_send_proposal($0, proposed, 0, doneCallback) }),
      await done.call({ vcx_proof_send_request($0, requested, 0, doneCallback) }),
      await done.call({ vcx_proof_request_proof($0, requested, 0, "[]", "[]", "{}", "n", doneCallback) }),
      await done.call({ vcx_issuer_send_credential_offer($0, issued, 0, doneCallback) }),
    ] {
      #expect(ending.delivery?.error == 1003)
    }
  }

  // MARK: the mailbox

  @Test func messagesAreFoundByEachFilter() async throws {
    let (from, to) = (talk.invitee, talk.inviter)
    for content in ["one", "two"] {
      _ = try await talk.text { vcx_connection_send_message($0, from, content, "{}", stringCallback) }
    }
    let did = try await talk.did(of: to)
    let uids = try await talk.entries(of: to).compactMap { $0["uid"]?.string }
    #expect(uids.count == 2)
    let found = try JSON(
      parsing: await talk.text { vcx_messages_download($0, "MS-103", uids[1], did, stringCallback) })
    #expect(found.array?.first?["msgs"]?.array?.map { $0["uid"] } == [.string(uids[1])])
    let one = try JSON(parsing: await talk.text { vcx_download_message($0, uids[0], stringCallback) })
    #expect(one["pairwiseDID"] == .string(did) && one["uid"] == .string(uids[0]))
    let list: JSON = [["pairwiseDID": .string(did), "uids": [.string(uids[0])]]]
    try await talk.finish { vcx_messages_update_status($0, "MS-106", list.text, doneCallback) }
    #expect(try await talk.entries(of: to).map { $0["uid"] } == [.string(uids[1])])
    let absent = await strings.call { vcx_download_message($0, "unknown", stringCallback) }
    #expect(absent.delivery?.error == 1020)
  }

  @Test func theAgencysOwnMessagesAreFoundByEachFilter() async throws {
    _ = try await talk.number { vcx_wallet_backup_create($0, "b", "a long passphrase", numberCallback) }
    let all = try JSON(parsing: await talk.text { vcx_download_agent_messages($0, nil, nil, stringCallback) })
    let uid = try #require(all.array?.first?["uid"]?.string)
    for (status, uids, count) in [("MS-103", uid, 1), ("MS-103", "unknown", 0), ("MS-104", uid, 0)] {
      let found = try await talk.text { vcx_download_agent_messages($0, status, uids, stringCallback) }
      #expect(try JSON(parsing: found).array?.count == count)
    }
  }

  // MARK: both sides

  @Test func eachSideKnowsTheOther() async throws {
    for (own, other) in [(talk.inviter, talk.invitee), (talk.invitee, talk.inviter)] {
      let their = try await talk.text { vcx_connection_get_their_pw_did($0, own, stringCallback) }
      #expect(try await talk.did(of: other) == their)
      let stored = try JSON(parsing: await talk.text { vcx_connection_serialize($0, own, stringCallback) })
      #expect(stored["data"]?["public_did"] == talk.config["institution_did"])
    }
    try await talk.finish { vcx_connection_delete_connection($0, talk.inviter, doneCallback) }
    let late = await strings.call { vcx_connection_send_message($0, talk.invitee, "late", "{}", stringCallback) }
    #expect(late.delivery?.error == 1010)
  }

  @Test func aSignatureIsVerifiedWithItsData() async throws {
    let data: [UInt8] = [1, 2, 3]
    let signed = await byteArrays.call { vcx_connection_sign_data($0, talk.invitee, data, 3, bytesCallback) }
    let signature = try #require(signed.delivery?.value ?? nil)
    let right = await answers.call {
      vcx_connection_verify_signature(
        $0, talk.inviter, data, 3, signature, UInt32(signature.count), answerCallback)
    }
    #expect(right.delivery?.value == true)
    let wrong = await answers.call {
      vcx_connection_verify_signature(
        $0, talk.inviter, [1, 2, 4], 3, signature, UInt32(signature.count), answerCallback)
    }
    #expect(wrong.delivery?.error == 0 && wrong.delivery?.value == false)
  }

  // MARK: subscriptions

  @Test func aSubscriberIsToldOfAMessageUntilItEnds() async throws {
    told.withLock { $0 = [] }
    _ = try await talk.text { vcx_connection_send_message($0, talk.inviter, "before", "{}", stringCallback) }
    #expect(msdk_messages_subscribe(7, toldCallback) == 0)
    #expect(msdk_messages_subscribe(7, toldCallback) == 1044)
    _ = try await talk.text { vcx_connection_send_message($0, talk.inviter, "after", "{}", stringCallback) }
    let texts = told.wait(milliseconds: 60_000) { told -> [String]? in
      let contents = told.filter { $0.handle == 7 && $0.message["kind"] == "message" }.compactMap { told in
        let payload = told.message["decryptedPayload"]?.string.flatMap { try? JSON(parsing: $0) }
        return payload?["@msg"]?.string.flatMap { try? JSON(parsing: $0) }?["content"]?.string
      }
      return contents.count >= 2 ? contents : nil
    }
    #expect(texts == ["before", "after"])
    #expect(msdk_messages_unsubscribe(7) == 0 && msdk_messages_unsubscribe(7) == 0)
    let count = told.withLock { $0.count }
    _ = try await talk.text { vcx_connection_send_message($0, talk.inviter, "later", "{}", stringCallback) }
    _ = try await talk.entries(of: talk.invitee)
    #expect(told.withLock { $0.count } == count)
  }

  // MARK: envelopes of a program's own

  @Test func anEnvelopeTellsItsSender() async throws {
    let (receiver, message) = (try #require(talk.config["sdk_to_remote_verkey"]?.string), Array("hello".utf8))
    let keys = JSON([receiver]).text
    for sender in [receiver, nil] {
      let packed = await byteArrays.call {
        vcx_pack_message($0, 0, message, UInt32(message.count), keys, sender, bytesCallback)
      }
      let envelope = try #require(packed.delivery?.value ?? nil)
      let unpacked = await byteArrays.call {
        vcx_unpack_message($0, 0, envelope, UInt32(envelope.count), bytesCallback)
      }
      let json = try JSON(parsing: #require(unpacked.delivery?.value ?? nil))
      #expect(json["message"] == "hello" && json["recipient_verkey"] == .string(receiver))
      #expect(json["sender_verkey"]?.string == sender)
    }
    let foreign = JSON(["7cRQnoSxB29aSdQfqjFK4RFCBdAMnq2iPGndPATN6Dq7"]).text
    let packed = await byteArrays.call { vcx_pack_message($0, 0, message, 5, foreign, nil, bytesCallback) }
    let envelope = try #require(packed.delivery?.value ?? nil)
    for (bytes, code) in [(envelope, 1073), (message, 1080)] as [([UInt8], UInt32)] {
      let refused = await byteArrays.call { vcx_unpack_message($0, 0, bytes, UInt32(bytes.count), bytesCallback) }
      #expect(refused.delivery?.error == code && refused.delivery?.value == nil)
    }
  }

  // MARK: the session

  @Test func aSecondStartIsRefusedAtOnce() async {
    let text = talk.config.text
    #expect(await done.call { vcx_init_with_config($0, text, doneCallback) }.refusal == 1044)
    #expect(await done.call { vcx_init_with_config($0, "{}", doneCallback) }.refusal == 1069)
  }

  /// The short form fits into a QR code.
  @Test func aProprietaryInvitationIsHandedOutInItsShortForm() async throws {
    Agent.standard.stop(deletingWallet: false)
    let config = talk.config.with(["protocol_type": "2.0"])
    try await talk.finish { vcx_init_with_config($0, config.text, doneCallback) }
    let handle = try await talk.number { vcx_connection_create($0, "bob", numberCallback) }
    let invitation = try await talk.text { vcx_connection_connect($0, handle, nil, stringCallback) }
    let short = try await talk.text { vcx_connection_invite_details($0, handle, true, stringCallback) }
    #expect(try JSON(parsing: invitation)["s"] != nil && invitation == short)
  }
}

/// The messages that subscribers were told of.
private let told = Monitor<[(handle: UInt32, message: JSON)]>([])
private let toldCallback: vcx_string_cb = { handle, _, text in
  let message = text.flatMap { try? JSON(parsing: String(cString: $0)) } ?? .null
  told.withLock { $0.append((handle, message)) }
}
