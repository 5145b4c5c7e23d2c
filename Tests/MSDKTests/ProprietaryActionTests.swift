import Aries
import DIDComm
import HTTP
import JSON
import MSDK
import Sodium
import TestSupport
import Testing
import Wallet

extension SDKTests {
  /// Both sides in one wallet, at a real agency.
  @Suite struct ProprietaryActionTests {
    let world: World
    let options: ConnectionOptions

    init() throws {
      world = try World()
      options = try ConnectionOptions(parsing: nil)
      try configure(protocolType: "2.0")
    }

    private func configure(protocolType: String) throws {
      Agent.ofTest.stop(deletingWallet: false)
      var config = try JSON(parsing: world.config)
      config["protocol_type"] = .string(protocolType)
      try Agent.ofTest.start(Settings(parsing: config.text))
    }

    /// The connection from its text.
    private func restored(_ connection: Connection) throws -> Connection {
      let text = connection.serialized(institutionDID: nil)
      let again = try Connection(serialized: text)
      #expect(again.serialized(institutionDID: nil) == text)
      #expect(again.state == connection.state && again.pairwiseDID == connection.pairwiseDID)
      return again
    }

    private func offered() throws -> Connection {
      var inviter = try restored(.inviter(sourceID: "alice", with: world.session))
      try inviter.connect(options, with: world.session)
      return try restored(inviter)
    }

    private func invited(by inviter: Connection, abbreviated: Bool = true) throws -> Connection {
      try restored(
        Connection(sourceID: "faber", connectionInvitation: inviter.invitationText(abbreviated: abbreviated)))
    }

    private func connected(abbreviated: Bool = true) throws -> (inviter: Connection, invitee: Connection) {
      var inviter = try offered()
      var invitee = try invited(by: inviter, abbreviated: abbreviated)
      try invitee.connect(options, with: world.session)
      try inviter.poll(with: world.session)
      return (try restored(inviter), try restored(invitee))
    }

    /// Puts a message into the mailbox of an inviter.
    private func post(_ message: JSON, from sender: KeyPair?, to inviter: Connection) throws {
      let invitation = try ProprietaryInvitation(JSON(parsing: inviter.invitationText))
      let service = try #require(invitation.sender.service)
      let envelope = try service.pack(message.bytes, from: sender)
      _ = try HTTPClient().post(envelope, to: service.endpoint, contentType: "application/didcomm-envelope-enc")
    }

    private func answer(_ name: String, _ members: JSONObject, to inviter: Connection) throws -> JSON {
      let invitation = try ProprietaryInvitation(JSON(parsing: inviter.invitationText))
      let common: [(String, JSON)] = [
        ("@type", .string("did:sov:123456789abcdefghi1234;spec/connecting/0.6/\(name)")), ("@id", "1"),
        ("replyToMsgId", .string(invitation.id)),
      ]
      return .object(JSONObject(common + members.members.map { ($0.key, $0.value) }))
    }

    // MARK: Connecting

    @Test(arguments: [true, false]) func anInvitationBecomesAConnection(abbreviated: Bool) throws {
      var (inviter, invitee) = try connected(abbreviated: abbreviated)
      #expect(inviter.state.number == 4 && invitee.state.number == 4)
      #expect(try inviter.theirDID() == invitee.pairwiseDID && invitee.theirDID() == inviter.pairwiseDID)
      for connection in [inviter, invitee] {
        var connection = connection
        #expect(throws: ConnectionError.notReady) { try connection.connect(options, with: world.session) }
      }
      try inviter.poll(with: world.session)
      try invitee.poll(with: world.session)
      #expect(inviter.state.number == 4 && invitee.state.number == 4)
      try inviter.delete(with: world.session)
      try invitee.delete(with: world.session)
    }

