import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// The limits of invitations, and what a stored one may lack.
@Suite struct InvitationLimitTests {
  let inviter = Inviter()
  var key: JSON { .string(inviter.invitationKey.verkey.text) }

  func outOfBand(_ services: [JSON]) -> JSON {
    [
      "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "1", "services": .array(services),
      "handshake_protocols": ["https://didcomm.org/connections/1.0"],
    ]
  }

  @Test(arguments: ["recipientKeys", "routingKeys"]) func anInvitationHasAsManyKeysAsReasonable(member: String) throws {
    func invitation(_ count: Int) -> JSON {
      inviter.invitationJSON.with([member: .array([JSON](repeating: key, count: count))])
    }
    #expect(throws: Never.self) { try ConnectionInvitation(invitation(64)) }
    #expect(throws: InvitationError.malformed("\(member) holds too many keys")) {
      try ConnectionInvitation(invitation(65))
    }
  }

  @Test func anInvitationHasAsManyServicesAsReasonable() throws {
    let service: JSON = ["recipientKeys": [key], "serviceEndpoint": "http://a"]
    #expect(throws: Never.self) { try OutOfBandInvitation(outOfBand([JSON](repeating: service, count: 16))) }
    #expect(throws: InvitationError.malformed("it has too many services")) {
      try OutOfBandInvitation(outOfBand([JSON](repeating: service, count: 17)))
    }
  }

  @Test func ofTwoPublicDIDsTheFirstCounts() throws {
    let dids = ["did:sov:WgWxqztrNooG92RXvxSTWv", "did:sov:BzCbsNYhMrjHiqZDTUASHg"]
    #expect(try OutOfBandInvitation(outOfBand(dids.map(JSON.string))).address == .publicDID(dids[0]))
  }

  @Test func aPublicDIDBesideKeysIsNotNeeded() throws {
    let json = inviter.invitationJSON.with(["did": "did:sov:WgWxqztrNooG92RXvxSTWv"])
    #expect(try ConnectionInvitation(json).service?.recipientKeys == [inviter.invitationKey.verkey])
  }

  @Test func theNewerNameOfThePictureCounts() throws {
    let pictures: [String: JSON] = ["imageUrl": "http://new", "profileUrl": "http://old"]
    #expect(try ConnectionInvitation(inviter.invitationJSON.with(pictures)).imageURL == "http://new")
    let service: JSON = ["recipientKeys": [key], "serviceEndpoint": "http://a"]
    #expect(try OutOfBandInvitation(outOfBand([service]).with(pictures)).imageURL == "http://new")
    let older: [String: JSON] = ["profileUrl": "http://old"]
    #expect(try OutOfBandInvitation(outOfBand([service]).with(older)).imageURL == "http://old")
  }

  @Test func theTypeOfAStoredInvitationDoesNotCount() throws {
    let type: [String: JSON] = ["@type": "https://didcomm.org/x/1.0/invitation"]
    #expect(throws: Never.self) { try ConnectionInvitation(inviter.invitationJSON.with(type), isStored: true) }
    let service: JSON = ["recipientKeys": [key], "serviceEndpoint": "http://a"]
    #expect(throws: Never.self) { try OutOfBandInvitation(outOfBand([service]).with(type), isStored: true) }
  }

  @Test(
    arguments: [
      (["senderDetail": [:]], true), (["s": [:]], true), (["senderDetail": [:], "s": [:]], true), ([:], false),
      (["recipientKeys": []], false), (["recipientKeys": [], "s": [:]], false),
    ] as [(JSON, Bool)])
  func aProprietaryInvitationIsToldByItsMembers(json: JSON, isLikely: Bool) {
    #expect(ProprietaryInvitation.isLikely(json) == isLikely)
  }
}
