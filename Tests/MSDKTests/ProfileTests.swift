import Aries
import JSON
import Testing

@testable import MSDK

extension SDKTests {
  /// The name and the picture of the profile in what peers see.
  @Suite struct ProfileTests {
    let world: World

    init() throws { world = try World() }

    /// The label of a program without a name is the name of the connection.
    @Test(arguments: ["Alice", nil]) func aConnectionShowsTheNameOfTheProfile(name: String?) throws {
      let config = try JSON(parsing: world.config).with([
        "institution_name": JSON(name), "protocol_type": "2.0",
      ])
      Agent.ofTest.stop(deletingWallet: false)
      try Agent.ofTest.start(Settings(parsing: config.text))
      _ = try world.requested()
      #expect(try world.inviter.request().label == name ?? "acme")
      var inviter = Connection(sourceID: "bob", inviting: .connection)
      try inviter.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(inviter.invitation?.label == name ?? "bob")
      var proprietary = Connection.inviter(sourceID: "carol", with: try world.session)
      try proprietary.connect(ConnectionOptions(parsing: nil), with: world.session)
      let detail = try JSON(parsing: proprietary.invitationText)["senderDetail"]
      #expect(detail?["name"]?.string == name ?? "carol")
    }

    @Test func anInvitationShowsThePictureOfTheProfile() throws {
      Agent.ofTest.introduce(as: Profile(logoURL: "http://logo.example/a.png"))
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(connection.invitation?.imageURL == "http://logo.example/a.png")
    }
  }
}
