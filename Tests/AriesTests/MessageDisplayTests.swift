import Aries
import JSON
import Testing

@Suite struct MessageDisplayTests {
  private func display(_ members: [String: JSON]) throws -> JSON {
    try CredentialOffer(ExchangeScene.message("issue_2_0", "offer").with(members)).message.display
  }

  @Test func theWordsOfAMessageAreForPeople() throws {
    #expect(
      try display(["comment": "Yours", "goal_code": "aries.vc", "goal": "To have it"])
        == ["comment": "Yours", "goal_code": "aries.vc", "goal": "To have it"])
    #expect(try display(["comment": .null]) == [:])
    #expect(try display(["comment": ["en": "Yours"], "goal": 7]) == [:])
  }

  @Test func attachmentsAreKeptWithTheirDescription() throws {
    let logo: JSON = [
      "@id": "logo", "mime-type": "image/png", "filename": "logo.png", "byte_count": 2, "data": ["base64": "aGk="],
      "unknown": "x",
    ]
    let shown = try display(["comment": .null, "~attach": [logo, "no attachment"]])
    #expect(shown == ["attachments": [logo.with(["unknown": .null]).withoutNulls]])
    #expect(try display(["comment": .null, "~attach": logo]) == shown, "one attachment outside of an array")
  }

  /// Each letter has two bytes.
  @Test func aLongTextIsCutAtTheEndOfACharacter() throws {
    let text = try #require(
      try display(["comment": .string("x" + String(repeating: "é", count: 3_000))])["comment"]?.string)
    #expect(text == "x" + String(repeating: "é", count: 2_047))
  }

  @Test func attachmentsHaveACommonLimit() throws {
    let large: JSON = ["@id": "a", "data": ["base64": .string(String(repeating: "A", count: 200_000))]]
    let small: JSON = ["@id": "b", "data": ["base64": "aGk="]]
    let shown = try #require(
      try display(["~attach": .array([large, large] + Array(repeating: small, count: 20))])["attachments"]?.array)
    #expect(shown.count == 16)
    #expect(shown[0] == large && shown[1] == ["@id": "a"] && shown[2] == small)
    #expect(JSON.array(shown).bytes.count < 270_000)
  }
}
