import DIDComm
import Sodium
import Testing

/// The sizes of messages that docs/agency.md names.
@Suite struct EnvelopeSizeTests {
  @Test(arguments: [(440_000, true), (460_000, false)])
  func aMessageOfThatSizeFitsIntoTheBodyThatAnAgencyTakes(size: Int, fits: Bool) throws {
    let keys = (0..<4).map { _ in KeyPair() }
    // To a peer at an agency: for the peer, its agent and the agency.
    let service = Service(
      recipientKeys: [keys[0].verkey], routingKeys: [keys[1].verkey, keys[2].verkey], endpoint: "http://agency.example")
    let message = [UInt8](repeating: UInt8(ascii: "a"), count: size)
    #expect((try service.pack(message, from: keys[3]).count <= 1_048_576) == fits)
  }

  @Test(arguments: [(8, true), (9, false)])
  func aWayHasAsManyKeysAsReasonable(routes: Int, fits: Bool) throws {
    let routing = (0..<routes).map { _ in KeyPair().verkey }
    let service = Service(recipientKeys: [KeyPair().verkey], routingKeys: routing, endpoint: "http://a")
    guard fits else {
      #expect(throws: EnvelopeError.tooManyKeys) { try service.pack([1], from: nil) }
      return
    }
    #expect(throws: Never.self) { try service.pack([1], from: nil) }
  }
}
