import JSON
import Testing

@testable import Credentials

@Suite struct ProofRequestDraftTests {
  private func draft(
    _ attributes: String = #"[{"name":"a"}]"#, _ predicates: String = "[]", _ interval: String = "{}"
  ) throws(CredentialsError) -> JSONObject {
    try ProofRequestDraft(attributes: attributes, predicates: predicates, interval: interval, name: "Check").request
  }

  private func attribute(_ text: String) throws -> JSON {
    try #require(draft("[\(text)]")["requested_attributes"]?["attribute_0"])
  }

  @Test func aRequestCarriesNoNullAndANewNonce() throws {
    let text = #"""
      [{"name":"a","restrictions":[{"cred_def_id":"d","schema_id":null}],"non_revoked":null},
       {"names":["b","c"],"self_attest_allowed":false,"restrictions":null,"unknown":1}]
      """#
    let (first, second) = (try draft(text), try draft(text))
    #expect(!JSON.object(first).text.contains("null"))
    #expect(first["nonce"] != second["nonce"])
    #expect(
      first["requested_attributes"] == [
        "attribute_0": ["name": "a", "restrictions": [["cred_def_id": "d"]]],
        "attribute_1": ["names": ["b", "c"], "self_attest_allowed": false],
      ])
    #expect(first["requested_predicates"] == [:])
    #expect(first["non_revoked"] == nil)
  }

  @Test(arguments: [
    (#"{"cred_def_id":"d"}"#, #"[{"cred_def_id":"d"}]"#),
    (#"{"$or":[{"cred_def_id":"d"},{"issuer_did":"i"}]}"#, #"[{"cred_def_id":"d"},{"issuer_did":"i"}]"#),
    (#"{"$not":{"cred_def_id":"d"}}"#, #"{"$not":{"cred_def_id":"d"}}"#),
    (#"[{"attr::x::value":"1","rev_reg_id":"r"}]"#, #"[{"attr::x::value":"1","rev_reg_id":"r"}]"#),
    (#"[{"attr::x::marker":"1"}]"#, #"[{"attr::x::marker":"1"}]"#), ("[]", "[]"),
  ])
  func restrictionsAreFiltersWhereTheyCanBe(given: String, written: String) throws {
    let item = try attribute(#"{"name":"a","restrictions":\#(given)}"#)
    #expect(try item["restrictions"] == JSON(parsing: written))
  }

  @Test(arguments: [
    (">=", ">="), (">", ">"), ("<=", "<="), ("<", "<"), ("GE", ">="), ("GT", ">"), ("LE", "<="), ("LT", "<"),
  ]) func theDocumentedComparisonsAreTaken(type: String, meaning: String) throws {
    let request = try draft("[]", #"[{"name":"a","p_type":"\#(type)","p_value":"18"}]"#)
    let item = request["requested_predicates"]?["predicate_0"]
    #expect(item?["p_value"] == 18)
    #expect(item?["p_type"] == .string(meaning))
  }

  @Test func anIntervalWithOneBoundAsksForThatTime() throws {
    #expect(try draft(#"[{"name":"a"}]"#, "[]", #"{"to":7}"#)["non_revoked"] == ["from": 7, "to": 7])
    #expect(try draft(#"[{"name":"a"}]"#, "[]", #"{"from":7,"to":null}"#)["non_revoked"] == ["from": 7])
    #expect(try attribute(#"{"name":"a","non_revoked":{"to":7}}"#)["non_revoked"] == ["from": 7, "to": 7])
  }

  @Test(arguments: [
    "", "{}", "[1]", "[{}]", #"[{"name":""}]"#, #"[{"name":"a","names":["b"]}]"#, #"[{"names":[]}]"#, "[]",
    #"[{"name":"a","restrictions":[{"color":"red"}]}]"#, #"[{"name":"a","restrictions":{"$or":[{"color":"red"}]}}]"#,
    #"[{"name":"a","restrictions":[{"schema_version":{"$gt":"1"}}]}]"#, #"[{"name":"a","self_attest_allowed":1}]"#,
    #"[{"name":"a","restrictions":7}]"#,
    #"[{"name":"a","restrictions":[{"cred_def_id":{"$neq":"x","$in":["y"]}}]}]"#,
    #"[{"name":"a","restrictions":[{"attr::b::other":"1"}]}]"#,
    #"[{"name":"a","restrictions":[{"b::value":"1"}]}]"#, #"[{"name":"a","restrictions":[{"b::marker":"1"}]}]"#,
  ])
  func malformedAttributesAreRefused(text: String) {
    #expect { try draft(text) } throws: { error in
      if case .malformedRequestedAttributes? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: [
    "{}", #"[{"name":"a","p_type":"=","p_value":1}]"#, #"[{"name":"a","p_type":">=","p_value":2147483648}]"#,
    #"[{"name":"a","p_type":">=","p_value":"x"}]"#, #"[{"p_type":">=","p_value":1}]"#, #"[{"name":"a","p_value":1}]"#,
    #"[{"name":"a","p_type":">=","p_value":1,"restrictions":7}]"#,
  ])
  func malformedPredicatesAreRefused(text: String) {
    #expect { try draft("[]", text) } throws: { error in
      if case .malformedRequestedPredicates? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: ["", "[]", #"{"from":"x"}"#, #"{"from":2,"to":1}"#]) func malformedIntervalsAreRefused(text: String)
  {
    #expect { try draft(#"[{"name":"a"}]"#, "[]", text) } throws: { error in
      if case .malformedInterval? = error as? CredentialsError { true } else { false }
    }
  }

  @Test func aProposedRequestGetsANonceOfItsOwn() throws {
    let proposed: JSONObject = [
      "nonce": "1", "ver": "1.0", "requested_attributes": ["x": ["name": "a", "restrictions": nil]],
      "requested_predicates": nil, "non_revoked": nil, "unknown": nil,
    ]
    let request = try ProofRequestDraft(proposed: proposed).request
    #expect(request["nonce"] != "1" && request["ver"] == nil)
    #expect(request["requested_attributes"] == ["x": ["name": "a"]])
    #expect(!JSON.object(request).text.contains("null"))
    #expect(request["name"] == "proof-request" && request["version"] == "1.0")
    #expect(throws: CredentialsError.self) { try ProofRequestDraft(proposed: ["name": "n"]) }
    let names: JSONObject = ["name": "n", "version": "2.1", "requested_attributes": ["x": ["name": "a"]]]
    let named = try ProofRequestDraft(proposed: names).request
    #expect(named["name"] == "n" && named["version"] == "2.1")
  }

  @Test func qualifiedIDsAreNoticed() throws {
    let plain = try draft(#"[{"name":"a","restrictions":[{"cred_def_id":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:t"}]}]"#)
    #expect(!ProofRequestDraft.namesQualifiedIDs(plain))
    let name = try draft(#"[{"name":"a","restrictions":[{"schema_name":"did:web:example.com"}]}]"#)
    #expect(!ProofRequestDraft.namesQualifiedIDs(name))
    let qualified = try draft(#"[{"name":"a","restrictions":{"$not":{"issuer_did":"did:web:example.com"}}}]"#)
    #expect(ProofRequestDraft.namesQualifiedIDs(qualified))
  }
}
