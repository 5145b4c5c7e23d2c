import Aries
import CloudAgent
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// Facts and messages of connections that are not completed, and peers that cannot be reached meanwhile.
  @Suite(.serialized) struct ConnectionFactTests {
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

    @Test func aMessageBeforeTheResponseGoesToTheInvitation() throws {
      let connection = try world.requested()
      try connection.send("hello", with: world.session)
      let last = try #require(try world.inviter.received().last)
      #expect(last.json["content"] == "hello" && last.sender?.did.text == connection.pairwiseDID)
    }

    @Test(arguments: ["5", "[1]", #""quoted""#, "null", "{"]) func aTextThatIsNoObjectIsABasicMessage(text: String)
      throws
    {
      try world.completed().send(text, with: world.session)
      #expect(try world.inviter.received().last?.json["content"] == .string(text))
    }

    @Test func anInvitationShowsThePictureOfTheProfile() throws {
      Session.introduce(as: Profile(logoURL: "http://logo.example/a.png"))
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(connection.invitation?.imageURL == "http://logo.example/a.png")
    }

    // MARK: peers that cannot be reached

    /// The first of them must not be the only one that is tried: the others may be back.
    @Test func eachOfSeveralUnreachableInviteesIsTried() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let invitees = try (0..<2).map { _ in try ScriptedInvitee(invitation: .connection(invitation)) }
      for invitee in invitees {
        invitee.answer(500)
        try invitee.ask()
      }
      for _ in 0..<3 { #expect(throws: DeliveryError.self) { try connection.poll(with: world.session) } }
      invitees[1].answer(200)
      for _ in 0..<2 { try? connection.poll(with: world.session) }
      #expect(connection.state.number == 3)
      #expect(try invitees[1].received().count == 1 && invitees[0].received().isEmpty)
    }

    /// The program has rejected the request of one itself. Another one, who can be reached, comes before the one that is
    /// known to be away.
    @Test func aRequestThatIsGoneDoesNotCountAmongTheUnreachable() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let invitees = try (0..<3).map { _ in try ScriptedInvitee(invitation: .connection(invitation)) }
      for invitee in invitees[..<2] {
        invitee.answer(500)
        try invitee.ask()
      }
      for _ in 0..<2 { #expect(throws: DeliveryError.self) { try connection.poll(with: world.session) } }
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      let uid = try #require(JSON(parsing: text).array?.first?["msgs"]?.array?.first?["uid"])
      let gone: JSON = [["pairwiseDID": .string(connection.pairwiseDID), "uids": [uid]]]
      try world.session.updateMessages(status: "MS-105", gone.text)
      try invitees[2].ask()
      try connection.poll(with: world.session)
      #expect(try connection.state.number == 3 && invitees[2].received().count == 1)
    }

    /// No later attempt would reach it, and its request must not hide what comes behind it.
    @Test func anInviteeAtAForbiddenAddressIsRejected() throws {
      Session.stop(deletingWallet: false)
      let config = try JSON(parsing: world.config).with(["public_endpoints_only": true])
      try Session.start(Settings(parsing: config.text))
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let invitee = try ScriptedInvitee(invitation: .connection(invitation))
      try invitee.ask()
      #expect(throws: DeliveryError.unreachable(.notPublic)) { try connection.poll(with: world.session) }
      #expect(throws: Never.self) { try connection.poll(with: world.session) }
      #expect(try connection.state.number == 2 && invitee.received().isEmpty)
    }

    /// A process may end before it has stored that the handshake has failed.
    @Test func theResponseThatEndedAHandshakeEndsItAgain() throws {
      let stored = try world.requested().serialized(institutionDID: nil)
      let signature = SignatureDecorator(signing: ["DID": "x"], with: world.inviter.invitationKey, time: 0)
      let thread = Aries.Thread(thid: try world.inviter.request().id)
      try world.inviter.send(ConnectionResponse(id: "r", thread: thread, signature: signature).json)
      for _ in 0..<2 {
        var connection = try Connection(serialized: stored)
        #expect(throws: ProtocolError.self) { try connection.poll(with: world.session) }
        #expect(connection.state.number == 0)
      }
    }

    @Test func anInvitersOwnInvitationDescribesNoOtherSide() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let info = try JSON(parsing: connection.info(with: world.session))
      #expect(info["their"] == .null && info["invitation"]?["ConnectionInvitation"] != nil)
    }

    /// The caller learns why the handshake has ended, and not that the report about it was lost.
    @Test func aReportThatDoesNotArriveHidesNoRefusal() throws {
      var connection = try world.requested()
      let signature = SignatureDecorator(signing: ["DID": "x"], with: world.inviter.invitationKey, time: 0)
      let thread = Aries.Thread(thid: try world.inviter.request().id)
      try world.inviter.send(ConnectionResponse(id: "r", thread: thread, signature: signature).json)
      world.inviter.answer(500)
      #expect(throws: ProtocolError.self) { try connection.poll(with: world.session) }
      #expect(connection.state.number == 0)
    }
  }
}
