import Aries
import CloudAgent
import DIDComm
import Foundation
import JSON
import Sodium
import Testing

@testable import MSDK

extension SDKTests {
  /// The mailbox of a connection, and the service by which its messages name it.
  @Suite struct ConnectionMailboxTests {
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

    @Test func anOpenMailboxIsNotReplaced() throws {
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
  }
}
