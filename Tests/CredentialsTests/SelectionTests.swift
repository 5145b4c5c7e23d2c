import JSON
import TestSupport
import Testing
import Wallet

@testable import Credentials

@Suite struct SelectionTests {
  private func select(_ request: JSON, in wallet: TestWallet, separated: Bool = true) throws -> JSON {
    let selection = Selection(for: try ProofRequest(parsing: request.text), among: try wallet.store.all())
    return try JSON(parsing: selection.text(separatingPredicates: separated))
  }

  private func referents(_ hits: JSON?) -> [String] {
    hits?.array?.compactMap { $0["cred_info"]?["referent"]?.string } ?? ["no hits at all"]
  }

  /// A request for one attribute.
  private func request(_ item: JSON, version: String = "1.0") -> JSON {
    ["nonce": "1", "name": "n", "version": "1.0", "ver": .string(version), "requested_attributes": ["a": item]]
  }

  private func hits(_ item: JSON, version: String = "1.0", in wallet: TestWallet) throws -> [String] {
    try referents(select(request(item, version: version), in: wallet)["attributes"]?["a"]?["credentials"])
  }

  // MARK: The vector

  @Test func eachItemFindsItsCredentialsInTheOlderForm() throws {
    let vector = try Vectors.json("selection")
    let found = try select(#require(vector["request"]), in: .sample(), separated: false)
    let expected = try #require(vector["expected_3_0"]?.object)
    #expect(found["attrs"]?.object?.count == expected.count)
    for (referent, ids) in expected.members {
      #expect(referents(found["attrs"]?[referent]) == ids.array?.compactMap(\.string), "\(referent)")
    }
  }

  @Test func eachItemIsDescribedInTheNewerForm() throws {
    let vector = try Vectors.json("selection")
    let found = try select(#require(vector["request"]), in: .sample())
    for kind in ["attributes", "predicates"] {
      let expected = try #require(vector["expected_4_0_summary"]?[kind]?.object)
      #expect(found[kind]?.object?.count == expected.count)
      for (referent, entry) in expected.members {
        var summary = try #require(found[kind]?[referent])
        summary["credentials"] = .array(
          (summary["credentials"]?.array ?? []).map { hit in
            var hit = hit
            hit["referent"] = hit["cred_info"]?["referent"]
            hit["cred_info"] = nil
            return hit
          })
        #expect(summary == entry, "\(referent)")
      }
    }
    #expect(found["attributes"]?["group"] == vector["expected_4_0_full_entry_for_group"])
  }

  // MARK: Restrictions

  @Test(
    arguments: [
      (["name": "name", "restrictions": nil], 3), (["name": "name", "restrictions": [:]], 3),
      (["name": "name", "restrictions": [["issuer_did": nil], [:]]], 3),
      (["name": "name", "restrictions": [["schema_name": "badge"], [:]]], 1),
      (["name": "name", "restrictions": ["$and": []]], 3), (["name": "name", "restrictions": ["$or": []]], 3),
      (["name": "name", "restrictions": ["$or": [["schema_name": "badge"], ["schema_name": "degree"]]]], 3),
      (["name": "name", "restrictions": ["$and": [["schema_name": "badge"], ["schema_name": "degree"]]]], 0),
      (["name": "name", "restrictions": ["schema_name": ["$neq": "badge"]]], 2),
      (["name": "name", "restrictions": ["nonsense": ["$neq": "badge"]]], 0),
      (["name": "name", "restrictions": ["issuer_did": ["$neq": "NcYxiDXkpYi6ov5FcYDi1e"]]], 2),
      (["name": "name", "restrictions": [["issuer_id": "NcYxiDXkpYi6ov5FcYDi1e"]]], 1),
      (["name": "name", "restrictions": [["schema_issuer_id": "NcYxiDXkpYi6ov5FcYDi1e"]]], 1),
      (["name": "name", "restrictions": [["attr::Issue Date::marker": "1"]]], 2),
      (["name": "name", "restrictions": [["attr::value": "1"]]], 0),
      (["name": "name", "restrictions": [["other_name::marker": "1"]]], 0),
      (["name": "name", "restrictions": [nil, ["schema_name": "badge"]]], 1),
      (["name": "name", "restrictions": [nil]], 3),
      (["name": "name", "restrictions": ["nonsense": ["$in": ["badge"]]]], 0),
      (["name": "name", "restrictions": ["schema_name": ["$in": ["badge", "x"]]]], 1),
      (["name": "name", "restrictions": [["attr::name::other": "1"]]], 0),
      (["name": "name", "restrictions": ["$not": ["$not": ["schema_name": "badge"]]]], 1),
    ] as [(JSON, Int)])
  func restrictionsHoldAsInLibindy(item: JSON, count: Int) throws {
    #expect(try hits(item, in: .sample()).count == count)
  }

  @Test(
    arguments: [
      (["$gt": "1"], .unsupportedRestriction("credentials are not searched with $gt")),
      (["$like": "a%"], .unsupportedRestriction("credentials are not searched with $like")),
      (["$regex": "a"], .malformedRequest("a restriction has an unknown operator")),
      (1, .malformedRequest("a restriction is neither a text nor one operator")),
      (["$neq": 1], .malformedRequest("$neq takes a text")),
      (["$in": "a"], .malformedRequest("$in takes an array of texts")),
      (["$in": ["a", 1]], .malformedRequest("$in takes an array of texts")),
    ] as [(JSON, CredentialsError)])
  func otherOperatorsAreRefused(operation: JSON, error: CredentialsError) {
    let request = request(["name": "a", "restrictions": ["schema_name": operation]])
    #expect(throws: error) { try ProofRequest(parsing: request.text) }
  }

  @Test func aShortIDMeansAQualifiedOneInVersionOne() throws {
    let wallet = try TestWallet()
    let value = #"{"schema_id":"s","cred_def_id":"creddef:x","values":{"a":{"raw":"1","encoded":"1"}}}"#
    try wallet.put([
      "type": "Indy::Credential", "id": "q", "value": .string(value),
      "tags": [
        "attr::a::marker": "1", "issuer_did": "did:sov:NcY", "issuer_did_short": "NcY", "schema_name_short": "NcY",
      ],
    ])
    let item = { (test: JSON) -> JSON in ["name": "a", "restrictions": ["issuer_did": test]] }
    #expect(try hits(item("NcY"), in: wallet) == ["q"])
    #expect(try hits(item(["$in": ["NcY"]]), in: wallet) == ["q"])
    #expect(try hits(item(["$neq": "NcY"]), in: wallet) == [])
    #expect(try hits(item("NcY"), version: "2.0", in: wallet) == [])
    #expect(try hits(item(["$neq": "NcY"]), version: "2.0", in: wallet) == ["q"])
    #expect(try hits(["name": "a", "restrictions": ["schema_name": "NcY"]], in: wallet) == [])
    let unversioned: JSON = ["requested_attributes": ["a": item("NcY")]]
    #expect(try referents(select(unversioned, in: wallet)["attributes"]?["a"]?["credentials"]) == ["q"])
  }

  // MARK: Requests

  @Test(
    arguments: [
      "{}", "[]", "x", #"{"requested_attributes":{}}"#, #"{"requested_attributes":{"a":{}}}"#,
      #"{"requested_attributes":{"a":{"names":[]}}}"#, #"{"requested_attributes":{"a":{"name":"a","names":["b"]}}}"#,
      #"{"requested_attributes":{"a":{"name":1}}}"#, #"{"requested_attributes":{"a":{"name":"a","restrictions":"x"}}}"#,
      #"{"requested_attributes":{"a":{"name":"a","restrictions":["x"]}}}"#,
      #"{"requested_attributes":{"a":{"name":"a","restrictions":{"$not":{}}}}}"#,
      #"{"requested_attributes":{"a":{"name":"a","restrictions":{"$and":{}}}}}"#,
      #"{"requested_attributes":{"a":{"name":"a","non_revoked":{"to":"x"}}}}"#,
      #"{"requested_predicates":{"a":{"name":"a","p_type":"==","p_value":1}}}"#,
      #"{"requested_predicates":{"a":{"name":"a","p_type":">","p_value":"1"}}}"#,
      #"{"requested_predicates":{"a":{"name":"a","p_type":">","p_value":2147483648}}}"#,
    ])
  func aMalformedRequestIsRefused(text: String) {
    #expect {
      try ProofRequest(parsing: text)
    } throws: { error in
      if case .malformedRequest? = error as? CredentialsError { true } else { false }
    }
  }

  @Test func theIntervalOfAnItemReplacesTheIntervalOfTheRequest() throws {
    let request = try ProofRequest(
      parsing: #"""
        {"requested_attributes":{"a":{"name":"a","non_revoked":{"to":5}},"b":{"name":"b"}},
        "requested_predicates":{"p":{"name":"x","p_type":">","p_value":1,"non_revoked":{"to":6}},
        "q":{"name":"x","p_type":">","p_value":1}},"non_revoked":{"to":9}}
        """#)
    let attributes = request.attributes.map { ($0.referent, $0.interval?.to) }
    let predicates = request.predicates.map { ($0.referent, $0.interval?.to) }
    #expect(Dictionary(uniqueKeysWithValues: attributes + predicates) == ["a": 5, "b": 9, "p": 6, "q": 9])
  }

  @Test func aRequestHasAThousandItemsAtMost() throws {
    let item = { (number: Int) -> (String, JSON) in ("\(number)", ["name": "name"]) }
    let request = { (count: Int) -> JSON in ["requested_attributes": .object(JSONObject((0..<count).map(item)))] }
    #expect(try ProofRequest(parsing: request(1_000).text).attributes.count == 1_000)
    let refusal = CredentialsError.malformedRequest("it has more than 1000 items or names")
    #expect(throws: refusal) { try ProofRequest(parsing: request(1_001).text) }
    let group = { (count: Int) -> JSON in
      ["requested_attributes": ["0": ["name": "a"], "1": ["names": .array((1...count).map { .string("n\($0)") })]]]
    }
    #expect(try ProofRequest(parsing: group(999).text).attributes.count == 2)
    #expect(throws: refusal) { try ProofRequest(parsing: group(1_000).text) }
  }

  @Test(
    arguments: [
      (["name": "a"], true), (["name": "a", "restrictions": [:]], true), (["name": "a", "restrictions": []], true),
      (["name": "a", "restrictions": [["issuer_did": nil]]], true), (["names": ["a"]], false),
      (["name": "a", "self_attest_allowed": false], false), (["name": "a", "self_attest_allowed": true], true),
      (["name": "a", "restrictions": [["attr::x::value": "1"]]], false),
      (["name": "a", "restrictions": ["issuer_did": "x"], "self_attest_allowed": true], false),
    ] as [(JSON, Bool)])
  func valuesWithoutRestrictionsMayBeSelfAttested(item: JSON, isAllowed: Bool) throws {
    #expect(try ProofRequest(parsing: request(item).text).attributes[0].mayBeSelfAttested == isAllowed)
  }

  // MARK: Marks

  @Test func aRevokedCredentialIsMarkedInTheSelection() throws {
    let wallet = try TestWallet.sample()
    try wallet.store.mark(Vectors.revocable, revoked: true)
    let found = try select(request(["name": "degree"]), in: wallet)
    let hits = try #require(found["attributes"]?["a"]?["credentials"]?.array)
    #expect(hits.map { $0["revoked"] } == [nil, true])
  }

  @Test func anIntervalWithoutBoundsAsksForNothing() throws {
    let found = try select(request(["name": "degree", "non_revoked": [:]]), in: .sample())
    #expect(found["attributes"]?["a"]?["credentials"]?.array?.map { $0["interval"] } == [.null, .null])
  }

  @Test func onePredicateMayStandForTwoSpellingsOfAName() throws {
    let found = try select(request(["names": ["Name", "name", "Name"]]), in: .sample())
    #expect(
      found["attributes"]?["a"]?["credentials"]?.array?.first?["requested_attributes"]
        == ["Name": "Alice Andersen", "name": "Alice Andersen"])
  }

  @Test(arguments: [true, false]) func aPredicateHasConditionsToo(separated: Bool) throws {
    let item: JSON = [
      "name": "age", "p_type": ">=", "p_value": 18, "restrictions": [["rev_reg_id": .string(TestIssuer.registryID)]],
      "non_revoked": ["to": 7],
    ]
    let found = try select(["requested_predicates": ["p": item]], in: .sample(), separated: separated)
    let hits = separated ? found["predicates"]?["p"]?["credentials"] : found["attrs"]?["p"]
    #expect(referents(hits) == [Vectors.revocable])
    #expect(hits?.array?.map { $0["interval"] } == [["to": 7]])
  }

  @Test func aReferentOfAnAttributeAndAPredicateIsOneMember() throws {
    let request: JSON = [
      "requested_attributes": ["x": ["name": "degree"]],
      "requested_predicates": [
        "x": ["name": "age", "p_type": ">=", "p_value": 99], "y": ["name": "age", "p_type": ">=", "p_value": 18],
      ],
    ]
    let wallet = try TestWallet.sample()
    let selection = Selection(for: try ProofRequest(parsing: request.text), among: try wallet.store.all())
    let text = selection.text(separatingPredicates: false)
    #expect(text.ranges(of: #""x":"#).count == 1 && text.ranges(of: #""y":"#).count == 1)
    #expect(try referents(JSON(parsing: text)["attrs"]?["x"]) == [Vectors.first, Vectors.revocable])
  }

  @Test func anAttributeThatIsNamedTwiceIsShownOnce() throws {
    let request: JSON = ["requested_attributes": ["x": ["names": ["name", "degree", "name"]]]]
    let wallet = try TestWallet.sample()
    let selection = Selection(for: try ProofRequest(parsing: request.text), among: try wallet.store.all())
    let text = selection.text(separatingPredicates: false)
    let hits = try #require(try JSON(parsing: text)["attrs"]?["x"]?.array)
    for hit in hits { #expect(hit["requested_attributes"]?.object?.members.map(\.key) == ["name", "degree"]) }
    // Each credential has the name among its own attributes, and among the requested ones.
    #expect(!hits.isEmpty && text.ranges(of: #""name":"#).count == 2 * hits.count)
  }

  /// A presentation would reveal both values.
  @Test func namesOfAGroupThatLookAlikeAreBothShown() throws {
    let names = ["\u{e9}", "e\u{301}"]
    let wallet = try TestWallet()
    let values = zip(names, ["one", "other"]).map { #""\#($0)":{"raw":"\#($1)","encoded":"1"}"# }.joined(separator: ",")
    try wallet.put([
      "type": "Indy::Credential", "id": "c",
      "value": .string(#"{"schema_id":"s","cred_def_id":"d","values":{\#(values)}}"#),
      "tags": .object(JSONObject(names.map { ("attr::\($0)::marker", "1") })),
    ])
    let request = #"{"requested_attributes":{"x":{"names":["\#(names[0])","\#(names[1])"]}}}"#
    let selection = Selection(for: try ProofRequest(parsing: request), among: try wallet.store.all())
    let text = selection.text(separatingPredicates: true)
    let shown = try #require(text.ranges(of: #""requested_attributes":{"#).last.map { text[$0.upperBound...] })
    #expect(shown.contains("one") && shown.contains("other"))
  }

  @Test func anItemWithoutAnyPossibleAnswerIsMissing() throws {
    let request: JSON = [
      "requested_attributes": [
        "there": ["name": "name", "restrictions": [["schema_name": "degree"]]], "free": ["name": "unknown"],
        "gone": ["name": "name", "restrictions": [["schema_name": "x"]]],
      ],
      "requested_predicates": [
        "there": ["name": "age", "p_type": ">=", "p_value": 18], "gone": ["name": "age", "p_type": ">", "p_value": 99],
      ],
    ]
    let found = try select(request, in: .sample())
    #expect(found["attributes"]?.object?.members.map { $0.value["missing"] } == [false, false, true])
    #expect(found["predicates"]?.object?.members.map { $0.value["missing"] } == [false, true])
  }

  @Test(arguments: [
    (">=", [false, true, true]), (">", [false, false, true]), ("<=", [true, true, false]), ("<", [true, false, false]),
  ])
  func aComparisonHolds(type: String, expected: [Bool]) throws {
    let comparison = try #require(ProofRequest.Comparison(rawValue: type))
    #expect([1, 2, 3].map { comparison.isProvable($0, 2) } == expected)
  }

  /// The distance of the value from the bound has 32 bits in a proof.
  @Test(
    arguments: [
      (">=", 28, -2_147_483_619, true), (">=", 28, -2_147_483_620, false), (">", 28, -2_147_483_620, true),
      (">", 28, -2_147_483_621, false), ("<=", -28, 2_147_483_619, true), ("<=", -28, 2_147_483_620, false),
      ("<", -28, 2_147_483_620, true), ("<", -28, 2_147_483_621, false), (">=", .max, .min, false),
    ] as [(String, Int32, Int32, Bool)])
  func aBoundThatIsTooFarAwayIsNotProvable(type: String, value: Int32, bound: Int32, isProvable: Bool) throws {
    let comparison = try #require(ProofRequest.Comparison(rawValue: type))
    #expect(comparison.isProvable(value, bound) == isProvable)
  }
}
