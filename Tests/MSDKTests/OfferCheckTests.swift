import Aries
import Credentials
import JSON
import TestSupport
import Testing

@testable import MSDK

/// The comparison of an offer with its definition, and of a credential with its offer.
@Suite struct OfferCheckTests {
  static func message(_ exchange: String, _ name: String) throws -> JSON {
    try #require(try Fixtures.json("anoncreds/didcomm_messages.json")[exchange]?[name])
  }

  static func offer() throws -> CredentialOffer { try CredentialOffer(message("issue_2_0", "offer")) }

  static let definition: JSON = [
    "schemaId": "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0",
    "value": ["primary": ["r": ["name": "1", "age": "1", "degree": "1", "issuedate": "1", "master_secret": "1"]]],
  ]

  static let schema = ["name", "Age", "degree", "issue date"].map(AttributeName.init)

  static func credential(_ change: (inout JSON) -> Void = { _ in }) throws -> JSON {
    var json = try IssueCredentialMessage(.issue, message("issue_2_0", "issue")).content().json()
    change(&json)
    return json
  }

  /// The first element of an array, or an object of the newer form.
  @Test func anOlderOfferStandsInAnArray() throws {
    let message = try Self.message("issue_1_0", "offer")
    let older = try OlderOffer.json(of: message)
    let thread = try Self.message("issue_1_0", "offer")["@id"]?.string
    for offer in [message, [message], [older], [older, 1]] as [JSON] {
      #expect(try Credential(sourceID: "x", offer: offer.text).thread == thread)
    }
    for offer in [older, [], [1], 1] as [JSON] {
      #expect(throws: (any Error).self) { try Credential(sourceID: "x", offer: offer.text) }
    }
  }

  /// An offer that answers a proposal is on the thread of that, and later messages too.
  @Test func theOlderFormsNameTheThreadOfTheMessage() throws {
    let offer = try Self.message("issue_1_0", "offer").with(["~thread": ["thid": "proposal-1"]])
    #expect(try OlderOffer.json(of: offer)["thread_id"] == "proposal-1")
    let request = try ProvingScene.request(ProvingScene.content()).with(["~thread": ["thid": "proposal-2"]])
    #expect(try OlderRequest.json(of: request)["thread_id"] == "proposal-2")
  }

  @Test func theDefinitionMustHaveTheAttributesOfThePreview() throws {
    try Self.offer().check(against: Self.definition, schema: Self.schema)
    for names in [
      ["name", "age", "degree"], ["name", "age", "degree", "issuedate", "more"], ["name", "age", "degree", "date"],
    ] {
      let keys = JSON.object(JSONObject((names + ["master_secret"]).map { ($0, "1") }))
      #expect(throws: CredentialMismatch.attributes, "\(names)") {
        try Self.offer().check(
          against: ["value": ["primary": ["r": keys]]], schema: names.map(AttributeName.init))
      }
    }
    for schema: JSON in ["V4SGRU86Z58d6TV7PBUe6f:2:other:1.0", "12"] {
      #expect(throws: CredentialMismatch.schema) {
        try Self.offer().check(against: Self.definition.with(["schemaId": schema]), schema: Self.schema)
      }
    }
    #expect(throws: CredentialMismatch.definition) { try Self.offer().check(against: [:], schema: Self.schema) }
  }

  /// The holder could never show such a credential.
  @Test(arguments: [
    ["name", "age", "degree"], ["name", "age", "degree", "issuedate", "more"], [],
    ["name", "age", "degree", "issuedate", "master_secret"], ["name", "age", "degree", "issuedate", "link_secret"],
    ["name", "age", "degree", "issuedate", "Name"],
  ])
  func theSchemaMustHaveTheAttributesOfTheDefinition(names: [String]) throws {
    #expect(throws: CredentialMismatch.schemaAttributes) {
      try Self.offer().check(against: Self.definition, schema: names.map(AttributeName.init))
    }
  }

  /// A program could show its user the other one.
  @Test(arguments: ["cred_def_id", "schema_id"], ["1.0", "2.0"])
  func anOfferOfTwoCredentialsIsRefused(member: String, version: String) throws {
    let message = try Self.message(version == "1.0" ? "issue_1_0" : "issue_2_0", "offer")
    let offer = try CredentialOffer(message)
    for isOther in [false, true] {
      let content = try offer.content.json().with(isOther ? [member: "other"] : ["nonce": "1"])
      var both = message
      both["offers~attach"] = .array(
        (message["offers~attach"]?.array ?? []) + [IssuingScene.attachment(content.text, "second")])
      both["formats"] = .array(
        (message["formats"]?.array ?? []) + [["attach_id": "second", "format": "anoncreds/credential-offer@v1.0"]])
      if isOther {
        #expect(throws: MessageError.ambiguous) { try CredentialOffer(both) }
      } else {
        #expect(try CredentialOffer(both).definitionID == offer.definitionID)
      }
    }
  }

  @Test func aPreviewNamesEachAttributeOnce() throws {
    var message = try Self.message("issue_2_0", "offer")
    let attributes = message["credential_preview"]?["attributes"]?.array ?? []
    message["credential_preview"]?["attributes"] = .array(attributes + [try #require(attributes.first)])
    #expect(throws: CredentialMismatch.attributes) {
      try CredentialOffer(message).check(against: Self.definition, schema: Self.schema)
    }
  }

  @Test func theCredentialMustBeTheOffered() throws {
    let offer = try Self.offer()
    try offer.check(credential: Self.credential())
    let changes: [(CredentialMismatch, (inout JSON) -> Void)] = [
      (.definition, { $0["cred_def_id"] = "V4SGRU86Z58d6TV7PBUe6f:3:CL:13:default" }),
      (.schema, { $0["schema_id"] = "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.1" }),
      (.attributes, { $0["values"] = nil }),
      (.attributes, { $0["values"] = $0["values"]?.with(["more": ["raw": "1", "encoded": "1"]]) }),
      (.value(of: "age"), { $0["values"] = $0["values"]?.with(["age": ["raw": "29", "encoded": "29"]]) }),
      (.value(of: "age"), { $0["values"] = $0["values"]?.with(["age": .null]) }),
    ]
    for (mismatch, change) in changes {
      #expect(throws: mismatch) { try offer.check(credential: Self.credential(change)) }
    }
  }

  @Test func aPreviewValueThatIsNoTextIsComparedAsJSON() throws {
    let message = try Self.message("issue_2_0", "offer").with([
      "credential_preview": [
        "attributes": [
          ["name": "name", "value": "Alice Andersen"], ["name": "AGE", "value": 28],
          ["name": "degree", "value": "Computer Science"], ["name": "issue date", "value": "20240131"],
        ]
      ]
    ])
    try CredentialOffer(message).check(credential: Self.credential())
  }

  @Test func anOfferWithoutAPreviewTakesAnyValues() throws {
    let bare = try CredentialOffer(Self.message("issue_2_0", "offer").with(["credential_preview": .null]))
    try bare.check(against: Self.definition, schema: Self.schema)
    try bare.check(credential: Self.credential())
  }
}
