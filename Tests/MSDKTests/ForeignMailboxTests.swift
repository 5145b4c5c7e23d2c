import AgencyWire
import CloudAgent
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// A mailbox that the options of `connect` name, and stored connections of other libraries.
  @Suite struct ForeignMailboxTests {
    let world: World

    init() throws { world = try World() }

    private func options(_ info: JSON) throws -> ConnectionOptions {
      try ConnectionOptions(parsing: JSON.object(["pairwise_agent_info": info]).text)
    }

    @Test func aMailboxOfAKeyThatTheWalletLacksIsNotKept() throws {
      var info = try JSON(parsing: world.session.createMailbox())
      let key = KeyPair().verkey
      (info["pw_vk"], info["pw_did"]) = (.string(key.text), .string(key.did.text))
      var connection = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      #expect(throws: CloudAgentError.missingKey(key)) { try connection.connect(options(info), with: world.session) }
      #expect(connection.pairwiseDID.isEmpty && !connection.serialized(institutionDID: nil).contains(key.text))
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(connection.state == .requested)
    }

    @Test func aMailboxWithTheAgentOfAnotherIsNotKept() throws {
      let own = try JSON(parsing: world.session.createMailbox())
      var info = own
      info["agent_vk"] = .string(KeyPair().verkey.text)
      var connection = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      let error = #expect(throws: ConnectionError.self) { try connection.connect(options(info), with: world.session) }
      #expect(error.map { "\($0)" }?.contains("pairwise_agent_info") == true)
      #expect(connection.pairwiseDID.isEmpty && connection.state == .invited)
      try connection.connect(options(own), with: world.session)
      #expect(connection.state == .requested && own["pw_did"] == .string(connection.pairwiseDID))
    }

    @Test func evernymsConnectionWithoutAHandshakeIsRestored() throws {
      var json = try Fixtures.json("connections/connectionless.json")
      var completed = try #require(json["state"]?["Invitee"]?["Completed"]?.object)
      var document = try #require(completed["did_doc"]?.object)
      document["id"] = ""
      completed["did_doc"] = .object(document)
      json["state"] = ["Invitee": ["Completed": .object(completed)]]
      let connection = try Connection(serialized: json.text)
      #expect(connection.state == .completed)
      #expect(try Connection(serialized: connection.serialized(institutionDID: nil)).state == .completed)
    }
  }
}
