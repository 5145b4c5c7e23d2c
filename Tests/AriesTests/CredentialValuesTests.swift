import Aries
import JSON
import Testing

/// The attributes of a credential as programs write them.
@Suite struct CredentialValuesTests {
  @Test(arguments: [
    #"{"b":"2","a":1}"#, #"{"a":1,"b":"2"}"#, #"{"b":["2","x"],"a":[1]}"#,
    #"[{"name":"a","value":"1"},{"name":"b","value":"2"}]"#,
  ])
  func valuesAreReadInEachForm(text: String) throws {
    let values = try CredentialValues(parsing: text)
    #expect(values.raw == ["a": "1", "b": "2"] && values.attributes.map(\.name) == ["a", "b"])
  }

  @Test(arguments: [
    "", "7", "{}", "[]", #"{"a":null}"#, #"{"a":true}"#, #"{"a":{}}"#, #"{"a":[]}"#, #"[{"name":"a"}]"#,
  ])
  func otherValuesAreRefused(text: String) {
    #expect(throws: JSONError.self) { try CredentialValues(parsing: text) }
  }

  /// The issuer signs texts. Another text of the same number would be another value.
  @Test(arguments: [
    "1.10", "1e2", "-0", "0.1000000000000000055511151231257827", "9007199254740993.0", "1E2", "0.0e0",
  ])
  func aNumberThatBecomesAnotherTextIsNotOffered(number: String) throws {
    #expect(throws: JSONError.self) { try CredentialValues(offering: #"{"a":\#(number),"b":"x"}"#) }
    #expect(throws: JSONError.self) { try CredentialValues(offering: #"[{"name":"a","value":\#(number)}]"#) }
    #expect(try CredentialValues(offering: #"{"a":"\#(number)\" 1.10"}"#).raw == ["a": #"\#(number)" 1.10"#])
  }

  @Test(arguments: ["1", "-7", "1.5", "123456789012345678", "0"])
  func aNumberThatKeepsItsTextIsOffered(number: String) throws {
    #expect(
      try CredentialValues(offering: #"{"a":\#(number), "b" : [ \#(number) ]}"#).raw == ["a": number, "b": number])
  }

  @Test(arguments: [#"{"a":"1","a":"2"}"#, #"[{"name":"a","value":"1"},{"name":"a","value":"2"}]"#])
  func aRepeatedNameIsNotOffered(text: String) {
    #expect(throws: JSONError.repeatedName("a")) { try CredentialValues(offering: text) }
  }

  @Test(arguments: [#"{"a":["1","2"]}"#, #"{"a":[]}"#, #"{"a":"1","b":["1","2"]}"#])
  func severalValuesOfANameAreNotOffered(text: String) {
    #expect(throws: JSONError.self) { try CredentialValues(offering: text) }
  }

  @Test func ofTwoValuesOfOneNameTheFirstCounts() throws {
    let values = try CredentialValues(parsing: #"[{"name":"a","value":"1"},{"name":"a","value":"2"}]"#)
    #expect(values.raw == ["a": "1"])
  }
}
