import JSON
import Testing

@testable import Aries

/// Deliveries in which a stranger's envelope is a text that the reader refuses.
@Suite struct DeliveryTextTests {
  private static let unreadable = [
    #""\u0000""#, #""\ud800""#, "NaN", String(repeating: "9", count: 2_000),
    String(repeating: "[", count: 99) + String(repeating: "]", count: 99),
    "[" + String(repeating: "1,", count: 200_000) + "1]",
  ]

  @Test(arguments: unreadable, ["json", "message"]) func theOtherEnvelopesAreRead(value: String, member: String) throws
  {
    let good = member == "json" ? #"{"@id":"1","data":{"json":{"a":1}}}"# : #"{"id":"1","message":{"a":1}}"#
    let bad = good.replacing(#""a":1"#, with: #""x":\#(value)"#).replacing(#""1""#, with: #""2, {\"""#)
    let name = member == "json" ? "~attach" : "messages~attach"
    let text = #" {"@type":"t", "\#(name)" : [\#(good), \#(bad) ,\#(good)], "~thread":{"thid":"r"}} "#
    let json = try DeliveryText.read(Array(text.utf8))
    #expect(json["@type"] == "t" && json["~thread"]?["thid"] == "r")
    let object = try json.requireObject()
    let items = try (member == "json" ? Delivery(object) : Delivery(batch: object)).items
    #expect(items.map(\.id) == ["1", "2, {\"", "1"])
    #expect(items.map(\.envelope) == [["a": 1], nil, ["a": 1]])
  }

  @Test(arguments: [
    "", "{", "[NaN]", #"{"a":NaN}"#, #"{"~attach":7,"a":NaN}"#, #"{"~attach":[NaN],"a":NaN}"#, #"{"~attach"}"#,
  ])
  func otherTextsAreRefused(text: String) {
    #expect(throws: JSONError.self) { try DeliveryText.read(Array(text.utf8)) }
  }

  @Test func anAttachmentWithoutAnIDIsNothing() throws {
    let json = try DeliveryText.read(Array(#"{"~attach":[{"data":{"json":NaN}},NaN,{"@id":NaN}]}"#.utf8))
    #expect(json["~attach"] == [.null, .null, .null])
  }
}
