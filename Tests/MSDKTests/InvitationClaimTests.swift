import Aries
import DIDComm
import HTTPServing
import JSON
import Sodium
import Testing
import Threading

@testable import MSDK

extension SDKTests {
  /// An invitation makes one connection, also if several objects and processes receive answers to it.
  @Suite(.eachCloudAgent) struct InvitationClaimTests {
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

    /// The invitee's endpoint takes its time, and meanwhile another peer reuses the invitation.
    @Test func aReuseIsNotAcceptedWhileARequestIsAnswered() throws {
      let (connection, invitee) = try connected()
      let bob = Locked(connection)
      var (second, invitation) = try invitation()
      try invitee.send(HandshakeReuse(id: "reuse", invitation: invitation.id, minor: 1).json)
      let session = try world.session
      let slow = try HTTPServer { _ in
        bob.withLock { connection in try? connection.poll(with: session) }
        return HTTPServer.Response(status: 200)
      }
      defer { slow.stop() }
      let mallory = try ScriptedInvitee(invitation: .outOfBand(invitation))
      mallory.endpoint = slow.endpoint
      try mallory.ask()
      try second.poll(with: session)
      #expect(second.state.number == 3)
      try bob.withLock { connection in try connection.poll(with: session) }
      let accepted = try invitee.received().filter {
        $0["@type"]?.string?.hasSuffix("/handshake-reuse-accepted") == true
      }
      #expect(accepted.isEmpty)
    }

    /// A process has answered the first invitee, and ended before it has stored the connection. The wallet no longer has the
    /// request.
    @Test func anotherInviteeDoesNotTakeThePlaceOfTheFirst() throws {
      var (connection, invitation) = try invitation()
      var copy = try Connection(serialized: connection.serialized(institutionDID: nil))
      let bob = try ScriptedInvitee(invitation: .outOfBand(invitation))
      try bob.ask()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      try world.session.inbox.empty(#require(connection.pairwise?.mailbox))
      let mallory = try ScriptedInvitee(invitation: .outOfBand(invitation))
      try mallory.ask()
      for _ in 0..<3 { try? copy.poll(with: world.session) }
      #expect(copy.peer?.key != mallory.key.verkey)
      let responses = try mallory.received().filter { $0["@type"]?.string?.hasSuffix("/response") == true }
      #expect(responses.isEmpty)
    }

    // MARK: The claim in the wallet

    private func claim(_ user: InvitationClaim.User, at time: Int64 = 1_000) throws -> InvitationClaim {
      InvitationClaim(to: "i", for: user, in: try world.session.wallet, at: { time })
    }

    @Test func anInvitationHasOneUser() throws {
      try ReuseBook(wallet: world.session.wallet).note(invitation: "i", of: "did")
      let (bob, mallory) = (try claim(.invitee(KeyPair().verkey)), try claim(.invitee(KeyPair().verkey)))
      for _ in 0..<2 {
        try bob.reserve()
        #expect(throws: ConnectionError.beingAnswered) { try mallory.reserve() }
        #expect(throws: ConnectionError.beingAnswered) { try claim(.reuser(pairwiseDID: "other")).reserve() }
      }
      for step in [bob.confirm, bob.confirm, bob.reserve] {
        try step()
        #expect(throws: ProtocolError.notFromPeer) { try mallory.reserve() }
        #expect(throws: ProtocolError.wrongThread) { try claim(.reuser(pairwiseDID: "other")).reserve() }
      }
      bob.release()
      #expect(throws: ProtocolError.notFromPeer) { try mallory.reserve() }
      #expect(try !ReuseBook(wallet: world.session.wallet).holds(invitation: "i", for: "other"))
    }

    /// Two copies of the object answer the same invitee. One of them fails, and its reservation is gone.
    @Test func onlyAClaimThatIsStillThereBecomesFinal() throws {
      let (bob, mallory) = (try claim(.invitee(KeyPair().verkey)), try claim(.invitee(KeyPair().verkey)))
      try bob.reserve()
      bob.release()
      try bob.confirm()
      #expect(throws: ProtocolError.notFromPeer) { try mallory.reserve() }
      try ReuseBook(wallet: world.session.wallet).strike("did", invitation: "i")
      try bob.reserve()
      bob.release()
      try mallory.reserve()
      #expect(throws: ConnectionError.beingAnswered) { try bob.confirm() }
      bob.release()
      try mallory.confirm()
      #expect(throws: ProtocolError.notFromPeer) { try bob.confirm() }
    }

    /// A process has ended in the midst of its answer, or has closed the wallet.
    @Test func aReservationEndsByItself() throws {
      let keys = (bob: KeyPair().verkey, mallory: KeyPair().verkey)
      try claim(.invitee(keys.bob)).reserve()
      for time in [1_000, 1_119, 881] as [Int64] {
        #expect(throws: ConnectionError.beingAnswered) { try claim(.invitee(keys.mallory), at: time).reserve() }
      }
      for time in [1_120, 880, .max, .min] as [Int64] {
        #expect(try claim(.invitee(keys.mallory), at: time).standing() == .free)
      }
      try claim(.invitee(keys.mallory), at: 1_120).reserve()
      #expect(throws: ConnectionError.beingAnswered) { try claim(.invitee(keys.bob), at: 1_130).confirm() }
      try claim(.invitee(keys.mallory), at: 1_140).confirm()
      #expect(try claim(.invitee(keys.bob), at: 9_999).standing() == .taken)
    }

    @Test func aDeletedConnectionHasNoReservation() throws {
      let (one, other) = (try claim(.requester(pairwiseDID: "one")), try claim(.requester(pairwiseDID: "other")))
      try one.reserve()
      try ReuseBook(wallet: world.session.wallet).strike("one", invitation: nil)
      try other.reserve()
      try other.confirm()
      try ReuseBook(wallet: world.session.wallet).strike("other", invitation: nil)
      #expect(throws: ProtocolError.wrongThread) { try one.reserve() }
    }

    @Test func onlyANotedInvitationIsReused() throws {
      let (one, other) = (try claim(.reuser(pairwiseDID: "one")), try claim(.reuser(pairwiseDID: "other")))
      #expect(throws: ProtocolError.wrongThread) { try one.reserve() }
      try ReuseBook(wallet: world.session.wallet).note(invitation: "i", of: "did")
      for _ in 0..<2 { try one.reserve() }
      one.release()
      #expect(throws: ProtocolError.wrongThread) { try other.reserve() }
      #expect(throws: ProtocolError.notFromPeer) { try claim(.invitee(KeyPair().verkey)).reserve() }
    }
  }
}
