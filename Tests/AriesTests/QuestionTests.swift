import DIDComm
import JSON
import Sodium
import TestSupport
import Testing
import Time

@testable import Aries

@Suite struct QuestionTests {
  static let question: JSON = [
    "@type": "https://didcomm.org/questionanswer/1.0/question", "@id": "q1", "question_text": "Möchten Sie?",
    "nonce": "7c1e", "signature_required": true, "valid_responses": [["text": "Ja, gern"], ["text": "Nein"]],
    "~timing": ["expires_time": "2026-11-20T08:37:54Z"],
  ]

  static let committed: JSON = [
    "@type": "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/committedanswer/1.0/question", "@id": "q2", "question_text": "Pay?",
    "valid_responses": [["text": "Yes", "nonce": "zmSJ7y1IPYDH/H?>~ü"], ["text": "No", "nonce": "n"]],
    "~thread": ["thid": "t2"],
  ]

  let known: JSON
  let pair: KeyPair
  let thread = Thread(thid: "q1")
  let time = Timestamp(seconds: 1_700_000_000)

  init() throws {
    known = try Fixtures.json("questions/answers.json")
    let seed = try #require(known["seed"]?.string)
    pair = try KeyPair(seed: SecretBytes(copying: Array(seed.utf8)))
  }

  func answer(_ question: JSON, _ choice: JSON) throws -> JSON {
    let question = try StructuredQuestion(question)
    return question.answer(
      try question.offered(Choice(choice), at: time), in: thread, id: "a1", at: time, by: pair)
  }

  @Test func aSignedAnswerIsTheKnownOne() throws {
    #expect(pair.verkey.text == known["verkey"]?.string)
    let expected: JSON = [
      "@type": "https://didcomm.org/questionanswer/1.0/answer", "@id": "a1", "~thread": ["thid": "q1"],
      "~timing": ["out_time": "2023-11-14T22:13:20Z"], "response": "Ja, gern",
      "response~sig": [
        "@type": "https://didcomm.org/questionanswer/1.0/ed25519Sha512_single", "signers": [known["verkey"] ?? .null],
        "sig_data": known["question"]?["sig_data"] ?? .null, "signature": known["question"]?["signature"] ?? .null,
      ],
    ]
    #expect(try answer(Self.question, ["text": "Ja, gern"]) == expected)
  }

  @Test func anAnswerIsSignedOnlyWhereTheQuestionAsksForIt() throws {
    var question = Self.question
    for required in [false, nil] as [JSON?] {
      question["signature_required"] = required
      question["nonce"] = nil
      let answer = try answer(question, ["text": "Nein"])
      #expect(answer["response~sig"] == nil && answer["response"] == "Nein")
    }
  }

  @Test(arguments: [["text": "Yes"], ["text": "Yes", "nonce": "zmSJ7y1IPYDH/H?>~ü", "ref_msg_id": "m"]] as [JSON])
  func aCommittedAnswerSignsTheNonce(choice: JSON) throws {
    let expected: JSON = [
      "@type": "https://didcomm.org/committedanswer/1.0/answer", "@id": "a1", "~thread": ["thid": "q1"],
      "response.@sig": [
        "signature": known["committed"]?["signature"] ?? .null, "sig_data": known["committed"]?["sig_data"] ?? .null,
        "timestamp": "1700000000",
      ],
    ]
    #expect(try answer(Self.committed, choice) == expected)
  }

  @Test func theChoicesOwnNonceSelectsAResponse() throws {
    let twice: JSON = [["text": "Yes", "nonce": "a"], ["text": "Yes", "nonce": "b"]]
    let question = Self.committed.with(["valid_responses": twice])
    #expect(try answer(question, ["text": "Yes"]) == answer(question, ["text": "Yes", "nonce": "a"]))
    #expect(try answer(question, ["text": "Yes"]) != answer(question, ["text": "Yes", "nonce": "b"]))
  }

  @Test(
    arguments: [
      (question, JSON.object(["text": "Vielleicht"])), (question, JSON.object(["text": "Ja"])),
      (committed, JSON.object(["text": "Maybe"])), (committed, JSON.object(["text": "Yes", "nonce": "n"])),
      (committed, JSON.object(["text": "Yes", "nonce": "other"])),
    ] as [(JSON, JSON)])
  func aResponseThatIsNotOfferedIsNotSigned(question: JSON, choice: JSON) {
    #expect(throws: QuestionError.notOffered) { try answer(question, choice) }
  }

