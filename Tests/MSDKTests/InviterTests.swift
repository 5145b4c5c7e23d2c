import Aries
import DIDComm
import JSON
import MSDK
import Sodium
import Testing

extension SDKTests {
  @Suite(.eachCloudAgent) struct InviterTests {
    static let handshakes: [Handshake] = [.connections, .didExchange(.v1_0), .didExchange(.v1_1)]

    let world: World

    init() throws { world = try World() }

    func options(_ json: JSON? = nil) throws -> ConnectionOptions { try ConnectionOptions(parsing: json?.text) }

    func restored(_ connection: Connection) throws -> Connection {
      let text = connection.serialized(institutionDID: nil)
      let again = try Connection(serialized: text)
      #expect(again.serialized(institutionDID: nil) == text)
      #expect(again.state == connection.state)
      return again
    }

    /// An inviter with its invitation out, and an invitee that has it.
    func invited(_ json: JSON? = nil) throws -> (Connection, ScriptedInvitee) {
      var connection = try Connection(sourceID: "bob", goalCode: "g", goal: "to talk", handshake: true, attaching: nil)
      #expect(connection.state.number == 1 && connection.invitationText == "{}" && connection.pairwiseDID == "")
      try connection.connect(options(json), with: world.session)
      #expect(connection.state.number == 2)
      let invitation = try OutOfBandInvitation(JSON(parsing: connection.invitationText))
      return (connection, try ScriptedInvitee(invitation: .outOfBand(invitation)))
    }

    @Test(arguments: handshakes) func anInvitationBecomesAConnection(handshake: Handshake) throws {
      var (connection, invitee) = try invited()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 2, "nobody has asked")

      try invitee.ask(by: handshake)
      connection = try restored(connection)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      connection = try restored(connection)
      try invitee.react()
      #expect(invitee.isConnected)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      connection = try restored(connection)

      try connection.sendPing(comment: "hi", with: world.session)
      #expect(try invitee.received().last?["comment"] == "hi")
      try invitee.send(TrustPing(id: "ping-1", responseRequested: true).json)
      try connection.poll(with: world.session)
      #expect(try invitee.received().last?["~thread"]?["thid"] == "ping-1")
    }

