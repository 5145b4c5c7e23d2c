import Aries
import JSON
import Testing

@Suite struct ProprietaryInvitationTests {
  static let full: JSON = [
    "statusCode": "MS-101", "connReqId": "yta2odh",
    "senderDetail": [
      "name": "Faber", "agentKeyDlgProof": ["agentDID": "ZR4", "agentDelegatedKey": "Hqt", "signature": "aQ+"],
      "DID": "XNKZvMcN2Bx3mu6oMiRfds", "logoUrl": "http://logo",
      "verKey": "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw", "publicDID": "9QjmAbQLX1BvBRtM4qDAry",
    ],
    "senderAgencyDetail": ["DID": "BDS", "verKey": "91q", "endpoint": "http://agency:80/agency/msg"],
    "targetName": "there", "statusMsg": "message created", "threadId": nil, "version": "1.0", "future": ["d": 1],
  ]

  static let short: JSON = [
    "sc": "MS-101", "id": "yta2odh",
    "s": [
      "n": "Faber", "dp": ["d": "ZR4", "k": "Hqt", "s": "aQ+"], "d": "XNKZvMcN2Bx3mu6oMiRfds", "l": "http://logo",
      "v": "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw", "publicDID": "9QjmAbQLX1BvBRtM4qDAry",
    ],
    "sa": ["d": "BDS", "v": "91q", "e": "http://agency:80/agency/msg"],
    "t": "there", "sm": "message created", "threadId": nil, "version": "1.0", "future": ["d": 1],
  ]

  @Test(arguments: [full, short]) func bothFormsAreTheSameInvitation(json: JSON) throws {
    let invitation = try ProprietaryInvitation(json)
    #expect(invitation.json == Self.full)
    #expect(invitation.abbreviated == Self.short)
    #expect(
      invitation.id == "yta2odh" && invitation.sender.name == "Faber" && invitation.sender.logoURL == "http://logo")
    #expect(invitation.sender.did == "XNKZvMcN2Bx3mu6oMiRfds")
    #expect(invitation.sender.publicDID == "9QjmAbQLX1BvBRtM4qDAry")
  }

  @Test(arguments: ["connReqId", "statusCode", "statusMsg", "targetName", "senderDetail", "senderAgencyDetail"])
  func everyMemberIsNeeded(member: String) {
    for wrong in [nil, 1] as [JSON?] {
      var json = Self.full
      json[member] = wrong
      #expect(throws: InvitationError.self) { try ProprietaryInvitation(json) }
    }
  }

  @Test(arguments: [["DID"], ["verKey"], ["agentKeyDlgProof"], ["agentKeyDlgProof", "signature"]])
  func everyDetailOfTheSenderIsNeeded(path: [String]) throws {
    var json = Self.full
    var sender = try #require(json["senderDetail"])
    if path.count == 2 {
      var inner = try #require(sender[path[0]])
      inner[path[1]] = nil
      sender[path[0]] = inner
    } else {
      sender[path[0]] = nil
    }
    json["senderDetail"] = sender
    #expect(throws: InvitationError.self) { try ProprietaryInvitation(json) }
  }

  @Test func nameLogoAndPublicDIDMayBeMissing() throws {
    var json = Self.full
    var sender = try #require(json["senderDetail"])
    for member in ["name", "logoUrl", "publicDID"] { sender[member] = nil }
    json["senderDetail"] = sender
    let invitation = try ProprietaryInvitation(json)
    #expect(invitation.sender.name == nil && invitation.sender.logoURL == nil && invitation.sender.publicDID == nil)
  }
}

@Suite struct InviterIdentityTests {
  static let key = "4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw"
  static let otherKey = "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR"

  static func connection(_ id: String, _ key: String, publicDID: String? = nil) -> JSON {
    ["@id": .string(id), "recipientKeys": [.string(key), "x"], "public_did": JSON(publicDID)]
  }

  static func outOfBand(_ id: String, _ service: JSON, publicDID: String? = nil, member: String = "services") -> JSON {
    .object(["@id": .string(id), member: [service, [:]], "public_did": JSON(publicDID)])
  }

  static let block: JSON = ["recipientKeys": [.string(key)]]
  static let didKey: JSON = [
    "recipientKeys": [
      "did:key:z6MkeXCES4onVW4up9Qgz1KRnZsKmGufcaZxF6Zpv2w5QwUK#z6MkeXCES4onVW4up9Qgz1KRnZsKmGufcaZxF6Zpv2w5QwUK"
    ]
  ]

  @Test(
    arguments: [
      (connection("1", key), connection("2", key)),
      (connection("1", key), outOfBand("2", block)),
      (connection("1", key), outOfBand("2", block, member: "service")),
      (connection("1", key), outOfBand("2", didKey)),
      (
        connection("1", key, publicDID: "9QjmAbQLX1BvBRtM4qDAry"),
        outOfBand("2", ["recipientKeys": [.string(otherKey)]], publicDID: "did:sov:9QjmAbQLX1BvBRtM4qDAry")
      ),
      (outOfBand("1", "did:sov:9QjmAbQLX1BvBRtM4qDAry"), outOfBand("2", "did:sov:9QjmAbQLX1BvBRtM4qDAry")),
      (ProprietaryInvitationTests.full, ProprietaryInvitationTests.short),
      (ProprietaryInvitationTests.short, connection("2", otherKey, publicDID: "9QjmAbQLX1BvBRtM4qDAry")),
      (ProprietaryInvitationTests.full, connection("2", key)),
      (ProprietaryInvitationTests.full, connection("2", otherKey, publicDID: "did:sov:XNKZvMcN2Bx3mu6oMiRfds")),
      (
        JSON.object(["did": "did:sov:9QjmAbQLX1BvBRtM4qDAry"]),
        connection("2", otherKey, publicDID: "9QjmAbQLX1BvBRtM4qDAry")
      ),
    ] as [(JSON, JSON)])
  func theSameInviterIsRecognised(one: JSON, other: JSON) {
    #expect(InviterIdentity(of: one).isSameInviter(as: InviterIdentity(of: other)))
    #expect(InviterIdentity(of: other).isSameInviter(as: InviterIdentity(of: one)))
  }

  @Test(
    arguments: [
      (connection("1", key), connection("1", otherKey)),
      (connection("1", "", publicDID: ""), connection("2", "", publicDID: "")),
      (connection("1", "no key"), connection("2", "no key")),
      ([:], [:]), (nil, nil), ([], []),
      (outOfBand("1", "did:sov:9QjmAbQLX1BvBRtM4qDAry"), outOfBand("2", "did:sov:XNKZvMcN2Bx3mu6oMiRfds")),
    ] as [(JSON, JSON)])
  func differentOrNamelessInvitersAreNotTheSame(one: JSON, other: JSON) {
    #expect(!InviterIdentity(of: one).isSameInviter(as: InviterIdentity(of: other)))
  }

  @Test func invitationsAreTheSameByTheirIDs() {
    let one = InviterIdentity(of: Self.connection("1", Self.key))
    #expect(one.isSameInvitation(as: InviterIdentity(of: Self.outOfBand("1", [:]))))
    #expect(!one.isSameInvitation(as: InviterIdentity(of: Self.connection("2", Self.key))))
    for nameless in [[:], Self.connection("", Self.key)] as [JSON] {
      #expect(!InviterIdentity(of: nameless).isSameInvitation(as: InviterIdentity(of: nameless)))
    }
    let proprietary = InviterIdentity(of: ProprietaryInvitationTests.short)
    #expect(proprietary.isSameInvitation(as: InviterIdentity(of: ProprietaryInvitationTests.full)))
  }
}