  @Test func anExpiredQuestionIsNotSigned() {
    let late = Timestamp(seconds: 1_900_000_000)
    #expect(throws: QuestionError.expired) {
      try StructuredQuestion(Self.question).offered(Choice(["text": "Nein"]), at: late)
    }
  }

  @Test func aNonceThatStandsForTwoResponsesIsNotSigned() throws {
    let same: JSON = [["text": "Yes", "nonce": "n"], ["text": "No", "nonce": "n"]]
    let question = Self.committed.with(["valid_responses": same])
    #expect(throws: QuestionError.ambiguous) { try answer(question, ["text": "No"]) }
  }

  /// Its base64 text is a DID with a key behind it: signed, it would prove a mailbox in Evernym's protocol.
  @Test func aNonceThatWouldProveAMailboxIsNotSigned() throws {
    let nonce = "pHiaDq?omDzjojGbrDyAzgciEnqAt H ovbrgnrDDfwe jbs"
    func question(_ nonce: String) -> JSON {
      Self.committed.with(["valid_responses": [["text": "Yes", "nonce": .string(nonce)]]])
    }
    #expect(throws: QuestionError.misleading) { try answer(question(nonce), ["text": "Yes"]) }
    #expect(throws: Never.self) { try answer(question(nonce + "s"), ["text": "Yes"]) }
  }

  /// Swift takes both texts for equal. The bytes are what is signed.
  @Test func aResponseIsChosenByItsBytes() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let one = Self.question.with(["valid_responses": [["text": .string(composed)]]])
    #expect(throws: QuestionError.notOffered) { try answer(one, ["text": .string(decomposed)]) }
    let both: JSON = [
      ["text": .string(composed), "nonce": "a"], ["text": .string(decomposed), "nonce": "b"],
    ]
    let data = try answer(Self.committed.with(["valid_responses": both]), ["text": .string(decomposed)])
    #expect(data["response.@sig"]?["sig_data"] == .string(Base64.encode(Array("b".utf8), .standard)))
    let same: JSON = [
      ["text": .string(composed), "nonce": "n"], ["text": .string(decomposed), "nonce": "n"],
    ]
    #expect(throws: QuestionError.ambiguous) {
      try answer(Self.committed.with(["valid_responses": same]), ["text": .string(composed)])
    }
  }

  @Test(arguments: ["2001-01-01", "soon", "", 978_307_200, ["2001-01-01T00:00:00Z"]] as [JSON])
  func aQuestionWithAnUnreadableExpiryIsMalformed(time: JSON) {
    for question in [Self.question, Self.committed] {
      #expect(throws: MessageError.self) { try StructuredQuestion(question.with(["~timing": ["expires_time": time]])) }
    }
  }

  @Test(arguments: [question, committed]) func aQuestionMayHaveAnotherMinorVersion(json: JSON) throws {
    let type = try #require(json["@type"]?.string).replacing("/1.0/", with: "/1.3/")
    #expect(try StructuredQuestion(json.with(["@type": .string(type)])) == StructuredQuestion(json))
  }

  @Test func anotherTypeIsNoQuestion() {
    #expect(throws: MessageError.malformed(.wrongType(key: "@type", expected: "the type of a question"))) {
      try StructuredQuestion(Self.committed.with(["@type": "https://didcomm.org/x/1.0/question"]))
    }
  }

  @Test func aCommittedAnswerNeedsANonce() {
    #expect(throws: QuestionError.notOffered) {
      try answer(Self.committed, ["text": "Perhaps"])
    }
  }

  @Test func expiryAndThreadAreRead() throws {
    let question = try StructuredQuestion(Self.question)
    #expect(question.expiry == Timestamp("2026-11-20T08:37:54Z"))
    #expect(question.thread.thid == "q1")
    let committed = try StructuredQuestion(Self.committed)
    #expect(committed.expiry == nil && committed.thread.thid == "t2")
  }

  @Test(arguments: ["@id", "@type", "question_text", "nonce", "valid_responses"])
  func aQuestionNeedsItsMembers(member: String) {
    for wrong in [nil, 1] as [JSON?] {
      var json = Self.question
      json[member] = wrong
      #expect(throws: MessageError.self) { try StructuredQuestion(json) }
    }
  }

  @Test(
    arguments: [
      [], ["@type": "x"], question.with(["@type": "x"]), committed.with(["@type": "x"]),
      ["@type": "https://didcomm.org/questionanswer/1.0/answer", "@id": "1"],
      ["@type": "https://didcomm.org/questionanswer/2.0/question", "@id": "1"],
    ] as [JSON])
  func otherMessagesAreNoQuestions(json: JSON) {
    #expect(throws: MessageError.self) { try StructuredQuestion(json) }
  }

  @Test(arguments: [[], [:], ["text": 1], ["text": "Yes", "nonce": 1]] as [JSON]) func otherValuesAreNoChoices(
    json: JSON
  ) {
    #expect(throws: JSONError.self) { try Choice(json) }
  }

  @Test func aCommittedQuestionHasItsExpiry() throws {
    let timing: [String: JSON] = ["~timing": ["expires_time": "2026-11-20T08:37:54Z"]]
    let question = try StructuredQuestion(QuestionTests.committed.with(timing))
    #expect(question.expiry == StructuredQuestion.question(try Question(QuestionTests.question.requireObject())).expiry)
    #expect(question.expiry != nil)
  }
}

@Suite struct InviteActionTests {
  @Test func anInvitationToActBeginsAThread() throws {
    let action = try InviteAction(["goal_code": "automotive.inspect.tire", "ack_on": ["ACCEPT", "OUTCOME"]])
    let expected: JSON = [
      "@type": "https://didcomm.org/invite-action/0.9/invite", "@id": "i1", "goal_code": "automotive.inspect.tire",
      "~please_ack": ["on": ["ACCEPT", "OUTCOME"]],
      "~thread": ["thid": "i1", "sender_order": 0, "received_orders": [:]],
    ]
    #expect(action.json(id: "i1") == expected)
  }

  @Test(
    arguments: [["goal_code": "x"], ["goal_code": "x", "ack_on": nil], ["goal_code": "x", "ack_on": []]] as [JSON])
  func noAcknowledgementIsAskedForWithoutAnOccasion(json: JSON) throws {
    #expect(try InviteAction(json).json(id: "i1")["~please_ack"] == nil)
  }

  @Test(
    arguments: [
      [], [:], ["goal_code": 1], ["goal_code": "x", "ack_on": "ACCEPT"], ["goal_code": "x", "ack_on": ["NEVER"]],
    ] as [JSON])
  func otherValuesAreRefused(json: JSON) {
    #expect(throws: JSONError.self) { try InviteAction(json) }
  }
}
