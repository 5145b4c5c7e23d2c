import Aries
import JSON
import TestSupport
import Testing

@Suite struct MessageTests {
  let inviter = Inviter()

  @Test(arguments: ["https://didcomm.org/", "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/"])
  func bothPrefixesAndEveryMinorVersionAreRead(prefix: String) throws {
    for version in ["1.0", "1.9"] {
      let json: JSON = ["@type": "\(prefix)trust_ping/\(version)/ping", "@id": "1", "response_requested": true]
      #expect(try Message(json) == .ping(TrustPing(id: "1", responseRequested: true)))
    }
  }

  @Test func aPingThatDoesNotSaySoAsksForAnAnswer() throws {
    let json: JSON = ["@type": "https://didcomm.org/trust_ping/1.0/ping", "@id": "1"]
    #expect(try Message(json) == .ping(TrustPing(id: "1", responseRequested: true)))
  }

  @Test func anAnswerIsOnTheThreadOfItsMessage() throws {
    let thread: JSON = ["thid": "t", "pthid": "p"]
    func message(_ type: String, _ members: [String: JSON] = [:]) throws -> Message {
      let json: JSON = ["@type": .string("https://didcomm.org/\(type)"), "@id": "1", "~thread": thread]
      return try Message(json.with(members))
    }
    let answers: [JSON] = [
      try message("trust_ping/1.0/ping"), try message("out-of-band/1.1/handshake-reuse"),
      try message("discover-features/1.0/query"), try message("discover-features/2.0/queries", ["queries": []]),
      try message("revocation_notification/2.0/revoke", ["credential_id": "r::1"]),
    ].map { message in
      switch message {
      case .ping(let ping): TrustPingResponse(id: "2", to: ping).json
      case .handshakeReuse(let reuse): HandshakeReuseAccepted(id: "2", to: reuse).json
      case .featureQuery(let query): FeatureDisclosure(id: "2", to: query).json
      case .featureQueries(let queries): FeatureDisclosures(id: "2", to: queries).json
      case .revocation(let revocation): revocation.ack(id: "2")
      default: .null
      }
    }
    #expect(answers.map { $0["~thread"] } == Array(repeating: thread, count: 5))
    #expect(answers[0]["@type"] == "https://didcomm.org/trust_ping/1.0/ping_response")
    #expect(answers[1]["@type"] == "https://didcomm.org/out-of-band/1.1/handshake-reuse-accepted")
    #expect(answers[4]["@type"] == "https://didcomm.org/revocation_notification/2.0/ack")
  }

