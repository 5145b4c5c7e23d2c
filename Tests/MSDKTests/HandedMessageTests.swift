import Aries
import DIDComm
import JSON
import MSDK
import Sodium
import Testing

/// Messages that the program downloads and hands over: the envelope in the mailbox proves their sender, and nothing else.
extension SDKTests {
  @Suite(.serialized) struct HandedMessageTests {
    let world: World

    init() throws { world = try World() }

    let hangup: JSON = ["@type": "https://didcomm.org/did-rotate/1.0/hangup", "@id": "h"]

    /// The entries of the mailbox.
    func entries() throws -> [JSON] {
      let text = try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
    }

    /// The session of a process that has downloaded nothing.
    func restart() throws {
      Session.stop(deletingWallet: false)
      try Session.start(Settings(parsing: world.config))
    }

    @Test func aMessageThatNobodyProvablySentHasNoEffect() throws {
      var connection = try world.completed()
      let before = connection.serialized(institutionDID: nil)
      try world.inviter.sendUnsigned(hangup)
      let entry = try #require(try entries().last)
      for given in [hangup.text, entry.text] {
        #expect(throws: MailboxError.unprovenSender) { try connection.receive(given, with: world.session) }
      }
      #expect(connection.serialized(institutionDID: nil) == before)
    }

    @Test func aStrangersMessageHasNoEffect() throws {
      var connection = try world.completed()
      try world.inviter.send(hangup, from: KeyPair())
      let entry = try #require(try entries().last)
      for given in [hangup.text, entry.text] {
        #expect(throws: ProtocolError.notFromPeer) { try connection.receive(given, with: world.session) }
      }
      #expect(connection.state.number == 4)
    }

    @Test(arguments: [true, false], [true, false])
    func thePeersMessageCounts(isEntry: Bool, isRestarted: Bool) throws {
      var connection = try world.completed()
      try world.inviter.send(hangup)
      let given = isEntry ? try #require(try entries().last).text : hangup.text
      if isRestarted { try restart() }
      try connection.receive(given, with: world.session)
      #expect(connection.state.number == 0)
    }

    /// A program may parse a message, and write it anew.
    @Test func theFormOfTheTextDoesNotMatter() throws {
      var connection = try world.completed()
      try world.inviter.send(hangup)
      _ = try entries()
      let anew = #"{ "@id": "h", "@type": "https:\/\/didcomm.org/did-rotate/1.0/hangup" }"#
      try connection.receive(anew, with: world.session)
      #expect(connection.state.number == 0)
    }

    /// Also a peer can write a text that looks like an entry.
    @Test func anEntryProvesNoSender() throws {
      var connection = try world.completed()
      try world.inviter.sendUnsigned(hangup)
      var entry = try #require(try entries().last)
      entry["senderVerkey"] = .string(world.inviter.pairwiseKey.verkey.text)
      #expect(throws: MailboxError.unprovenSender) { try connection.receive(entry.text, with: world.session) }
      #expect(connection.state.number == 4)
    }

    @Test func aStrangerWhoRepeatsTheTextDoesNotHideThePeer() throws {
      var connection = try world.completed()
      try world.inviter.send(hangup, from: KeyPair())
      try world.inviter.send(hangup)
      try world.inviter.sendUnsigned(hangup)
      _ = try entries()
      try connection.receive(hangup.text, with: world.session)
      #expect(connection.state.number == 0)
    }

    /// Another connection's peer may send what it likes over its own connection.
    @Test func aMessageInAnotherMailboxDoesNotCount() throws {
      var first = try world.completed()
      var second = try Connection(sourceID: "again", connectionInvitation: world.inviter.invitation.text)
      try second.connect(ConnectionOptions(parsing: nil), with: world.session)
      try world.inviter.respond()
      try second.poll(with: world.session)
      try world.inviter.send(hangup)
      _ = try entries()
      #expect(throws: MailboxError.unprovenSender) { try first.receive(hangup.text, with: world.session) }
      #expect(first.state.number == 4)
      try second.receive(hangup.text, with: world.session)
      #expect(second.state.number == 0)
    }

    /// The signature in a response is proof enough of the invitation's key.
    @Test func aResponseNeedsNoSender() throws {
      var connection = try world.requested()
      let response = try world.inviter.response()
      try connection.receive(response.text, with: world.session)
      #expect(connection.state.number == 3, "the new key has sent nothing yet")
      let ping = try #require(try world.inviter.received().last?.json)
      #expect(ping["response_requested"] == true)
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      try world.inviter.send([
        "@type": "https://didcomm.org/trust_ping/1.0/ping_response", "@id": "p",
        "~thread": ["thid": ping["@id"] ?? .null],
      ])
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }
  }
}
