import JSON
import TestSupport
import Testing

@testable import Credentials

/// The parts of a credential that the wallet reads.
@Suite struct ContentTests {
  private static let credential: JSON = [
    "schema_id": "s", "cred_def_id": "d", "rev_reg_id": "r", "signature": ["r_credential": ["i": 7]],
    "values": ["Full Name": ["raw": "Alice", "encoded": "1"], "fullname": ["raw": "Bob", "encoded": "2"]],
  ]

  @Test func theFirstOfTwoSpellingsCounts() throws {
    let content = try CredentialContent(parsing: Self.credential.text)
    #expect(content.schemaID == "s" && content.definitionID == "d" && content.registryID == "r")
    #expect(content.revocationIndex == 7 && content.attributes.map(\.spelling) == ["Full Name", "fullname"])
    let name = AttributeName("FULL NAME")
    #expect(content[name]?.raw == "Alice" && content.position(of: name) == 0)
    #expect(content[AttributeName("name")] == nil && content.position(of: AttributeName("name")) == nil)
  }

  @Test(arguments: ["schema_id", "cred_def_id", "values"]) func aCredentialHasItsParts(name: String) {
    let changed = Self.credential.with([name: .null])
    #expect(throws: CredentialsError.malformedCredential("\(JSONError.missing(key: name))")) {
      try CredentialContent(parsing: changed.text)
    }
    #expect(throws: CredentialsError.self) { try CredentialContent(parsing: Self.credential.with([name: 1]).text) }
  }

  @Test(
    arguments: [["raw": "x"], ["encoded": "1"], ["raw": 1, "encoded": "1"], "x", ["raw": "x", "encoded": 1]] as [JSON])
  func anAttributeHasBothOfItsForms(value: JSON) {
    #expect(throws: CredentialsError.self) {
      try CredentialContent(parsing: Self.credential.with(["values": ["a": value]]).text)
    }
  }

  @Test func aCredentialMayBeInNoRegistry() throws {
    let content = try CredentialContent(
      parsing: Self.credential.with(["rev_reg_id": .null, "signature": [:]]).text)
    #expect(content.registryID == nil && content.revocationIndex == nil)
    let info = HeldCredential(id: "x", content: content, tags: [:]).info
    #expect(try JSON(parsing: info)["rev_reg_id"] == .null && JSON(parsing: info)["cred_rev_id"] == .null)
    #expect(throws: CredentialsError.self) {
      try CredentialContent(parsing: Self.credential.with(["rev_reg_id": 1]).text)
    }
  }

  // MARK: libindy's forms

  @Test func textsThatAreNoObjectsStayAsTheyAre() {
    for text in ["no JSON", "[]", "1"] {
      #expect(IndyForm.metadata(text) == text && IndyForm.engineMetadata(text) == text)
      #expect(IndyForm.definition(text, id: "x") == text && IndyForm.engineDefinition(text) == text)
    }
  }

  @Test func theObjectOrItsIDNamesTheIssuer() throws {
    let definition = { (text: String) in try JSON(parsing: IndyForm.engineDefinition(text)) }
    #expect(try definition(#"{"id":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:t"}"#) == ["issuerId": "V4SGRU86Z58d6TV7PBUe6f"])
    #expect(try definition(#"{"id":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:t","issuerId":"x"}"#) == ["issuerId": "x"])
    #expect(try definition(#"{"id":"did:web:x/d","ver":"1.0"}"#) == ["issuerId": "did:web:x"])
    #expect(try definition(#"{"id":"https://x.example/d","ver":"1.0","tag":"t"}"#) == ["tag": "t"])
    #expect(try definition(#"{"tag":"t"}"#) == ["tag": "t"])
  }

  /// Both names may stand in one text: that of the result counts.
  @Test func metadataWithBothNamesKeepsItsOwn() throws {
    let both = #"{"link_secret_name":"a","master_secret_name":"b"}"#
    #expect(try JSON(parsing: IndyForm.metadata(both)) == JSON(parsing: both))
    #expect(try JSON(parsing: IndyForm.engineMetadata(both)) == JSON(parsing: both))
  }

  // MARK: The choice

  @Test func aChoiceNeedsItsCredentialOnly() throws {
    let chosen = try ChosenCredentials(
      selected: #"{"attrs":{"a":{"credential":{"cred_info":{"referent":"c"}},"revealed":null}}}"#, selfAttested: "{}")
    #expect(chosen.choices.map(\.isRevealed) == [true] && chosen.choices.map(\.tails) == [nil])
    #expect(try ChosenCredentials(selected: #"{"attrs":null}"#, selfAttested: "{}").choices.isEmpty)
    for text in [
      #"{"attrs":{"a":{"credential":{"cred_info":{"referent":"c"}},"revealed":1}}}"#,
      #"{"attrs":{"a":{"credential":{"cred_info":{"referent":"c"}},"tails_file":1}}}"#,
      #"{"attrs":{"a":{"credential":{"cred_info":{"referent":1}}}}}"#,
    ] {
      #expect(throws: CredentialsError.self) { try ChosenCredentials(selected: text, selfAttested: "{}") }
    }
    #expect(
      throws: CredentialsError.malformedSelfAttested("\(JSONError.wrongType(key: "a", expected: "a string"))")
    ) { try ChosenCredentials(selected: "{}", selfAttested: #"{"a":1}"#) }
  }
}
