import JSON
import TestSupport
import Testing

@Suite struct JSONTests {
  @Test(arguments: [
    "null", "true", "0", "-9223372036854775808", "1.5", #""ü\n\"𝄞""#, "[]", "{}", #"{"b":1,"a":[{"c":null}]}"#,
    #"{"@type":"x","~thread":{"thid":"1"}}"#,
  ])
  func textIsWrittenAsItWasRead(text: String) throws {
    #expect(try JSON(parsing: text).text == text)
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "nul", "{'a':1}", #"{"a":1}}"#, "1 2", #""\u0000""#, "123456789012345678901234567890",
    String(repeating: "[", count: 5000),
  ])
  func malformedTextIsRefused(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xff, 0x22]) }
  }

  @Test func errorsDoNotRepeatTheText() {
    do {
      _ = try JSON(parsing: #"{"key": secret}"#)
      Issue.record("accepted")
    } catch {
      #expect(!"\(error)".contains("secret"))
    }
  }

  @Test func theLastOfTwoEqualNamesCounts() throws {
    #expect(try JSON(parsing: #"{"a":1,"a":2}"#).text == #"{"a":2}"#)
  }

  @Test func membersKeepTheirOrderAndCanBeSorted() {
    let json: JSON = ["b": 1, "a": ["d": 2, "c": 3]]
    #expect(json.text == #"{"b":1,"a":{"d":2,"c":3}}"#)
    #expect(json.sortedText == #"{"a":{"c":3,"d":2},"b":1}"#)
  }

  @Test func objectsAreEqualInAnyOrder() {
    #expect(["a": 1, "b": 2] as JSON == ["b": 2, "a": 1])
    #expect(["a": 1, "b": 2] as JSON != ["b": 2, "a": 2])
  }

  @Test func numbersThatAreNotFiniteBecomeNull() {
    #expect(JSON.real(.infinity).text == "null")
  }

  @Test func aNullCharacterSurvivesInsideAString() throws {
    #expect(JSON.string("a\0b").text == #""a\u0000b""#)
  }

  @Test func aTextIsPutTogetherFromPieces() {
    var writer = JSONWriter()
    writer.array { writer in
      writer.object { _ in }
      writer.object { writer in
        writer.name("a\"")
        writer.write(nil as String?)
        writer.name("b")
        writer.array { writer in
          writer.write("x")
          writer.write(["y": [1, true]])
        }
        writer.name("c")
        writer.writeNull()
      }
      writer.array { _ in }
    }
    #expect(writer.text == #"[{},{"a\"":null,"b":["x",{"y":[1,true]}],"c":null},[]]"#)
  }

  /// Texts are looked at in blocks: no character is missed wherever it stands, and none is escaped for its neighbours.
  @Test(arguments: UInt8(0)..<128) func onlyNecessaryEscapesAreWritten(character: UInt8) throws {
    let needsEscape = character < 0x20 || [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(character)
    for position in 0..<20 {
      let text = String(decoding: (0..<20).map { $0 == position ? character : UInt8(ascii: "!") }, as: UTF8.self)
      let json = JSON.string(text)
      #expect(json.bytes.count == text.utf8.count + 2 || needsEscape)
      #expect(json.bytes.allSatisfy { $0 >= 0x20 })
      if character > 0 { #expect(try JSON(parsing: json.bytes) == json) }
    }
  }

  @Test func theErrorNamesTheWrongMember() throws {
    let object = try JSON(parsing: #"{"text":"x","count":1,"list":["a",2],"none":null}"#).requireObject()
    #expect(try object.string("text") == "x")
    #expect(throws: JSONError.missing(key: "label")) { try object.string("label") }
    #expect(throws: JSONError.wrongType(key: "count", expected: "a string")) { try object.string("count") }
    #expect(throws: JSONError.wrongType(key: "list", expected: "an array of strings")) { try object.strings("list") }
    #expect(try object.optionalString("none") == nil)
    #expect(try object.optionalString("absent") == nil)
    #expect(throws: JSONError.wrongType(key: "count", expected: "a boolean")) { try object.optionalBool("count") }
  }

  @Test func membersAreChangedInPlace() {
    var json: JSON = ["a": 1]
    json["b"] = "x"
    json["a"] = nil
    #expect(json.text == #"{"b":"x"}"#)
  }

  @Test(arguments: UInt64(0)..<100) func randomValuesSurviveARoundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let value = JSON.random(depth: 4, using: &random)
    #expect(try JSON(parsing: value.bytes) == value)
  }
}

extension JSON {
  fileprivate static func random(depth: Int, using random: inout SplitMix64) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2: .integer(Int64(bitPattern: random.next()))
    case 3: .real(Double(Int32(truncatingIfNeeded: random.next())) / 64)
    case 4: .string(.random(using: &random))
    case 5: .array((0..<3).map { _ in .random(depth: depth - 1, using: &random) })
    default:
      .object(JSONObject((0..<3).map { _ in (.random(using: &random), .random(depth: depth - 1, using: &random)) }))
    }
  }
}

extension String {
  fileprivate static func random(using random: inout SplitMix64) -> String {
    let scalars = (0..<5).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1..<0x20000, using: &random)) }
    return String(String.UnicodeScalarView(scalars))
  }
}
