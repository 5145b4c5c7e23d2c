import Aries
import CloudAgent
import DIDComm
import Foundation
import HTTPServing
import JSON
import Registry
@testable import MSDK
import Sodium
import TestSupport
import Testing
import Threading
import Wallet

extension SDKTests {
  @Suite struct ServicesTests {
    let world: World

    init() throws { world = try World() }

    @Test func theCloudAgentIsAskedForItsHealth() throws {
      try world.session.checkHealth()
      world.agency.stop()
      #expect(throws: CloudAgentError.self) { try world.session.checkHealth() }
    }

    @Test func peersAtPrivateAddressesAreNotConnectedToWhereThatIsRefused() throws {
      var config = try JSON(parsing: world.config)
      config["public_endpoints_only"] = true
      Agent.ofTest.stop(deletingWallet: false)
      try Agent.ofTest.start(Settings(parsing: config.text))
      #expect(Agent.ofTest.peerReach == .publicAddresses)
      // The agency, which the configuration names, is reached all the same.
      try world.session.checkHealth()
      #expect(throws: DeliveryError.unreachable(.notPublic)) { try world.requested() }
      #expect(try world.inviter.received().isEmpty)
    }

    /// Over a WebSocket too, whose URL has neither a user nor a fragment.
    @Test func aPeerThatRefusesAMessageIsToldByItsStatus() throws {
      let server = try HTTPServer { _ in HTTPServer.Response(status: 503) }
      defer { server.stop() }
      for scheme in ["http", "ws"] {
        #expect(throws: DeliveryError.refused(status: 503)) {
          try world.session.post([1], to: "\(scheme)://127.0.0.1:\(server.port)/")
        }
      }
      for url in ["ws://", "ws://user@127.0.0.1:\(server.port)/", "ws://127.0.0.1:\(server.port)/#a"] {
        #expect(throws: DeliveryError.unreachable(.invalidURL)) { try world.session.post([1], to: url) }
      }
    }

