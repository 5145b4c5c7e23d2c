import Aries
import JSON
import Sodium
import Testing

@Suite struct AttachmentTests {
  static let text = #"{"@id":"1","x":"ü>?"}"#

  static func base64(_ text: String = text, _ alphabet: Base64.Alphabet = .standard, padded: Bool = true) -> JSON {
    .string(Base64.encode(Array(text.utf8), alphabet, padded: padded))
  }

  @Test(arguments: [
    "filters~attach", "proposal~attach", "did_doc~attach", "offers~attach", "request~attach", "requests~attach",
    "credentials~attach", "~attach", "diagram~attach", "messages~attach", "agent~attach",
    "request_presentations~attach", "presentations~attach", "img~attach",
  ])
  func everyMemberIsLookedAt(member: String) throws {
    let message = JSON.object([member: [["data": ["base64": Self.base64()]]]])
    #expect(try Attachment(firstOf: message).content == Self.text)
  }

  @Test(arguments: [
    base64(), base64(padded: false), base64(text, .url), base64(text, .url, padded: false),
  ])
  func everyFormOfBase64IsRead(data: JSON) throws {
    let message: JSON = ["request~attach": [["@id": "a", "mime-type": "application/json", "data": ["base64": data]]]]
    #expect(try Attachment(firstOf: message).content == Self.text)
  }

  @Test func aZeroByteWouldEndTheTextForACaller() {
    let message: JSON = ["~attach": [["data": ["base64": Self.base64("before\u{0}after")]]]]
    #expect(throws: AttachmentError.undecodable("UTF-8")) { try Attachment(firstOf: message) }
    let asText: JSON = ["~attach": [["data": ["json": "before\u{0}after"]]]]
    #expect(throws: AttachmentError.undecodable("UTF-8")) { try Attachment(firstOf: asText) }
  }

  /// Two readers could take different texts for the content.
  @Test(
    arguments: [["json": "one", "base64": base64()], ["json": "one", "links": ["https://a.example"]], [:]] as [JSON])
  func anAttachmentGivesItsDataOnce(data: JSON) {
    let message: JSON = ["~attach": [["data": data]]]
    #expect(throws: AttachmentError.malformed("data")) { try Attachment(firstOf: message) }
  }

  @Test func jsonIsWrittenCompactly() throws {
    let message = try JSON(parsing: #"{"requests~attach":[{"data":{"json":{"b": 1, "a": [ true ]}}}]}"#)
    #expect(try Attachment(firstOf: message).content == #"{"b":1,"a":[true]}"#)
  }

  @Test func theFirstOfTheFirstMemberCounts() throws {
    let message: JSON = [
      "~attach": [["data": ["json": "late"]]],
      "request~attach": [["data": ["json": "first"]], ["data": ["json": "second"]]],
    ]
    #expect(try Attachment(firstOf: message).content == "first")
  }

  /// A peer may put another object beside the content, which the library would not use.
  @Test(arguments: [
    ("issue-credential", "issue-credential", "credentials~attach", "hlindy/cred@v2.0"),
    ("issue-credential", "offer-credential", "offers~attach", "hlindy/cred-abstract@v2.0"),
    ("present-proof", "presentation", "presentations~attach", "hlindy/proof@v2.0"),
  ])
  func theContentOfAnExchangesMessageCounts(family: String, step: String, member: String, format: String) throws {
    for version in [1, 2] {
      var message: JSON = [
        "@type": .string("https://didcomm.org/\(family)/\(version).0/\(step)"), "@id": "1",
        "filters~attach": [["data": ["json": ["other": 1]]]],
      ]
      let content: JSON = ["@id": "content", "data": ["json": ["own": 1]]]
      message[member] = [content]
      if version == 2 {
        message["formats"] = [["attach_id": "content", "format": .string(format)]]
        message[member] = [["@id": "x", "data": ["json": ["first": 1]]], content]
      }
      #expect(try Attachment(firstOf: message).content == #"{"own":1}"#)
    }
  }

  @Test func aMemberThatIsNullCountsAsAbsent() throws {
    let message: JSON = ["~attach": [["data": ["json": nil, "base64": Self.base64()]]]]
    #expect(try Attachment(firstOf: message).content == Self.text)
  }

  @Test func jsonThatIsGivenAsTextStaysAsItIs() throws {
    let message: JSON = ["~attach": [["data": ["json": .string(Self.text)]]]]
    #expect(try Attachment(firstOf: message).content == Self.text)
  }

  @Test func aSingleAttachmentNeedsNoArray() throws {
    #expect(try Attachment(firstOf: ["did_doc~attach": ["data": ["base64": Self.base64("x")]]]).content == "x")
  }

  @Test(arguments: [
    "application/json", "application/didcomm-plain+json", "text/plain; charset=utf-8", "APPLICATION/JSON",
    "application/json;charset=utf-8", "application/json ;charset=utf-8", nil,
  ])
  func textsAreHandedOut(type: String?) throws {
    let message: JSON = ["~attach": [["mime-type": JSON(type), "data": ["base64": Self.base64("x")]]]]
    #expect(try Attachment(firstOf: message).content == "x")
  }

  @Test(
    arguments: [
      ([:], .missing), (["request~attach": nil], .missing), ([], .missing), (["request~attach": []], .empty),
      (["request~attach": "x"], .malformed("no array")), (["request~attach": ["x"]], .malformed("data")),
      (["request~attach": [["@id": "1"]]], .malformed("data")),
      (["request~attach": [["data": ["links": ["http://x"]]]]], .malformed("data")),
      (["request~attach": [["data": ["base64": 1]]]], .malformed("data")),
      (["request~attach": [["mime-type": "image/png", "data": ["base64": "eA=="]]]], .malformed("mime-type")),
      (["request~attach": [["mime-type": 1, "data": ["base64": "eA=="]]]], .malformed("mime-type")),
      (["request~attach": [["data": ["base64": "e A"]]]], .undecodable("base64")),
      (["request~attach": [["data": ["base64": "/w=="]]]], .undecodable("UTF-8")),
    ] as [(JSON, AttachmentError)])
  func anErrorNamesTheWrongMember(message: JSON, error: AttachmentError) {
    #expect(throws: error) { try Attachment(firstOf: message) }
  }
}
