import Aries
import HTTP
import JSON
@testable import MSDK
import Testing

extension SDKTests {
  /// Peers that use a connection for another invitation of ours.
  @Suite(.eachCloudAgent) struct ReuseTests {
    let world: World

    init() throws { world = try World() }

    func invitation() throws -> (connection: Connection, invitation: OutOfBandInvitation) {
      var connection = try Connection(sourceID: "bob", goalCode: nil, goal: "to talk", handshake: true, attaching: nil)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      return (connection, try OutOfBandInvitation(JSON(parsing: connection.invitationText)))
    }

    func connected() throws -> (Connection, ScriptedInvitee) {
      var (connection, invitation) = try invitation()
      let invitee = try ScriptedInvitee(invitation: .outOfBand(invitation))
      try invitee.ask()
      try connection.poll(with: world.session)
      try invitee.react()
      try connection.poll(with: world.session)
      return (connection, invitee)
    }

    func answers(to invitee: ScriptedInvitee) throws -> [JSON] {
      try invitee.received().filter { $0["@type"]?.string?.hasSuffix("/handshake-reuse-accepted") == true }
    }

    /// The problem reports about a reuse.
    private func refusals(to invitee: ScriptedInvitee) throws -> [JSON] {
      try invitee.received().filter { $0["@type"]?.string?.contains("/out-of-band/1.") == true }
        .filter { $0["@type"]?.string?.hasSuffix("/problem_report") == true }
    }

    /// How many messages the application has not read.
    func unread() throws -> Int {
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }.count
    }

