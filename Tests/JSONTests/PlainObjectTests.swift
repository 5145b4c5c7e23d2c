import JSON
import Testing

@Suite struct PlainObjectTests {
  @Test func stringsAndObjectsOfStringsAreFound() throws {
    let text = #" { "@type" : "x/1.0/FWD","@fwd":"", "@msg": {"a":"1", "b" : ""} } "#
    let object = try #require(PlainObject(Array(text.utf8)))
    #expect(object.string("@type") == "x/1.0/FWD" && object.string("@fwd") == "")
    #expect(object.object("@msg") == Array(#"{"a":"1", "b" : ""}"#.utf8))
    #expect(object.has("@msg") && object.string("@msg") == nil && object.object("@type") == nil)
    #expect(!object.has("a") && !object.has("@type ") && object.string("") == nil)
  }

  /// The text of an object goes into other texts as it is: what is no JSON must not be found.
  @Test(arguments: [
    "", "{", "{}", "[]", #""a""#, #"{"a":1}"#, #"{"a":["x"]}"#, #"{"a":"x","a":"y"}"#, #"{"a":"\n"}"#,
    #"{"\u0061":"x"}"#,
    #"{"a":{"b":{"c":"x"}}}"#, #"{"a":{"b":"x","b":"y"}}"#, #"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":"x"}"#,
    #"{"a":{"b":"x"},}"#, #"{"a":"x"}."#, #"{"a":"ä"}"#, #"{"a":"123456789ä"}"#, #"{"a":"ä123456789"}"#,
    "{\"a\":\"\n\"}", "{\"a\":{\"b\":\"\t\"}}",
    #"{"a":"x" "b":"y"}"#, #"{"a":"x\}"#, "{\"a\":\"x\n}", #"{"a\:"x"}"#, #"{"a":{"b":"x\}}"#,
    #"{"a":"x"#, #"{"a":"x"]}"#, #"{a:"x"}"#,
  ])
  func otherTextsAreLeftToTheReader(text: String) {
    #expect(PlainObject(Array(text.utf8)) == nil)
  }

  @Test func anObjectWithManyMembersIsLeftToTheReader() {
    func object(_ count: Int) -> PlainObject? {
      PlainObject(Array(("{" + (0..<count).map { "\"\($0)\":\"\"" }.joined(separator: ",") + "}").utf8))
    }
    #expect(object(32)?.string("31") == "" && object(33) == nil)
  }
}

/// The texts of which the caller checks the characters.
@Suite struct UncheckedObjectTests {
  private func strings(_ text: String, _ names: [String] = ["a", "b"]) -> [String]? {
    let bytes = Array(text.utf8)
    guard let object = PlainObject(unchecked: bytes), object.count == names.count else { return nil }
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
