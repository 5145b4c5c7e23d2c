import Aries
import JSON
import Platform
import TestSupport
import Testing
import Threading

@testable import MSDK

extension SDKTests {
  /// Peers that cannot be reached while a connection is made.
  @Suite struct UnreachablePeerTests {
    let world: World

    init() throws { world = try World() }

    /// The first of them must not be the only one that is tried: the others may be back.
    @Test func eachOfSeveralUnreachableInviteesIsTried() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let invitees = try (0..<2).map { _ in try ScriptedInvitee(invitation: .connection(invitation)) }
      for invitee in invitees {
        invitee.answer(500)
        try invitee.ask()
      }
      for _ in 0..<3 { #expect(throws: DeliveryError.self) { try connection.poll(with: world.session) } }
      invitees[1].answer(200)
      for _ in 0..<2 { try? connection.poll(with: world.session) }
      #expect(connection.state.number == 3)
      #expect(try invitees[1].received().count == 1 && invitees[0].received().isEmpty)
    }

    /// The program has rejected the request of one itself. Another one, who can be reached, comes before the one that is
    /// known to be away.
    @Test func aRequestThatIsGoneDoesNotCountAmongTheUnreachable() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let invitees = try (0..<3).map { _ in try ScriptedInvitee(invitation: .connection(invitation)) }
      for invitee in invitees[..<2] {
        invitee.answer(500)
        try invitee.ask()
      }
      for _ in 0..<2 { #expect(throws: DeliveryError.self) { try connection.poll(with: world.session) } }
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      let uid = try #require(JSON(parsing: text).array?.first?["msgs"]?.array?.first?["uid"])
      let gone: JSON = [["pairwiseDID": .string(connection.pairwiseDID), "uids": [uid]]]
      try world.session.updateMessages(status: "MS-105", gone.text)
      try invitees[2].ask()
      try connection.poll(with: world.session)
      #expect(try connection.state.number == 3 && invitees[2].received().count == 1)
    }

    /// A report to a stranger is sent if possible. If it took all the time of the step, the stranger's request would stay the oldest
    /// unread message for ever.
    @Test func aSilentStrangerLeavesTimeToMarkTheRequest() throws {
      let silent = try SilentListener()
      defer { silent.close() }
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let (invitee, stranger) = (
        try ScriptedInvitee(invitation: .connection(invitation)),
        try ScriptedInvitee(invitation: .connection(invitation))
      )
      try invitee.ask()
      try connection.poll(with: world.session)
      stranger.endpoint = silent.endpoint
      try stranger.ask()
      try Deadline.serving(.now.after(milliseconds: 4_000)) { try connection.poll(with: world.session) }
      let unread = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      #expect(try JSON(parsing: unread).requireArray().allSatisfy { $0["msgs"]?.array == [] })
      #expect(connection.state.number == 3)
      #expect(try world.session.reportPatience.withLock { $0.milliseconds(at: .now) } < 10_000)
    }

    /// Otherwise the servers of many strangers would delay the peers' messages by the sum of their times.
    @Test func theReportsOfAMinuteShareTheirTime() {
      let start = MonotonicTime.now
      let moment = { (milliseconds: Int) in start.after(milliseconds: milliseconds) }
      var patience = ReportPatience()
      #expect(patience.milliseconds(at: start) == 10_000)
      patience.note(from: start, to: moment(1_500))
      #expect(patience.milliseconds(at: moment(1_500)) == 8_500)
      patience.note(from: moment(1_500), to: moment(10_000))
      patience.note(from: moment(10_000), to: moment(11_000))
      #expect(patience.milliseconds(at: moment(59_999)) == 1_000)
      #expect(patience.milliseconds(at: moment(60_000)) == 10_000)
      patience.note(from: moment(60_000), to: moment(60_002))
      #expect(patience.milliseconds(at: moment(60_002)) == 9_998)
    }

    /// No later attempt would reach it, and its request must not hide what comes behind it.
    @Test func anInviteeAtAForbiddenAddressIsRejected() throws {
      Agent.ofTest.stop(deletingWallet: false)
      let config = try JSON(parsing: world.config).with(["public_endpoints_only": true])
      try Agent.ofTest.start(Settings(parsing: config.text))
      var connection = Connection(sourceID: "bob", inviting: .connection)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      let invitee = try ScriptedInvitee(invitation: .connection(invitation))
      try invitee.ask()
      #expect(throws: DeliveryError.unreachable(.notPublic)) { try connection.poll(with: world.session) }
      #expect(throws: Never.self) { try connection.poll(with: world.session) }
      #expect(try connection.state.number == 2 && invitee.received().isEmpty)
    }
  }
}
