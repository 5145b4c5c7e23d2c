import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import Aries

/// The services of invitations that have several forms.
@Suite struct InvitationServiceTests {
  let inviter = Inviter()

  private func service(_ members: [String: JSON] = [:]) -> JSON {
    let key = JSON.string(inviter.invitationKey.verkey.text)
    return (["recipientKeys": [key], "serviceEndpoint": "http://a"] as JSON).with(members)
  }

  private func outOfBand(_ members: [String: JSON]) -> JSON {
    let common: JSON = [
      "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "1",
      "handshake_protocols": ["https://didcomm.org/connections/1.0"],
    ]
    return common.with(members)
  }

  @Test func theNewerNameOfTheServicesCounts() throws {
    let json = outOfBand(["services": [service()], "service": [service(["serviceEndpoint": "http://old"])]])
    #expect(try Invitation.outOfBand(OutOfBandInvitation(json)).service?.endpoint == "http://a")
  }

  /// Connections of Evernym's library may have such a key. They are restored, and nothing is sent past a mediator.
  @Test func aStoredInvitationMayHaveAMalformedRoutingKey() throws {
    let broken: [String: JSON] = ["routingKeys": ["no key"]]
    let (one, other) = (outOfBand(["services": [service(broken)]]), inviter.invitationJSON.with(broken))
    let error = InvitationError.malformed("routingKeys holds something that is no key")
    #expect(throws: error) { try OutOfBandInvitation(one) }
    #expect(throws: error) { try ConnectionInvitation(other) }
    for invitation in [
      Invitation.outOfBand(try OutOfBandInvitation(one, isStored: true)),
      .connection(try ConnectionInvitation(other, isStored: true)),
    ] {
      let service = try #require(invitation.service)
      #expect(throws: EnvelopeError.malformedRoutingKey) { try service.pack([1], from: nil) }
    }
  }
}
