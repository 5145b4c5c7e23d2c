import Aries
import JSON
import MSDK
import Sodium
import TestSupport
import Testing
import Wallet

extension SDKTests {
  /// A connection as invitee, with a real agency and an inviter that does what the test tells it.
  @Suite(.eachCloudAgent) struct ConnectionTests {
    let world: World

    init() throws { world = try World() }

    /// The messages of the mailbox that are still new.
    func new() throws -> [JSON] {
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
    }

    @Test func aConnectionIsMadeWithAnInviter() throws {
      var connection = try world.requested()
      #expect(connection.state.number == 3)
      let request = try world.inviter.request()
      #expect(request.label == "Alice")
      #expect(request.did == connection.pairwiseDID)
      #expect(request.thread.pthid == "invitation-1")

      try connection.poll(with: world.session)
      #expect(connection.state.number == 3, "nothing has come")

      try world.inviter.respond()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      #expect(try new().isEmpty, "the response is marked read")
      let last = try #require(try world.inviter.received().last)
      #expect(last.json["@type"] == "https://didcomm.org/trust_ping/1.0/ping")
      #expect(last.sender?.did.text == connection.pairwiseDID)
    }

    @Test func aPollOnACompletedConnectionAnswersPingsAndLeavesMessagesAlone() throws {
      var connection = try world.completed()
      try world.inviter.send(BasicMessage(id: "1", content: "hello").json)
      try world.inviter.send(TrustPing(id: "ping-1", responseRequested: true).json)
      try connection.poll(with: world.session)
      try connection.poll(with: world.session)
      let answer = try #require(try world.inviter.received().last)
      #expect(answer.json["@type"] == "https://didcomm.org/trust_ping/1.0/ping_response")
      #expect(answer.json["~thread"]?["thid"] == "ping-1")
      let left = try new()
      #expect(left.count == 1)
      let payload = try JSON(parsing: try #require(left.first?["decryptedPayload"]?.string))
      #expect(payload["@type"] == ["fmt": "json", "name": "message", "ver": "1.0"])
      #expect(try JSON(parsing: try #require(payload["@msg"]?.string))["content"] == "hello")
    }

    /// As when a process ends between the poll and the storing of what it did.
    @Test func aResponseThatWasNotStoredIsTakenInAgain() throws {
      var connection = try world.requested()
      let stored = connection.serialized(institutionDID: nil)
      try world.inviter.send(world.inviter.response())
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      var restored = try Connection(serialized: stored)
      try restored.poll(with: world.session)
      #expect(restored.state.number == 4)
      #expect(restored.serialized(institutionDID: nil) == connection.serialized(institutionDID: nil))
    }

    @Test func aForgedResponseIsRefusedOnceAndHidesNothing() throws {
      var connection = try world.requested()
      let before = connection.serialized(institutionDID: nil)
      try world.inviter.send(world.inviter.response(signedBy: KeyPair()))
      #expect(throws: ProtocolError.wrongSigner) { try connection.poll(with: world.session) }
      #expect(connection.serialized(institutionDID: nil) == before)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)

      try world.inviter.send(world.inviter.response(signedBy: KeyPair()))
      try world.inviter.respond()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }

    @Test func aResponseOnAnotherThreadIsLeftAlone() throws {
      var connection = try world.requested()
      try world.inviter.send(world.inviter.response(thread: "another"))
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      #expect(try new().count == 1)
      #expect(throws: ProtocolError.wrongThread) {
        try connection.receive(world.inviter.response(thread: "another").text, with: world.session)
      }
    }

    @Test func aResponseThatComesTwiceIsAppliedOnce() throws {
      var connection = try world.requested()
      let response = try world.inviter.response()
      try world.inviter.send(response)
      try world.inviter.send(response)
      try connection.poll(with: world.session)
      let sent = try world.inviter.received().count
      try connection.poll(with: world.session)
      try connection.receive(response.text, with: world.session)
      #expect(try world.inviter.received().count == sent)
      #expect(connection.state.number == 4)
      #expect(try new().isEmpty)
    }

