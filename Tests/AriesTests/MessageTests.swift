import Aries
import DIDComm
import JSON
import Sodium
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

  @Test func aMessageWithoutAThreadBeginsItsOwn() throws {
    for thread in [nil, [:], ["thid": "1"]] as [JSON?] {
      var object: JSONObject = ["@id": "1"]
      object["~thread"] = thread
      #expect(Thread(of: object).thid == "1")
    }
  }
}

@Suite struct SignatureTests {
  let pair = KeyPair()

  @Test func aSignedValueIsReadBack() throws {
    let signed = SignatureDecorator(signing: ["a": "ü"], with: pair, time: 1_700_000_000)
    let read = try SignatureDecorator(verifying: signed.received)
    #expect(try read.value() == ["a": "ü"])
    #expect(read.signer == pair.verkey)
  }

  @Test(arguments: ["@type", "signer", "sig_data", "signature"]) func everyMemberIsNeeded(member: String) {
    var json = SignatureDecorator(signing: [:], with: pair, time: 0).received
    for wrong in [nil, 1, "", "!"] as [JSON?] {
      json[member] = wrong
      #expect(throws: SignatureError.self) { try SignatureDecorator(verifying: json) }
    }
  }

  @Test func aForeignSignerIsNoticed() {
    var json = SignatureDecorator(signing: [:], with: pair, time: 0).received
    json["signer"] = .string(KeyPair().verkey.text)
    #expect(throws: SignatureError.notAuthentic) { try SignatureDecorator(verifying: json) }
  }
}

@Suite struct InvitationTests {
  let inviter = Inviter()
  var key: JSON { .string(inviter.invitationKey.verkey.text) }

  func outOfBand(_ members: JSONObject = [:]) -> JSON {
    var object: JSONObject = [
      "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "1", "label": "Acme",
      "handshake_protocols": ["https://didcomm.org/didexchange/1.0", "https://didcomm.org/connections/1.0"],
      "services": [
        [
          "id": "#inline", "type": "did-communication", "serviceEndpoint": "http://a",
          "recipientKeys": [
            .string(inviter.invitationKey.verkey.didKey + "#" + inviter.invitationKey.verkey.multibase)
          ],
        ]
      ],
    ]
    for (key, value) in members.members { object[key] = value.isNull ? nil : value }
    return .object(object)
  }

  @Test func aConnectionInvitationIsReadByItsMembers() throws {
    var json = inviter.invitationJSON
    json["@type"] = nil
    json["profileUrl"] = "http://logo"
    json["future"] = [1]
    let invitation = try ConnectionInvitation(json)
    #expect(invitation.imageURL == "http://logo")
    #expect(invitation.json == json)
  }

  @Test(arguments: ["@id", "label", "recipientKeys", "serviceEndpoint"])
  func aConnectionInvitationNeedsItsMembers(member: String) {
    for wrong in [nil, 1] as [JSON?] {
      var json = inviter.invitationJSON
      json[member] = wrong
      #expect(throws: InvitationError.self) { try ConnectionInvitation(json) }
    }
  }

