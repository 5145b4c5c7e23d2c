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

  @Test(
    arguments: [
      ([:], "message", nil), (["msg_type": "Greeting-1_a", "ref_msg_id": "m0"], "Greeting-1_a", "m0"),
      (["msg_type": nil, "msg_title": "Hello", "ref_msg_id": nil], "message", nil),
      (["msg_type": .string(String(repeating: "a", count: 64))], String(repeating: "a", count: 64), nil),
    ] as [(JSONObject, String, String?)])
  func theOptionsNameItsKind(options: JSONObject, kind: String, answered: String?) throws {
    let message = try ProprietaryMessage(id: "m1", text: #"{"any":"text"}"#, options: options)
    #expect(message.kind == kind && message.answered == answered)
    #expect(message.json["@type"]?.string == "did:sov:123456789abcdefghi1234;spec/\(kind)/1.0/\(kind)")
    #expect(ProprietaryMessage(message.json) == message)
  }

  @Test(
    arguments: [
      ["msg_type": ""], ["msg_type": "a/b"], ["msg_type": "ä"], ["msg_type": 1], ["msg_title": 1], ["ref_msg_id": []],
      ["msg_type": .string(String(repeating: "a", count: 65))],
    ] as [JSONObject])
  func badOptionsAreRefused(options: JSONObject) {
    #expect(throws: JSONError.self) { try ProprietaryMessage(id: "m1", text: "x", options: options) }
  }

  @Test(
    arguments: [
      ["@type": "https://didcomm.org/basicmessage/1.0/message", "@msg": "x"], ["@msg": "x"], [],
      ["@type": "did:sov:123456789abcdefghi1234;spec/a/1.0/a"],
      ["@type": "did:sov:123456789abcdefghi1234;spec/a", "@msg": "x"],
      ["@type": "did:sov:123456789abcdefghi1234;spec/a/1.0/a b", "@msg": "x"],
    ] as [JSON])
  func otherMessagesAreNotProprietary(message: JSON) { #expect(ProprietaryMessage(message) == nil) }
}
