import Aries
import CloudAgent
import DIDComm
import Foundation
import JSON
import Sodium
import Testing

@testable import MSDK

extension SDKTests {
  /// Members of messages, mailboxes and notes of a connection, with a real agency and a scripted peer.
  @Suite(.serialized) struct ConnectionDetailTests {
    let world: World

    init() throws { world = try World() }

    private func last() throws -> JSON { try #require(try world.inviter.received().last).json }

    private func connectionless() throws -> Connection {
      let key = JSON.string(world.inviter.invitationKey.verkey.didURL)
      let invitation: JSON = [
        "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "invitation-1",
        "services": [["recipientKeys": [key], "serviceEndpoint": .string(world.inviter.server.endpoint)]],
        "requests~attach": [["@id": "r", "data": ["json": ["@type": "https://didcomm.org/x/1.0/q", "@id": "q"]]]],
      ]
      return try Connection(sourceID: "acme", outOfBandInvitation: invitation.text)
    }

    private func restored(_ connection: Connection, _ change: (inout JSON) -> Void) throws -> Connection {
      var json = try JSON(parsing: connection.serialized(institutionDID: nil))
      change(&json)
      return try Connection(serialized: json.text)
    }

    // MARK: mailboxes

    @Test func aMailboxThatIsOpenStaysTheOne() throws {
      var connection = try connectionless()
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let mailbox = try #require(connection.pairwise?.mailbox)
      let other = try world.session.createMailbox()
      try connection.connect(ConnectionOptions(parsing: #"{"pairwise_agent_info":\#(other)}"#), with: world.session)
      #expect(connection.pairwise?.mailbox == mailbox)
    }

    /// As a text of another library: the peer writes to the mailbox that it was told of.
    @Test func aConnectedInviteeOpensNoSecondMailbox() throws {
      var connection = try restored(world.completed()) { $0["data"]?["agent_vk"] = "" }
      let key = try #require(connection.pairwise?.key)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(connection.pairwise == Pairwise(key: key))
      #expect(throws: ConnectionError.noMailbox) { try connection.delete(with: world.session) }
    }

    @Test func aConnectedInviteeMakesNoSecondKey() throws {
      var connection = try restored(world.completed()) { $0["data"]?["pw_verkey"] = "" }
      #expect(throws: ConnectionError.noMailbox) {
        try connection.sendAnswer(
          to: ConnectionActionTests.question.text, choosing: #"{"text":"Yes"}"#, with: world.session)
      }
      #expect(connection.pairwise == nil)
    }

    // MARK: messages

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

    @Test func theServiceThatAMessageNamesStays() throws {
      var connection = try connectionless()
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let service = Service(recipientKeys: [KeyPair().verkey], endpoint: "http://other.example").decorator
      let message: JSON = ["@type": "https://didcomm.org/x/1.0/a", "@id": "1", "~service": service]
      try connection.send(message.text, with: world.session)
      #expect(try last()["~service"] == service)
    }

    /// RFC 0056: a message of an exchange names the mailbox, if the peer knows of no connection.
    @Test func anExchangeNamesItsMailboxWhereThePeerKnowsNone() throws {
      var connection = try connectionless()
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let address = try #require(connection.peer?.service)
      let own = try world.session.cloudAgent().service(of: #require(connection.pairwise?.mailbox)).decorator
      let service = Service(recipientKeys: [KeyPair().verkey], endpoint: "http://other.example").decorator
      let bare: JSON = ["@type": "https://didcomm.org/x/1.0/a", "@id": "1"]
      let outbox = RouteOutbox(try connection.route(), with: try world.session)
      for (message, expected) in [(bare, own), (bare.with(["~service": service]), service)] {
        try outbox.send(message, to: address)
        #expect(try last()["~service"] == expected)
      }
      let connected = RouteOutbox(try world.completed().route(), with: try world.session)
      try connected.send(bare, to: address)
      #expect(try last()["~service"] == nil)
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

    /// The caller learns of the first one.
    @Test func ofTwoRefusalsTheFirstIsTold() throws {
      var connection = try world.requested()
      try world.inviter.send(world.inviter.response(signedBy: KeyPair()))
      var other = try world.inviter.response()
      other["connection~sig"]?["signer"] = 1
      try world.inviter.send(other)
      #expect(throws: ProtocolError.wrongSigner) { try connection.poll(with: world.session) }
      #expect(throws: Never.self) { try connection.poll(with: world.session) }
    }

    /// The label of a program without a name is the name of the connection.
    @Test(arguments: ["Alice", nil]) func aConnectionShowsTheNameOfTheProfile(name: String?) throws {
      let config = try JSON(parsing: world.config).with([
        "institution_name": JSON(name), "protocol_type": "2.0",
      ])
      Session.stop(deletingWallet: false)
      try Session.start(Settings(parsing: config.text))
      _ = try world.requested()
      #expect(try world.inviter.request().label == name ?? "acme")
      var inviter = Connection(sourceID: "bob", inviting: .connection)
      try inviter.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(inviter.invitation?.label == name ?? "bob")
      var proprietary = Connection.inviter(sourceID: "carol", with: try world.session)
      try proprietary.connect(ConnectionOptions(parsing: nil), with: world.session)
      let detail = try JSON(parsing: proprietary.invitationText)["senderDetail"]
      #expect(detail?["name"]?.string == name ?? "carol")
    }

    // MARK: the place in the mailbox

    /// The program deletes it again, and finds no message that it has looked at.
    @Test func aMailboxThatCouldNotBeClosedKeepsItsPlace() throws {
      let connection = try world.completed()
      let book = PlaceBook(wallet: try world.session.wallet)
      book.note("uid-1", of: connection)
      world.agency.stop()
      #expect(throws: CloudAgentError.self) { try connection.delete(with: world.session) }
      #expect(book.place(of: connection) == "uid-1")
    }

    @Test func aPlaceIsThatOfOneState() throws {
      var connection = try world.completed()
      let book = PlaceBook(wallet: try world.session.wallet)
      #expect(book.place(of: connection) == nil)
      book.note("uid-1", of: connection)
      #expect(book.place(of: connection) == "uid-1")
      guard case .completed(var facts) = connection.machine else {
        Issue.record("another state")
        return
      }
      facts.protocols = JSONText([["pid": "x"]])
      connection.machine = .completed(facts)
      #expect(book.place(of: connection) == "uid-1", "the peer's protocols decide about no message")
      let other = Completed(
        role: facts.role, peer: facts.peer, thread: Thread(thid: "another"), invitation: facts.invitation)
      connection.machine = .completed(other)
      #expect(book.place(of: connection) == nil)
      book.note("uid-2", of: connection)
      #expect(book.place(of: connection) == "uid-2")
      connection.machine = .planned(.connection)
      book.note("uid-3", of: connection)
      #expect(book.place(of: connection) == nil)
      connection.machine = .completed(other)
      #expect(book.place(of: connection) == "uid-2")
      book.strike(connection.pairwiseDID)
      #expect(book.place(of: connection) == nil)
    }

    /// The program can change any record.
    @Test func aBrokenNoteIsNoPlace() throws {
      let connection = try world.completed()
      let wallet = try world.session.wallet
      let book = PlaceBook(wallet: wallet)
      book.note("uid-1", of: connection)
      for value in ["{", "[]", #"{"last":"uid-1"}"#, #"{"state":"x","last":"uid-1"}"#] {
        try wallet.apply(.updateValue(type: "msdk.place", id: connection.pairwiseDID, value: value))
        #expect(book.place(of: connection) == nil)
      }
    }
  }
}
