import Aries
import CloudAgent
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import MSDK

extension SDKTests {
  /// A Cloud Agent that deletes messages once the library has them: the library keeps them, with their statuses.
  @Suite struct CollectedMessagesTests {
    let cloudAgent: MemoryCloudAgent
    let world: World

    init() throws {
      cloudAgent = try MemoryCloudAgent()
      world = try World(at: cloudAgent)
    }

    private func send(_ ids: [String]) throws {
      for id in ids { try world.inviter.send(BasicMessage(id: id, content: id).json) }
    }

    private func downloaded(_ statuses: String? = nil, uids: String? = nil, dids: String? = nil) throws -> [JSON] {
      let text = try world.session.downloadMessages(statuses: statuses, uids: uids, pairwiseDIDs: dids)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
    }

    private func contents(_ statuses: String? = nil) throws -> [String] {
      try downloaded(statuses).compactMap { entry in
        let payload = try JSON(parsing: entry["decryptedPayload"]?.string ?? "null")
        return try JSON(parsing: payload["@msg"]?.string ?? "null")["content"]?.string
      }
    }

    private func uid(_ entry: JSON) throws -> String { try #require(entry["uid"]?.string) }

    private func restart() throws {
      Agent.ofTest.stop(deletingWallet: false)
      try world.start(world.config)
    }

    // MARK: Mailboxes

    /// Messages to the public DID may wait for the moment when the server knows its key.
    @Test func aMailboxIsNotedBeforeItsServerKnowsTheKey() throws {
      let (session, noted) = (try world.session, Locked<[Bool]>([]))
      struct Refused: Error {}
      cloudAgent.whenOpened.withLock { opened in
        opened = { key in
          let isNoted = try !session.book.mailboxes(of: [key.did.text]).isEmpty
          noted.withLock { $0.append(isNoted) }
          if noted.withLock({ $0.count }) == 1 { throw Refused() }
        }
      }
      // The session owns the Cloud Agent.
      defer { cloudAgent.whenOpened.withLock { $0 = nil } }
      let key = try session.wallet.createDID(seed: nil).verkey
      #expect(throws: Refused.self) { try session.openMailbox(for: key) }
      #expect(try session.book.mailboxes(of: [key.did.text]).isEmpty)
      let mailbox = try session.openMailbox(for: key)
      #expect(try session.book.mailboxes(of: [key.did.text]) == [mailbox])
      #expect(noted.withLock { $0 } == [true, true])
    }

    // MARK: Keeping

    @Test func messagesAreInTheWalletOnceTheServerHasDeletedThem() throws {
      _ = try world.completed()
      try send(["a", "b"])
      #expect(try contents("MS-103") == ["a", "b"] && cloudAgent.waitingCount == 0)
      try restart()
      #expect(try contents("MS-103") == ["a", "b"])
    }

    @Test func aMessageThatComesAgainIsKeptOnce() throws {
      cloudAgent.change { ($0.repeatsMessages, $0.losesAcknowledgements) = (true, true) }
      _ = try world.completed()
      try send(["a", "b"])
      for _ in 0..<3 { #expect(try contents("MS-103") == ["a", "b"]) }
      try restart()
      #expect(try contents("MS-103") == ["a", "b"] && cloudAgent.waitingCount == 0)
    }

    /// Anybody who has recorded an envelope can write it anew.
    @Test func anEnvelopeThatIsWrittenInAnotherWayIsTheSame() throws {
      let key = try #require(world.completed().pairwise?.key)
      let message = BasicMessage(id: "1", content: "pay").json.bytes
      let envelope = try JSON(parsing: Envelope.pack(message, for: [key], from: world.inviter.pairwiseKey))
      var others = [envelope.with(["x": 1]), envelope.with(["x": .null]), envelope]
      for name in ["iv", "ciphertext", "tag"] {
        others[2][name] = .string(try #require(envelope[name]?.string).filter { $0 != "=" })
      }
      let filing = MessageFiling(inbox: try world.session.inbox, book: try world.session.book)
      for other in [envelope] + others { try filing.file([other]) }
      #expect(try contents("MS-103") == ["pay"])
      let other = try JSON(parsing: Envelope.pack(message, for: [key], from: world.inviter.pairwiseKey))
      try filing.file([other])
      #expect(try contents("MS-103") == ["pay", "pay"])
    }

    @Test func noMessageIsLostWhenTheConnectionIsCut() throws {
      _ = try world.completed()
      try send(["a", "b", "c"])
      cloudAgent.change { $0.cutAfter = 2 }
      #expect(throws: MemoryCloudAgent.Cut.self) { try contents() }
      #expect(cloudAgent.waitingCount == 3)
      cloudAgent.change { $0.cutAfter = nil }
      #expect(try contents("MS-103") == ["a", "b", "c"] && cloudAgent.waitingCount == 0)
    }

    @Test func lateMessagesInAnotherOrderAreApplied() throws {
      var connection = try world.requested()
      cloudAgent.change { ($0.delay, $0.reversesOrder) = (2, true) }
      try world.inviter.respond()
      try world.inviter.send(TrustPing(id: "ping", responseRequested: true).json)
      for _ in 0..<5 { try connection.poll(with: world.session) }
      #expect(connection.state == .completed)
      let answers = try world.inviter.received().filter { $0.json["~thread"]?["thid"] == "ping" }
      #expect(answers.count == 1)
    }

    // MARK: Statuses

    @Test func statusesAndFiltersAreTheWallets() throws {
      let connection = try world.completed()
      try send(["a", "b"])
      let unread = try downloaded("MS-103")
      let message = try #require(unread.first)
      #expect(message["statusCode"] == "MS-103" && message["payload"] == .null && message["type"] == "aries")
      #expect(message["senderVerkey"] == .string(world.inviter.pairwiseKey.verkey.text))
      let list: JSON = [["pairwiseDID": .string(connection.pairwiseDID), "uids": [.string(try uid(message)), "none"]]]
      try world.session.updateMessages(status: "MS-106", list.text)
      #expect(try contents("MS-103") == ["b"])
      try restart()
      #expect(try contents("MS-103") == ["b"])
      #expect(try downloaded("MS-106", uids: uid(message)).map(uid) == [uid(message)])
      #expect(try downloaded(dids: "other").isEmpty)
      #expect(try JSON(parsing: world.session.downloadMessage(uid: uid(message)))["statusCode"] == "MS-106")
      try world.session.updateMessages(status: "MS-103", list.text)
      #expect(try contents("MS-103") == ["a", "b"])
    }

    @Test func aMessageThatNoStoredObjectKnowsIsAppliedAgain() throws {
      var connection = try world.requested()
      let text = connection.serialized(institutionDID: nil)
      try world.inviter.respond()
      try connection.poll(with: world.session)
      #expect(connection.state == .completed)
      try restart()
      var restored = try Connection(serialized: text)
      try restored.poll(with: world.session)
      #expect(restored.state == .completed)
      #expect(try contents("MS-103").isEmpty)
    }

    @Test func aClosedMailboxLeavesNoMessages() throws {
      let connection = try world.completed()
      try send(["a"])
      #expect(try contents() == ["a"])
      try connection.delete(with: world.session)
      #expect(try contents().isEmpty)
      #expect(throws: DeliveryError.refused(status: 404)) { try send(["b"]) }
      let counts = try world.session.wallet.recordCounts()
      #expect(!counts.contains { $0.type == "msdk.inbox" })
    }

    // MARK: Mailboxes that are none

    @Test func aConnectionAtAnEarlierCloudAgentIsNotSilent() throws {
      let connection = try world.completed()
      let text = connection.serialized(institutionDID: nil).replacing(#""memory""#, with: #""elsewhere""#)
      var moved = try Connection(serialized: text)
      #expect(throws: CloudAgentError.unknownMailbox(try #require(moved.pairwise?.mailbox).pairwiseDID)) {
        try moved.poll(with: world.session)
      }
    }

    /// Such as the key with which the client writes to its mediator.
    @Test func anotherKeyOfTheWalletIsNoMailbox() throws {
      let key = try world.session.wallet.createDID(seed: nil).verkey
      let info = JSON.object(Pairwise(Mailbox(key: key, name: "memory")).stored)
      var connection = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      #expect(throws: ConnectionError.self) {
        try connection.connect(
          ConnectionOptions(parsing: JSON.object(["pairwise_agent_info": info]).text), with: world.session)
      }
      let own = try JSON(parsing: world.session.createMailbox())
      try connection.connect(
        ConnectionOptions(parsing: JSON.object(["pairwise_agent_info": own]).text), with: world.session)
      #expect(connection.state == .requested)
    }

    // MARK: Parts that are missing

    @Test func whatTheCloudAgentCannotDoIsSaid() throws {
      let device = try PushRegistration(parsing: #"{"id":"1","value":"token"}"#)
      #expect(throws: CloudAgentError.unable("notifies nobody of messages")) {
        try device.register(with: world.session)
      }
      let backups = CloudAgentError.unable("keeps no backups of wallets")
      #expect(throws: backups) { try WalletBackup(sourceID: "b", passphrase: "a long passphrase", with: world.session) }
      #expect(throws: backups) { try world.session.downloadOwnMessages(statuses: nil, uids: nil) }
    }

    @Test func aProprietaryInvitationNeedsAnAgency() throws {
      Agent.ofTest.stop(deletingWallet: false)
      try world.start(JSON(parsing: world.config).with(["protocol_type": "2.0"]).text)
      var connection = Connection.inviter(sourceID: "s", with: try world.session)
      #expect(throws: ConnectionError.proprietary("connecting without an agency")) {
        try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      }
    }
  }
}