    @Test func messagesOfStrangersHaveNoEffect() throws {
      var connection = try world.completed()
      let before = connection.serialized(institutionDID: nil)
      let sent = try world.inviter.received().count
      try world.inviter.send(TrustPing(id: "1", responseRequested: true).json, from: KeyPair())
      try connection.poll(with: world.session)
      #expect(connection.serialized(institutionDID: nil) == before)
      #expect(try world.inviter.received().count == sent)
      #expect(try new().isEmpty, "it is rejected")
    }

    @Test func aRequestThatCouldNotBeSentIsSentAgainUnchanged() throws {
      var connection = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      world.inviter.answer(500)
      #expect(throws: DeliveryError.refused(status: 500)) {
        try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      }
      #expect(connection.state.number == 2)
      let did = connection.pairwiseDID
      var restored = try Connection(serialized: connection.serialized(institutionDID: nil))
      world.inviter.answer(200)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let request = try world.inviter.request()
      #expect(request.did == did)
      try restored.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(try world.inviter.request() == request)
    }

    @Test func aLastMessageThatCouldNotBeSentLeavesTheConnectionWaiting() throws {
      var connection = try world.requested()
      try world.inviter.respond()
      world.inviter.answer(503)
      #expect(throws: DeliveryError.refused(status: 503)) { try connection.poll(with: world.session) }
      #expect(connection.state.number == 3)
      world.inviter.answer(200)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }

    @Test func aConnectionGoesOnAfterEveryStep() throws {
      func restored(_ connection: Connection) throws -> Connection {
        try Connection(serialized: connection.serialized(institutionDID: nil))
      }
      var connection = try restored(
        Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text))
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      connection = try restored(connection)
      try world.inviter.respond()
      try connection.poll(with: world.session)
      connection = try restored(connection)
      #expect(connection.state.number == 4)
      try connection.sendPing(comment: "hi", with: world.session)
      #expect(try world.inviter.received().last?.json["comment"] == "hi")
    }

    @Test func messagesAreSentAsTheyStandOrAsBasicMessages() throws {
      let connection = try world.completed()
      try connection.send(#"{"@type":"https://a.example/b/1.0/c","x":[1]}"#, with: world.session)
      #expect(try world.inviter.received().last?.json == ["@type": "https://a.example/b/1.0/c", "x": [1]])
      try connection.send("hello", with: world.session)
      let last = try #require(try world.inviter.received().last?.json)
      #expect(last["@type"] == "https://didcomm.org/basicmessage/1.0/message" && last["content"] == "hello")
    }

    @Test func nothingIsSentBeforeThereIsSomebodyToSendTo() throws {
      var invited = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      #expect(throws: ConnectionError.notReady) { try invited.sendPing(comment: nil, with: world.session) }
      #expect(throws: ConnectionError.notReady) { try invited.send("hello", with: world.session) }
      #expect(throws: ConnectionError.noMailbox) { try invited.poll(with: world.session) }
      let requested = try world.requested()
      #expect(throws: ConnectionError.notReady) { try requested.sendPing(comment: nil, with: world.session) }
    }

    @Test func aPairwiseAgentMadeInAdvanceIsUsed() throws {
      let first = try world.requested()
      let data = try #require(try JSON(parsing: first.serialized(institutionDID: nil))["data"])
      let options: JSON = [
        "pairwise_agent_info": [
          "pw_did": data["pw_did"] ?? .null, "pw_vk": data["pw_verkey"] ?? .null,
          "agent_did": data["agent_did"] ?? .null, "agent_vk": data["agent_vk"] ?? .null,
          "mailbox": data["mailbox"] ?? .null,
        ]
      ]
      var second = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      try second.connect(ConnectionOptions(parsing: options.text), with: world.session)
      #expect(second.pairwiseDID == first.pairwiseDID)
    }

    @Test(arguments: [nil, "", " \n\t", "{}"]) func optionsMayBeMissing(text: String?) {
      #expect(throws: Never.self) { try ConnectionOptions(parsing: text) }
    }

    @Test(arguments: ["{", "[]", #"{"pairwise_agent_info":{}}"#, #"{"use_public_did":"yes"}"#, #"{"phone":1}"#])
    func badOptionsAreRefused(text: String) {
      #expect(throws: ConnectionError.self) { try ConnectionOptions(parsing: text) }
    }
  }
}
