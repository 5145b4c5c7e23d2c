import JSON
import MSDK
import TestSupport
import Testing

@testable import VCX

/// Exchanges over two connected sides, as far as no engine of credentials is needed.
@Suite(.theAgent) struct ExchangeFunctionTests {
  let talk: Conversation

  init() async throws { talk = try await Conversation() }

  private typealias Deserialize = (UInt32, CString?, vcx_number_cb?) -> vcx_error_t

  private func restored(_ name: String, _ deserialize: Deserialize) async throws -> UInt32 {
    let text = try Fixtures.json("exchanges/\(name).json").text
    return try await talk.number { deserialize($0, text, numberCallback) }
  }

  private func pair(_ call: (UInt32) -> vcx_error_t) async throws -> NumberAndText {
    let delivery = try #require(await pairs.call(call).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
    return delivery.value
  }

  private func uid(of connection: UInt32) async throws -> String {
    try #require(await talk.entries(of: connection).last?["uid"]?.string)
  }

  // MARK: messages that the program has downloaded

  /// A report of the peer, which would end the exchange on the thread.
  private func report(in family: String, on thread: String) -> String {
    let message: JSON = [
      "@type": .string("https://didcomm.org/\(family)/2.0/problem-report"), "@id": "m",
      "~thread": ["thid": .string(thread)], "description": ["code": "rejection", "en": "no"],
    ]
    return message.text
  }

  /// The wallet has no key of the mailbox in these texts, so that nothing proves a sender.
  @Test func aMessageWithoutAProvenSenderLeavesTheExchange() async throws {
    let (issue, present) = ("0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0001", "0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0002")
    typealias Update = @Sendable (UInt32, UInt32, CString?, vcx_number_cb?) -> vcx_error_t
    let exchanges: [(UInt32, String, Update)] = [
      (
        try await restored("holder-requested", vcx_credential_deserialize), report(in: "issue-credential", on: issue),
        vcx_credential_update_state_with_message
      ),
      (
        try await restored("issuer-offered", vcx_issuer_credential_deserialize),
        report(in: "issue-credential", on: issue), vcx_issuer_credential_update_state_with_message
      ),
      (
        try await restored("prover-sent", vcx_disclosed_proof_deserialize), report(in: "present-proof", on: present),
        vcx_disclosed_proof_update_state_with_message
      ),
      (
        try await restored("verifier-sent", vcx_proof_deserialize), report(in: "present-proof", on: "request-1"),
        vcx_proof_update_state_with_message
      ),
    ]
    for (handle, text, update) in exchanges {
      let delivery = try #require(await numbers.call { update($0, handle, text, numberCallback) }.delivery)
      #expect(delivery.error != 0 && delivery.value == 2)
    }
  }

  @Test func aTextThatIsNoMessageIsRefusedWithTheState() async throws {
    let connection = talk.inviter
    let ending = await numbers.call {
      vcx_connection_update_state_with_message($0, connection, "no message", numberCallback)
    }
    #expect(ending.delivery?.error == 1016 && ending.delivery?.value == 4)
  }

  // MARK: messages in the mailbox