    @Test func aMessageThatNoServerTookHasNotArrived() throws {
      let server = try HTTPServer { _ in HTTPServer.Response(status: 503) }
      defer { server.stop() }
      let closed = try HTTPServer { _ in HTTPServer.Response() }
      closed.stop()
      for (port, mayHaveArrived) in [(server.port, true), (closed.port, false)] {
        let error = #expect(throws: DeliveryError.self) {
          try world.session.post([1], to: "http://127.0.0.1:\(port)/")
        }
        #expect(error?.mayHaveArrived == mayHaveArrived)
      }
      #expect(!DeliveryError.unreachable(.invalidURL).mayHaveArrived)
      #expect(DeliveryError.unreachable(.unreachable("the time is over")).mayHaveArrived)
    }

    @Test(arguments: [nil, false, true])
    func theAgencyOfAPeerIsToldAboutAMessageOnlyWhereTheProgramAsksForIt(asked: Bool?) throws {
      var config = try JSON(parsing: world.config)
      if let asked { config["push_details"] = .bool(asked) }
      Agent.ofTest.stop(deletingWallet: false)
      try Agent.ofTest.start(Settings(parsing: config.text))
      let posted = Locked<[UInt8]>([])
      let server = try HTTPServer { request in
        posted.withLock { $0 = request.body }
        return HTTPServer.Response()
      }
      defer { server.stop() }
      let agency = KeyPair()
      let service = Service(
        recipientKeys: [KeyPair().verkey], routingKeys: [agency.verkey], endpoint: server.endpoint)
      let type = "https://didcomm.org/basicmessage/1.0/message"
      try world.session.send(["@type": .string(type)], from: nil, to: service)
      let forward = try JSON(parsing: Envelope(parsing: posted.withLock { $0 }).open(with: agency).message)
      #expect(forward["fwdMsgType"]?.string == (asked == true ? type : nil))
      #expect(forward["fwdMsgSender"]?.string == (asked == true ? "Alice" : nil))
    }

    /// Agents choose between the versions of DIDComm by this name.
    @Test func anEnvelopeIsPostedByItsTypeOfContent() throws {
      let type = Locked<String?>(nil)
      let server = try HTTPServer { request in
        type.withLock { $0 = request.header("Content-Type") }
        return HTTPServer.Response()
      }
      defer { server.stop() }
      let service = Service(recipientKeys: [KeyPair().verkey], endpoint: server.endpoint)
      try world.session.send(["@type": "x"], from: nil, to: service)
      #expect(type.withLock { $0 } == "application/didcomm-envelope-enc")
    }

    @Test func aPeerThatAnswersAtLengthIsRefused() throws {
      let server = try HTTPServer { _ in HTTPServer.Response(body: [UInt8](repeating: 0x20, count: (64 << 10) + 1)) }
      defer { server.stop() }
      let service = Service(recipientKeys: [KeyPair().verkey], endpoint: server.endpoint)
      #expect(throws: DeliveryError.unreachable(.responseTooLarge)) {
        try world.session.send(["@type": "x"], from: nil, to: service)
      }
    }

    @Test func aTailsFileIsTheAnswerOf200() throws {
      let server = try HTTPServer { request in
        HTTPServer.Response(status: request.path == "/tails" ? 200 : 404, body: [1, 2, 3])
      }
      defer { server.stop() }
      #expect(try world.session.downloadTails(server.endpoint + "/tails", limit: 3) == [1, 2, 3])
      #expect(throws: RegistryError.unreachable("tails file: HTTP 404")) {
        try world.session.downloadTails(server.endpoint + "/other", limit: 3)
      }
      #expect(throws: RegistryError.self) { try world.session.downloadTails(server.endpoint + "/tails", limit: 2) }
    }

    @Test func withoutARegistryNoObjectsAreFetched() {
      #expect(throws: SessionError.noRegistry) { try world.session.fetchPublicObjects() }
    }

    @Test func aPairwiseAgentIsMadeInAdvanceForOneConnection() throws {
      let info = try world.session.createMailbox()
      let members = try JSON(parsing: info).requireObject()
      #expect(Set(members.keys) == ["pw_did", "pw_vk", "agent_did", "agent_vk"])
      var connection = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      let options: JSON = ["pairwise_agent_info": .object(members)]
      try connection.connect(ConnectionOptions(parsing: options.text), with: world.session)
      #expect(.string(connection.pairwiseDID) == members["pw_did"])
      try world.inviter.respond()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }

    /// Each of two connections of a mailbox would reject the messages of the other's peer.
    @Test(arguments: [true, false]) func aMailboxServesOneConnection(isMadeInAdvance: Bool) throws {
      var first = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      let options = isMadeInAdvance ? #"{"pairwise_agent_info":\#(try world.session.createMailbox())}"# : "{}"
      try first.connect(ConnectionOptions(parsing: options), with: world.session)
      let info = JSON.object(try #require(first.pairwise).stored)
      let taken = try ConnectionOptions(parsing: JSON.object(["pairwise_agent_info": info]).text)
      var inviter = try Connection(sourceID: "bob", goalCode: nil, goal: nil, handshake: true, attaching: nil)
      #expect(throws: ConnectionError.mailboxInUse) { try inviter.connect(taken, with: world.session) }
      #expect(inviter.pairwise == nil)
      var other = world.inviter.invitation
      other["@id"] = "another-invitation"
      // The inviter chooses the id, and may copy that of another.
      var copied = world.inviter.invitation
      copied["label"] = "Mallory"
      for text in [other.text, copied.text] {
        var invitee = try Connection(sourceID: "bob", connectionInvitation: text)
        #expect(throws: ConnectionError.mailboxInUse) { try invitee.connect(taken, with: world.session) }
      }
    }

    /// The first attempt may have failed, or its process may have ended.
    @Test func aConnectionTakesItsMailboxAgain() throws {
      let options = try ConnectionOptions(parsing: #"{"pairwise_agent_info":\#(try world.session.createMailbox())}"#)
      for _ in 1...2 {
        var connection = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
        try connection.connect(options, with: world.session)
        #expect(connection.state == .requested)
      }
    }

    @Test func oneMessageIsDownloadedByItsID() throws {
      let connection = try world.completed()
      try world.inviter.send(BasicMessage(id: "1", content: "hello").json)
      let all = try JSON(parsing: world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil))
      var listed = try #require(all.array?.first?["msgs"]?.array?.first)
      listed["pairwiseDID"] = .string(connection.pairwiseDID)
      let uid = try #require(listed["uid"]?.string)
      #expect(try JSON(parsing: world.session.downloadMessage(uid: uid)) == listed)
      #expect(throws: MailboxError.notOneMessage(count: 0)) { try world.session.downloadMessage(uid: "none") }
    }

    /// The agency may know connections that the wallet has no key of: nothing of theirs can be read.
    @Test func messagesForAKeyThatTheWalletHasNotAreLeftOut() throws {
      let connection = try world.completed()
      _ = try world.session.cloudAgent().openMailbox(for: KeyPair().verkey)
      let text = try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil)
      let entries = try JSON(parsing: text).requireArray()
      #expect(entries.map { $0["pairwiseDID"] } == [.string(connection.pairwiseDID)])
    }

    @Test func theProfileIsShownToPeersUntilTheAgentStops() throws {
      Agent.ofTest.introduce(as: Profile(name: "Alicia"))
      #expect(try world.session.profile == Profile(name: "Alicia"))
      Agent.ofTest.introduce(as: Profile(logoURL: "http://logo"))
      #expect(try world.session.profile == Profile(name: "Alicia", logoURL: "http://logo"))
      _ = try world.requested()
      #expect(try world.inviter.request().label == "Alicia")
      Agent.ofTest.stop(deletingWallet: false)
      try Agent.ofTest.start(Settings(parsing: world.config))
      #expect(try world.session.profile == Profile(name: "Alice"))
    }

    @Test func aConfigurationIsReadFromAFile() throws {
      Agent.ofTest.stop(deletingWallet: false)
      let path = world.folder.path + "/config.json"
      try Data(world.config.utf8).write(to: URL(filePath: path))
      try Agent.ofTest.start(Settings(at: path))
      #expect(try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil) == "[]")
    }
  }
}

