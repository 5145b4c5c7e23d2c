import JSON
import Testing

/// The grammar of RFC 8259, value by value, and where msdk takes less.
@Suite struct ReaderTests {
  @Test(
    arguments: [
      (" \t\r\n1 ", 1), ("-0", 0), ("9223372036854775807", 9_223_372_036_854_775_807), ("1e2", .real(100)),
      ("-1.25E-2", .real(-0.0125)), ("0.1", .real(0.1)), ("5e-324", .real(.leastNonzeroMagnitude)),
      ("1E+2", .real(100)),
      ("[1 , 2]", [1, 2]), ("{ \"a\" : [ ] , \"b\" : { } }", ["a": [], "b": [:]]), ("true", true), ("false", false),
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e4\u20AC""#, "ä€"),
      (#""\ud834\udd1e\uD834\uDD1E""#, "𝄞𝄞"),
      (#""a\nb\u0041""#, "a\nbA"), ("\"\u{7f}\"", "\u{7f}"), (#""""#, ""),
    ] as [(String, JSON)])
  func valuesAreRead(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
  }

  @Test(
    arguments: [
      ("", "a value was expected", 1, 1), ("\n [1,]", "a value was expected", 2, 5),
      ("[1 2]", "',' or the end of a container was expected", 1, 4),
      ("[1}", "',' or the end of a container was expected", 1, 3),
      ("{\"a\":1]", "',' or the end of a container was expected", 1, 7),
      ("{\"a\" 1}", "':' was expected", 1, 6), ("{1:1}", "a member name was expected", 1, 2),
      ("{\"a\":1,}", "a member name was expected", 1, 8),
      ("[,]", "a value was expected", 1, 2), ("nul", "a value was expected", 1, 1),
      ("truE", "a value was expected", 1, 1),
      ("1 2", "the end of the text was expected", 1, 3), ("]", "a value was expected", 1, 1),
      ("[]]", "the end of the text was expected", 1, 3),
      ("[", "a value was expected", 1, 2), ("{", "a member name was expected", 1, 2),
      ("[1", "',' or the end of a container was expected", 1, 3),
      ("01", "the end of the text was expected", 1, 2), ("-", "a digit was expected", 1, 2),
      ("1.", "a digit was expected", 1, 3),
      (".5", "a value was expected", 1, 1), ("+1", "a value was expected", 1, 1), ("1e", "a digit was expected", 1, 3),
      ("1e+", "a digit was expected", 1, 4), ("0x1", "the end of the text was expected", 1, 2),
      ("NaN", "a value was expected", 1, 1),
      ("9223372036854775808", "the number is too large", 1, 20), ("1e400", "the number is too large", 1, 6),
      ("\"a", "the string has no end, or a control character", 1, 3),
      ("\"a\u{1f}\"", "the string has no end, or a control character", 1, 3),
      ("\"a\0\"", "the string has no end, or a control character", 1, 3),
      ("\"a\\\"", "the string has no end, or a control character", 1, 5), ("\"\\", "there is an unknown escape", 1, 3),
      (#""\x""#, "there is an unknown escape", 1, 3), (#""\u12""#, "four hexadecimal digits were expected", 1, 3),
      (#""\u+123""#, "four hexadecimal digits were expected", 1, 3),
      (#""\u-123""#, "four hexadecimal digits were expected", 1, 3),
      (#""\u-000""#, "four hexadecimal digits were expected", 1, 3),
      (#""\u12g4""#, "four hexadecimal digits were expected", 1, 3),
      (#""\u"#, "four hexadecimal digits were expected", 1, 3),
      (#""\ud834""#, "a surrogate pair is incomplete", 1, 8), (#""\ud834\n""#, "a surrogate pair is incomplete", 1, 9),
      (#""\ud834\u0041""#, "a surrogate pair is incomplete", 1, 13),
      (#""\udd1e""#, "a surrogate pair is incomplete", 1, 7),
      (#""\u0000""#, "there is a null character", 1, 7), ("\u{feff}1", "a value was expected", 1, 1),
      ("\u{b}1", "a value was expected", 1, 1),
      ("\0", "a value was expected", 1, 1), ("1\0", "the end of the text was expected", 1, 2),
    ] as [(String, String, Int, Int)])
  func mistakesAreNamedWithTheirPlace(text: String, reason: String, line: Int, column: Int) {
    let error = JSONError.malformed(reason: reason, line: line, column: column)
    #expect(throws: error) { try JSON(parsing: text) }
    #expect("\(error)" == "not JSON: \(reason) (line \(line), column \(column))")
  }

  /// Stray bytes, an overlong form, a surrogate, a character beyond Unicode, an end too early.
  @Test(
    arguments: [[0xff], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]] as [[UInt8]])
  func otherBytesThanUTF8AreRefused(bytes: [UInt8]) {
    for text in [bytes, Array("a\\n".utf8) + bytes, bytes + Array("\\n".utf8)] {
      #expect(throws: JSONError.malformed(reason: "the string is not UTF-8", line: 1, column: text.count + 3)) {
        try JSON(parsing: [0x22] + text + [0x22])
      }
    }
    #expect(throws: JSONError.malformed(reason: "a value was expected", line: 1, column: 1)) {
      try JSON(parsing: bytes)
    }
  }

  @Test func ofARepeatedNameTheLastValueStandsInTheFirstPlace() throws {
    #expect(try JSON(parsing: #"{"a":1,"b":2,"a":3,"c":4,"b":5,"a":6}"#).text == #"{"a":6,"b":5,"c":4}"#)
    #expect(try JSON(parsing: #"{"a":1,"a":2,"a":3}"#).text == #"{"a":3}"#)
    // Names that look the same are two where their bytes differ.
    #expect(try JSON(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2}").object?.count == 2)
  }

  @Test func escapesAndFractionsAreWrittenAsTheyAreRead() throws {
    #expect(JSON.string("\u{1}\u{1f}\u{8}\u{c}\n\r\t\"\\/ä").text == #""\u0001\u001F\b\f\n\r\t\"\\/ä""#)
    for value in [0.1, 1, -2.5e-300, 1e20, 1e16, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
      #expect(try JSON(parsing: JSON.real(value).text) == .real(value))
    }
    #expect(JSON.real(1).text == "1.0" && JSON.real(.nan).text == "null")
  }
}
