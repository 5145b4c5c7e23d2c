import Foundation
import Sodium
import TestSupport
import Testing

/// base58, base64 and UUIDs.
@Suite struct EncodingTests {
  @Test(arguments: [
    ("", ""), ("00", "1"), ("0000", "11"), ("61", "2g"), ("626262", "a3gV"),
    ("ffffffffff", "VtB5VXc"),
  ])
  func base58MatchesKnownAnswers(hex: String, text: String) throws {
    #expect(try Base58.decode(text) == [UInt8](hex: hex))
    #expect(Base58.encode([UInt8](hex: hex)) == text)
  }

  @Test(arguments: ["0", "O", "I", "l", "a b", "ü", String(repeating: "z", count: 17_000)])
  func base58RefusesOtherCharactersAndLengths(text: String) {
    #expect(throws: SodiumError.notBase58) { try Base58.decode(text) }
  }

  @Test(arguments: UInt64(0)..<100) func encodingsSurviveARoundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bytes = random.bytes(Int(seed))
    #expect(try Base58.decode(Base58.encode(bytes)) == bytes)
    #expect([UInt8](hex: bytes.hex) == bytes)
    for alphabet in [Base64.Alphabet.standard, .url] {
      for padded in [true, false] {
        let text = Base64.encode(bytes, alphabet, padded: padded)
        #expect(try Base64.decode(text, alphabet) == bytes)
        #expect(try Base64.decodeAny(text) == bytes)
      }
    }
  }

  /// Appending puts the bytes into the room of their text, which replaces them from its start.
  @Test(arguments: [0, 1, 2, 3, 7, 8, 9, 13, 14, 15, 3_071, 3_072, 3_073, 6_145, 20_000])
  func base64OfEveryLengthIsFoundations(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = random.bytes(count)
    let text = Data(bytes).base64EncodedString()
    #expect(Base64.encode(bytes, .standard) == text)
    var appended = Array("x".utf8)
    Base64.append(bytes.span, .standard, to: &appended)
    #expect(appended == Array("x\(text)".utf8))
    #expect(try Base64.decode(text, .standard) == bytes)
    #expect(try Base64.decodeSecret(text) == bytes)
  }

  /// The tables must say of each text what libsodium says.
  @Test(arguments: UInt64(0)..<500) func base64IsReadAsLibsodiumReadsIt(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let characters = Array("ABCDEZabcz0189+/=")
    let text = String(
      (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in characters.randomElement(using: &random) })
    for text in [text, text + "=", text + "=="] where text.hasSuffix("=") || text.count.isMultiple(of: 4) {
      #expect((try? Base64.decode(text, .standard)) == (try? Base64.decodeSecret(text)), "\(text)")
    }
  }

  @Test(arguments: ["A", "AA=", "AAA==", "A A=", "AAAA\n", "AAB=C", "Zg=", "Zh==", "+-AA", "====", "\u{e4}AAA"])
  func base64RefusesOtherTexts(text: String) {
    #expect(throws: SodiumError.notBase64) { try Base64.decodeAny(text) }
  }

  /// Each character of Unicode's first 256, whose UTF-8 has all bytes from 0x80 to 0xbf, and some beyond.
  @Test(arguments: [Base64.Alphabet.standard, .url]) func eachCharacterIsTakenOrRefused(alphabet: Base64.Alphabet)
    throws
  {
    let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    let characters = Array(common + (alphabet == .standard ? "+/" : "-_"))
    for scalar in (0..<0x800).compactMap({ Unicode.Scalar(UInt32($0)) }) {
      let text = "AAA\(Character(scalar))"
      if let value = characters.firstIndex(of: Character(scalar)) {
        #expect(try Base64.decode(text, alphabet) == [0, 0, UInt8(value)])
      } else if scalar == "=" {
        #expect(try Base64.decode(text, alphabet) == [0, 0])
      } else {
        #expect(throws: SodiumError.notBase64, "\(scalar.value)") { try Base64.decode(text, alphabet) }
        #expect(throws: SodiumError.notBase64, "\(scalar.value)") {
          try Base64.decode("\(Character(scalar))AAA", alphabet)
        }
      }
    }
  }

  @Test func eachCharacterOfBase58IsTakenOrRefused() throws {
    let characters = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
    for scalar in (0..<0x800).compactMap({ Unicode.Scalar(UInt32($0)) }) {
      if let value = characters.firstIndex(of: Character(scalar)) {
        #expect(try Base58.decode("2\(Character(scalar))") == [UInt8(58 + value)])
      } else {
        #expect(throws: SodiumError.notBase58) { try Base58.decode("2\(Character(scalar))") }
      }
    }
  }

  /// Digit by digit, as everybody learns it.
  @Test(arguments: [1, 4, 5, 31, 32, 33, 200]) func longNumbersAreConvertedAsShortOnesAre(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = random.bytes(count)
    var (digits, rest): ([Int], [Int]) = ([], bytes.map(Int.init))
    while rest.contains(where: { $0 != 0 }) {
      var remainder = 0
      for index in rest.indices {
        (rest[index], remainder) = (remainder * 256 + rest[index]).quotientAndRemainder(dividingBy: 58)
      }
      digits.append(remainder)
    }
    let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
    let zeros = bytes.prefix { $0 == 0 }.map { _ in Character("1") }
    #expect(Base58.encode(bytes) == String(zeros + digits.reversed().map { alphabet[$0] }))
  }

  @Test func base58HasALimit() throws {
    let longest = String(repeating: "z", count: Base58.maximumLength)
    #expect(try Base58.decode(longest).count > 5_900)
    #expect(throws: SodiumError.notBase58) { try Base58.decode(longest + "z") }
    #expect(throws: SodiumError.notBase58) { try Base58.decode("zzz", limit: 2) }
  }

  @Test func eachAlphabetRefusesTheOther() throws {
    #expect(throws: SodiumError.notBase64) { try Base64.decode("-_-_", .standard) }
    #expect(throws: SodiumError.notBase64) { try Base64.decode("+/+/", .url) }
  }

  @Test func uuidsAreOfVersion4AndDiffer() {
    let text = String.randomUUID()
    let shape = text.map { $0 == "-" ? "-" : ("0123456789abcdef".contains($0) ? "x" : "?") }
    #expect(String(shape.joined()) == "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
    #expect(Array(text)[14] == "4" && "89ab".contains(Array(text)[19]))
    #expect(text != String.randomUUID())
  }
}