    @Test func aConnectionInvitationIsMade() throws {
      var connection = Connection(sourceID: "bob", inviting: .connection)
      connection = try restored(connection)
      try connection.connect(options(["use_public_did": true]), with: world.session)
      let invitation = try ConnectionInvitation(JSON(parsing: connection.invitationText))
      #expect(invitation.label == "Alice")
      #expect(invitation.publicDID == (try world.session.settings.institutionDID))
      let service = try #require(invitation.service)
      #expect(service.recipientKeys.map(\.did.text) == [connection.pairwiseDID])
      #expect(service.endpoint == world.messageURL)
      #expect(service.routingKeys.count == world.hops)

      let invitee = try ScriptedInvitee(invitation: .connection(invitation))
      try invitee.ask()
      try connection.poll(with: world.session)
      try invitee.react()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4 && invitee.isConnected)
    }

    @Test func connectingAgainGivesTheSameInvitation() throws {
      var (connection, _) = try invited()
      let before = connection.serialized(institutionDID: nil)
      try connection.connect(options(), with: world.session)
      #expect(connection.serialized(institutionDID: nil) == before)
    }

    @Test(arguments: handshakes) func oneHandshakeCanBeOfferedAlone(handshake: Handshake) throws {
      let (connection, _) = try invited(["handshake_protocol": .string(handshake.text)])
      #expect(try JSON(parsing: connection.invitationText)["handshake_protocols"] == [.string(handshake.text)])
    }

    @Test func aResponseThatCouldNotBeSentIsSentByTheNextPoll() throws {
      var (connection, invitee) = try invited()
      try invitee.ask()
      invitee.answer(500)
      #expect(throws: DeliveryError.refused(status: 500)) { try connection.poll(with: world.session) }
      #expect(connection.state.number == 2)
      invitee.answer(200)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
    }

    /// One that cannot be reached must not stand before all others.
    @Test func anUnreachableInviteeDelaysNobody() throws {
      var (connection, dead) = try invited()
      let invitation = try OutOfBandInvitation(JSON(parsing: connection.invitationText))
      let invitee = try ScriptedInvitee(invitation: .outOfBand(invitation))
      dead.answer(500)
      try dead.ask()
      try invitee.ask()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      // Now the dead one is too late, and whether it learns of it is no concern of ours.
      try connection.poll(with: world.session)
      try invitee.react()
      #expect(invitee.isConnected)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }

    @Test(arguments: [nil, "http://["]) func anInviteeWithoutAnAddressIsRejected(endpoint: String?) throws {
      var (connection, hostile) = try invited()
      let invitation = try OutOfBandInvitation(JSON(parsing: connection.invitationText))
      let invitee = try ScriptedInvitee(invitation: .outOfBand(invitation))
      hostile.endpoint = endpoint
      if endpoint == nil { hostile.routingKeys = (0..<60).map { _ in KeyPair().verkey } }
      try hostile.ask()
      try invitee.ask()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      try invitee.react()
      #expect(invitee.isConnected)
    }

    /// As when a process ends between the poll and the storing of what it did.
    @Test func aRequestThatWasNotStoredIsTakenInAgain() throws {
      var (connection, invitee) = try invited()
      let stored = connection.serialized(institutionDID: nil)
      try invitee.ask()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      connection = try Connection(serialized: stored)
      #expect(connection.state.number == 2)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      try invitee.react()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }

    /// The same for the message that shows that the invitee has the response.
    @Test(arguments: handshakes) func aConfirmationThatWasNotStoredIsTakenInAgain(handshake: Handshake) throws {
      var (connection, invitee) = try invited()
      try invitee.ask(by: handshake)
      try connection.poll(with: world.session)
      let stored = connection.serialized(institutionDID: nil)
      try invitee.react()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      let sent = try invitee.received().count
      connection = try Connection(serialized: stored)
      #expect(connection.state.number == 3)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      #expect(try invitee.received().count == sent, "the request is not answered again")
    }

    /// One who has got the response already asks again only if it has not.
    @Test func aRequestThatWasAnsweredIsAnsweredAgainOnlyWhenItComesAgain() throws {
      var (connection, invitee) = try invited()
      try invitee.ask(by: .connections, requestID: "request-1")
      try connection.poll(with: world.session)
      for _ in 0..<2 { try connection.poll(with: world.session) }
      #expect(try invitee.received().count == 1)
      let request = ConnectionRequest(
        id: "request-1", label: "Bob", document: invitee.own.document, pthid: try #require(connection.invitation?.id))
      try invitee.post(request.json)
      try connection.poll(with: world.session)
      let responses = try invitee.received()
      #expect(responses.count == 2 && responses.first == responses.last)
    }

    @Test func aRefusedInviteeIsToldOnce() throws {
      var (connection, invitee) = try invited(["handshake_protocol": "didexchange/1.1"])
      let request = ConnectionRequest(
        id: "request-1", label: "Bob", document: invitee.own.document, pthid: try #require(connection.invitation?.id))
      try invitee.post(request.json)
      for _ in 0..<3 { try connection.poll(with: world.session) }
      #expect(connection.state.number == 2)
      #expect(try invitee.received().map { $0["description"]?["code"] } == ["request_not_accepted"])
    }

    @Test func theSecondToAskIsTurnedAway() throws {
      var (connection, first) = try invited()
      let second = try ScriptedInvitee(
        invitation: .outOfBand(OutOfBandInvitation(JSON(parsing: connection.invitationText))))
      try first.ask()
      try connection.poll(with: world.session)
      let before = connection.serialized(institutionDID: nil)
      try second.ask(by: .connections)
      try connection.poll(with: world.session)
      #expect(connection.serialized(institutionDID: nil) == before)
      #expect(try second.received().last?["description"]?["code"] == "request_not_accepted")
      try second.react()
      guard case .failed = second.machine else {
        Issue.record("\(second.machine)")
        return
      }
    }

    @Test func anInviteeThatComplainsFailsTheConnection() throws {
      var (connection, invitee) = try invited()
      try invitee.ask(by: .connections, requestID: "request-1")
      try connection.poll(with: world.session)
      let thread = Aries.Thread(thid: "request-1")
      let report = ProblemReport(
        in: .connections, id: "p", code: "response_not_accepted", explanation: "no", thread: thread)
      #expect(throws: MailboxError.unprovenSender) { try connection.receive(report.json.text, with: world.session) }
      #expect(connection.state.number == 3)
      try invitee.post(report.json)
      try connection.receive(report.json.text, with: world.session)
      #expect(connection.state.number == 0)
      #expect(try restored(connection).state.number == 0)
    }

    @Test func anInvitationWithoutAHandshakeIsCompleteAtOnce() throws {
      let request: JSON = ["@type": "https://didcomm.org/x/1.0/question", "@id": "q", "~thread": ["thid": "t"]]
      var connection = try Connection(
        sourceID: "bob", goalCode: nil, goal: nil, handshake: false, attaching: request.text)
      #expect(connection.state.number == 1)
      connection = try restored(connection)
      try connection.connect(options(), with: world.session)
      #expect(connection.state.number == 4)
      connection = try restored(connection)
      let invitation = try OutOfBandInvitation(JSON(parsing: connection.invitationText))
      #expect(!invitation.offersHandshake)
      let data = try #require(invitation.json.value["requests~attach"]?.array?.first?["data"]?["base64"]?.string)
      let attached = try JSON(parsing: Base64.decode(data, .standard))
      #expect(attached["~thread"] == ["thid": "t", "pthid": .string(invitation.id)])
      #expect(attached["@id"] == "q")

      try connection.poll(with: world.session)
      #expect(throws: ConnectionError.notReady) { try connection.send("hello", with: world.session) }
    }

    @Test func aPlanThatNobodyCouldFollowIsRefused() {
      #expect(throws: InvitationError.self) {
        try Connection(sourceID: "x", goalCode: nil, goal: nil, handshake: false, attaching: nil)
      }
      #expect(throws: (any Error).self) {
        try Connection(sourceID: "x", goalCode: nil, goal: nil, handshake: true, attaching: "[]")
      }
    }
  }
}
