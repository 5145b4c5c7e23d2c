import AgencyWire
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
  /// The library's reaction to answers that no honest agency gives, and to requests that fail in between.
  @Suite final class DishonestAgencyTests {
    let world: ScriptedWorld
    let inviters: [ScriptedInviter]

    init() throws {
      world = try ScriptedWorld()
      inviters = [try ScriptedInviter(), try ScriptedInviter()]
    }

    deinit { for inviter in inviters { inviter.server.stop() } }

    func invited(_ number: Int = 0) throws -> Connection {
      try Connection(sourceID: "\(number)", connectionInvitation: inviters[number].invitation.text)
    }

    func connected(_ number: Int = 0) throws -> Connection {
      var connection = try invited(number)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      try inviters[number].respond()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      return connection
    }

    /// The messages of a connection, by their status.
    func messages(of connection: Connection, _ statuses: String? = nil) throws -> [JSON] {
      let text = try world.session.downloadMessages(
        statuses: statuses, uids: nil, pairwiseDIDs: connection.pairwiseDID)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
    }

    // MARK: connecting

    @Test func aConnectThatIsRepeatedKeepsItsKeyAndItsMailbox() throws {
      var connection = try invited()
      world.agency.answer(500)
      #expect(throws: CloudAgentError.self) {
        try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      }
      let did = connection.pairwiseDID
      #expect(!did.isEmpty)
      world.agency.answer(200)
      inviters[0].answer(500)
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      for _ in 0..<2 {
        #expect(throws: DeliveryError.self) {
          try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
        }
        #expect(connection.pairwiseDID == did)
      }
      inviters[0].answer(200)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(try connection.state.number == 3 && inviters[0].request().did == did)
      #expect(world.agency.requests.count { $0 == "CREATE_KEY" } == 1)
    }

    @Test func aPeerWithTheOlderInvitationGetsTheOlderMessages() throws {
      #expect(try connected().version(of: CredentialStep.family) == 1)
    }

    @Test func aMailboxThatCouldNotBeClosedIsNotForgotten() throws {
      let connection = try connected()
      let known = { try self.world.session.book.mailboxes(of: [connection.pairwiseDID]).count }
      world.agency.answer(503)
      #expect(throws: CloudAgentError.self) { try connection.delete(with: world.session) }
      #expect(try known() == 1)
      world.agency.answer(200)
      try connection.delete(with: world.session)
      #expect(try known() == 0)
    }

    @Test func aMailboxThatMovedIsNotedAnew() throws {
      let (book, key) = (try world.session.book, KeyPair().verkey)
      for agent in [KeyPair().verkey, KeyPair().verkey] {
        let mailbox = Mailbox(key: key, keeper: Party(did: agent.did.text, verkey: agent))
        for _ in 0..<2 { book.note(mailbox) }
        #expect(try book.mailboxes(of: [key.did.text]) == [mailbox])
      }
    }

    // MARK: messages of others

    /// The agency puts a message for one connection into the mailbox of another.
    @Test func anEnvelopeForAnotherOwnKeyIsNotOpenedInThisMailbox() throws {
      let (right, wrong) = (try connected(0), try connected(1))
      let sent = try inviters.map { try $0.received().count }
      try inviters[0].send(TrustPing(id: "stray", responseRequested: true).json)
      let stray = Locked<JSON>([])
      world.agency.forge { answer, _ in
        let entries = answer.message["msgsByConns"]?.array ?? []
        stray.withLock { $0 = entries.first?["msgs"] ?? [] }
      }
      #expect(try messages(of: right, "MS-103").map { $0["decryptedPayload"] != "null" } == [true])

      let did = wrong.pairwiseDID
      world.agency.forge { answer, request in
        let messages = stray.withLock { $0 }
        if request == "GET_MSGS" { answer.message["msgs"] = messages }
        if request == "GET_MSGS_BY_CONNS" {
          answer.message["msgsByConns"] = [["pairwiseDID": .string(did), "msgs": messages]]
        }
      }
      let found = try messages(of: wrong, "MS-103")
      #expect(found.map { $0["decryptedPayload"] } == ["null"] && found.map { $0["senderVerkey"] } == [.null])
      var polled = wrong
      try polled.poll(with: world.session)
      #expect(try inviters.map { try $0.received().count } == sent, "nobody is answered")
    }

    @Test func messagesForADIDThatIsNotOursAreLeftOut() throws {
      let connection = try connected()
      let foreign = KeyPair().verkey.did.text
      world.agency.forge { answer, request in
        guard request == "GET_MSGS_BY_CONNS" else { return }
        let entries = answer.message["msgsByConns"]?.array ?? []
        answer.message["msgsByConns"] = .array(
          [
            ["pairwiseDID": .string(foreign), "msgs": [["uid": "x", "statusCode": "MS-103"]]],
            ["pairwiseDID": "?", "msgs": []],
          ]
            + entries)
      }
      let text = try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil)
      let found = try JSON(parsing: text).requireArray()
      #expect(found.map { $0["pairwiseDID"] } == [.string(connection.pairwiseDID)])
      #expect(found.first?["msgs"]?.array?.count == 1)
    }

    @Test func oneMessageIsOne() throws {
      let connection = try connected()
      let uid = try #require(try messages(of: connection).first?["uid"]?.string)
      #expect(try JSON(parsing: world.session.downloadMessage(uid: uid))["uid"] == .string(uid))
      #expect(throws: MailboxError.notOneMessage(count: 0)) { try world.session.downloadMessage(uid: "unknown") }
      world.agency.forge { answer, request in
        guard request == "GET_MSGS_BY_CONNS", let entry = answer.message["msgsByConns"]?.array?.first,
          let message = entry["msgs"]?.array?.first
        else { return }
        var other = message
        other["uid"] = "other"
        answer.message["msgsByConns"] = [["pairwiseDID": entry["pairwiseDID"] ?? .null, "msgs": [message, other]]]
      }
      #expect(throws: MailboxError.notOneMessage(count: 2)) { try world.session.downloadMessage(uid: uid) }
      world.agency.forge { answer, request in
        guard request == "GET_MSGS", let message = answer.message["msgs"]?.array?.first else { return }
        answer.message["msgs"] = [message, message.with(["uid": "other"])]
      }
      #expect(throws: MailboxError.notOneMessage(count: 2)) {
        try world.session.message(uid, of: connection) { _ in true }
      }
    }

    // MARK: marks

    @Test func anAppliedMessageBecomesReviewedAndARefusedOneRejected() throws {
      var connection = try invited()
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      try inviters[0].send(inviters[0].response(signedBy: KeyPair()))
      #expect(throws: ProtocolError.wrongSigner) { try connection.poll(with: world.session) }
      #expect(try messages(of: connection).map { $0["statusCode"] } == ["MS-105"])

      try inviters[0].respond()
      try connection.poll(with: world.session)
      #expect(try messages(of: connection).map { $0["statusCode"] } == ["MS-105", "MS-106"])

      try inviters[0].send(TrustPing(id: "1", responseRequested: true).json, from: KeyPair())
      try connection.poll(with: world.session)
      #expect(try messages(of: connection).map { $0["statusCode"] } == ["MS-105", "MS-106", "MS-105"])
    }

    @Test func theRequestOfASecondInviteeIsRejected() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let invitees = try (0..<2).map { _ in try ScriptedInvitee(invitation: .connection(invitation)) }
      for invitee in invitees {
        try invitee.ask()
        try connection.poll(with: world.session)
      }
      #expect(try messages(of: connection).map { $0["statusCode"] } == ["MS-106", "MS-105"])
    }

    // MARK: requests

    @Test func theCloudAgentOpensAndClosesTheMailboxOfTheConnection() throws {
      let connection = try connected()
      let created = try #require(world.agency.received.first { $0["forDID"] != nil })
      let key = try VerKey(try #require(created["forDIDVerKey"]?.string))
      #expect(created["forDID"] == .string(connection.pairwiseDID) && key.did.text == connection.pairwiseDID)
      try connection.delete(with: world.session)
      #expect(world.agency.received.last?["statusCode"] == "CS-103")
    }

    @Test(arguments: [("", 1), (#""type":null,"#, 1), (#""type":2,"#, 2), (#""type":4,"#, 4)])
    func aPushRegistrationHasAKind(type: String, number: Int64) throws {
      try PushRegistration(parsing: #"{\#(type)"id":"phone","value":"x"}"#).register(with: world.session)
      #expect(
        world.agency.received.last?["comMethod"] == ["id": "phone", "type": .integer(number), "value": "x"])
    }

    // MARK: provisioning

    @Test(arguments: [nil, SponsorTokenTests.token]) func aSeedDecidesTheKeys(token: String?) throws {
      let (session, institution) = ("000000000000000000000000TheAgent", "0000000000000000000TheEnterprise")
      var config = world.provisioning(wallet: "bob")
      config["agent_seed"] = .string(session)
      config["enterprise_seed"] = .string(institution)
      for _ in 0..<2 {
        let result = try JSON(parsing: Provisioning(parsing: config.text).run(with: token.map(SponsorToken.init)))
        for (name, seed) in [("sdk_to_remote", session), ("institution", institution)] {
          let key = try KeyPair(seed: SecretBytes(copying: Array(seed.utf8))).verkey
          #expect(result[name + "_verkey"] == .string(key.text) && result[name + "_did"] == .string(key.did.text))
        }
      }
    }

    @Test func theInstitutionIsTheAgentUnlessItHasASeedOfItsOwn() throws {
      var config = world.provisioning(wallet: "bob")
      config["agent_seed"] = "000000000000000000000000TheAgent"
      let result = try JSON(parsing: Provisioning(parsing: config.text).run())
      #expect(result["institution_did"] == result["sdk_to_remote_did"])
      #expect(result["institution_verkey"] == result["sdk_to_remote_verkey"])
    }

    @Test(arguments: ["", "?", "9QjmAbQLX1BvBRtM4qDAr0"]) func anAgentNeedsADID(did: String) throws {
      world.agency.forge { answer, request in
        if request == "CREATE_AGENT" { answer.message["withPairwiseDID"] = .string(did) }
      }
      #expect(throws: CloudAgentError.invalidAnswer("the agent's DID is none")) {
        try Provisioning(parsing: world.provisioning(wallet: "bob").text).run()
      }
      world.agency.forge(nil)
      #expect(throws: Never.self) { try Provisioning(parsing: world.provisioning(wallet: "bob").text).run() }
    }
  }
}
