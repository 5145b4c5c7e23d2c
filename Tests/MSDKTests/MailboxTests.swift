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

extension SDKTests {
  /// The messages of a mailbox, as a program downloads and marks them.
  @Suite struct MailboxTests {
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
}