  @Test func anOfferIsTakenByTheUIDOfItsMessage() async throws {
    let (from, to) = (talk.inviter, talk.invitee)
    let issued = try await restored("issuer-prepared", vcx_issuer_credential_deserialize)
    try await talk.finish { vcx_issuer_send_credential_offer($0, issued, from, doneCallback) }
    let uid = try await uid(of: to)
    let taken = try await pair { vcx_credential_create_with_msgid($0, "my source", to, uid, pairCallback) }
    let offer = try JSON(parsing: #require(taken.text))
    let state = try await talk.number { vcx_credential_get_state($0, taken.number, numberCallback) }
    #expect(state == 3)
    let stored = try await talk.text { vcx_credential_serialize($0, taken.number, stringCallback) }
    #expect(try JSON(parsing: stored)["data"]?["holder_sm"]?["source_id"] == "my source")
    let offers = try JSON(parsing: await talk.text { vcx_credential_get_offers($0, to, stringCallback) })
    #expect(offers.array?.count == 1 && offers.array?.first == offer)
    let requests = try await talk.text { vcx_disclosed_proof_get_requests($0, to, stringCallback) }
    #expect(requests == "[]", "an offer is no request")
  }

  @Test func aRequestIsTakenByTheUIDOfItsMessage() async throws {
    let (from, to) = (talk.inviter, talk.invitee)
    let asking = try await restored("verifier-initiated", vcx_proof_deserialize)
    try await talk.finish { vcx_proof_send_request($0, asking, from, doneCallback) }
    let uid = try await uid(of: to)
    let taken = try await pair { vcx_disclosed_proof_create_with_msgid($0, "my source", to, uid, pairCallback) }
    let request = try JSON(parsing: #require(taken.text))
    let state = try await talk.number { vcx_disclosed_proof_get_state($0, taken.number, numberCallback) }
    #expect(state == 3)
    let stored = try await talk.text { vcx_disclosed_proof_serialize($0, taken.number, stringCallback) }
    #expect(try JSON(parsing: stored)["data"]?["prover_sm"]?["source_id"] == "my source")
    let requests = try JSON(parsing: await talk.text { vcx_disclosed_proof_get_requests($0, to, stringCallback) })
    #expect(requests.array?.count == 1 && requests.array?.first == request)
    let offers = try await talk.text { vcx_credential_get_offers($0, to, stringCallback) }
    #expect(offers == "[]", "a request is no offer")
  }

  // MARK: requests and their answers

  @Test func aProposalInsteadOfAPresentationArrivesAsOne() async throws {
    let (from, to) = (talk.inviter, talk.invitee)
    let proof = try await restored("prover-requested", vcx_disclosed_proof_deserialize)
    let preview = #"{"attributes":[{"name":"degree"}]}"#
    try await talk.finish {
      vcx_disclosed_proof_decline_presentation_request($0, proof, from, nil, preview, doneCallback)
    }
    let message = try await talk.last(of: to)
    #expect(message["@type"]?.string?.hasSuffix("/propose-presentation") == true)
    #expect(message.text.contains("degree") || message["proposals~attach"] != nil)
  }

  /// Asking for the result looks into the mailbox first, and works on without it.
  @Test func theResultIsTheNewestThatCanBeHad() async throws {
    let (from, to) = (talk.inviter, talk.invitee)
    let asking = try await restored("verifier-initiated", vcx_proof_deserialize)
    try await talk.finish { vcx_proof_send_request($0, asking, from, doneCallback) }
    let waiting = try await restored("verifier-initiated", vcx_proof_deserialize)
    try await talk.finish { vcx_proof_send_request($0, waiting, from, doneCallback) }
    // The verifier also asks for the protocols of its peer.
    let request = try await talk.entries(of: to).first {
      $0["decryptedPayload"]?.string?.contains("/request-presentation") == true
    }
    let uid = try #require(request?["uid"]?.string)
    let asked = try await pair { vcx_disclosed_proof_create_with_msgid($0, "p", to, uid, pairCallback) }
    try await talk.finish { vcx_disclosed_proof_reject_proof($0, asked.number, to, doneCallback) }
    let rejected = try #require(await pairs.call { vcx_get_proof_msg($0, asking, pairCallback) }.delivery)
    #expect(rejected.error == 1081 && rejected.value.number == 3)
    talk.agency.stop()
    let unknown = try #require(await pairs.call { vcx_get_proof_msg($0, waiting, pairCallback) }.delivery)
    #expect(unknown.error == 1005 && unknown.value.number == 0)
  }

  /// The request names its connection before it is passed to the peer by the program.
  @Test func aProofIsBoundToTheConnectionOfItsAnswer() async throws {
    let prepared = try await restored("verifier-prepared", vcx_proof_deserialize)
    let connection = talk.inviter
    try await talk.finish { vcx_proof_set_connection($0, prepared, connection, doneCallback) }
    let stored = try JSON(parsing: await talk.text { vcx_proof_serialize($0, prepared, stringCallback) })
    #expect(stored.text.contains(try await talk.did(of: connection)))
  }
}
