import AgencyServer
import Aries
import CloudAgent
import DIDComm
import HTTP
import HTTPServing
import JSON
import MSDK
import Sodium
import TestSupport
import Testing
import Threading
import Wallet

extension SDKTests {
  /// Tokens and push, with a real agency.
  @Suite struct SponsoredTests {
    let world: SponsoredWorld

    init() throws { world = try SponsoredWorld() }

    private func account(_ config: String) throws -> [JSON?] {
      let json = try JSON(parsing: config)
      return ["sdk_to_remote_did", "sdk_to_remote_verkey", "remote_to_sdk_did", "remote_to_sdk_verkey"].map { json[$0] }
    }

    @Test func aTokenGivesACloudAgentThatWorks() throws {
      try world.start()
      let inviter = try ScriptedInviter()
      defer { inviter.server.stop() }
      var connection = try Connection(sourceID: "acme", connectionInvitation: inviter.invitation.text)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      try inviter.respond()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }

    @Test func provisioningKeepsUnknownMembers() throws {
      let changes: JSONObject = [
        "genesis_path": "/genesis", "future": ["x": true], "did_method": "sov", "agent_seed": nil,
        "enterprise_seed": "00000000000000000000000000000001",
      ]
      let config = try JSON(parsing: world.provisioning(changes).run(with: world.token()))
      #expect(config["future"] == ["x": true] && config["did_method"] == "sov" && config["genesis_path"] == "/genesis")
      #expect(config["institution_name"] == "Alice" && config["protocol_type"] == "3.0")
      for consumed in ["agency_url", "name", "agent_seed", "enterprise_seed"] { #expect(config[consumed] == nil) }
      #expect(throws: Never.self) { try Settings(parsing: config.text) }
    }

    @Test func aTokenThatIsRefusedLeavesNoWalletOpenAndIsExplained() throws {
      let expired = "Timestamp provided has expired - possibly get new token from sponsor"
      #expect(throws: CloudAgentError.declined(expired)) {
        try world.provisioning().run(with: world.token(age: 7200))
      }
      #expect(throws: CloudAgentError.declined("Sponsor not found - possible sponsor deactivation")) {
        try world.provisioning().run(with: world.token(sponsor: "nobody"))
      }
      #expect(throws: CloudAgentError.self) { try world.provisioning().run(with: world.token(keys: KeyPair())) }
      #expect(throws: CloudAgentError.self) { try world.provisioning().run() }
      #expect(throws: Never.self) { try world.start() }
    }