  @Test(arguments: [
    "thX6LZfHDZZKUs92febYZhYRcXddmzfzF2NvTkPNE", "", "did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc",
  ])
  func keysOfAnotherLengthOrTypeAreRefused(key: String) {
    var json = inviter.invitationJSON
    json["recipientKeys"] = [.string(key)]
    #expect(throws: InvitationError.malformed("recipientKeys holds something that is no key")) {
      try ConnectionInvitation(json)
    }
  }

  @Test func anOutOfBandInvitationIsRead() throws {
    let invitation = try OutOfBandInvitation(outOfBand())
    #expect(
      invitation.address == .service(Service(recipientKeys: [inviter.invitationKey.verkey], endpoint: "http://a")))
    #expect(invitation.handshakes == [.didExchange(.v1_0), .connections])
  }

  @Test func theOlderMemberNameIsRead() throws {
    let services = try #require(outOfBand()["services"])
    #expect(try OutOfBandInvitation(outOfBand(["services": nil, "service": services])).id == "1")
  }

  @Test func theFirstUsableServiceCounts() throws {
    let services = try #require(outOfBand()["services"]?.array)
    let invitation = try OutOfBandInvitation(outOfBand(["services": .array(["did:sov:x", [:]] + services)]))
    #expect(Invitation.outOfBand(invitation).service?.endpoint == "http://a")
  }

  @Test(arguments: [
    "{}", #"{"label":null,"goal":"to talk"}"#, #"{"handshake_protocols":null,"request~attach":[{"data":{"json":{}}}]}"#,
    #"{"handshake_protocols":[],"requests~attach":[{"data":{"base64":"e30="}}]}"#, #"{"@type":null,"future":{"a":1}}"#,
    #"{"accept":["didcomm/aip1"],"profileUrl":"http://logo"}"#,
  ])
  func unusualFormsAreRead(members: String) throws {
    let json = outOfBand(try JSON(parsing: members).requireObject())
    let invitation = try OutOfBandInvitation(json)
    #expect(invitation.json == json)
    #expect(invitation.offersHandshake != (invitation.requests.count == 1))
  }

  @Test func aServiceMayBeAPeerDID() throws {
    let key = inviter.invitationKey.verkey
    let service = Service(recipientKeys: [key], routingKeys: [inviter.pairwiseKey.verkey], endpoint: "http://a")
    let did = JSON.string(PeerDID4(key: key, service: service).long)
    let invitation = try OutOfBandInvitation(outOfBand(["services": ["did:sov:WgWxqztrNooG92RXvxSTWv", did]]))
    #expect(invitation.address == .service(service))
  }

  @Test(arguments: [
    ("did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH", "its service is a did:key, which names a key"),
    ("did:web:a.example", "its service is a DID of a kind that msdk cannot resolve (did:web)"),
  ])
  func aServiceThatNeedsAResolverIsRefusedWithTheReason(did: String, reason: String) {
    do {
      _ = try OutOfBandInvitation(outOfBand(["services": [.string(did)]]))
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains(reason))
    }
  }

  @Test func aServiceMayBeAPublicDID() throws {
    let did = "did:sov:WgWxqztrNooG92RXvxSTWv"
    let invitation = try OutOfBandInvitation(outOfBand(["services": [.string(did)]]))
    #expect(invitation.address == .publicDID(did))
    #expect(Invitation.outOfBand(invitation).service == nil)
  }

  @Test func anOfferOfAWebSocketAloneIsRefusedWithTheReason() throws {
    var json = inviter.invitationJSON
    json["serviceEndpoint"] = "ws://a"
    #expect(throws: InvitationError.unsupported("\(EndpointError.onlyWebSocket)")) { try ConnectionInvitation(json) }
    json["serviceEndpoint"] = ["ws://a", "http://b"]
    #expect(try ConnectionInvitation(json).service.endpoint == "http://b")
  }

  @Test func theTypeOfAnotherMessageIsRefused() throws {
    var json = inviter.invitationJSON
    for type: JSON in [
      nil, "", "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/connections/1.0/invitation",
      "https://x.org/connections/1.9/invitation",
    ] {
      json["@type"] = type
      #expect(try ConnectionInvitation(json).label == "Acme")
    }
    json["@type"] = "https://didcomm.org/out-of-band/1.0/invitation"
    #expect(throws: InvitationError.otherKind(.outOfBand)) { try ConnectionInvitation(json) }
    #expect(throws: InvitationError.otherKind(.connection)) {
      try OutOfBandInvitation(outOfBand(["@type": .string(ConnectionInvitation.type.text)]))
    }
    for type in ["https://didcomm.org/connections/1.0/request", "https://didcomm.org/connections/2.0/invitation", "x"] {
      json["@type"] = .string(type)
      #expect(throws: InvitationError.malformed("its @type is not that of an invitation")) {
        try ConnectionInvitation(json)
      }
    }
  }

  @Test(
    arguments: [
      (nil, nil, nil, nil), ("to talk", nil, "to talk", "unspecified"), (nil, "a.b", "a.b", "a.b"),
      ("to talk", "a.b", "to talk", "a.b"), ("", "", nil, nil),
    ] as [(String?, String?, String?, String?)])
  func aGoalAndItsCodeComeTogether(goal: String?, code: String?, writtenGoal: String?, writtenCode: String?) throws {
    let plan = try OutOfBandPlan(goalCode: code, goal: goal, handshake: true, request: nil)
    let json = try Party("faber").invitation(.outOfBand(plan)).json
    #expect(json["goal"]?.string == writtenGoal)
    #expect(json["goal_code"]?.string == writtenCode)
  }

  @Test func anInvitationOfTheOlderVersionHasBothNames() throws {
    let plan = InvitationPlan.outOfBand(
      try OutOfBandPlan(goalCode: nil, goal: nil, handshake: false, request: ["@id": "1", "@type": "x"]))
    for (version, isOlder) in [(OutOfBandVersion.v1_0, true), (.v1_1, false)] {
      let json = try plan.invitation(
        id: "i", from: .init(label: "Faber", service: Party("faber").own.service), version: version
      ).json
      #expect(json["@type"] == .string("https://didcomm.org/out-of-band/\(version.rawValue)/invitation"))
      #expect(json["services"] != nil && json["requests~attach"] != nil)
      #expect(json["service"] == (isOlder ? json["services"] : nil))
      #expect(json["request~attach"] == (isOlder ? json["requests~attach"] : nil))
    }
  }

  @Test func theFirstServiceThatCanBePostedToCounts() throws {
    let service = { (endpoint: String) -> JSON in
      ["recipientKeys": [.string(inviter.invitationKey.verkey.text)], "serviceEndpoint": .string(endpoint)]
    }
    let mixed = outOfBand(["services": [service("ws://a.example"), service("b.example"), service("HTTPS://c.example")]])
    #expect(try Invitation.outOfBand(OutOfBandInvitation(mixed)).service?.endpoint == "HTTPS://c.example")
    #expect(throws: InvitationError.unsupported("\(EndpointError.onlyWebSocket)")) {
      try OutOfBandInvitation(outOfBand(["services": [service("ws://a.example")]]))
    }
  }

  @Test func anInvitationThatOnlyNamesAPublicDIDIsRefusedWithTheReason() {
    let json: JSON = ["@id": "1", "label": "Acme", "did": "did:sov:WgWxqztrNooG92RXvxSTWv"]
    #expect(
      throws: InvitationError.unsupported(
        "it names only a public DID (did:sov:WgWxqztrNooG92RXvxSTWv), which needs a ledger")
    ) { try ConnectionInvitation(json) }
  }

  @Test(arguments: [
    ("https://didcomm.org/connections/1.0", "connections/1.0"), ("connections/1.9", "connections/1.0"),
    ("did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/didexchange/1.0", "didexchange/1.0"), ("didexchange/1.3", "didexchange/1.1"),
  ])
  func handshakesAreReadInAnyMinorVersion(text: String, name: String) {
    #expect(Handshake(text)?.text == "https://didcomm.org/" + name)
  }

  @Test(arguments: ["", "connections", "connections/", "connections/2.0", "didexchange/1", "didexchange/1.x", "x/1.0"])
  func otherHandshakesAreNone(text: String) { #expect(Handshake(text) == nil) }

  @Test func whatCannotWorkIsNamed() throws {
    #expect(throws: InvitationError.malformed("it has no service")) {
      try OutOfBandInvitation(outOfBand(["services": []]))
    }
    let other = try OutOfBandInvitation(outOfBand(["handshake_protocols": ["https://didcomm.org/didexchange/2.0"]]))
    #expect(other.offersHandshake && other.handshakes.isEmpty)
    #expect(throws: InvitationError.unsupported("it offers no handshake, and carries no request")) {
      try OutOfBandInvitation(outOfBand(["handshake_protocols": nil]))
    }
  }
}
