import Aries
import JSON
import Sodium
import Testing

/// Proof requests for the program to show, and previews that a prover proposes.
@Suite struct PresentationPreviewTests {
  @Test func aRequestIsShown() throws {
    let request = try PresentationRequest(ExchangeScene.message("present_2_0", "request"))
    let summary = request.summary
    #expect(summary["thid"] == "0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0002")
    for member in ["name", "version", "requested_attributes", "requested_predicates"] {
      #expect(summary[member] == request.request[member])
    }
  }

  @Test func attributesOfOneReferentBecomeAGroup() throws {
    let preview = try PresentationPreview([
      "attributes": [
        ["name": "a", "referent": "r", "cred_def_id": "d"], ["name": "b"],
        ["name": "c", "referent": "r", "value": "1"],
      ],
      "predicates": [["name": "age", "predicate": ">=", "threshold": "18", "cred_def_id": "d"]],
    ])
    #expect(
      preview.request(name: nil) == [
        "name": "proof-request", "version": "1.0",
        "requested_attributes": [
          "r": ["names": ["a", "c"], "restrictions": [["cred_def_id": "d", "attr::c::value": "1"]]],
          "attribute_1": ["name": "b"],
        ],
        "requested_predicates": [
          "predicate_0": ["name": "age", "p_type": ">=", "p_value": 18, "restrictions": [["cred_def_id": "d"]]]
        ],
      ])
    // The answer to a proposal asks for the values: it does not require the proposed ones.
    let request = preview.request(name: "Check", isForAnyValue: true)
    #expect(request["name"] == "Check")
    #expect(
      request["requested_attributes"] == [
        "r": ["names": ["a", "c"], "restrictions": [["cred_def_id": "d"]]], "attribute_1": ["name": "b"],
      ])
  }

  /// The prover may choose a referent that the request would give to an attribute without one.
  /// A prover may have chosen the name that an item without a referent would get.
  @Test func eachItemHasAReferentOfItsOwn() throws {
    let preview = try PresentationPreview([
      "attributes": [
        ["name": "a", "referent": "attribute_1"], ["name": "b"], ["name": "c", "referent": "predicate_0"],
        ["name": "d", "referent": "predicate_0_"],
      ], "predicates": [["name": "e", "predicate": ">", "threshold": 1]],
    ])
    let request = preview.request(name: nil)
    #expect(
      request["requested_attributes"] == [
        "attribute_1": ["name": "a"], "attribute_1_": ["name": "b"], "predicate_0": ["name": "c"],
        "predicate_0_": ["name": "d"],
      ])
    #expect(request["requested_predicates"] == ["predicate_0__": ["name": "e", "p_type": ">", "p_value": 1]])
  }

  @Test(arguments: [
    "[]", "{}", #"{"attributes":[]}"#, #"{"attributes":[{}]}"#, #"{"attributes":[1]}"#,
    #"{"predicates":[{"name":"a","predicate":"=","threshold":1}]}"#,
    #"{"predicates":[{"name":"a","predicate":">","threshold":"x"}]}"#,
  ])
  func aPreviewThatProposesNothingIsRefused(text: String) throws {
    #expect(throws: JSONError.self) { try PresentationPreview(JSON(parsing: text)) }
  }

  @Test func aRequestOfMoreItemsThanAnybodyHasIsRefused() throws {
    let items = JSON.object(JSONObject((0...1_000).map { ("\($0)", ["name": "x"]) }))
    let content = JSON.object(["requested_attributes": items]).text
    let attachment: JSON = [["@id": "indy", "data": ["base64": .string(Base64.encode(Array(content.utf8), .url))]]]
    let request = try ExchangeScene.message("present_2_0", "request").with(["request_presentations~attach": attachment])
    #expect(throws: MessageError.self) { try ProverMachine(request: request) }
  }

  @Test func aThresholdIsANumberOrItsText() throws {
    for threshold: JSON in [18, "18"] {
      let preview = try PresentationPreview([
        "predicates": [["name": "age", "predicate": ">=", "threshold": threshold]]
      ])
      #expect(preview.request(name: nil)["requested_predicates"]?["predicate_0"]?["p_value"] == 18)
    }
  }

  @Test(arguments: ["requested_attributes", "requested_predicates"]) func theLimitItselfIsPermitted(member: String)
    throws
  {
    let items = JSON.object(JSONObject((0..<1_000).map { ("\($0)", ["name": "x"]) }))
    let content = JSON.object([member: items]).text
    let attachment: JSON = [["@id": "indy", "data": ["base64": .string(Base64.encode(Array(content.utf8), .url))]]]
    let request = try ExchangeScene.message("present_2_0", "request").with(["request_presentations~attach": attachment])
    #expect(throws: Never.self) { try ProverMachine(request: request) }
  }

  @Test func aVerifiedPresentationNeedsNoComment() {
    #expect(Assessment(reasons: []).comment == nil)
    #expect(Assessment(reasons: [.init(code: "proof", referent: nil)]).comment != nil)
  }

  @Test func theFirstDefinitionOfAGroupCounts() throws {
    let preview = PresentationPreview(attributes: [
      .init(name: "a", referent: "r"), .init(name: "b", definitionID: "first", referent: "r"),
      .init(name: "c", definitionID: "second", referent: "r"),
    ])
    #expect(
      preview.request(name: nil)["requested_attributes"] == [
        "r": ["names": ["a", "b", "c"], "restrictions": [["cred_def_id": "first"]]]
      ])
  }

  @Test func referentsThatLookAlikeAreTwo() throws {
    let preview: JSON = ["attributes": [["name": "a", "referent": "\u{e9}"], ["name": "b", "referent": "e\u{301}"]]]
    let items = try PresentationPreview(preview).request(name: nil)["requested_attributes"]?.object
    #expect(items?.members.map(\.value) == [["name": "a"], ["name": "b"]])
  }

  /// The request would name only the first definition.
  @Test func definitionsThatLookAlikeAreNotOne() {
    let attributes: JSON = [
      ["name": "a", "referent": "r", "cred_def_id": "K"], ["name": "b", "referent": "r", "cred_def_id": "\u{212a}"],
    ]
    #expect(throws: JSONError.self) { try PresentationPreview(["attributes": attributes]) }
  }

  @Test(arguments: [">=", ">", "<=", "<"]) func eachComparisonIsProposed(comparison: String) throws {
    let predicate: JSON = ["name": "age", "predicate": .string(comparison), "threshold": 18]
    let request = try PresentationPreview(["predicates": [predicate]]).request(name: nil)
    let expected: JSON = ["name": "age", "p_type": .string(comparison), "p_value": 18]
    #expect(request["requested_predicates"] == ["predicate_0": expected])
  }

  /// The user has seen the member, and a request made from the preview would not ask for it.
  @Test(arguments: [
    #"{"attributes":[{"name":"a","restrictions":[{"cred_def_id":"x"}]}]}"#,
    #"{"attributes":[{"name":"a","credential_definition_id":"x"}]}"#,
    #"{"predicates":[{"name":"a","predicate":">","threshold":1,"value":2}]}"#,
    #"{"attributes":[{"name":"a"}],"requested_predicates":{}}"#,
  ])
  func aPreviewOfAProverHasNoUnknownMember(text: String) throws {
    let json = try JSON(parsing: text)
    _ = try PresentationPreview(json)
    #expect(throws: JSONError.self) { try PresentationPreview(proposed: json) }
  }

  @Test func aPreviewOfAProverIsRead() throws {
    let json: JSON = [
      "@type": "https://didcomm.org/present-proof/1.0/presentation-preview",
      "attributes": [["name": "a", "cred_def_id": .null, "referent": "x", "mime-type": .null]],
      "predicates": [["name": "b", "predicate": ">", "threshold": 1, "cred_def_id": "d"]],
    ]
    #expect(try PresentationPreview(proposed: json) == PresentationPreview(json))
  }
}
