import Aries
import DIDComm
import JSON
import MSDK
import Sodium
import Testing

extension SDKTests {
  /// Peers that end a connection, and what is left of it in a process that had not stored that.
  @Suite struct EndingTests {
    let world: World

    init() throws { world = try World() }

    static let hangup = Hangup(id: "h").json

    func unread() throws -> Int {
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }.count
    }

    /// Polls, also from what was stored before, and expects each time that the message has ended the connection.
    func expectEnd(of connection: Connection, by message: JSON) throws {
      let stored = connection.serialized(institutionDID: nil)
      #expect(try unread() == 1)
      for _ in 0..<2 {
        var connection = try Connection(serialized: stored)
        #expect(connection.state.number != 0)
        for _ in 0..<2 {
          try connection.poll(with: world.session)
          #expect(connection.state.number == 0)
          #expect(try JSON(parsing: connection.problemReport()) == message)
        }
        connection = try Connection(serialized: connection.serialized(institutionDID: nil))
        #expect(connection.state.number == 0)
        #expect(try JSON(parsing: connection.problemReport()) == message)
        #expect(try unread() == 1, "it stays for the application")
      }
    }

    func inviter() throws -> (Connection, ScriptedInvitee) {
      var connection = try Connection(sourceID: "bob", goalCode: nil, goal: nil, handshake: true, attaching: nil)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try OutOfBandInvitation(JSON(parsing: connection.invitationText))
      let invitee = try ScriptedInvitee(invitation: .outOfBand(invitation))
      try invitee.ask(requestID: "request-1")
      try connection.poll(with: world.session)
      try invitee.react()
      return (connection, invitee)
    }

    func report(on thread: String) -> JSON {
      ProblemReport(
        in: .connections, id: "p", code: "response_not_accepted", explanation: "no", thread: .init(thid: thread)
      ).json
    }

    @Test func aHangupEndsTheInviteesConnection() throws {
      let connection = try world.completed()
      try world.inviter.send(Self.hangup)
      try expectEnd(of: connection, by: Self.hangup)
      var ended = connection
      try ended.poll(with: world.session)
      #expect(throws: ConnectionError.notReady) { try ended.send("hello", with: world.session) }
    }

    @Test func aHangupOfTheInvitationsKeyEndsTheHandshake() throws {
      let connection = try world.requested()
      try world.inviter.send(Self.hangup, from: world.inviter.invitationKey)
      try expectEnd(of: connection, by: Self.hangup)
    }

    @Test(arguments: [false, true]) func aHangupEndsTheInvitersConnection(isCompleted: Bool) throws {
      var (connection, invitee) = try inviter()
      // The invitee's last message, which completes the connection or comes before the hangup.
      try connection.poll(with: world.session)
      if !isCompleted {
        (connection, invitee) = try inviterInState3()
      }
      #expect(connection.state.number == (isCompleted ? 4 : 3))
      try invitee.send(Self.hangup)
      try expectEnd(of: connection, by: Self.hangup)
    }

    @Test func aReportEndsTheInvitersConnection() throws {
      var (connection, invitee) = try inviter()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      try invitee.send(report(on: "request-1"))
      try expectEnd(of: connection, by: report(on: "request-1"))
    }

    /// The response is out, and nothing has come since.
    func inviterInState3() throws -> (Connection, ScriptedInvitee) {
      var connection = try Connection(sourceID: "bob", goalCode: nil, goal: nil, handshake: true, attaching: nil)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      let invitation = try OutOfBandInvitation(JSON(parsing: connection.invitationText))
      let invitee = try ScriptedInvitee(invitation: .outOfBand(invitation))
      try invitee.ask(requestID: "request-1")
      try connection.poll(with: world.session)
      try invitee.learn()
      return (connection, invitee)
    }

    @Test func aReportEndsTheHandshakeOfAnInviter() throws {
      let (connection, invitee) = try inviterInState3()
      #expect(connection.state.number == 3)
      try invitee.send(report(on: "request-1"))
      try expectEnd(of: connection, by: report(on: "request-1"))
    }

    @Test func nobodyElseEndsAConnection() throws {
      var connection = try world.completed()
      let before = connection.serialized(institutionDID: nil)
      try world.inviter.send(Self.hangup, from: KeyPair())
      try world.inviter.sendUnsigned(Self.hangup)
      for _ in 0..<3 { try connection.poll(with: world.session) }
      #expect(connection.serialized(institutionDID: nil) == before)
      #expect(try unread() == 0, "they are rejected")
    }

    // MARK: parts that are nested deeply

    static func nested(_ depth: Int) throws -> JSON {
      try JSON(parsing: String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }

    /// The deepest JSON that can be read at all.
    static let limit = (1...2048).last { (try? nested($0)) != nil } ?? 0

    @Test func anInvitationThatCouldNotBeRestoredIsRefused() throws {
      var accepted = 0
      for depth in (Self.limit - 40)..<Self.limit {
        var invitation = world.inviter.invitation
        invitation["x"] = try Self.nested(depth - 1)
        guard let connection = try? Connection(sourceID: "x", connectionInvitation: invitation.text) else { continue }
        accepted = depth
        _ = try Connection(serialized: connection.serialized(institutionDID: nil))
      }
      #expect(accepted > Self.limit - 40 && accepted < Self.limit - 16)
    }

    @Test func aReportThatCouldNotBeRestoredIsRefused() throws {
      var connection = try world.completed()
      let before = connection.serialized(institutionDID: nil)
      var hangup = Self.hangup
      hangup["x"] = try Self.nested(Self.limit - 1)
      try world.inviter.send(hangup)
      #expect(throws: ProtocolError.tooDeep) { try connection.poll(with: world.session) }
      #expect(connection.serialized(institutionDID: nil) == before)
      #expect(try unread() == 0, "it is rejected")
    }

    @Test func aDocumentThatCouldNotBeRestoredIsRefused() throws {
      var connection = try world.requested()
      let service = Service(recipientKeys: [world.inviter.pairwiseKey.verkey], endpoint: world.inviter.server.endpoint)
      let key = world.inviter.pairwiseKey.verkey
      var document = DIDDocument(id: key.did.text, key: key, service: service).json.value
      document["x"] = try Self.nested(Self.limit - 2)
      let signature = SignatureDecorator(
        signing: ["DID": .string(key.did.text), "DIDDoc": document], with: world.inviter.invitationKey, time: 0)
      let thread = Aries.Thread(thid: try world.inviter.request().id)
      let sent = try world.inviter.received().count
      try world.inviter.send(ConnectionResponse(id: "r", thread: thread, signature: signature).json)
      #expect(throws: ProtocolError.tooDeep) { try connection.poll(with: world.session) }
      #expect(try connection.state.number == 3 && world.inviter.received().count == sent)
      try world.inviter.respond()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }
  }
}
