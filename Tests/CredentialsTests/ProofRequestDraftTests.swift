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
       {"names":["b","c"],"self_attest_allowed":false,"restrictions":null}]
      """#
    let (first, second) = (try draft(text), try draft(text))
    #expect(!JSON.object(first).text.contains("null"))
    #expect(first["nonce"] != second["nonce"])
    #expect(first["name"] == "Check" && first["version"] == "1.0" && first["ver"] == nil)
    #expect(
      first["requested_attributes"] == [
        "attribute_0": ["name": "a", "restrictions": [["cred_def_id": "d"]]],
        "attribute_1": ["names": ["b", "c"], "self_attest_allowed": false],
      ])
    #expect(first["requested_predicates"] == [:])
    #expect(first["non_revoked"] == nil)
  }

  @Test func itemsInAnObjectHaveItsKeysAsReferents() throws {
    let request = try draft(#"{"who":{"name":"a"},"both":{"names":["b","c"]}}"#, #"{"adult":\#(Self.predicate)}"#)
    #expect(request["requested_attributes"] == ["who": ["name": "a"], "both": ["names": ["b", "c"]]])
    #expect(request["requested_predicates"]?.object?.keys == ["adult"])
    let mixed = try draft(#"{"who":{"name":"a"}}"#, "[\(Self.predicate)]")
    #expect(mixed["requested_predicates"]?.object?.keys == ["predicate_0"])
  }

  private static let predicate = #"{"name":"age","p_type":">=","p_value":18}"#

  @Test(arguments: [
    (#"{"x":{"name":"a"}}"#, #"{"x":\#(predicate)}"#), ("{\"\u{e9}\":{\"name\":\"a\"}}", "{\"e\u{301}\":\(predicate)}"),
    (#"{"predicate_0":{"name":"a"}}"#, "[\(predicate)]"),
  ])
  func anAttributeAndAPredicateMayNotHaveOneReferent(attributes: String, predicates: String) {
    #expect { try draft(attributes, predicates) } throws: { error in
      if case .malformedRequestedPredicates? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: [
    #"{"x":{"name":"a"},"x":{"name":"b"}}"#, #"{"":{"name":"a"}}"#, #"{"x":"a"}"#, #"{"name":"a"}"#,
    "{\"\u{e9}\":{\"name\":\"a\"},\"e\u{301}\":{\"name\":\"b\"}}",
  ])
  func ambiguousReferentsAreRefused(attributes: String) {
    #expect(throws: CredentialsError.self) { try draft(attributes) }
  }

  @Test(arguments: [
    (#"{"cred_def_id":"d"}"#, #"[{"cred_def_id":"d"}]"#),
    (#"{"$or":[{"cred_def_id":"d"},{"issuer_did":"i"}]}"#, #"[{"cred_def_id":"d"},{"issuer_did":"i"}]"#),
    (#"{"$not":{"cred_def_id":"d"}}"#, #"{"$not":{"cred_def_id":"d"}}"#),
    (#"[{"attr::x::value":"1","rev_reg_id":"r"}]"#, #"[{"attr::x::value":"1","rev_reg_id":"r"}]"#),
    (#"[{"attr::x::marker":"1"}]"#, #"[{"attr::x::marker":"1"}]"#), ("[]", "[]"),
    (#"{"cred_def_id":"d","$or":[{"issuer_did":"i"}]}"#, #"{"cred_def_id":"d","$or":[{"issuer_did":"i"}]}"#),
    (#"{"$or":[{"$not":{"issuer_did":"i"}}]}"#, #"{"$or":[{"$not":{"issuer_did":"i"}}]}"#),
    (#"{"$and":[{"issuer_did":"i"}]}"#, #"{"$and":[{"issuer_did":"i"}]}"#),
    (#"{"cred_def_id":{"$in":["d"]}}"#, #"{"cred_def_id":{"$in":["d"]}}"#),
    (
      #"{"$or":[{"cred_def_id":{"$in":["d"]}},{"issuer_did":"i"}]}"#,
      #"{"$or":[{"cred_def_id":{"$in":["d"]}},{"issuer_did":"i"}]}"#
    ),
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
    #"[{"name":"a","restrictions":7}]"#, #"[{"name":"a","restrictions":[{"cred_def_id":"d"}],"restrictions":[]}]"#,
    #"{"x":{"name":"a","restrictions":[{"cred_def_id":"d"}],"restrictions":[]}}"#,
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
    #"{"name":"a"}"#, #"[{"name":"a","p_type":"=","p_value":1}]"#,
    #"[{"name":"a","p_type":">=","p_value":2147483648}]"#,
    #"[{"name":"a","p_type":">=","p_value":"x"}]"#, #"[{"p_type":">=","p_value":1}]"#, #"[{"name":"a","p_value":1}]"#,
    #"[{"name":"a","p_type":">=","p_value":1,"restrictions":7}]"#,
    #"[{"name":"a","p_type":">=","p_value":18,"p_value":1}]"#,
  ])
  func malformedPredicatesAreRefused(text: String) {
    #expect { try draft("[]", text) } throws: { error in
      if case .malformedRequestedPredicates? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: [
    #"[{"name":"a","p_type":">","p_value":2147483647}]"#, #"[{"name":"a","p_type":"GT","p_value":"2147483647"}]"#,
    #"[{"name":"a","p_type":"<","p_value":-2147483648}]"#, #"[{"name":" ","p_type":"<","p_value":1}]"#,
    #"[{"name":"Link_Secret","p_type":"<","p_value":1}]"#,
    #"[{"name":"a","p_type":"<","p_value":1,"restrictions":{"$or":[]}}]"#,
  ])
  func predicatesThatCannotBeJudgedAreRefused(text: String) {
    #expect { try draft("[]", text) } throws: { error in
      if case .malformedRequestedPredicates? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: [
    #"[{"name":"a","p_type":">=","p_value":2147483647}]"#, #"[{"name":"a","p_type":">","p_value":2147483646}]"#,
    #"[{"name":"a","p_type":"<=","p_value":-2147483648}]"#, #"[{"name":"a","p_type":"<","p_value":-2147483647}]"#,
  ])
  func predicatesAtTheBoundsAreMade(text: String) throws { _ = try draft("[]", text) }

  @Test(arguments: [
    #"{"name":"a","restrictions":{"$or":[]}}"#, #"{"name":"a","restrictions":{"$and":[]}}"#,
    #"{"name":"a","restrictions":[{"$or":[]}]}"#, #"{"name":"a","restrictions":[{"cred_def_id":"d","$and":[]}]}"#,
    #"{"name":"a","restrictions":{"$or":[{"cred_def_id":"d"},{}]}}"#, #"{"name":"a","restrictions":{"$or":[{}]}}"#,
    #"{"name":"a","restrictions":{"$not":{"$or":[{"$and":[]}]}}}"#,
    #"{"name":"a","restrictions":[{"cred_def_id":{"$in":[]}}]}"#,
    #"{"name":"a","restrictions":{"$not":{"cred_def_id":{"$in":[]}}}}"#, #"{"name":"  "}"#,
    #"{"name":"Master_Secret"}"#,
    #"{"names":["a","a"]}"#, #"{"names":["a","A"]}"#, #"{"names":["Issue Date","issuedate"]}"#,
    "{\"names\":[\"\u{e9}\",\"e\u{301}\"]}",
  ])
  func attributesThatCannotBeJudgedAreRefused(item: String) {
    #expect { try draft("[\(item)]") } throws: { error in
      if case .malformedRequestedAttributes? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: [
    #"{"from":-5,"to":-5}"#, #"{"to":-1}"#, #"{"from":-1}"#, #"{"from":-9223372036854775808}"#, #"{"from":2,"to":1}"#,
  ])
  func intervalsOfNoTimeAreRefused(interval: String) throws {
    func isRefused(_ make: () throws -> Void) {
      #expect {
        try make()
      } throws: { error in
        if case .malformedInterval? = error as? CredentialsError { true } else { false }
      }
    }
    isRefused { _ = try draft(#"[{"name":"a"}]"#, "[]", interval) }
    isRefused { _ = try draft(#"[{"name":"a","non_revoked":\#(interval)}]"#) }
    let whole = #"{"requested_attributes":{"a":{"name":"a"}},"non_revoked":\#(interval)}"#
    let item = #"{"requested_attributes":{"a":{"name":"a","non_revoked":\#(interval)}}}"#
    for text in [whole, item] {
      isRefused { _ = try ProofRequestDraft(proposed: JSON(parsing: text).requireObject()) }
    }
  }

  /// A program that reads answers by referents would give the credential of one to the value of the other.
  @Test(arguments: [("x", "x"), ("K", "\u{212a}"), ("\u{e9}", "e\u{301}")])
  func aProposalHasNoReferentOfBothKinds(attribute: String, predicate: String) throws {
    let proposed: JSONObject = [
      "requested_attributes": .object(JSONObject([(attribute, ["name": "a"] as JSON)])),
      "requested_predicates": .object(JSONObject([(predicate, ["name": "b", "p_type": ">=", "p_value": 1] as JSON)])),
    ]
    #expect {
      try ProofRequestDraft(proposed: proposed)
    } throws: { error in
      if case .malformedRequestedPredicates? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: [
    #"{"requested_attributes":{"x":{"name":"a","restrictions":{"$or":[]}}}}"#, #"{"requested_attributes":{}}"#,
    #"{"requested_attributes":{"x":{"name":"a","restrictions":{"$not":{"color":"red"}}}}}"#,
    #"{"requested_predicates":{"x":{"name":"a","p_type":">=","p_value":1,"restrictions":[{"color":"red"}]}}}"#,
    "{\"requested_attributes\":{\"\u{e9}\":{\"name\":\"a\"},\"e\u{301}\":{\"name\":\"b\"}}}",
  ])
  func proposalsThatCannotBeJudgedAreNotRequested(text: String) throws {
    let proposed = try JSON(parsing: text).requireObject()
    #expect { try ProofRequestDraft(proposed: proposed) } throws: { error in
      if case .malformedRequestedAttributes? = error as? CredentialsError { true } else { false }
    }
  }

  @Test func aProposedBoundThatCannotBeJudgedIsNotRequested() throws {
    let text = #"{"requested_predicates":{"x":{"name":"a","p_type":">","p_value":2147483647}}}"#
    let error = CredentialsError.malformedRequestedPredicates("x: no integer of 32 bits is > 2147483647")
    #expect(throws: error) { try ProofRequestDraft(proposed: JSON(parsing: text).requireObject()) }
  }

  @Test(arguments: ["", "[]", #"{"from":"x"}"#, #"{"from":2,"to":1}"#]) func malformedIntervalsAreRefused(text: String)
  {
    #expect { try draft(#"[{"name":"a"}]"#, "[]", text) } throws: { error in
      if case .malformedInterval? = error as? CredentialsError { true } else { false }
    }
  }

  @Test(arguments: [#"{"names":[""]}"#, #"{"names":["a",""]}"#, #"{"names":[]}"#, #"{"name":"a","names":["b"]}"#, "{}"])
  func anAttributeHasANameOrNames(item: String) {
    let reason = "an attribute has to have either a name or names"
    #expect(throws: CredentialsError.malformedRequestedAttributes(reason)) { try draft("[\(item)]") }
  }

  @Test(arguments: [("{}", false), ("null", false), ("[]", true)])
  func noRestrictionIsWrittenWithoutOne(given: String, isWritten: Bool) throws {
    #expect((try attribute(#"{"name":"a","restrictions":\#(given)}"#)["restrictions"] != nil) == isWritten)
  }

  /// A program whose variable was empty meant to restrict.
  @Test(arguments: [
    #"{"schema_id":null}"#, "[null]", #"[{"schema_id":null}]"#, #"{"$not":null}"#, #"{"$or":[{"a":null}]}"#,
  ])
  func aRestrictionOfNullsIsRefused(given: String) {
    #expect(throws: CredentialsError.malformedRequestedAttributes("a restriction is null")) {
      try attribute(#"{"name":"a","restrictions":\#(given)}"#)
    }
  }

  @Test(arguments: [
    #"{"name":"a","restriction":[{"cred_def_id":"x"}]}"#, #"{"name":"a","self_attest_allow":false}"#,
    #"{"name":"a","non_revoked":{"to":1,"form":1}}"#,
  ])
  func aMistypedConditionIsRefused(item: String) {
    #expect(throws: CredentialsError.self) { try draft("[\(item)]") }
  }

  @Test func aMistypedConditionOfAPredicateIsRefused() {
    #expect(throws: CredentialsError.malformedRequestedPredicates(#"member "restriction" is not known"#)) {
      try draft("[]", #"[{"name":"a","p_type":">=","p_value":1,"restriction":[{"cred_def_id":"x"}]}]"#)
    }
  }

  @Test func aMemberThatIsNullIsAbsent() throws {
    #expect(try attribute(#"{"name":"a","value":null}"#) == ["name": "a"])
  }

  @Test(arguments: [
    #"{"requested_predicates":[{"name":"a"}]}"#, #"{"requested_attributes":"a"}"#,
    #"{"requested_attributes":{"r":null}}"#,
    #"{"requested_attributes":{"r":{"name":"a","restrictions":[{"cred_def_id":null}]}}}"#,
    #"{"requested_attributes":{"r":{"name":"a","restriction":[{"cred_def_id":"x"}]}}}"#,
    #"{"requested_predicates":{"r":{"name":"a","p_type":">=","p_value":1,"value":2}}}"#,
    #"{"requested_attributes":{"r":{"name":"a","non_revoked":{"until":1,"to":2}}}}"#,
    #"{"non_revoked":{"form":1,"to":2}}"#, #"{"restrictions":[{"cred_def_id":"x"}]}"#,
  ]) func aProposalThatARequestCannotExpressIsRefused(text: String) throws {
    var proposed = try JSON(parsing: text).requireObject()
    proposed["requested_attributes"] = proposed["requested_attributes"] ?? ["x": ["name": "a"]]
    #expect(throws: CredentialsError.self) { try ProofRequestDraft(proposed: proposed) }
  }

  @Test(arguments: [
    "schema_id", "schema_issuer_did", "schema_name", "schema_version", "issuer_did", "cred_def_id", "rev_reg_id",
    "issuer_id", "schema_issuer_id",
  ])
  func eachKeyOfARestrictionIsKnown(key: String) throws {
    let item = try attribute(#"{"name":"a","restrictions":{"$and":[{"$not":{"\#(key)":"x"}}]}}"#)
    #expect(item["restrictions"] == ["$and": [["$not": [key: "x"] as JSON]]])
    #expect(throws: CredentialsError.malformedRequestedAttributes("restrictions have an unknown key")) {
      try draft(#"[{"name":"a","restrictions":{"$and":[{"$not":{"\#(key)s":"x"}}]}}]"#)
    }
  }

  @Test(arguments: ["attr::value", "attr::marker", "attr::::value", "attr:: ::marker"])
  func aTagWithoutTheNameOfAnAttributeIsUnknown(key: String) {
    #expect(throws: CredentialsError.malformedRequestedAttributes("restrictions have an unknown key")) {
      try attribute(#"{"name":"a","restrictions":{"\#(key)":"1"}}"#)
    }
  }

  @Test(arguments: [("18", 18), (#""18""#, 18), ("-2147483648", -2_147_483_648), (#""-1""#, -1)] as [(String, JSON)])
  func aNumberMayBeAText(given: String, value: JSON) throws {
    let request = try draft("[]", #"[{"name":"a","p_type":">=","p_value":\#(given)}]"#)
    #expect(request["requested_predicates"]?["predicate_0"]?["p_value"] == value)
  }

  @Test(
    arguments: [
      (#"{"from":2,"to":1}"#, "it ends before it begins"), (#"{"from":"x"}"#, nil), ("7", nil),
    ] as [(String, String?)])
  func theIntervalOfAnItemIsReadToo(interval: String, reason: String?) throws {
    for predicate in ["", #""p_type":">=","p_value":1,"#] {
      let item = #"[{"name":"a",\#(predicate)"non_revoked":\#(interval)}]"#
      #expect {
        try predicate.isEmpty ? draft(item) : draft("[]", item)
      } throws: { error in
        guard case .malformedInterval(let given)? = error as? CredentialsError else { return false }
        return given == reason ?? given
      }
    }
    #expect(try attribute(#"{"name":"a","non_revoked":{"from":1,"to":1}}"#)["non_revoked"] == ["from": 1, "to": 1])
    #expect(try attribute(#"{"name":"a","non_revoked":{}}"#)["non_revoked"] == nil)
  }

  /// Twenty of them are all shorter less often than once in 2^160 runs.
  @Test func aNonceHas80Bits() throws {
    let nonces = try (0..<20).map { _ in try #require(draft()["nonce"]?.string) }
    func isBelow(_ number: String, _ limit: String) -> Bool {
      number.count < limit.count || number.count == limit.count && number < limit
    }
    #expect(nonces.allSatisfy { isBelow($0, "1208925819614629174706176") }, "2^80")
    #expect(!nonces.allSatisfy { isBelow($0, "4722366482869645213696") }, "2^72")
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
    #expect(named["name"] == "n" && named["version"] == "2.1" && named["requested_predicates"] == [:])
    let predicates: JSONObject = ["requested_predicates": ["x": ["name": "a", "p_type": ">", "p_value": 1]]]
    #expect(try ProofRequestDraft(proposed: predicates).request["requested_attributes"] == [:])
    #expect(throws: CredentialsError.malformedRequestedAttributes("proof request: it asks for nothing")) {
      try ProofRequestDraft(proposed: [:])
    }
  }

  @Test func qualifiedIDsAreNoticed() throws {
    let plain = try draft(#"[{"name":"a","restrictions":[{"cred_def_id":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:t"}]}]"#)
    #expect(!ProofRequestDraft.namesQualifiedIDs(plain))
    let name = try draft(#"[{"name":"a","restrictions":[{"schema_name":"did:web:example.com"}]}]"#)
    #expect(!ProofRequestDraft.namesQualifiedIDs(name))
    let qualified = try draft(#"[{"name":"a","restrictions":{"$not":{"issuer_did":"did:web:example.com"}}}]"#)
    #expect(ProofRequestDraft.namesQualifiedIDs(qualified))
    let predicate = try draft(
      "[]", #"[{"name":"a","p_type":">=","p_value":1,"restrictions":[{"cred_def_id":"did:web:example.com/d"}]}]"#)
    #expect(ProofRequestDraft.namesQualifiedIDs(predicate))
    for condition in [#"{"$in":["x","did:web:example.com/d"]}"#, #"{"$neq":"did:web:example.com/d"}"#] {
      let among = try draft(#"[{"name":"a","restrictions":{"cred_def_id":\#(condition)}}]"#)
      #expect(ProofRequestDraft.namesQualifiedIDs(among))
    }
    let free = try draft(#"[{"name":"a"}]"#)
    #expect(!ProofRequestDraft.namesQualifiedIDs(free))
  }
}
