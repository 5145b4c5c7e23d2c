import AgencyWire
import CloudAgent
import HTTPServing
import JSON
import Registry
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// Downloaded messages, tails files and public objects.
  @Suite struct DownloadTests {
    let world: ScriptedWorld

    init() throws { world = try ScriptedWorld() }

    @Test(arguments: [201, 404]) func anotherResponseThan200BringsNoTailsFile(status: Int) throws {
      let server = try HTTPServer { _ in HTTPServer.Response(status: status, body: [1]) }
      defer { server.stop() }
      #expect(throws: RegistryError.unreachable("tails file: HTTP \(status)")) {
        try world.session.downloadTails(server.endpoint, limit: 10)
      }
    }

    /// The agency names the message that another one answers, and the type of one that only the owner can read.
    @Test func aMessageKeepsWhatTheAgencyTellsOfIt() throws {
      let inviter = try ScriptedInviter()
      defer { inviter.server.stop() }
      var connection = try Connection(sourceID: "acme", connectionInvitation: inviter.invitation.text)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let did = connection.pairwiseDID
      let unreadable = WireMessage(uid: "1", statusCode: "MS-103", type: "connReq", payload: [1], refMsgID: "0")
      let excluded = WireMessage(uid: "2", statusCode: "MS-103")
      world.agency.forge { answer, request in
        switch request {
        case "GET_MSGS_BY_CONNS":
          answer.message["msgsByConns"] = [["pairwiseDID": .string(did), "msgs": [unreadable.json, excluded.json]]]
        case "GET_MSGS": answer.message["msgs"] = [unreadable.json]
        default: break
        }
      }
      let text = try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: did)
      let messages = try #require(JSON(parsing: text).array?.first?["msgs"]?.array)
      #expect(messages.map { $0["type"] } == ["connReq", "aries"])
      #expect(messages.map { $0["refMsgId"] } == ["0", .null])
      #expect(messages.map { $0["decryptedPayload"] } == ["null", nil])
      let own = try JSON(parsing: world.session.downloadOwnMessages(statuses: nil, uids: nil)).array?.first
      #expect(own?["refMsgId"] == "0" && own?["type"] == "connReq")
    }

    /// Older libraries look at the time when they read a kept object.
    @Test func aKeptPublicObjectHasItsTime() throws {
      let wallet = try world.session.wallet
      PublicObjectRecords(wallet: wallet).keep("{}", .schema, "schema-1", at: 1_700_000_000)
      let record = try LibraryRecords(of: "schema_cache", in: wallet).find("schema-1")
      #expect(record?.value == "{}" && record?.tags == ["timestamp": "1700000000"])
    }
  }
}
