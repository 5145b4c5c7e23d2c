import Aries
import JSON
import Sodium
import Testing

/// The messages over a proprietary connection.
@Suite struct ProprietaryMessageTests {
  private static let publicDID = "9QjmAbQLX1BvBRtM4qDAry"

  @Test func aRedirectionNamesThePublicDIDsOfBoth() {
    let (own, peer) = (KeyPair(), KeyPair().verkey)
    let redirection = Redirection(
      did: peer.did.text, verkey: peer, publicDID: Self.publicDID, to: own, ownPublicDID: own.verkey.did.text)
    #expect(redirection.json["publicDID"] == .string(Self.publicDID))
    #expect(redirection.json["theirPublicDID"] == .string(own.verkey.did.text))
  }

  @Test(arguments: ["az", "AZ", "09", "-_"]) func aKindHasLettersDigitsAndTwoSigns(kind: String) throws {
    #expect(try ProprietaryMessage(id: "m", text: "x", options: ["msg_type": .string(kind)]).kind == kind)
  }

  @Test(arguments: ["@", "[", "`", "{", "/", ":", "."]) func aKindHasNoOtherSigns(kind: String) {
    #expect(throws: JSONError.self) {
      try ProprietaryMessage(id: "m", text: "x", options: ["msg_type": .string(kind)])
    }
  }
}
