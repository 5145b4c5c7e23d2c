import Aries
import CloudAgent
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// The messages that objects have applied, at an agency: the wallet has them for objects that lost the effect.
  @Suite(.serialized) struct InboxTests {
    let world: World

    init() throws { world = try World() }

    private func messages(_ status: String) throws -> [JSON] {
      let text = try world.session.downloadMessages(statuses: status, uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
    }

    private func restart() throws {
      Session.stop(deletingWallet: false)
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
      try world.session.inbox.keep(stored, at: place)
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
      try world.session.inbox.keep(stored, at: place)
      let kept = try #require(try world.session.inbox.message(at: place))
      #expect(kept.uid == stored.uid && kept.status == .reviewed && kept.envelope == stored.envelope)
      #expect(kept.senderDID == stored.senderDID && kept.type == stored.type && kept.refMsgID == stored.refMsgID)
      try world.session.inbox.empty(mailbox)
      #expect(try world.session.inbox.message(at: place) == nil && !world.session.inbox.isApplied(place))
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
