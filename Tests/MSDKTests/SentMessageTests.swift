import Aries
import DIDComm
import Foundation
import JSON
import Sodium
import Testing

@testable import MSDK

extension SDKTests {
  /// The members of the messages that a connection sends.
  @Suite struct SentMessageTests {
    let world: World

    init() throws { world = try World() }

    private func last() throws -> JSON { try #require(try world.inviter.received().last).json }

    @Test(arguments: [
      (#"{"@id":"i","@type":"https://didcomm.org/out-of-band/1.0/invitation"}"#, "1.0"),
      (#"{"@id":"i","@type":"https://didcomm.org/out-of-band/1.1/invitation"}"#, "1.1"),
      (#"{"@id":"i"}"#, "1.1"), (#"{"@id":"i","service":[]}"#, "1.0"), (#"{"@id":"i","@type":"x"}"#, "1.1"),
    ])
    func aReuseHasTheVersionOfItsInvitation(invitation: String, version: String) throws {
      try world.completed().sendReuse(for: invitation, with: world.session)
      #expect(try last()["@type"] == .string("https://didcomm.org/out-of-band/\(version)/handshake-reuse"))
    }

    @Test func anAnswerKeepsTheParentThreadAndCountsFromNought() throws {
      var connection = try world.completed()
      var question = ConnectionActionTests.question
      let peer = world.inviter.pairwiseKey.verkey.did.text
      for (thread, parent) in [(["thid": "t1", "pthid": "p1"], "p1"), (["thid": "t1"], "invitation-1")]
        as [(JSON, JSON)]
      {
        question["~thread"] = thread
        try connection.sendAnswer(to: question.text, choosing: #"{"text":"Yes"}"#, with: world.session)
        #expect(
          try last()["~thread"] == [
            "thid": "t1", "pthid": parent, "sender_order": 0, "received_orders": .object([peer: 0]),
          ])
      }
    }

    @Test func aResponseSaysWhenItWasSigned() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let info = try JSON(parsing: connection.info(with: world.session))
      #expect(info["their"] == .null && info["my"]?["did"]?.string == connection.pairwiseDID)
      let invitee = try ScriptedInvitee(invitation: .connection(invitation))
      try invitee.ask()
      let before = UInt64(Date().timeIntervalSince1970)
      try connection.poll(with: world.session)
      let text = try #require(try invitee.received().last?["connection~sig"]?["sig_data"]?.string)
      let time = try Base64.decodeAny(text).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect((before...UInt64(Date().timeIntervalSince1970)).contains(time))
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
  }
}
