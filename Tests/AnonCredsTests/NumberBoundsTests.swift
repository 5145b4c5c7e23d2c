import JSON
import TestSupport
import Testing

@testable import AnonCreds

@Suite struct NumberBoundsTests {
  private static let long = String(repeating: "9", count: NumberBounds.mostDigits + 1)
  private static let longest = String(repeating: "9", count: NumberBounds.mostDigits)

  private func permits(_ text: String, _ parts: NumberBounds.Parts = .all) -> Bool {
    NumberBounds.permit(Array(text.utf8), parts)
  }

  @Test func aNumberHasAtMostTheDigitsOfTheBound() {
    #expect(permits(#"{"n":"\#(Self.longest)"}"#))
    #expect(!permits(#"{"n":"\#(Self.long)"}"#))
    #expect(permits(#"{"a":["\#(Self.longest)","\#(Self.longest)"]}"#))
    #expect(!permits(#"{"a":[{"b":"6 \#(Self.long) 1"}]}"#))
  }

  @Test(arguments: [0, 1, 700, 1_499, 1_500, 1_501]) func aLongNumberIsFoundAtEveryPlace(before: Int) {
    let blanks = String(repeating: " ", count: before)
    #expect(!permits(#"{\#(blanks)"n":"\#(Self.long)"}"#))
  }

  /// Readers take such a text for its beginning, and compute with that.
  @Test(arguments: ["x", "-", "Z"]) func lettersDoNotHideALongNumber(letter: String) {
    #expect(!permits(#"{"n":"\#(letter)\#(Self.long)\#(letter)"}"#))
  }

  @Test func escapesDoNotHideALongNumber() {
    let escaped = String(repeating: #"\u0039"#, count: NumberBounds.mostDigits + 1)
    #expect(!permits(#"{"n":"\#(escaped)"}"#))
    #expect(!permits(#"{"n":"\#(String(repeating: #"9\u0039"#, count: NumberBounds.mostDigits))"}"#))
    #expect(permits(#"{"n":"\#(String(repeating: #"\u0039"#, count: 300))"}"#))
  }

  @Test func textsOfPeopleMayBeLong() {
    let credential = #"{"values":{"a":{"raw":"\#(Self.long)","encoded":"1"}},"signature":{"e":"1"}}"#
    #expect(permits(credential, .credential) && !permits(credential))
    #expect(!permits(#"{"values":{"a":{"raw":"1","encoded":"\#(Self.long)"}}}"#, .credential))
    #expect(!permits(#"{"values":{},"signature":{"raw":"\#(Self.long)"}}"#, .credential))
    let presentation = #"{"proof":{},"requested_proof":{"self_attested_attrs":{"a":"\#(Self.long)"}}}"#
    #expect(permits(presentation, .presentation) && !permits(presentation))
    #expect(!permits(#"{"proof":{"requested_proof":"\#(Self.long)"}}"#, .presentation))
    let request = #"{"nonce":"1","name":"\#(Self.long)"}"#
    #expect(permits(request, .nonce) && !permits(#"{"nonce":"\#(Self.long)"}"#, .nonce))
    #expect(permits(#"{"attrNames":["\#(Self.long)"]}"#, .none))
  }

  @Test func aTextThatCannotBeReadIsRefusedIfItIsLong() {
    #expect(!permits(Self.long + "{") && permits("{"))
  }

  /// The engine would compute for half a minute.
  @Test func theEngineGetsNoLongNumber() throws {
    let engine = try Engine.open(at: CredentialLibraries.anonCreds)
    var definition = try Objects.json("cred_def")
    var primary = try #require(definition["value"]?["primary"])
    primary["n"] = .string(String(repeating: "9", count: 20_000))
    definition["value"] = ["primary": primary]
    let error = AnonCredsError.failed(.input, message: "a number has more than 1500 digits")
    #expect(throws: error) {
      try engine.createRegistry(
        definitionID: "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default", definition: definition.text,
        issuer: "V4SGRU86Z58d6TV7PBUe6f", tag: "tag1", size: 1, tailsFolder: "/tmp")
    }
  }
}
