import Aries
import CloudAgent
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// The facts that the program sees of a connection before it is completed.
  @Suite struct UnfinishedConnectionTests {
    let world: World

    init() throws { world = try World() }

    private func outOfBand() -> JSON {
      [
        "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "invitation-1",
        "handshake_protocols": ["https://didcomm.org/connections/1.0"],
        "services": [
          [
            "id": "#inline", "type": "did-communication", "serviceEndpoint": .string(world.inviter.server.endpoint),
            "recipientKeys": [.string(world.inviter.invitationKey.verkey.didURL)],
          ]
        ],
      ]
    }

    /// The id of such an invitation is no DID, and programs show this text to their users.
    @Test func anOutOfBandInvitationTellsNoDIDOfItsInviter() throws {
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: outOfBand().text)
      #expect(try connection.theirDID() == "")
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(try connection.state.number == 3 && connection.theirDID() == "")
    }

    @Test func anInvitersOwnInvitationDescribesNoOtherSide() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let info = try JSON(parsing: connection.info(with: world.session))
      #expect(info["their"] == .null && info["invitation"]?["ConnectionInvitation"] != nil)
    }
  }
}
