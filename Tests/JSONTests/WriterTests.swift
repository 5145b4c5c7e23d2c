import Testing

@testable import JSON

/// Written texts, and the exact limits of texts that are read.
@Suite struct WriterTests {
  @Test func eachControlCharacterHasItsEscape() {
    let short: [UInt8: String] = [8: "b", 9: "t", 10: "n", 12: "f", 13: "r"]
    for byte in UInt8(0)..<0x20 {
      let digits = String(byte, radix: 16, uppercase: true)
      let escape = short[byte] ?? "u" + String(repeating: "0", count: 4 - digits.count) + digits
      let text = String(Character(Unicode.Scalar(byte)))
      #expect(JSON.string(text).text == "\"\\\(escape)\"", "\(byte)")
    }
  }

  @Test func membersAreSortedByTheirBytes() {
    let json: JSON = ["b": 1, "a": 2, "ab": 3, "": 4, "B": 5, "é": 6, "z": ["b": 1, "a": [["d": 1, "c": 2]]]]
    #expect(json.sortedText == #"{"":4,"B":5,"a":2,"ab":3,"b":1,"z":{"a":[{"c":2,"d":1}],"b":1},"é":6}"#)
    // To a reader, an "e" with a mark of its own is the character after "z".
    #expect((["f": 1, "e\u{301}": 2] as JSON).sortedText == "{\"e\u{301}\":2,\"f\":1}")
  }

  @Test func piecesGetTheirSeparators() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("a")
      writer.write(json: Array("[1,2]".utf8))
      writer.name("b")
      writer.write(json: "{}")
      writer.name("c")
      writer.writePlainString { $0 += "x".utf8 }
      writer.write(membersOf: ["d": 1, "e": nil])
      writer.member("f", "y")
      writer.name("g")
      writer.write("z" as String?)
    }
    #expect(writer.text == #"{"a":[1,2],"b":{},"c":"x","d":1,"e":null,"f":"y","g":"z"}"#)
  }

  @Test(arguments: [(Double.nan, "null"), (-.infinity, "null"), (-0.5, "-0.5"), (1e21, "1e+21")])
  func aFractionIsWritten(value: Double, text: String) { #expect(JSON.real(value).text == text) }

  // MARK: Limits

  /// 10,000 values, and one for every ten bytes; the array itself is one of them.
  @Test func theLastPermittedValueIsRead() throws {
    let text = { (count: Int) in "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }
    #expect(try JSON(parsing: text(12_498)).array?.count == 12_498)
    #expect(throws: JSONError.tooManyValues) { try JSON(parsing: text(12_499)) }
    #expect(JSONLimits.standard.values(in: 0) == 10_000 && JSONLimits.standard.values(in: 109) == 10_010)
    #expect(JSONLimits.numberLists.values(in: 5) == 10_002)
    #expect(JSONLimits.standard.depth == 100 && JSONLimits.numberLists.depth == 100)
  }

  @Test(arguments: ["0.5", "-0.5", "1E-2", "1e+2", "0e1", "-0.0e-1"]) func aNumberHasAllOfItsParts(text: String) throws
  {
    #expect(try JSON(parsing: text) == .real(#require(Double(text))))
    #expect(try JSON(parsing: "[\(text)]") == [.real(#require(Double(text)))])
  }

  @Test(arguments: ["00", "-01", "0.", "-.5", "1.e1", "1e-", "--1", "1..2", "1ee2", "1e2.5", "0-1"])
  func anotherNumberIsRefused(text: String) { #expect(throws: JSONError.self) { try JSON(parsing: text) } }

  @Test(arguments: ["tru", "truee", "nulll", "falsy", "t", "True"]) func anotherWordIsRefused(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(throws: JSONError.self) { try JSON(parsing: "[\(text)]") }
  }

  @Test func eachErrorHasItsSentence() {
    #expect("\(JSONError.tooDeep(limit: 7))" == "the JSON text is nested over 7 levels deep")
    #expect("\(JSONError.tooManyValues)" == "the JSON text has too many values for its length")
    #expect("\(JSONError.missing(key: "a"))" == #"member "a" is missing"#)
    #expect("\(JSONError.wrongType(key: "a", expected: "a string"))" == #"member "a" is not a string"#)
    #expect("\(JSONError.wrongType(key: nil, expected: "a string"))" == "the JSON value is not a string")
  }
}
