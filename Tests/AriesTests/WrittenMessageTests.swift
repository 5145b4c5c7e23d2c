import DIDComm
import JSON
import Sodium
import Testing

@testable import Aries

/// The members of messages that only other implementations read.
@Suite struct WrittenMessageTests {
  /// The invitee's ack tells the inviter that its response has arrived.
  @Test func theResponseOfAnInviterAsksForAnAck() throws {
    var conversation = try Conversation(by: .connections)
    try conversation.respond()
    guard case .send(let response, _) = conversation.response else { throw NothingSent(action: conversation.response) }
    #expect(response["~please_ack"] == [:])
    try conversation.complete()
    guard case .ack = try conversation.last.message else { throw NothingSent(action: conversation.last) }
  }

  /// RFC 0017: the content of a signed attachment is in base64 without padding.
  @Test func aSignedAttachmentHasNoPadding() throws {
    for content in [[1], [1, 2], [1, 2, 3]] as [[UInt8]] {
      let attachment = SignedAttachment(id: "a", mimeType: "text/string", content: content, signedWith: KeyPair())
      let text = try #require(attachment.json["data"]?["base64"]?.string)
      #expect(try !text.contains("=") && Base64.decodeAny(text) == content)
      #expect(try attachment.verified().content == content)
    }
  }

  /// RFC 0234: eight bytes of the time, with the highest first, and then the value.
  @Test func theTimeOfASignatureStandsBeforeTheValue() throws {
    let signature = SignatureDecorator(signing: ["a": 1], with: KeyPair(), time: 0x0102_0304_0506_0708)
    let data = try Base64.decodeAny(try #require(signature.received["sig_data"]?.string))
    #expect(data == [1, 2, 3, 4, 5, 6, 7, 8] + Array(#"{"a":1}"#.utf8))
    #expect(try SignatureDecorator(verifying: signature.received).value() == ["a": 1])
  }

  /// Each library looks for the code and its explanation in another member.
  @Test(arguments: [
    (Handshake.connections, "connections/1.0"), (.didExchange(.v1_0), "didexchange/1.0"),
    (.didExchange(.v1_1), "didexchange/1.1"),
  ])
  func aReportNamesItsProblemInEachForm(handshake: Handshake, family: String) {
    let report = ProblemReport(in: handshake, id: "p", code: "c", explanation: "e", thread: Thread(thid: "t"))
    #expect(
      report.json == [
        "@type": .string("https://didcomm.org/\(family)/problem_report"), "@id": "p", "~thread": ["thid": "t"],
        "problem-code": "c", "explain": "e", "description": ["code": "c", "en": "e"],
      ])
  }

  static let types: [(type: MessageType, text: String)] = [
    (ConnectionInvitation.type, "connections/1.0/invitation"), (ConnectionRequest.type, "connections/1.0/request"),
    (ConnectionResponse.type, "connections/1.0/response"), (DIDExchangeRequest.type, "didexchange/1.0/request"),
    (DIDExchangeResponse.type, "didexchange/1.0/response"), (DIDExchangeComplete.type, "didexchange/1.0/complete"),
    (OutOfBandInvitation.type, "out-of-band/1.1/invitation"), (HandshakeReuse.type, "out-of-band/1.0/handshake-reuse"),
    (HandshakeReuseAccepted.type, "out-of-band/1.0/handshake-reuse-accepted"),
    (FeatureQuery.type, "discover-features/1.0/query"), (FeatureDisclosure.type, "discover-features/1.0/disclose"),
    (FeatureQueries.type, "discover-features/2.0/queries"),
    (FeatureDisclosures.type, "discover-features/2.0/disclosures"), (Ack.type, "notification/1.0/ack"),
    (BasicMessage.type, "basicmessage/1.0/message"), (Hangup.type, "did-rotate/1.0/hangup"),
    (TrustPing.type, "trust_ping/1.0/ping"), (TrustPingResponse.type, "trust_ping/1.0/ping_response"),
    (Question.type, "questionanswer/1.0/question"), (CommittedQuestion.type, "committedanswer/1.0/question"),
    (InviteAction.type, "invite-action/0.9/invite"), (SignatureDecorator.type, "signature/1.0/ed25519Sha512_single"),
  ]

  @Test func everyTypeHasItsFamilyItsVersionAndItsName() {
    for (type, text) in Self.types { #expect(type.text == "https://didcomm.org/" + text) }
  }

  @Test func aReplyAnswersNothingOnceUnlessItSaysSo() {
    let reply = Reply(id: "r")
    #expect(!reply.answersOnce && reply.own == nil && reply.ledger.document == nil && reply.time == 0)
  }

  @Test func aDIDExchangeWithoutAVersionIsOfTheFirst() {
    #expect(DIDExchangeVersion(of: [:]) == .v1_0)
    #expect(DIDExchangeVersion(of: ["@type": "x"]) == .v1_0)
    #expect(DIDExchangeVersion(of: ["@type": "https://didcomm.org/didexchange/1.1/request"]) == .v1_1)
  }

  @Test func aDocumentWithoutADIDIsOfNobody() {
    let own = Party("alice").own
    for (id, did) in [("?", own.did), (own.did, "?"), ("?", "?"), (own.did, KeyPair().verkey.did.text)] {
      #expect(!DIDDocument(id: id, key: own.key.verkey, service: own.service).isOf(did))
    }
    #expect(own.document.isOf(own.did) && own.document.isOf("did:sov:\(own.did)"))
  }
}
