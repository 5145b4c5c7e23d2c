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
  /// Objects that look at one mailbox share what one of them has downloaded.
  @Suite final class SharedMessagesTests {
    let world: World
    let meter: Meter
    var connection: Connection

    init() throws {
      var meter: Meter?
      world = try World(behind: { agency in
        meter = try Meter(agency.endpoint)
        return meter
      })
      self.meter = try #require(meter)
      connection = try world.completed()
    }

    deinit { meter.stop() }

    private func send(_ count: Int, size: Int = 4_000, from first: Int = 0) throws {
      let content = String(repeating: "x", count: size)
      for number in first..<first + count {
        try world.inviter.send(BasicMessage(id: "\(number)", content: content).json)
      }
    }

    private func copies(_ count: Int) throws -> [Connection] {
      let text = connection.serialized(institutionDID: nil)
      return try (0..<count).map { _ in try Connection(serialized: text) }
    }

    @Test func aMailboxIsDownloadedOnceForManyObjects() throws {
      try send(150)
      var copies = try copies(20)
      let session = try world.session
      let first = try meter.measure { try copies[0].poll(with: session) }
      let rest = try meter.measure { for index in 1..<20 { try copies[index].poll(with: session) } }
      #expect(first.bytes > 150 * 4_000)
      #expect(rest.answers == 19 && rest.bytes < first.bytes, "\(rest) after \(first)")
    }

    /// Calls that wait for a look share the next one.
    @Test func objectsThatLookAtATimeShareALook() throws {
      try send(50)
      let (copies, session) = (try copies(20), try world.session)
      let left = Monitor(copies.count)
      let failures = Locked<[String]>([])
      let traffic = meter.measure {
        let threads = Threads(limit: 20)
        for copy in copies {
          threads.post {
            var copy = copy
            do { try copy.poll(with: session) } catch { failures.withLock { $0.append("\(error)") } }
            left.withLock { $0 -= 1 }
          }
        }
        left.wait { $0 == 0 ? () : nil }
      }
      #expect(failures.withLock { $0 } == [])
      #expect(traffic.bytes < 2 * 50 * 2 * 4_000, "\(traffic)")
    }

    @Test func theProgramDownloadsAMessageOnce() throws {
      try send(50)
      let session = try world.session
      let download = { () throws in
        try session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      }
      var texts: [String] = []
      let first = try meter.measure { texts.append(try download()) }
      let second = try meter.measure { texts.append(try download()) }
      #expect(texts[0] == texts[1] && second.bytes * 5 < first.bytes, "\(second) after \(first)")
      try send(1, from: 50)
      let third = try meter.measure { texts.append(try download()) }
      #expect(third.bytes * 3 < first.bytes, "\(third) after \(first)")
      #expect(try JSON(parsing: texts[2]).array?.first?["msgs"]?.array?.count == 51)
    }

    /// Another process may mark messages too.
    @Test func aMessageThatAnotherProcessHasReadIsNotApplied() throws {
      try world.inviter.send(TrustPing(id: "ping", responseRequested: true).json)
      let session = try world.session
      let listed = try JSON(parsing: session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil))
      let mailbox = try #require(connection.pairwise?.mailbox)
      _ = try session.messages().messages(in: mailbox, MessageFilter(statuses: [.received]))
      let uids = (listed.array?.first?["msgs"]?.array ?? []).filter { $0["statusCode"] == "MS-103" }.compactMap {
        $0["uid"]?.string
      }
      guard let agency = try session.cloudAgent().access.keeper else { return #expect(Bool(false)) }
      try agency.setStatus(.reviewed, of: [ConnectionUIDs(pairwiseDID: connection.pairwiseDID, uids: uids)])
      let before = try world.inviter.received().count
      try connection.poll(with: session)
      #expect(try uids.count == 1 && world.inviter.received().count == before)
    }
  }

  /// The bounds of the memory for unread messages.
  @Suite struct UnreadMessagesTests {
    private func message(_ uid: String, _ size: Int = 10) -> StoredMessage {
      let envelope: JSON = ["ciphertext": .string(String(repeating: "x", count: size))]
      return StoredMessage(
        uid: uid, status: .received, senderDID: "", type: "aries", payload: envelope, envelope: envelope, refMsgID: nil)
    }

    private func has(_ uid: String, _ unread: UnreadMessages) -> Bool {
      unread.message(at: .init(pairwiseDID: "did", uid: uid)) != nil
    }

    @Test func theOldestMessagesAreForgotten() {
      var unread = UnreadMessages()
      for number in 0..<UnreadMessages.limit + 1 { unread.note(message("\(number)"), of: "did", size: 10) }
      #expect(!has("0", unread) && has("1", unread) && has("\(UnreadMessages.limit)", unread))
      unread.note(message("long"), of: "did", size: UnreadMessages.maximumSize / 2)
      #expect(has("long", unread) && !has("\(UnreadMessages.limit)", unread))
      #expect(unread.size <= UnreadMessages.maximumSize)
      unread.note(message("too long"), of: "did", size: UnreadMessages.maximumSize)
      #expect(!has("too long", unread) && has("long", unread))
    }

    @Test func removedMessagesTakeNoRoom() {
      var unread = UnreadMessages()
      for round in 0..<3 {
        for number in 0..<UnreadMessages.limit {
          unread.note(message("\(round) \(number)"), of: "did", size: 10)
          unread.remove(.init(pairwiseDID: "did", uid: "\(round) \(number)"))
        }
      }
      #expect(unread.size == 0 && !unread.hasAny(of: []))
      unread.note(message("a"), of: "did", size: 10)
      unread.empty("did")
      #expect(unread.size == 0 && !has("a", unread))
    }

    @Test func anotherMessageOfTheSameIDIsNotTakenForTheOpenedOne() throws {
      var unread = UnreadMessages()
      let pair = KeyPair()
      let opened = try Envelope(parsing: Envelope.pack(Array("{}".utf8), for: [pair.verkey])).open(with: pair)
      unread.note(message("a"), of: "did", size: 10)
      unread.note(opened, from: message("a"), of: "did")
      #expect(unread.opened(message("a"), of: "did")?.message == Array("{}".utf8))
      #expect(unread.opened(message("a", 11), of: "did") == nil)
      unread.note(opened, from: message("a", 11), of: "did")
      #expect(unread.message(at: .init(pairwiseDID: "did", uid: "a")) == message("a"))
    }
  }
}
