import JSON
import Testing

@Suite struct FlatObjectTests {
  private func strings(_ text: String, _ names: [String] = ["a", "b"]) -> [String]? {
    let bytes = Array(text.utf8)
    guard let object = FlatObject(bytes, members: names) else { return nil }
    return names.map { name in object[name].map { String(decoding: bytes[$0], as: UTF8.self) } ?? "-" }
  }

  @Test(arguments: [
    #"{"a":"x","b":""}"#, #"{"b":"","a":"x"}"#, " {\t\"a\" :\n\"x\" , \"b\":\"\"\r} ",
  ])
  func stringsAreFoundInAnyOrder(text: String) {
    #expect(strings(text) == ["x", ""])
  }

  @Test(arguments: [
    "", "{", "{}", "[]", #"{"a":"x"}"#, #"{"a":"x","b":"y","c":"z"}"#, #"{"a":"x","a":"y"}"#, #"{"a":"x","b":1}"#,
    #"{"a":"x","b":"\n"}"#, #"{"a":"x","b":"\""}"#, #"{"a":"x","b":"y",}"#, #"{"a":"x" "b":"y"}"#,
    #"{"a":"x","b":"y"} ."#,
    #"{"a":"x","b":"y"#, #"{"a":"x","b":"y"}}"#, #"{"a":"x","\u0062":"y"}"#,
  ])
  func otherTextsAreLeftToTheReader(text: String) {
    #expect(strings(text) == nil)
  }

  /// Texts are searched in blocks: each length puts the end of a string at another place of one.
  @Test(arguments: 0..<70) func stringsOfEveryLengthEndAtTheirQuotationMark(length: Int) throws {
    let long = String(repeating: "m", count: length)
    #expect(strings(#"{"a":"\#(long)","b":"y"}"#) == [long, "y"])
    for end in ["\\", "\n", ""] { #expect(strings("{\"b\":\"y\",\"a\":\"\(long)\(end)") == nil) }
    let value = JSON.string(long + "\"" + long + "\\" + long + "\u{1f}" + long)
    #expect(try JSON(parsing: value.text) == value)
  }
}
