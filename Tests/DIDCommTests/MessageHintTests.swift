import DIDComm
import JSON
import Sodium
import Testing

@Suite struct MessageHintTests {
  @Test(arguments: ["", "a b", "a\nb", "offre/é", "a\u{7f}", "\u{1f}a", String(repeating: "x", count: 257)])
  func aMalformedTypeIsLeftOut(text: String) { #expect(MessageHint(type: text).type == nil) }

  @Test func aTypeOfTheGreatestLengthIsKept() {
    let type = String(repeating: "x", count: 256)
    #expect(MessageHint(type: type).type == type)
  }

  @Test(arguments: ["!", "~", "!~"]) func eachPrintableCharacterIsOneOfAType(type: String) {
    #expect(MessageHint(type: type).type == type)
  }

  @Test func aNameOfTheGreatestLengthIsKept() {
    for count in [1, 127, 128, 129] {
      let name = String(repeating: "x", count: count)
      #expect(MessageHint(sender: name).sender == String(name.prefix(128)))
    }
    #expect(MessageHint(sender: "").sender == nil)
  }

  @Test(arguments: [
    ("Faber College", "Faber College"), ("Fa\u{0}be\nr\u{1b}[31m", "Faber[31m"), ("\u{202e}rebaF\u{2069}", "rebaF"),
    ("بانک\u{200c}ها", "بانک\u{200c}ها"), ("a\u{2028}b\u{85}c", "abc"), ("\u{7}", nil),
  ])
  func aNameIsOneLineInItsOwnDirection(text: String, name: String?) {
    #expect(MessageHint(sender: text).sender == name)
  }

  /// One letter can have any number of marks.
  @Test(arguments: ["x", "\u{301}", "😀"])
  func aLongNameIsCut(unit: String) throws {
    let name = try #require(MessageHint(sender: String(repeating: unit, count: 100_000)).sender)
    #expect(name.unicodeScalars.count == 128)
  }

  @Test func onlyTheAgentNearestToTheRecipientSeesTheHint() throws {
    let (alice, near, far) = (KeyPair(), KeyPair(), KeyPair())
    let service = Service(
      recipientKeys: [alice.verkey], routingKeys: [near.verkey, far.verkey], endpoint: "http://agency.example")
    let hint = MessageHint(type: "https://didcomm.org/basicmessage/1.0/message", sender: "Faber")
    let packed = try service.pack([42], from: nil, hint: hint)
    let outer = try Forward(JSON(parsing: Envelope(parsing: packed).open(with: far).message))
    #expect(outer.hint == MessageHint())
    let inner = try JSON(parsing: Envelope(parsing: outer.envelope).open(with: near).message)
    #expect(inner["fwdMsgType"] == "https://didcomm.org/basicmessage/1.0/message")
    #expect(inner["fwdMsgSender"] == "Faber")
    #expect(try Forward(inner).hint == hint)
  }

  @Test func aForwardWithoutAHintHasNoMembersForIt() throws {
    let forward = Forward(to: "x", envelope: Array(#"{"protected":"a"}"#.utf8)).bytes(id: "1")
    #expect(try JSON(parsing: forward).requireObject().keys.sorted() == ["@id", "@type", "msg", "to"])
  }
}
