import AgencyWire
import DIDComm
import JSON
import TestSupport
import Testing

@testable import AgencyServer

/// The statuses that an owner sets, and answers about several connections.
@Suite struct MessageStatusTests: AliceSuite {
  let scene: AliceScene

  init() throws { scene = try AliceScene() }

  @Test(arguments: [
    ("MS-104", true), ("MS-105", true), ("MS-106", true), ("MS-107", true), ("MS-101", false), ("MS-102", false),
    ("MS-103", false), ("MS-108", false), ("ms-106", false), ("", false),
  ])
  func anOwnerSetsTheStatusesOfReadMessages(status: String, isSet: Bool) throws {
    #expect(try alice.post(alice.forward("x", to: mailbox)).status == 200)
    let uids = try alice.messages(agent).flatMap(\.messages).map(\.uid)
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: uids)
    let request = alice.request(UpdateMessageStatus(statusCode: status, connections: [read]))
    #expect(try alice.send(request, to: agent).status == (isSet ? 200 : 400))
    #expect(try alice.messages(agent).flatMap(\.messages).map(\.statusCode) == [isSet ? status : "MS-103"])
  }

  /// Its other messages are updated all the same.
  @Test func aConnectionWithAnUnknownMessageIsAmongTheFailed() throws {
    #expect(try alice.post(alice.forward("x", to: mailbox)).status == 200)
    let uids = try alice.messages(agent).flatMap(\.messages).map(\.uid)
    let asked = WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: uids + ["unknown"])
    let answer: MessageStatusUpdated = try alice.ask(
      UpdateMessageStatus(statusCode: "MS-106", connections: [asked]), of: agent)
    #expect(answer.updated == [WireConnectionUIDs(pairwiseDID: mailbox.forDID, uids: uids)])
    #expect(answer.failed.map(\.pairwiseDID) == [mailbox.forDID] && answer.failed.map(\.statusCode) == ["GNR-115"])
  }

  /// A message takes its bytes and 200 more, a connection takes 64.
  @Test(arguments: [(0, 3), (-1, 2)]) func connectionsTakeRoomInAnAnswer(excess: Int, count: Int) throws {
    let envelope: JSON = ["protected": "x", "ciphertext": "y"]
    let folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.answerBytes = 3 * (envelope.bytes.count + 200 + 64) + excess
    let client = Client(try AgencyServer(dataFolder: folder.path, rules: rules))
    let agent = try client.provision()
    for _ in 0..<3 {
      let forward: JSON = [
        "@type": .string(Forward.type.text), "to": .string(try client.createMailbox(agent).forDID), "msg": envelope,
      ]
      #expect(try client.post(Envelope.pack(forward.bytes, for: [client.agency.verkey])).status == 200)
    }
    var filter = WireMessageFilter()
    let first: MessagesByConnections = try client.ask(GetMessagesByConnections(filter: filter), of: agent)
    #expect(first.connections.map(\.messages.count).reduce(0, +) == count)
    guard case .cut(let next) = first.end else { return #expect(count == 3 && first.end == .complete) }
    filter.after = next
    let second: MessagesByConnections = try client.ask(GetMessagesByConnections(filter: filter), of: agent)
    #expect(second.end == .complete)
    let all = (first.connections + second.connections).flatMap(\.messages).map(\.uid)
    #expect(all.count == 3 && Set(all).count == 3)
  }
}
