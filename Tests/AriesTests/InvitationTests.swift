import Aries
import DIDComm
import JSON
import Testing

/// The invitations that the library reads.
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
    #expect(invitation.json.value == json)
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
    #expect(invitation.json.value == json)
    let requests = (json["requests~attach"] ?? json["request~attach"])?.array ?? []
    #expect(invitation.offersHandshake != (requests.count == 1))
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
    ("did:example:a", "its service is a DID of a kind that msdk cannot resolve (did:example)"),
  ])
  func aServiceThatNeedsAResolverIsRefusedWithTheReason(did: String, reason: String) {
    do {
      _ = try OutOfBandInvitation(outOfBand(["services": [.string(did)]]))
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains(reason))
    }
  }

  @Test(arguments: [
    "did:sov:WgWxqztrNooG92RXvxSTWv", "did:web:acme.example",
    "did:webvh:QmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6:acme.example",
  ])
  func aServiceMayBeAPublicDID(did: String) throws {
    let invitation = try OutOfBandInvitation(outOfBand(["services": [.string(did)]]))
    #expect(invitation.address == .publicDID(did))
    #expect(Invitation.outOfBand(invitation).service == nil)
  }

  @Test func aWebSocketCountsWithoutAnHTTPEndpoint() throws {
    var json = inviter.invitationJSON
    json["serviceEndpoint"] = "didcomm:transport/queue"
    #expect(throws: InvitationError.unsupported("\(EndpointError.unsupported)")) { try ConnectionInvitation(json) }
    json["serviceEndpoint"] = "ws://a"
    #expect(try ConnectionInvitation(json).service?.endpoint == "ws://a")
    json["serviceEndpoint"] = ["ws://a", "http://b"]
    #expect(try ConnectionInvitation(json).service?.endpoint == "http://b")
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
    let json = try Party("faber").invitation(.outOfBand(plan)).json.value
    #expect(json["goal"]?.string == writtenGoal)
    #expect(json["goal_code"]?.string == writtenCode)
  }

  @Test func anInvitationOfTheOlderVersionHasBothNames() throws {
    let plan = InvitationPlan.outOfBand(
      try OutOfBandPlan(goalCode: nil, goal: nil, handshake: false, request: ["@id": "1", "@type": "x"]))
    for (version, isOlder) in [(OutOfBandVersion.v1_0, true), (.v1_1, false)] {
      let json = try plan.invitation(
        id: "i", from: .init(label: "Faber", service: Party("faber").own.service), version: version
      ).json.value
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
    let socket = try OutOfBandInvitation(outOfBand(["services": [service("b.example"), service("wss://a.example")]]))
    #expect(Invitation.outOfBand(socket).service?.endpoint == "wss://a.example")
    let both = outOfBand(["services": [service("wss://a.example"), "did:sov:WgWxqztrNooG92RXvxSTWv"]])
    #expect(try OutOfBandInvitation(both).address == .publicDID("did:sov:WgWxqztrNooG92RXvxSTWv"))
  }

  @Test(arguments: [
    "did:sov:WgWxqztrNooG92RXvxSTWv", "WgWxqztrNooG92RXvxSTWv", "did:indy:sovrin:WgWxqztrNooG92RXvxSTWv",
  ])
  func aPublicDIDMayStandInPlaceOfKeys(did: String) throws {
    let json: JSON = ["@id": "1", "label": "Acme", "did": .string(did)]
    let invitation = Invitation.connection(try ConnectionInvitation(json))
    #expect(invitation.address == .publicDID(did) && invitation.service == nil && invitation.offersHandshake)
    #expect(invitation.handshakes == [.connections])
    let restored = Invitation.connection(try ConnectionInvitation(json, isStored: true))
    #expect(restored == invitation)
  }

  @Test func aDIDThatContainsItsServiceMayStandInPlaceOfKeys() throws {
    let acme = Party("acme").own
    let did = PeerDID2.encoding(key: acme.key.verkey, service: acme.service)
    let invitation = try ConnectionInvitation(["@id": "1", "label": "Acme", "did": .string(did)])
    #expect(Invitation.connection(invitation).service?.endpoint == acme.service.endpoint)
  }

  @Test func keysBesideADIDDecide() throws {
    let acme = Party("acme").own
    let json: JSON = [
      "@id": "1", "label": "Acme", "did": "did:sov:WgWxqztrNooG92RXvxSTWv",
      "recipientKeys": [.string(acme.key.verkey.text)], "serviceEndpoint": "http://acme.example",
    ]
    #expect(Invitation.connection(try ConnectionInvitation(json)).service?.recipientKeys == [acme.key.verkey])
  }

  @Test(arguments: ["did:example:acme", "did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH"])
  func aDIDThatCannotBeResolvedIsRefusedWithTheReason(did: String) {
    #expect {
      try ConnectionInvitation(["@id": "1", "label": "Acme", "did": .string(did)])
    } throws: { error in
      if case .unsupported(let reason)? = error as? InvitationError { reason.hasPrefix("its DID is ") } else { false }
    }
  }

  @Test(arguments: [
    ("https://didcomm.org/connections/1.0", "connections/1.0"), ("connections/1.9", "connections/1.0"),
    ("did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/didexchange/1.0", "didexchange/1.0"), ("didexchange/1.3", "didexchange/1.1"),
  ])
  func handshakesAreReadInAnyMinorVersion(text: String, name: String) {
    #expect(Handshake(text)?.text == "https://didcomm.org/" + name)
  }

  @Test(arguments: ["", "connections", "connections/", "connections/2.0", "didexchange/1", "didexchange/1.x", "x/1.0"])
  func unknownHandshakesAreRefused(text: String) { #expect(Handshake(text) == nil) }

  @Test func anErrorSaysWhyAnInvitationIsUseless() throws {
    #expect(throws: InvitationError.malformed("it has no service")) {
      try OutOfBandInvitation(outOfBand(["services": []]))
    }
    #expect(throws: InvitationError.malformed("\(JSONError.wrongType(key: nil, expected: "an object"))")) {
      try OutOfBandInvitation(outOfBand(["services": [7]]))
    }
    let other = try OutOfBandInvitation(outOfBand(["handshake_protocols": ["https://didcomm.org/didexchange/2.0"]]))
    #expect(other.offersHandshake && other.handshakes.isEmpty)
    #expect(throws: InvitationError.unsupported("it offers no handshake, and carries no request")) {
      try OutOfBandInvitation(outOfBand(["handshake_protocols": nil]))
    }
  }
}
