import AgencyServer
import Aries
import CloudAgent
import DIDComm
import HTTP
import JSON
import MSDK
import Sodium
import TestSupport
import Testing
import Wallet

@Suite(.serialized, .theAgent) struct SDKTests {
  @Suite(.serialized) struct ConnectionTests {
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
        ]
      ]
      var second = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      try second.connect(ConnectionOptions(parsing: options.text), with: world.session)
      #expect(second.pairwiseDID == first.pairwiseDID)
    }

    @Test(arguments: ["{", "[]", #"{"pairwise_agent_info":{}}"#, #"{"use_public_did":"yes"}"#, #"{"phone":1}"#])
    func badOptionsAreRefused(text: String) {
      #expect(throws: ConnectionError.self) { try ConnectionOptions(parsing: text) }
    }
  }

  @Suite(.serialized) struct MailboxTests {
    let world: World

    init() throws { world = try World() }

    func download(_ statuses: String? = nil, uids: String? = nil, dids: String? = nil) throws -> [JSON] {
      try JSON(parsing: world.session.downloadMessages(statuses: statuses, uids: uids, pairwiseDIDs: dids))
        .requireArray()
    }

    @Test func messagesAreFilteredAndMarked() throws {
      let connection = try world.completed()
      for text in ["one", "two"] { try world.inviter.send(BasicMessage(id: text, content: text).json) }
      let all = try download("MS-103, MS-106")
      #expect(all.count == 1 && all[0]["pairwiseDID"] == .string(connection.pairwiseDID))
      #expect(all[0]["msgs"]?.array?.count == 3)

      let new = try #require(try download("MS-103").first?["msgs"]?.array)
      #expect(new.map { $0["statusCode"] } == ["MS-103", "MS-103"])
      let uid = try #require(new[0]["uid"]?.string)
      try world.session.updateMessages(
        status: "MS-106", #"[{"pairwiseDID":"\#(connection.pairwiseDID)","uids":["\#(uid)"]}]"#)
      #expect(try download("MS-103")[0]["msgs"]?.array?.count == 1)
      #expect(try download(uids: uid)[0]["msgs"]?.array?.count == 1)
      #expect(try download(dids: connection.pairwiseDID)[0]["msgs"]?.array?.count == 3)
      #expect(try download(dids: "9QjmAbQLX1BvBRtM4qDAry").isEmpty)
    }

    @Test func aMessageTellsTheKeyThatItIsFrom() throws {
      _ = try world.completed()
      let stranger = KeyPair()
      let message = BasicMessage(id: "1", content: "hello").json
      try world.inviter.send(message)
      try world.inviter.send(message, from: stranger)
      try world.inviter.sendUnsigned(message)
      let messages = try #require(try download("MS-103").first?["msgs"]?.array)
      #expect(
        messages.map { $0["senderVerkey"] }
          == [.string(world.inviter.pairwiseKey.verkey.text), .string(stranger.verkey.text), .null])
    }

    @Test func anUndecryptableMessageStandsInItsPlace() throws {
      _ = try world.completed()
      try world.inviter.send(BasicMessage(id: "1", content: "before").json)
      // Rightly forwarded, and yet not for the key of the mailbox.
      let service = try world.inviter.request().document.service
      let foreign = try Envelope.pack([1, 2], for: [KeyPair().verkey])
      var inner = service
      inner.recipientKeys = [service.routingKeys[0]]
      inner.routingKeys = [service.routingKeys[1]]
      let forward = Forward(to: service.recipientKeys[0].text, envelope: foreign).bytes(id: "f")
      let packed = try inner.pack(forward, from: nil)
      #expect(
        try HTTPClient().post(packed, to: service.endpoint, contentType: "application/didcomm-envelope-enc").status
          == 200)
      try world.inviter.send(BasicMessage(id: "2", content: "after").json)

      let messages = try #require(try download("MS-103").first?["msgs"]?.array)
      #expect(messages.map { $0["decryptedPayload"] == "null" } == [false, true, false])
      #expect(messages.map { $0["type"] } == ["aries", "aries", "aries"])
    }

    @Test(arguments: ["MS-100", "MS-108", "x", "MS-103;MS-104"]) func unknownStatusesAreRefused(status: String) throws {
      #expect(throws: MailboxError.unknownStatus) { try download(status) }
      #expect(throws: MailboxError.unknownStatus) { try world.session.updateMessages(status: status, "[]") }
    }

    @Test(arguments: ["", "{}", "[1]", #"[{"pairwiseDID":"x"}]"#, #"[{"uids":[]}]"#])
    func malformedListsAreRefused(text: String) throws {
      #expect(throws: MailboxError.self) { try world.session.updateMessages(status: "MS-106", text) }
    }

    @Test func anAgencyThatIsGoneIsNamedAsSuch() throws {
      _ = try world.completed()
      world.agency.stop()
      do {
        _ = try download()
        Issue.record("answered")
      } catch let error as CloudAgentError {
        guard case .unreachable = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
  }

  @Suite(.serialized) struct AgentTests {
    @Test func anAgentRunsOnceAndStartsAgain() throws {
      let world = try World()
      #expect(throws: WalletFailure(.alreadyOpen, at: world.folder.path + "/wallets/alice/sqlite.db")) {
        try MSDK.Session.start(Settings(parsing: world.config))
      }
      let session = try world.session
      MSDK.Session.stop(deletingWallet: false)
      #expect(throws: SessionError.notRunning) { try MSDK.Session.running() }
      #expect(throws: WalletError.closed) { try MSDK.Session.openWallet() }
      #expect(throws: (any Error).self) { try session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil) }
      try MSDK.Session.start(Settings(parsing: world.config))
      #expect(try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil) == "[]")
    }

    @Test func stoppingCanDeleteTheWallet() throws {
      let world = try World()
      MSDK.Session.stop(deletingWallet: true)
      #expect(throws: WalletFailure(.notFound, at: world.folder.path + "/wallets/alice/sqlite.db")) {
        try MSDK.Session.start(Settings(parsing: world.config))
      }
    }

    @Test func aWrongKeyIsRefused() throws {
      let world = try World()
      MSDK.Session.stop(deletingWallet: false)
      var config = try JSON(parsing: world.config)
      config["wallet_key"] = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
      #expect(throws: WalletFailure(.accessDenied, at: world.folder.path + "/wallets/alice/sqlite.db")) {
        try MSDK.Session.start(Settings(parsing: config.text))
      }
    }

    @Test func provisioningCanBeRepeatedAfterAFailure() throws {
      let folder = try TemporaryFolder()
      var config: JSON = [
        "agency_url": "http://127.0.0.1:1", "agency_did": "SnTKP3E2D6Y8zE4p62Le3n",
        "agency_verkey": "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR",
        "wallet_key": "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca", "wallet_key_derivation": "RAW",
        "storage_config": ["path": .string(folder.path)],
      ]
      #expect(throws: CloudAgentError.self) { try Provisioning(parsing: config.text).run() }
      let agency = try AgencyServer(dataFolder: folder.path + "/agency")
      defer { agency.stop() }
      config["agency_url"] = .string(agency.endpoint + "/")
      config["agency_did"] = .string(agency.identity.did)
      config["agency_verkey"] = .string(agency.identity.verkey.text)
      let result = try JSON(parsing: Provisioning(parsing: config.text).run())
      #expect(result["agency_endpoint"] == .string(agency.endpoint))
      #expect(result["institution_did"] == result["sdk_to_remote_did"])
      #expect(result["wallet_name"] == "LIBVCX_SDK_WALLET")
      #expect(result["protocol_type"] == "4.0")
      _ = try Settings(parsing: result.text)
    }
  }
}
