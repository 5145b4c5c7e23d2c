import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// Envelopes in the usual spelling are read without the JSON reader. Both readers must say the same of every text.
@Suite struct PlainEnvelopeTests {
  private let alice = KeyPair()
  private let bob = KeyPair()

  private func packed() throws -> [UInt8] { try Envelope.pack(Array("hello".utf8), for: [bob.verkey], from: alice) }

  /// The content, or the reason why there is none.
  private func outcome(_ read: () throws -> Envelope) -> String {
    do {
      let opened = try read().open(with: bob)
      return "\(opened.message) from \(opened.sender?.text ?? "nobody")"
    } catch {
      return "\(error)"
    }
  }

  /// Compares the reader of texts with the reader of JSON values.
  private func expectSame(_ text: [UInt8]) {
    let plain = outcome { try Envelope(parsing: text) }
    let general = outcome {
      guard let json = try? JSON(parsing: text) else { throw EnvelopeError.malformed("not JSON") }
      return try Envelope(json)
    }
    #expect(plain == general, "\(String(decoding: text, as: UTF8.self))")
  }

  @Test(arguments: UInt64(0)..<300) func aDamagedTextIsReadAlike(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var text = try packed()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: text.indices, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: text[index] = UInt8.random(in: 0...255, using: &random)
      case 1: text.remove(at: index)
      case 2: text.insert(contentsOf: "\"\\,:{}[] =".utf8.shuffled(using: &random).prefix(1), at: index)
      case 3: text.insert(contentsOf: Array(text[..<index].suffix(20)), at: index)
      default: text.removeSubrange(index...)
      }
    }
    expectSame(text)
  }

  @Test func otherSpellingsAreReadAlike() throws {
    let text = String(decoding: try packed(), as: UTF8.self)
    let escaped = text.replacing("\"iv\":\"", with: "\"iv\":\"\\u0041", maxReplacements: 1)
    let spellings = [
      text, " " + text.replacing(",", with: " ,\n\t").replacing(":", with: " : ") + "\r\n", text + " x", text + "}",
      text.replacing("{", with: "{\"more\":1,", maxReplacements: 1),
      text.replacing("{", with: "{\"iv\":\"AAAA\",", maxReplacements: 1), text.dropLast() + ",\"iv\":\"AAAA\"}",
      text.dropLast() + ",}", escaped, text.replacing("\"protected\"", with: "\"\\u0070rotected\""),
      text.replacing("=", with: "\\u003d"), text.replacing("\"tag\"", with: "\"tag\u{e4}\""),
      text.replacing("\"tag\":\"", with: "\"tag\":\"\u{1}"), text.replacing("\"tag\":\"", with: "\"tag\":\"\u{e4}"), "",
      "{", "{}",
      "[]", "\"\"", "null",
    ]
    for spelling in spellings { expectSame(Array(spelling.utf8)) }
    let members = try JSON(parsing: text).requireObject().members
    for index in members.indices {
      let turned = JSON.object(JSONObject(distinct: Array(members[index...] + members[..<index])))
      #expect(outcome { try Envelope(parsing: turned.bytes) } == outcome { try Envelope(parsing: Array(text.utf8)) })
    }
  }
}
