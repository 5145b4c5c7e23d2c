import Aries
import CloudAgent
import DIDComm
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import MSDK

extension SDKTests {
  /// Peers that know this side's public DID ask for a connection without an invitation.
  @Suite(.eachCloudAgent) struct PublicDIDListeningTests {
    let world: World

    init() throws { world = try World() }

    var did: String { get throws { try #require(world.session.settings.institutionDID) } }

    /// This side, which awaits a peer.
    func listening() throws -> Connection {
      var connection = Connection(sourceID: "any", atPublicDID: ())
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      #expect(connection.state.number == 1)
      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(connection.state.number == 2)
      return try Connection(serialized: connection.serialized(institutionDID: nil))
    }

    /// A peer that knows the service of the DID's document, and asks for a connection with this DID, or with another one.
    func peer(asking other: String? = nil) throws -> ScriptedInvitee {
      let published = try JSON(parsing: world.session.publishPublicDID())
      let document = try DIDDocument(#require(published["document"]))
      #expect(published["did"]?.string == (try did) && published["published"] == false)
      let invitation = try OutOfBandInvitation(impliedBy: other ?? did)
      let peer = try ScriptedInvitee(invitation: .outOfBand(invitation))
      peer.resolved = document.service
      return peer
    }

    @Test(arguments: [Handshake.didExchange(.v1_0), .didExchange(.v1_1)])
    func aPeerThatKnowsTheDIDBecomesAConnection(handshake: Handshake) throws {
      var connection = try listening()
      let peer = try peer()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 2, "nobody has asked")
      try peer.ask(by: handshake)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 3)
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      try peer.react()
      #expect(peer.isConnected)
      #expect(peer.machine.peer?.key == connection.pairwise?.key, "the connection has a key of its own")
      #expect(connection.pairwise?.key != (try world.session.settings.institutionVerkey))
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      try connection.sendPing(comment: "hi", with: world.session)
      #expect(try peer.received().last?["comment"] == "hi")
    }

    @Test func eachPeerGetsAConnectionOfItsOwn() throws {
      let peers = [try peer(), try peer()]
      var connections = [try listening(), try listening()]
      for peer in peers { try peer.ask() }
      for index in connections.indices {
        try connections[index].poll(with: world.session)
        #expect(connections[index].state.number == 3)
      }
      for peer in peers {
        try peer.react()
        #expect(peer.isConnected)
      }
      #expect(Set(connections.map { $0.peer?.key }) == Set(peers.map(\.key.verkey)))
    }

    /// The process ended before it has stored the connection that answered.
    @Test func anotherConnectionDoesNotAnswerTheSameRequest() throws {
      var connection = try listening()
      var (copy, other) = (connection, try listening())
      let peer = try peer()
      try peer.ask()
      try connection.poll(with: world.session)
      try other.poll(with: world.session)
      #expect(other.state.number == 2)
      try copy.poll(with: world.session)
      #expect(copy.state.number == 3, "the restored connection answers again")
      #expect(Set(try peer.received().map { $0["@type"]?.string ?? "" }).count == 1)
      try peer.react()
      #expect(peer.machine.peer?.key == copy.pairwise?.key)
    }

    /// The first connection meets another peer meanwhile.
    @Test func aRequestThatCouldNotBeAnsweredIsLeftToAnotherConnection() throws {
      var (first, second) = (try listening(), try listening())
      let (bob, carol) = (try peer(), try peer())
      bob.answer(500)
      try bob.ask()
      #expect(throws: DeliveryError.self) { try first.poll(with: world.session) }
      try carol.ask()
      try first.poll(with: world.session)
      #expect(first.peer?.key == carol.key.verkey)
      bob.answer(200)
      try second.poll(with: world.session)
      #expect(second.peer?.key == bob.key.verkey)
      try bob.react()
      #expect(bob.isConnected)
    }

    /// Another connection finds the request while the first waits for the peer's endpoint, which then refuses the answer.
    @Test func aConnectionThatMetARequestBeingAnsweredAnswersItLater() throws {
      var first = try listening()
      let (second, bob, calls, session) = (Locked(try listening()), try peer(), Locked(0), try world.session)
      let server = try HTTPServer { _ in
        let isFirst = calls.withLock { calls in
          calls += 1
          return calls == 1
        }
        guard isFirst else { return HTTPServer.Response(status: 200) }
        second.withLock { second in
          #expect(throws: Never.self) { try second.poll(with: session) }
          #expect(second.state.number == 2)
        }
        return HTTPServer.Response(status: 500)
      }
      defer { server.stop() }
      bob.endpoint = server.endpoint
      try bob.ask()
      #expect(throws: DeliveryError.self) { try first.poll(with: session) }
      try second.withLock { second in
        try second.poll(with: session)
        #expect(second.peer?.key == bob.key.verkey)
      }
    }

    /// Nobody would answer it, and the mailbox would fill up.
    @Test func aRequestThatComesAgainIsRead() throws {
      let (bob, carol) = (try peer(), try peer())
      let request = try bob.request(id: "one")
      var (first, second) = (try listening(), try listening())
      try bob.post(request)
      try first.poll(with: world.session)
      #expect(first.peer?.key == bob.key.verkey)
      for _ in 0..<2 { try bob.post(request) }
      try carol.ask()
      try second.poll(with: world.session)
      #expect(second.peer?.key == carol.key.verkey, "the repeated requests hide no other")
      #expect(try bob.received().count == 1)
      let unread = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      #expect(try JSON(parsing: unread).array?.flatMap { $0["msgs"]?.array ?? [] }.isEmpty == true)
      // A new request gets a new connection.
      var third = try listening()
      try bob.post(bob.request(id: "two"))
      try third.poll(with: world.session)
      #expect(third.peer?.key == bob.key.verkey)
    }

    /// A stranger's server would otherwise be asked at each poll.
    @Test func nobodyIsAskedForTheDIDOfARequestThatAnotherHasAnswered() throws {
      let (bob, host) = (try peer(), try WebHost())
      defer { host.stop() }
      bob.claimedDID = "did:web:\(host.location())"
      try bob.post(bob.request(id: "one"))
      var connection = try listening()
      #expect(throws: PublicDIDError.self) { try connection.poll(with: world.session) }
      let asked = host.requests.count
      #expect(asked > 0)
      let invitation = try #require(connection.invitation)
      let other = try listening()
      for claim in other.claims(to: invitation, by: "one", of: bob.key.verkey, in: try world.session.wallet) {
        try claim.confirm()
      }
      for _ in 0..<2 { try connection.poll(with: world.session) }
      #expect(host.requests.count == asked)
    }

    /// The process ended before it has stored the connection that answered, and the wallet no longer has the request.
    @Test func anOlderTextOfAConnectionDoesNotAnswerAnotherPeer() throws {
      var connection = try listening()
      var (copy, other) = (connection, try listening())
      let (bob, carol) = (try peer(), try peer())
      try bob.ask()
      try connection.poll(with: world.session)
      try world.session.inbox.empty(#require(connection.reception))
      try carol.ask()
      for _ in 0..<2 { try copy.poll(with: world.session) }
      #expect(try copy.peer?.key != carol.key.verkey && carol.received().isEmpty)
      try other.poll(with: world.session)
      #expect(other.peer?.key == carol.key.verkey)
    }

    @Test func aRequestToAnotherInvitationStays() throws {
      var connection = try listening()
      let peer = try peer(asking: "did:sov:WgWxqztrNooG92RXvxSTWv")
      try peer.ask()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 2)
      #expect(try peer.received().isEmpty)
    }

    @Test func messagesToTheKeyOfTheDIDStayForTheApplication() throws {
      var connection = try listening()
      let peer = try peer()
      try peer.post(TrustPing(id: "ping", responseRequested: true).json)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 2)
      #expect(try peer.received().isEmpty)
    }

    @Test func aPeerDoesNotPresentTheKeyOfTheDID() throws {
      var connection = try listening()
      let peer = try peer()
      peer.foreignKey = try world.session.settings.institutionVerkey
      try peer.ask()
      #expect(throws: ProtocolError.ownKey) { try connection.poll(with: world.session) }
      #expect(connection.state.number == 2)
    }

    @Test(arguments: ["institution_did", "institution_verkey"])
    func theConfigurationNamesTheDIDAndItsKey(member: String) throws {
      Agent.ofTest.stop(deletingWallet: false)
      var config = try JSON(parsing: world.config).requireObject()
      config[member] = nil
      try world.start(JSON.object(config).text)
      #expect(throws: SettingsError.missing(member)) { try world.session.publishPublicDID() }
      var connection = Connection(sourceID: "any", atPublicDID: ())
      #expect(throws: SettingsError.missing(member)) {
        try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      }
      #expect(connection.state.number == 1)
    }
  }
}
