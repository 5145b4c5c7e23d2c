import Aries
import JSON
import Sodium
import Testing

@testable import MSDK

extension SDKTests {
  /// Responses that end a handshake.
  @Suite struct RefusedResponseTests {
    let world: World

    init() throws { world = try World() }

    /// The caller learns of the first one.
    @Test func ofTwoRefusalsTheFirstIsTold() throws {
      var connection = try world.requested()
      try world.inviter.send(world.inviter.response(signedBy: KeyPair()))
      var other = try world.inviter.response()
      other["connection~sig"]?["signer"] = 1
      try world.inviter.send(other)
      #expect(throws: ProtocolError.wrongSigner) { try connection.poll(with: world.session) }
      #expect(throws: Never.self) { try connection.poll(with: world.session) }
    }

    /// A process may end before it has stored that the handshake has failed.
    @Test func theResponseThatEndedAHandshakeEndsItAgain() throws {
      let stored = try world.requested().serialized(institutionDID: nil)
      let signature = SignatureDecorator(signing: ["DID": "x"], with: world.inviter.invitationKey, time: 0)
      let thread = Aries.Thread(thid: try world.inviter.request().id)
      try world.inviter.send(ConnectionResponse(id: "r", thread: thread, signature: signature).json)
      for _ in 0..<2 {
        var connection = try Connection(serialized: stored)
        #expect(throws: ProtocolError.self) { try connection.poll(with: world.session) }
        #expect(connection.state.number == 0)
      }
    }

    /// The caller learns why the handshake has ended, and not that the report about it was lost.
    @Test func aReportThatDoesNotArriveHidesNoRefusal() throws {
      var connection = try world.requested()
      let signature = SignatureDecorator(signing: ["DID": "x"], with: world.inviter.invitationKey, time: 0)
      let thread = Aries.Thread(thid: try world.inviter.request().id)
      try world.inviter.send(ConnectionResponse(id: "r", thread: thread, signature: signature).json)
      world.inviter.answer(500)
      #expect(throws: ProtocolError.self) { try connection.poll(with: world.session) }
      #expect(connection.state.number == 0)
    }
  }
}