  @Test func unknownTypesAreNoErrors() throws {
    #expect(
      try Message(["@type": "https://didcomm.org/trust_ping/2.0/ping"])
        == .other(type: "https://didcomm.org/trust_ping/2.0/ping"))
    #expect(try Message(["@type": "hello"]) == .other(type: "hello"))
  }

  @Test(arguments: [
    JSON.null, [], [:], ["@type": 1], ["@type": "https://didcomm.org/trust_ping/1.0/ping"],
    ["@type": "https://didcomm.org/connections/1.0/request", "@id": "1", "connection": [:]],
    ["@type": "https://didcomm.org/basicmessage/1.0/message", "content": 1],
  ])
  func aKnownTypeWithoutItsMembersIsMalformed(json: JSON) {
    #expect(throws: MessageError.self) { try Message(json) }
  }

  /// Other agents leave out the members that nothing needs.
  @Test(
    arguments: [
      ("notification/1.0/ack", [:]), ("basicmessage/1.0/message", ["content": "x"]), ("did-rotate/1.0/hangup", [:]),
      ("trust_ping/1.0/ping_response", [:]), ("connections/1.0/response", [:]), ("didexchange/1.0/complete", [:]),
      ("didexchange/1.0/response", ["did": "x"]), ("discover-features/1.0/disclose", ["protocols": []]),
      ("discover-features/1.0/query", ["@id": "q"]), ("connections/1.0/problem_report", [:]),
    ] as [(String, [String: JSON])])
  func aMessageIsReadWithoutItsOptionalMembers(type: String, members: [String: JSON]) throws {
    let json: JSON = ["@type": .string("https://didcomm.org/" + type)]
    switch try Message(json.with(members)) {
    case .other(let type): Issue.record("\(type) is not read")
    case .featureQuery(let query): #expect(query.query == "*")
    default: break
    }
  }

  @Test(arguments: Conversation.handshakes) func aRequestNeedsNoLabel(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    let request = try #require(conversation.request.sent).message.with(["label": .null])
    let answer = try conversation.inviter.receive(
      Message(request), from: conversation.alice.sender, reply: conversation.faber.reply())
    #expect(try #require(answer.sent).service == conversation.alice.own.service)
  }

  @Test func messagesAreReadAsTheyAreWritten() throws {
    let ping = TrustPing(id: "1", comment: "hi", responseRequested: true)
    #expect(try Message(ping.json) == .ping(ping))
    let answer = TrustPingResponse(id: "2", to: ping)
    #expect(try Message(answer.json) == .pingResponse(answer))
    let ack = Ack(id: "3", thread: Thread(thid: "1", pthid: "0"))
    #expect(try Message(ack.json) == .ack(ack))
    let text = BasicMessage(id: "4", content: "grüß dich", sentTime: "2026-01-01T00:00:00Z")
    #expect(try Message(text.json) == .basicMessage(text))
    let response = inviter.response(thread: "1", asksForAck: true)
    #expect(try Message(response.json) == .connectionResponse(response))
    let request = ConnectionRequest(id: "5", label: "A", document: inviter.document, pthid: "0")
    #expect(try Message(request.json) == .connectionRequest(request))
    let report = ProblemReport(in: .connections, id: "6", code: "c", explanation: "e", thread: Thread(thid: "1"))
    #expect(try Message(report.json) == .problemReport(report))
    #expect(report.code == "c")
  }

  @Test func messagesOfADIDExchangeAreReadAsTheyAreWritten() throws {
    for handshake in Conversation.handshakes.dropFirst() {
      var conversation = try Conversation(by: handshake)
      try conversation.finish()
      for action in [conversation.request, conversation.response, conversation.last] {
        guard case .send(let json, _) = action else {
          Issue.record("\(action)")
          return
        }
        #expect(json["@type"]?.string?.hasPrefix(handshake.text + "/") == true)
        switch try Message(json) {
        case .didExchangeRequest(let message): #expect(message.json == json)
        case .didExchangeResponse(let message): #expect(message.json == json)
        case .didExchangeComplete(let message): #expect(message.json == json)
        case let other: Issue.record("\(other)")
        }
      }
    }
  }

  @Test func aReuseIsReadInBothVersions() throws {
    for minor in [0, 1] {
      let reuse = HandshakeReuse(id: "1", invitation: "2", minor: minor)
      #expect(try Message(reuse.json) == .handshakeReuse(reuse))
      #expect(reuse.json["@type"] == "https://didcomm.org/out-of-band/1.\(minor)/handshake-reuse")
    }
  }

  @Test(
    arguments: [
      ["description": ["code": "a", "en": "b"]], ["problem-code": "a", "explain": "b"], ["description": "a"],
    ] as [JSON])
  func problemCodesAreFoundWhereverTheyStand(members: JSON) throws {
    var json = members
    json["@type"] = "https://didcomm.org/notification/1.0/problem-report"
    guard case .problemReport(let report) = try Message(json) else {
      Issue.record("not a problem report")
      return
    }
    #expect(report.code == "a")
  }

  @Test(
    arguments: [
      ("@id", ["@id": ""]), ("@id", ["@id": .string(String(repeating: "i", count: 257))]),
      ("@id", ["@id": "K\u{301}\u{212a}"]),
      ("~thread", ["~thread": ["thid": .string(String(repeating: "t", count: 257))]]),
      ("~thread", ["~thread": ["thid": "t", "pthid": .string(String(repeating: "p", count: 257))]]),
    ] as [(String, [String: JSON])])
  func anErrorNamesTheIDThatIsTooShortTooLongOrNotInASCII(key: String, members: [String: JSON]) throws {
    let offer = try ExchangeScene.message("issue_1_0", "offer").with(members)
    let error = JSONError.wrongType(key: key, expected: "an id of 1 to 256 characters of ASCII")
    #expect(throws: MessageError.malformed(error)) { try Message(offer) }
  }

  @Test func aMessageWithoutAThreadBeginsItsOwn() throws {
    for thread in [nil, [:], ["thid": "1"], ["thid": ""]] as [JSON?] {
      var object: JSONObject = ["@id": "1"]
      object["~thread"] = thread
      #expect(Thread(of: object).thid == "1")
    }
  }

  /// RFC 0015 lets the status out in some versions, and an ack that waits would leave its exchange open.
  @Test(arguments: [nil, "OK"] as [JSON?]) func anAckWithoutAStatusIsAnAck(status: JSON?) throws {
    var json = Ack(id: "1", thread: Thread(thid: "t")).json
    json["status"] = status
    #expect(try Message(json) == .ack(Ack(id: "1", thread: Thread(thid: "t"))))
  }

  @Test func aPingSaysWhetherItAsksForAnAnswer() throws {
    let ping = TrustPing(id: "1", responseRequested: false)
    #expect(ping.json["~thread"] == nil)
    #expect(try Message(ping.json) == .ping(ping))
  }

  @Test func aReuseIsAcceptedInItsVersion() throws {
    for minor in [0, 1] {
      let reuse = HandshakeReuse(id: "1", invitation: "2", minor: minor)
      let type = JSON.string("https://didcomm.org/out-of-band/1.\(minor)/handshake-reuse-accepted")
      #expect(HandshakeReuseAccepted(id: "3", to: reuse).json["@type"] == type)
    }
  }

  /// RFC 0035 has the code in the description; the handshakes' own member is older.
  @Test func theCodeInTheDescriptionCounts() throws {
    let report = ProblemReport(["problem-code": "old", "description": ["code": "new", "en": "x"]])
    #expect(report.code == "new")
  }

  @Test func aMessageIsNestedAsDeeplyAsReasonable() throws {
    func offer(_ depth: Int) throws -> JSON {
      // The message itself is the first level.
      let inner = (1..<depth).reduce(JSON.bool(true)) { inner, level in level % 2 == 0 ? [inner] : ["a": inner] }
      return try ExchangeScene.message("issue_2_0", "offer").with(["more": inner])
    }
    #expect(throws: Never.self) { try Message(offer(80)) }
    #expect(throws: MessageError.malformed(.tooDeep(limit: 80))) { try Message(offer(81)) }
  }
}
