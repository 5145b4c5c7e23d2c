import Aries
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// The texts that the program gets of a proprietary connection.
  @Suite struct ProprietaryTextTests {
    let world: World

    init() throws {
      world = try World()
      Agent.ofTest.stop(deletingWallet: false)
      try Agent.ofTest.start(Settings(parsing: JSON(parsing: world.config).with(["protocol_type": "2.0"]).text))
    }

    private func offered(_ options: String? = nil) throws -> Connection {
      var inviter = try Connection.inviter(sourceID: "alice", with: world.session)
      try inviter.connect(ConnectionOptions(parsing: options), with: world.session)
      return inviter
    }

    private func invited(by inviter: Connection) throws -> Connection {
      try Connection(sourceID: "faber", connectionInvitation: inviter.invitationText)
    }

    @Test func aPlannedConnectionHasNoInvitation() throws {
      let planned = try Connection.inviter(sourceID: "alice", with: world.session)
      for abbreviated in [true, false] { #expect(planned.invitationText(abbreviated: abbreviated) == "null") }
    }

    @Test func anInviterNamesItsPublicDIDOnRequest() throws {
      let did = try #require(try world.session.settings.institutionDID)
      for (options, expected) in [(nil, nil), (#"{"use_public_did":true}"#, JSON.string(did))] as [(String?, JSON?)] {
        let invitation = try JSON(parsing: offered(options).invitationText)
        #expect(invitation["senderDetail"]?["publicDID"]?.string == expected?.string)
      }
    }

    @Test func anInvitationShowsNameAndPictureOfTheProfile() throws {
      Agent.ofTest.introduce(as: Profile(name: "Faber College", logoURL: "http://logo.example/a.png"))
      let sender = try JSON(parsing: offered().invitationText)["senderDetail"]
      #expect(sender?["name"] == "Faber College" && sender?["logoUrl"] == "http://logo.example/a.png")
    }

    /// As when a process ends between the poll and the storing of its effect.
    @Test func anAnswerThatWasNotStoredIsAppliedAgain() throws {
      var inviter = try offered()
      let stored = inviter.serialized(institutionDID: nil)
      var invitee = try invited(by: inviter)
      try invitee.connect(ConnectionOptions(parsing: nil), with: world.session)
      try inviter.poll(with: world.session)
      #expect(inviter.state.number == 4)
      var restored = try Connection(serialized: stored)
      try restored.poll(with: world.session)
      #expect(restored.serialized(institutionDID: nil) == inviter.serialized(institutionDID: nil))
    }

    @Test func aRedirectionNamesThePublicDIDsOfBothSides() throws {
      var inviter = try offered()
      var existing = try invited(by: inviter)
      try existing.connect(ConnectionOptions(parsing: nil), with: world.session)
      try inviter.poll(with: world.session)
      var text = try JSON(parsing: existing.serialized(institutionDID: nil))
      text["data"]?["their_public_did"] = "WgWxqztrNooG92RXvxSTWv"
      text["data"]?["public_did"] = "V4SGRU86Z58d6TV7PBUe6f"
      existing = try Connection(serialized: text.text)
      var second = try invited(by: offered())
      try second.redirect(to: existing, with: world.session)
      let details = try JSON(parsing: second.redirection())
      #expect(details["publicDID"] == "WgWxqztrNooG92RXvxSTWv")
      #expect(details["theirPublicDID"] == "V4SGRU86Z58d6TV7PBUe6f")
    }
  }
}