@Suite struct ConfigurationFileTests {
  @Test func aFileThatIsNotThereIsNamedAsSuch() {
    #expect(throws: SettingsError.noFile(path: "/no/such/file.json")) { try Settings(at: "/no/such/file.json") }
  }

  /// The text holds the wallet key.
  @Test func aConfigurationInPlaceOfAPathStaysOutOfTheError() {
    let text = #"{"wallet_key":"a secret"}"#
    let error = #expect(throws: SettingsError.noFile(path: text)) { try Settings(at: text) }
    #expect(error.map { "\($0)" }?.contains("a secret") == false)
    #expect(error.map { "\($0)" }?.contains("vcx_init_with_config") == true)
  }

  @Test func anUnreadableConfigurationFileIsNamed() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SettingsError.unreadable(path: folder.path, reason: "cannot read a file: Is a directory")) {
      try Settings(at: folder.path)
    }
    let path = folder.path + "/config.json"
    try Data([0xff, 0xfe]).write(to: URL(filePath: path))
    #expect(throws: SettingsError.unreadable(path: path, reason: "it is not UTF-8")) { try Settings(at: path) }
    try Data(repeating: 0x20, count: 2 << 20).write(to: URL(filePath: path))
    #expect(throws: SettingsError.unreadable(path: path, reason: "cannot read a file: File too large")) {
      try Settings(at: path)
    }
    try Data("{".utf8).write(to: URL(filePath: path))
    #expect(throws: SettingsError.self) { try Settings(at: path) }
  }

  @Test func testModeIsAConfigurationLikeAnyOther() throws {
    let settings = try Settings(at: "ENABLE_TEST_MODE")
    #expect(settings.profile == Profile(name: "default", logoURL: "http://127.0.0.1:8080"))
    #expect(settings.account?.endpoint == "http://127.0.0.1:8080")
    #expect(settings.makesWallet, "nobody provisions for test mode")
  }
}
