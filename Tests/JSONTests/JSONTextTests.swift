import JSON
import Testing

@Suite struct JSONTextTests {
  @Test(
    arguments: [
      .null, .real(1.5), "\u{1}\"é", [], [:], ["a": [1, ["b": nil]], "c": true],
    ] as [JSON])
  func aTextGivesItsValueBack(value: JSON) {
    #expect(JSONText(value).value == value)
    #expect(JSONText(value).text == value.text)
  }

  @Test func textsAreEqualIfTheirValuesAre() {
    #expect(JSONText(["a": 1, "b": [2]]) == JSONText(["b": [2], "a": 1]))
    #expect(JSONText(["a": 1]) != JSONText(["a": 2]))
  }

  /// A peer's text may have blanks, which permit more values than the compact text would.
  @Test func theLimitsOfReceivedTextsDoNotHold() throws {
    let text = "[" + String(repeating: "1,                    ", count: 60_000) + "1]"
    let value = try JSON(parsing: text)
    #expect(throws: JSONError.tooManyValues) { try JSON(parsing: value.text) }
    #expect(JSONText(value).value.array?.count == 60_001)
  }

  @Test func aLargerTextReceivesTheTextAsItIs() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("a", JSONText(["b": [1, 2]]))
      writer.write(membersOf: ["c": nil])
    }
    #expect(writer.text == #"{"a":{"b":[1,2]},"c":null}"#)
  }
}
