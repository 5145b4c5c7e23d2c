import Aries
import CloudAgent
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// The messages that objects have applied, at an agency: the wallet has them for objects that lost the effect.
  @Suite struct InboxTests {
    let world: World

    init() throws { world = try World() }

    private func messages(_ status: String) throws -> [JSON] {
      let text = try world.session.downloadMessages(statuses: status, uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
    }

    private func restart() throws {
      Agent.ofTest.stop(deletingWallet: false)
      try world.start(world.config)
    }

    /// As with a Cloud Agent that deletes read messages: nothing at the agency tells of the response.
    @Test func aRestoredObjectNeedsNoReadMessageOfTheAgency() throws {
      var connection = try world.requested()
      let text = connection.serialized(institutionDID: nil)
      try world.inviter.respond()
      try connection.poll(with: world.session)
      let uid = try #require(messages("MS-106").first?["uid"]?.string)
      let list: JSON = [["pairwiseDID": .string(connection.pairwiseDID), "uids": [.string(uid)]]]
      try world.session.updateMessages(status: "MS-104", list.text)
      try restart()
      var restored = try Connection(serialized: text)
      try restored.poll(with: world.session)
      #expect(restored.state == .completed)
    }

    /// A process ends after the message is in the inbox, and before the agency knows that it is read.
    @Test func aMessageThatWasNotMarkedIsAppliedOnceAndMarked() throws {
      var connection = try world.requested()
      try world.inviter.respond()
      let mailbox = try #require(connection.pairwise?.mailbox)
      let stored = try #require(
        try world.session.messages().messages(in: mailbox, MessageFilter(statuses: [.received])).first)
      let place = Inbox.Place(pairwiseDID: mailbox.pairwiseDID.text, uid: stored.uid)
      try world.session.inbox.keep([stored], of: place.pairwiseDID)
      try restart()
      #expect(try world.session.inbox.isApplied(place))
      try connection.poll(with: world.session)
      #expect(connection.state == .completed)
      try connection.poll(with: world.session)
      #expect(try messages("MS-103").isEmpty && messages("MS-106").count == 1)
      let pings = try world.inviter.received().filter { $0.json["@type"]?.string?.hasSuffix("/ping") ?? false }
      #expect(pings.count == 1)
    }

    @Test func aMessageOfTheInboxIsAsItCame() throws {
      let connection = try world.completed()
      try world.inviter.send(BasicMessage(id: "1", content: "hello").json)
      let mailbox = try #require(connection.pairwise?.mailbox)
      let stored = try #require(
        try world.session.messages().messages(in: mailbox, MessageFilter(statuses: [.received])).first)
      let place = Inbox.Place(pairwiseDID: mailbox.pairwiseDID.text, uid: stored.uid)
      try world.session.inbox.keep([stored], of: place.pairwiseDID)
      let kept = try #require(try world.session.inbox.message(at: place))
      #expect(kept.uid == stored.uid && kept.status == .reviewed && kept.envelope == stored.envelope)
      #expect(kept.senderDID == stored.senderDID && kept.type == stored.type && kept.refMsgID == stored.refMsgID)
      try world.session.inbox.empty(mailbox)
      #expect(try world.session.inbox.message(at: place) == nil && !world.session.inbox.isApplied(place))
    }

    // MARK: Several processes

    private func message(_ uid: String, size: Int = 1) -> StoredMessage {
      let envelope: JSON = ["x": .string(String(repeating: "x", count: size))]
      return StoredMessage(
        uid: uid, status: .received, senderDID: "", type: "aries", payload: envelope, envelope: envelope, refMsgID: nil)
    }

    @Test func aMessageThatAnotherProcessHasAppliedCounts() throws {
      let (one, other) = (Inbox(in: try world.session.wallet), Inbox(in: try world.session.wallet))
      let mailbox = try #require(world.requested().pairwise?.mailbox)
      let did = mailbox.pairwiseDID.text
      try one.keep([message("1")], of: did)
      try other.keep([message("2")], of: did)
      try other.keep([message("3")], of: did)
      #expect(try one.isApplied(.init(pairwiseDID: did, uid: "2")))
      #expect(try one.applied(in: mailbox).map(\.uid) == ["1", "2", "3"])
    }

    /// The order of an older version is the time, and the clock was far ahead.
    @Test func theWalletNumbersTheMessages() throws {
      let wallet = try world.session.wallet
      let order = String(4_102_444_800 << 24)  // in the year 2100
      try wallet.make([
        LibraryRecords(of: "msdk.inbox", in: wallet).adding(
          "did 1", value: "{}", tags: ["mailbox": "did", "uid": "1", "status": "MS-103", "order": order])
      ])
      for uid in ["2", "3", "4"] { try Inbox(in: wallet).add([("did", message(uid))]) }
      let found = try world.session.inbox.find(["did"], MessageFilter())
      #expect(found.map(\.uid) == ["1", "2", "3", "4"])
      #expect(try world.session.inbox.find(["did"], MessageFilter(after: "2")).map(\.uid) == ["3", "4"])
    }

    // MARK: Too many messages

    @Test func largeMessagesOfOnePeerPushOutNoMessageOfAnother() throws {
      let inbox = try world.session.inbox
      try inbox.keep([message("bob")], of: "bob")
      for number in 0..<5 { try inbox.keep([message("\(number)", size: 700_000)], of: "mallory") }
      #expect(try inbox.message(at: .init(pairwiseDID: "bob", uid: "bob")) != nil)
      let first = Inbox.Place(pairwiseDID: "mallory", uid: "0")
      #expect(try inbox.message(at: first) == nil && inbox.isApplied(first))
      #expect(try inbox.message(at: .init(pairwiseDID: "mallory", uid: "4")) != nil)
    }

    /// A source repeats it.
    @Test func aReadMessageIsKnownWithoutItsText() throws {
      let inbox = try world.session.inbox
      let uids = (0..<5).map { "\($0)" }
      for uid in uids {
        try inbox.add([("did", message(uid, size: 700_000))])
        try inbox.set(.rejected, of: [ConnectionUIDs(pairwiseDID: "did", uids: [uid])])
      }
      #expect(try inbox.message(at: .init(pairwiseDID: "did", uid: "0")) == nil)
      try inbox.add(uids.map { ("did", message($0, size: 700_000)) })
      #expect(try inbox.find(["did"], MessageFilter(statuses: [.received])).isEmpty)
    }

    /// The agency marks the message, and the wallet has it, in one commit each; a connection that awaits nothing keeps none.
    @Test func aCompletedConnectionKeepsNothing() throws {
      var connection = try world.completed()
      let mailbox = try #require(connection.pairwise?.mailbox)
      let before = try world.session.inbox.applied(in: mailbox)
      try world.inviter.send(TrustPing(id: "ping", responseRequested: true).json)
      try connection.poll(with: world.session)
      #expect(try world.session.inbox.applied(in: mailbox) == before && messages("MS-103").isEmpty)
    }
  }
}