    @Test func messagesGoBothWays() throws {
      let (inviter, invitee) = try connected()
      let options = #"{"msg_type":"greeting","msg_title":"x","ref_msg_id":null}"#
      for (sender, reader) in [(inviter, invitee), (invitee, inviter)] {
        let id = try sender.send(#"{"@type":"any","text":"hello"}"#, options: options, with: world.session)
        #expect(!id.isEmpty)
        let text = try world.session.downloadMessages(
          statuses: "MS-103", uids: nil, pairwiseDIDs: reader.pairwiseDID)
        let payload = try JSON(
          parsing: #require(JSON(parsing: text).array?.last?["msgs"]?.array?.last?["decryptedPayload"]?.string))
        #expect(payload["@msg"] == #"{"@type":"any","text":"hello"}"# && payload["@type"]?["name"] == "greeting")
        #expect(try reader.verifies(sender.sign([1, 2], with: world.session), of: [1, 2]))
      }
      #expect(throws: JSONError.self) { try inviter.send("x", options: "[]", with: world.session) }
    }

    @Test func connectingAgainGivesTheSameInvitation() throws {
      var inviter = try offered()
      let before = inviter.serialized(institutionDID: nil)
      try inviter.connect(options, with: world.session)
      #expect(inviter.serialized(institutionDID: nil) == before)
    }

    @Test func theProtocolTypeDecidesAboutInviters() throws {
      for (type, isProprietary) in [("1.0", true), ("2.0", true), ("3.0", false), ("4.0", false)] {
        try configure(protocolType: type)
        #expect(try Connection.inviter(sourceID: "alice", with: world.session).isProprietary == isProprietary)
      }
      #expect(!Connection.inviter(sourceID: "alice", with: nil).isProprietary)
    }

    @Test func anAcceptanceThatDidNotArriveIsSentAgain() throws {
      let keys = KeyPair()
      let agent = ProprietaryParty.Agent(did: keys.verkey.did.text, verkey: keys.verkey)
      let sender = ProprietaryParty(
        key: keys, mailbox: agent, agency: agent, endpoint: world.inviter.server.endpoint, name: nil, logoURL: nil,
        publicDID: nil)
      let invitation = ProprietaryInvitation(id: "1", from: sender)
      var invitee = try Connection(sourceID: "faber", connectionInvitation: invitation.json.text)
      world.inviter.answer(500)
      #expect(throws: DeliveryError.refused(status: 500)) { try invitee.connect(options, with: world.session) }
      #expect(invitee.state.number == 3 && !invitee.pairwiseDID.isEmpty)
      let (again, did) = (try restored(invitee), invitee.pairwiseDID)
      invitee = again
      world.inviter.answer(200)
      try invitee.connect(options, with: world.session)
      #expect(invitee.state.number == 4 && invitee.pairwiseDID == did)
    }

    @Test func optionsOfAHandshakeAreRefused() throws {
      var inviter = try Connection.inviter(sourceID: "alice", with: world.session)
      for text in [#"{"handshake_protocol":"connections/1.0"}"#, #"{"use_did_method":"did:peer:4"}"#] {
        let options = try ConnectionOptions(parsing: text)
        #expect(throws: ConnectionError.self) { try inviter.connect(options, with: world.session) }
      }
      #expect(inviter.state.number == 1 && inviter.pairwiseDID == "")
    }

    // MARK: Redirecting

    @Test func aSecondInvitationLeadsBackToTheFirstConnection() throws {
      let first = try connected()
      var inviter = try offered()
      var invitee = try invited(by: inviter)
      try invitee.redirect(to: first.invitee, with: world.session)
      try inviter.poll(with: world.session)
      (inviter, invitee) = (try restored(inviter), try restored(invitee))
      #expect(inviter.state.number == 8 && invitee.state.number == 8)
      let details = try JSON(parsing: inviter.redirection())
      #expect(try details == JSON(parsing: invitee.redirection()))
      #expect(try JSONReference("Redirect details").differences(from: details) == [])
      #expect(details["DID"] == .string(first.inviter.pairwiseDID))
      #expect(details["theirDID"] == .string(first.invitee.pairwiseDID))
      #expect(throws: ConnectionError.notReady) { try invitee.redirect(to: first.invitee, with: world.session) }
      #expect(throws: ConnectionError.notReady) { try inviter.connect(options, with: world.session) }
      #expect(throws: ConnectionError.notReady) { try inviter.send("x", with: world.session) }
    }

    @Test func onlyAConnectionThatIsCompleteCanStandForAnother() throws {
      let inviter = try offered()
      var invitee = try invited(by: inviter)
      let (invited, aries) = (invitee, try world.completed())
      #expect(throws: ConnectionError.notReady) { try invitee.redirect(to: inviter, with: world.session) }
      #expect(throws: ConnectionError.notReady) { try invitee.redirect(to: invited, with: world.session) }
      #expect(throws: ConnectionError.ariesConnection) { try invitee.redirect(to: aries, with: world.session) }
      for state in [2, 3, 8] as [JSON] {
        var text = try JSON(parsing: connected().invitee.serialized(institutionDID: nil))
        text["data"]?["state"] = state
        let other = try Connection(serialized: text.text)
        #expect(throws: ConnectionError.notReady) { try invitee.redirect(to: other, with: world.session) }
      }
      #expect(invitee.state.number == 3)
    }

    // MARK: Refusals

    /// Mallory proves her key, and names a connection that is with somebody else.
    @Test func aRedirectionToTheConnectionOfAnotherPeerIsRefused() throws {
      let existing = try connected()
      var inviter = try offered()
      let mallory = KeyPair()
      for named in [existing.inviter, inviter] {
        let own = try ProprietaryInvitation(JSON(parsing: named.invitationText)).sender
        let lie = Redirection(did: own.did, verkey: own.verkey, publicDID: nil, to: mallory, ownPublicDID: nil)
        try post(
          answer("REDIRECT_CONN_REQ", ["redirectDetail": .object(lie.json)], to: inviter), from: mallory, to: inviter)
        try inviter.poll(with: world.session)
        #expect(inviter.state.number == 2)
      }
    }

    /// No invitee redirects to an Aries connection, whose peer the wallet has not noted.
    @Test func aRedirectionToAnAriesConnectionIsRefused() throws {
      _ = try world.completed()
      let key = try world.inviter.request().document.service.recipientKeys[0]
      var inviter = try offered()
      let mallory = KeyPair()
      let lie = Redirection(did: key.did.text, verkey: key, publicDID: nil, to: mallory, ownPublicDID: nil)
      try post(
        answer("REDIRECT_CONN_REQ", ["redirectDetail": .object(lie.json)], to: inviter), from: mallory, to: inviter)
      try inviter.poll(with: world.session)
      #expect(inviter.state.number == 2)
    }

    /// Keys of this side that no proprietary connection has, or none any more.
    @Test func aRedirectionToNoConnectionIsRefused() throws {
      let (deleted, _) = try connected()
      let gone = try ProprietaryInvitation(JSON(parsing: deleted.invitationText)).sender.verkey
      let data = try JSON(parsing: deleted.serialized(institutionDID: nil))["data"]
      let peer = try VerKey(#require(data?["their_pw_verkey"]?.string))
      let mallory = try #require(try Agent.ofTest.openWallet().keyPair(for: peer))
      try deleted.delete(with: world.session)
      let config = try JSON(parsing: world.config)
      let own = try ["institution_verkey", "sdk_to_remote_verkey"].map { try VerKey(#require(config[$0]?.string)) }
      var inviter = try offered()
      for key in own + [gone] {
        let lie = Redirection(did: key.did.text, verkey: key, publicDID: nil, to: mallory, ownPublicDID: nil)
        try post(
          answer("REDIRECT_CONN_REQ", ["redirectDetail": .object(lie.json)], to: inviter), from: mallory, to: inviter)
        try inviter.poll(with: world.session)
        #expect(inviter.state.number == 2)
      }
    }

    /// Messages stay for the program.
    @Test func theFirstMessageProvesTheInvitersKey() throws {
      var (inviter, invitee) = try connected()
      func isInviter() throws -> Bool {
        let next = try offered().invitationText
        var invitation = try JSON(parsing: next)
        invitation["senderDetail"] = try JSON(parsing: inviter.invitationText)["senderDetail"]
        let connections = JSON([invitee.serialized(institutionDID: nil)]).text
        return try ExistingConnection(for: invitation.text, among: connections).same == .inviter
      }
      try invitee.poll(with: world.session)
      #expect(try !isInviter())
      _ = try inviter.send("hello", options: "{}", with: world.session)
      for _ in 0..<2 { try invitee.poll(with: world.session) }
      #expect(try isInviter() && restored(invitee).state.number == 4)
      let unread = try world.session.downloadMessages(
        statuses: "MS-103", uids: nil, pairwiseDIDs: invitee.pairwiseDID)
      #expect(unread.contains("hello"))
    }

    @Test func strangersAndGarbageAreNoAnswers() throws {
      var inviter = try offered()
      let mallory = KeyPair()
      let agent = ProprietaryParty.Agent(did: mallory.verkey.did.text, verkey: mallory.verkey)
      let party = ProprietaryParty(
        key: mallory, mailbox: agent, agency: agent, endpoint: world.inviter.server.endpoint, name: nil, logoURL: nil,
        publicDID: nil)
      let genuine = try answer("ACCEPT_CONN_REQ", party.json, to: inviter)
      let foreign = Redirection(
        did: mallory.verkey.did.text, verkey: KeyPair().verkey, publicDID: nil, to: mallory, ownPublicDID: nil)
      var otherInvitation = genuine
      otherInvitation["replyToMsgId"] = "other"
      let refused: [(JSON, KeyPair?)] = [
        (genuine, KeyPair()), (genuine, nil), (otherInvitation, mallory),
        (try answer("ACCEPT_CONN_REQ", [:], to: inviter), mallory),
        (try answer("REDIRECT_CONN_REQ", ["redirectDetail": .object(foreign.json)], to: inviter), mallory),
        (["@type": "x"], mallory), ([1], mallory),
      ]
      for (message, sender) in refused { try post(message, from: sender, to: inviter) }
      for _ in refused { try inviter.poll(with: world.session) }
      #expect(inviter.state.number == 2)

      // The peer's own mistake is told to the caller.
      var detail = try #require(party.json["senderDetail"])
      detail["agentKeyDlgProof"] = ["agentDID": "a", "agentDelegatedKey": "b", "signature": "c"]
      var broken = genuine
      broken["senderDetail"] = detail
      try post(broken, from: mallory, to: inviter)
      #expect(throws: ProtocolError.self) { try inviter.poll(with: world.session) }
      #expect(inviter.state.number == 2)

      try post(genuine, from: mallory, to: inviter)
      try inviter.poll(with: world.session)
      #expect(inviter.state.number == 4)
    }

    /// The program may hand in the message, or the entry in which it was downloaded.
    @Test(arguments: [true, false]) func theProgramMayHandTheAnswerIn(whole: Bool) throws {
      var inviter = try offered()
      var invitee = try invited(by: inviter)
      try invitee.connect(options, with: world.session)
      let text = try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: inviter.pairwiseDID)
      let entry = try #require(JSON(parsing: text).array?.first?["msgs"]?.array?.first)
      let payload = try JSON(parsing: #require(entry["decryptedPayload"]?.string))
      #expect(payload["@type"]?["name"] == "connReqAnswer")
      try inviter.receive(whole ? entry.text : #require(payload["@msg"]?.string), with: world.session)
      #expect(try inviter.state.number == 4 && inviter.theirDID() == invitee.pairwiseDID)
    }

    @Test func anInvitationOfAnotherLibraryIsShownAndNotConnected() throws {
      var connection = try Connection(serialized: ProprietaryConnectionTests.golden().text)
      let (session, existing) = (try world.session, try connected().invitee)
      let before = connection.serialized(institutionDID: nil)
      #expect(throws: ConnectionError.foreignInvitation) { try connection.connect(options, with: session) }
      #expect(throws: ConnectionError.foreignInvitation) { try connection.redirect(to: existing, with: session) }
      let actions: [(Connection) throws -> Void] = [
        { try $0.sendPing(comment: nil, with: session) }, { try $0.send("hello", with: session) },
        { try $0.sendReuse(for: #"{"@id":"1"}"#, with: session) },
        { try $0.sendFeatureQuery(nil, comment: nil, with: session) }, { _ = try $0.info(with: session) },
        { _ = try $0.problemReport() },
      ]
      for act in actions { #expect(throws: ConnectionError.self) { try act(connection) } }
      try connection.poll(with: session)
      try connection.receive(TrustPing(id: "1", responseRequested: true).json.text, with: session)
      #expect(connection.serialized(institutionDID: nil) == before)
    }

    @Test func aPeerOfAnotherLibraryCannotBeWrittenTo() throws {
      var json = try ProprietaryConnectionTests.golden()
      var data = try #require(json["data"])
      (data["state"], data["pw_verkey"]) = (4, "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR")
      json["data"] = data
      let connection = try Connection(serialized: json.text)
      #expect(throws: ConnectionError.proprietary("sending a message to another library")) {
        try connection.send("x", with: world.session)
      }
    }
  }
}
