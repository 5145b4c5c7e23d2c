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

  @Test(arguments: [
    ["senderDetail", "agentKeyDlgProof", "agentDID"], ["senderDetail", "agentKeyDlgProof", "agentDelegatedKey"],
    ["senderDetail", "agentKeyDlgProof", "signature"], ["senderAgencyDetail", "DID"], ["senderAgencyDetail", "verKey"],
    ["senderAgencyDetail", "endpoint"],
  ]) func anInvitationNamesTheMailboxAndTheAgencyOfItsSender(path: [String]) {
    let changed = ProprietaryInvitationTests.full.replacing(path[...], with: 1)
    #expect(throws: InvitationError.self) { try ProprietaryInvitation(changed) }
  }
}