    @Test func theSameWalletAndTokenGiveTheSameAccount() throws {
      let token = try world.token()
      let first = try account(world.provisioning().run(with: token))
      #expect(try account(world.provisioning().run(with: token)) == first)
      #expect(throws: CloudAgentError.declined("App has already provisioned for this token")) {
        try world.provisioning(wallet: "bob").run(with: token)
      }
      #expect(try account(world.provisioning().run(with: world.token())) != first)
      #expect(try account(world.provisioning().run(with: token)) == first)
    }

    @Test func theFirstProvisioningMakesTheLinkSecretAndLaterOnesKeepIt() throws {
      _ = try world.provisioning().run(with: world.token())
      let (first, names) = try world.linkSecret(named: "main")
      _ = try world.provisioning().run(with: world.token())
      #expect(try world.linkSecret(named: "main") == (first, names))
      #expect(names == 1)
    }

    /// A wallet that comes from another program has a link secret of another name, perhaps.
    @Test func aLinkSecretOfAnotherNameIsKept() throws {
      let config = try world.provisioning(["link_secret_alias": "alice's"]).run(with: world.token())
      let (named, names) = try world.linkSecret(named: "alice's")
      #expect(names == 1, "no other one is made beside it")
      #expect(try Settings(parsing: config).wallet.linkSecretName == "alice's")
      _ = try world.provisioning().run(with: world.token())
      #expect(try world.linkSecret(named: "alice's") == (named, 2))
    }

    @Test func anAnswerThatWasLostCanBeHadAgain() throws {
      let isLosing = Locked(true)
      let (agency, http) = (world.agency.endpoint, HTTPClient())
      let proxy = try HTTPServer { request in
        let answer = try? http.post(
          request.body, to: agency + "/agency/msg", contentType: "application/ssi-agent-wire")
        guard let answer, !isLosing.withLock({ $0 }) else { return HTTPServer.Response(status: 504) }
        return HTTPServer.Response(status: answer.status, body: answer.body)
      }
      defer { proxy.stop() }
      let provisioning = try world.provisioning(["agency_url": .string(proxy.endpoint)])
      let token = try world.token()
      #expect(throws: CloudAgentError.refused(status: 504, nil)) { try provisioning.run(with: token) }
      isLosing.withLock { $0 = false }
      #expect(throws: Never.self) { try Agent.ofTest.start(Settings(parsing: provisioning.run(with: token))) }
    }

    @Test func thisAgencyGivesNoTokens() throws {
      let request: JSON = [
        "vcx_config": [
          "agency_endpoint": .string(world.agency.endpoint), "agency_did": .string(world.agency.identity.did),
          "agency_verkey": .string(world.agency.identity.verkey.text),
        ], "sponsee_id": "user-42", "sponsor_id": "example-sponsor",
      ]
      #expect(throws: CloudAgentError.declined("Tokens come from the sponsor")) {
        try TokenRequest(parsing: request.text).run()
      }
    }

    @Test(arguments: [1, 3, 4]) func aNotificationLeadsToTheMessage(type: Int) throws {
      try world.start()
      let value = "FCM:token-of-the-phone"
      try PushRegistration(parsing: #"{"id":"phone","type":\#(type),"value":"\#(value)"}"#).register(
        with: world.session)
      let inviter = try ScriptedInviter()
      defer { inviter.server.stop() }
      var connection = try Connection(sourceID: "acme", connectionInvitation: inviter.invitation.text)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      try inviter.send(BasicMessage(id: "1", content: "hello").json)

      let announcement = try #require(world.announcements(1).first)
      #expect(announcement["sponseeDetails"] == .string(value))
      let call = try JSON(parsing: PushNotification(parsing: announcement.text).call)
      #expect(call["pw_dids"] == .string(connection.pairwiseDID))
      let found = try world.session.downloadMessages(
        statuses: nil, uids: call["uids"]?.string, pairwiseDIDs: call["pw_dids"]?.string)
      #expect(found.contains("hello"))
    }

    @Test func anEmptyValueEndsTheNotifications() throws {
      try world.start()
      let inviter = try ScriptedInviter()
      defer { inviter.server.stop() }
      var connection = try Connection(sourceID: "acme", connectionInvitation: inviter.invitation.text)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let session = try world.session
      try PushRegistration(parsing: #"{"id":"a","type":3,"value":"x"}"#).register(with: session)
      try inviter.send(BasicMessage(id: "1", content: "first").json)
      #expect(world.announcements(1).count == 1)
      try PushRegistration(parsing: #"{"id":"a","type":3,"value":""}"#).register(with: session)
      try inviter.send(BasicMessage(id: "2", content: "second").json)
      try PushRegistration(parsing: #"{"id":"b","type":3,"value":"y"}"#).register(with: session)
      try inviter.send(BasicMessage(id: "3", content: "third").json)
      #expect(world.announcements(2).map { $0["sponseeDetails"] } == ["x", "y"])
    }

    @Test func aWebAddressReplacesTheEarlierOne() throws {
      try world.start()
      let session = try world.session
      try PushRegistration(webhook: "http://127.0.0.1:1/first").register(with: session)
      try PushRegistration(webhook: "http://127.0.0.1:1/second").register(with: session)
      #expect(throws: CloudAgentError.self) { try PushRegistration(webhook: "no URL").register(with: session) }
    }

    @Test func aRegistrationThatTheAgencyRefusesIsAnError() throws {
      try world.start()
      #expect(throws: CloudAgentError.self) {
        try PushRegistration(parsing: #"{"id":"a","type":2,"value":"no URL"}"#).register(with: world.session)
      }
    }

    @Test func thereAreNoMessagesForTheOwnerHimself() throws {
      try world.start()
      #expect(try world.session.downloadOwnMessages(statuses: "MS-103", uids: "1,2") == "[]")
      #expect(throws: MailboxError.unknownStatus) {
        try world.session.downloadOwnMessages(statuses: "MS-1", uids: nil)
      }
    }
  }

  /// Downloads that one answer cannot hold.
  @Suite struct LongDownloadTests {
    @Test func everyMessageComesOnceAndInOrder() throws {
      let world = try SponsoredWorld(answerBytes: 200_000)
      try world.start()
      let inviter = try ScriptedInviter()
      defer { inviter.server.stop() }
      var connection = try Connection(sourceID: "acme", connectionInvitation: inviter.invitation.text)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let long = String(repeating: "x", count: 15_000)
      for number in 0..<40 { try inviter.send(BasicMessage(id: "\(number)", content: long).json) }
      try inviter.respond()

      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      let messages = try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
      let ids = try messages.map { message -> String in
        let payload = try JSON(parsing: try #require(message["decryptedPayload"]?.string))
        return try JSON(parsing: try #require(payload["@msg"]?.string)).requireObject().string("@id")
      }
      #expect(ids.count == 41 && Array(ids.prefix(40)) == (0..<40).map { "\($0)" })

      try connection.poll(with: world.session)
      #expect(connection.state.number == 4, "the response is behind more than one answer holds")
    }
  }
}