    @Test func theReuseOfAnotherInvitationIsAnsweredOnceAndStaysUnread() throws {
      var (connection, invitee) = try connected()
      let stored = connection.serialized(institutionDID: nil)
      let second = try invitation().invitation.id
      for (minor, count) in [(0, 1), (1, 2)] {
        let reuse = HandshakeReuse(id: "reuse-\(minor)", invitation: second, minor: minor).json
        try invitee.send(reuse)
        // Also in a process that starts from what was stored before, and when the application hands it over too.
        for _ in 0..<2 {
          try connection.poll(with: world.session)
          try connection.poll(with: world.session)
          try connection.receive(reuse.text, with: world.session)
          connection = try Connection(serialized: stored)
        }
        #expect(connection.state.number == 4)
        let answers = try answers(to: invitee)
        #expect(answers.count == count)
        #expect(
          answers.last?["@type"] == .string("https://didcomm.org/out-of-band/1.\(minor)/handshake-reuse-accepted"))
        #expect(answers.last?["~thread"] == ["thid": "reuse-\(minor)", "pthid": .string(second)])
        #expect(try unread() == count)
      }
    }

    @Test func itsOwnInvitationMayBeReusedToo() throws {
      var (connection, invitee) = try connected()
      let own = try #require(connection.invitation?.id)
      try invitee.send(HandshakeReuse(id: "reuse", invitation: own, minor: 1).json)
      try connection.poll(with: world.session)
      #expect(try answers(to: invitee).count == 1)
    }

    /// Somebody may have seen an invitation that was meant for Bob, and that Bob has used.
    @Test func anInvitationThatAnotherHasUsedIsNotReused() throws {
      var (connection, invitee) = try connected()
      let used = try #require(try connected().0.invitation?.id)
      try invitee.send(HandshakeReuse(id: "reuse", invitation: used, minor: 1).json)
      for _ in 0..<2 { try connection.poll(with: world.session) }
      #expect(try answers(to: invitee).isEmpty)
      let report = try #require(try refusals(to: invitee).first)
      #expect(report["@type"] == "https://didcomm.org/out-of-band/1.1/problem_report")
      #expect(report["~thread"] == ["thid": "reuse", "pthid": .string(used)])
      #expect(report["description"]?["code"] == "existing_connection_not_active")
      #expect(try refusals(to: invitee).count == 1, "it is told once")
    }

    @Test(arguments: [true, false]) func anInvitationThatAnotherHasReusedIsNotReused(handshake: Bool) throws {
      var (bob, bobsInvitee) = try connected()
      var (mallory, mallorysInvitee) = try connected()
      let request = handshake ? nil : #"{"@type":"https://didcomm.org/x/1.0/x","@id":"1"}"#
      var inviting = try Connection(
        sourceID: "x", goalCode: nil, goal: nil, handshake: handshake, attaching: request)
      try inviting.connect(ConnectionOptions(parsing: nil), with: world.session)
      let id = try #require(inviting.invitation?.id)
      try bobsInvitee.send(HandshakeReuse(id: "reuse", invitation: id, minor: 1).json)
      try bob.poll(with: world.session)
      #expect(try answers(to: bobsInvitee).count == 1)
      for reuse in ["reuse", "other"] {
        try mallorysInvitee.send(HandshakeReuse(id: reuse, invitation: id, minor: 1).json)
        try mallory.poll(with: world.session)
      }
      #expect(try answers(to: mallorysInvitee).isEmpty && refusals(to: mallorysInvitee).count == 2)
      try bobsInvitee.send(HandshakeReuse(id: "again", invitation: id, minor: 1).json)
      try bob.poll(with: world.session)
      #expect(try answers(to: bobsInvitee).count == 2)
    }

    @Test func anInvitationThatAnotherHasReusedGivesNoConnection() throws {
      var (bob, bobsInvitee) = try connected()
      var (second, invitation) = try invitation()
      try bobsInvitee.send(HandshakeReuse(id: "reuse", invitation: invitation.id, minor: 1).json)
      try bob.poll(with: world.session)
      #expect(try answers(to: bobsInvitee).count == 1)
      let mallory = try ScriptedInvitee(invitation: .outOfBand(invitation))
      try mallory.ask()
      try second.poll(with: world.session)
      #expect(try second.state.number == 2 && mallory.received().isEmpty)
    }

    /// A stranger in the mailbox takes no invitation away.
    @Test func aReuseThatIsNotThePeersLeavesTheInvitation() throws {
      var (bob, bobsInvitee) = try connected()
      let (_, mallory) = try connected()
      var (second, invitation) = try invitation()
      let service = try #require(bobsInvitee.machine.peer?.service)
      let reuse = HandshakeReuse(id: "reuse", invitation: invitation.id, minor: 1).json
      _ = try HTTPClient().post(
        service.pack(reuse.bytes, from: mallory.key), to: service.endpoint,
        contentType: "application/didcomm-envelope-enc")
      try bob.poll(with: world.session)
      #expect(try answers(to: bobsInvitee).isEmpty)
      let invitee = try ScriptedInvitee(invitation: .outOfBand(invitation))
      try invitee.ask()
      try second.poll(with: world.session)
      #expect(second.state.number == 3)
    }

    @Test func anInvitationThatWasNeverMadeIsNotReused() throws {
      var (connection, invitee) = try connected()
      let known = try Agent.ofTest.openWallet()
      try known.apply(.add(.init(type: "another type", id: "invitation-2", value: "x")))
      let ids = ["invitation-2", "", String(repeating: "x", count: 10_000), connection.pairwiseDID]
      for (index, id) in ids.enumerated() {
        try invitee.send(HandshakeReuse(id: "reuse-\(index)", invitation: id, minor: 1).json)
      }
      var nameless = HandshakeReuse(id: "reuse", invitation: "x", minor: 1).json
      nameless["~thread"] = ["thid": "reuse"]
      try invitee.send(nameless)
      for _ in 0...ids.count { try connection.poll(with: world.session) }
      #expect(try answers(to: invitee).isEmpty)
      // An empty id and one of 10,000 bytes are not repeated to the peer.
      #expect(try refusals(to: invitee).map { $0["~thread"]?["thid"] } == ["reuse-0", "reuse-3"])
      #expect(try unread() == ids.count + 1)
      #expect(connection.state.number == 4)
    }

    /// The inviter can reuse nothing: the invitation is its own.
    @Test func thePeersOwnInvitationIsNotReused() throws {
      var connection = try world.completed()
      let theirs = try #require(connection.invitation?.id)
      try world.inviter.send(HandshakeReuse(id: "reuse", invitation: theirs, minor: 1).json)
      try connection.poll(with: world.session)
      let types = try world.inviter.received().compactMap { $0.json["@type"]?.string }
      #expect(types.allSatisfy { !$0.hasSuffix("/handshake-reuse-accepted") })
      #expect(try unread() == 1)
    }

    @Test func aDeletedConnectionTakesItsInvitationAlong() throws {
      var (connection, invitee) = try connected()
      let (second, invitation) = try invitation()
      try second.delete(with: world.session)
      try invitee.send(HandshakeReuse(id: "reuse", invitation: invitation.id, minor: 1).json)
      try connection.poll(with: world.session)
      #expect(try answers(to: invitee).isEmpty)
    }

    /// A peer chooses the id of its invitation, which may be that of ours.
    @Test func aDeletedInviteeTakesNoInvitationOfOursAlong() throws {
      var (connection, invitee) = try connected()
      let own = try invitation().invitation.id
      let theirs = world.inviter.invitation.with(["@id": .string(own)])
      var other = try Connection(sourceID: "acme", connectionInvitation: theirs.text)
      try other.connect(ConnectionOptions(parsing: nil), with: world.session)
      try other.delete(with: world.session)
      try invitee.send(HandshakeReuse(id: "reuse", invitation: own, minor: 1).json)
      try connection.poll(with: world.session)
      #expect(try answers(to: invitee).count == 1)
    }

    @Test func aDeletedConnectionTakesTheNotesOfItsAnswersAlong() throws {
      let (connection, _) = try connected()
      let book = ReuseBook(wallet: try Agent.ofTest.openWallet())
      let reuse = AnsweredOnce(HandshakeReuse(id: "reuse", invitation: "invitation-1", minor: 1))
      for did in [connection.pairwiseDID, "another"] { try book.noteAnswer(to: reuse, over: did) }
      try connection.delete(with: world.session)
      #expect(try !book.isAnswered(reuse, over: connection.pairwiseDID) && book.isAnswered(reuse, over: "another"))
    }

    /// As when a process ends after it has sent the answer and before it has noted that: the peer sees one message twice.
    @Test func anAnswerThatWasNotNotedIsRepeatedUnchanged() throws {
      var (connection, invitee) = try connected()
      let stored = connection.serialized(institutionDID: nil)
      try invitee.send(HandshakeReuse(id: "reuse", invitation: invitation().invitation.id, minor: 1).json)
      try connection.poll(with: world.session)
      try Agent.ofTest.openWallet().apply(.delete(type: "msdk.reuse", id: connection.pairwiseDID))
      connection = try Connection(serialized: stored)
      try connection.poll(with: world.session)
      let answers = try answers(to: invitee)
      #expect(answers.count == 2 && answers.first == answers.last)
    }

    @Test func onlySoManyAnswersOfAConnectionAreRemembered() throws {
      let book = ReuseBook(wallet: try Agent.ofTest.openWallet())
      let reuses = (0...100).map {
        AnsweredOnce(HandshakeReuse(id: "\($0)", invitation: "invitation-1", minor: 1))
      }
      for reuse in reuses { try book.noteAnswer(to: reuse, over: "one") }
      #expect(try !book.isAnswered(reuses[0], over: "one"))
      for reuse in reuses.dropFirst() { #expect(try book.isAnswered(reuse, over: "one")) }
      #expect(try !book.isAnswered(reuses[100], over: "another"))
      let other = AnsweredOnce(HandshakeReuse(id: "100", invitation: "invitation-2", minor: 1))
      #expect(try !book.isAnswered(other, over: "one"))
    }

    @Test func anAnswerThatCouldNotBeSentIsSentByTheNextPoll() throws {
      var (connection, invitee) = try connected()
      try invitee.send(HandshakeReuse(id: "reuse", invitation: invitation().invitation.id, minor: 1).json)
      invitee.answer(500)
      #expect(throws: DeliveryError.refused(status: 500)) { try connection.poll(with: world.session) }
      invitee.answer(200)
      for _ in 0..<2 { try connection.poll(with: world.session) }
      #expect(try answers(to: invitee).count == 1)
    }
  }
}
