import JSON
import Testing

@testable import Credentials

/// The reasons for which proof requests are refused, and their limits.
@Suite struct RequestTests {
  private func reason(_ request: JSON) -> String? {
    do {
      _ = try ProofRequest(parsing: request.text)
      return nil
    } catch CredentialsError.malformedRequest(let reason) {
      return reason
    } catch {
      return "another error: \(error)"
    }
  }

  @Test(
    arguments: [
      (["name": "a", "names": ["b"]], "x has both a name and names"), ([:], "x has neither a name nor names"),
      (["names": []], "x has neither a name nor names"),
      (["name": "a", "restrictions": 1], "restrictions are neither an array nor an object"),
      (["name": "a", "restrictions": [1]], "a restriction is not an object"),
      (["name": "a", "restrictions": ["$or": [1]]], "a restriction is not an object"),
      (["name": "a", "restrictions": ["$or": [:]]], "$and and $or take an array"),
      (["name": "a", "restrictions": ["$not": [1]]], "$not has no condition"),
      (["name": "a", "restrictions": ["$not": ["$and": []]]], "$not has no condition"),
      (
        ["name": "a", "restrictions": ["schema_id": ["$neq": "a", "$in": ["b"]]]],
        "a restriction is neither a text nor one operator"
      ),
      (["name": "a", "restrictions": ["schema_id": [:]]], "a restriction is neither a text nor one operator"),
      (["name": "a", "restrictions": ["schema_id": nil]], "a restriction is neither a text nor one operator"),
    ] as [(JSON, String)])
  func aRefusedAttributeHasItsReason(item: JSON, expected: String) {
    #expect(reason(["requested_attributes": ["x": item]]) == expected)
  }

  @Test(
    arguments: [
      (["p_type": "==", "p_value": 1], "x has an unknown p_type"),
      (["p_type": ">", "p_value": 2_147_483_648], "the p_value of x has more than 32 bits"),
      (["p_type": ">", "p_value": -2_147_483_649], "the p_value of x has more than 32 bits"),
      (["p_type": ">", "p_value": -2_147_483_648], nil), (["p_type": ">", "p_value": 2_147_483_647], nil),
    ] as [(JSON, String?)])
  func aPredicateHasAValueOf32Bits(item: JSON, expected: String?) {
    #expect(reason(["requested_predicates": ["x": item.with(["name": "a"])]]) == expected)
  }

  /// The API's choice names items by their referents alone: the choice for the predicate would reveal the attribute.
  @Test func aReceivedRequestHasOneItemForEachReferent() throws {
    let predicate: JSON = ["name": "b", "p_type": ">=", "p_value": 1]
    let request: JSON = ["requested_attributes": ["x": ["name": "a"]], "requested_predicates": ["x": predicate]]
    #expect(throws: CredentialsError.malformedRequest("an attribute and a predicate have one referent")) {
      try ProofRequest(received: request.text)
    }
    let other = request.with(["requested_predicates": ["y": predicate]])
    #expect(try ProofRequest(received: other.text).predicates.count == 1)
  }

  /// The wallet of libindy compares bytes, and so does the proof of a value.
  @Test func textsAreComparedByTheirBytes() {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    for (value, isSame) in [(composed, true), (decomposed, false)] {
      #expect(Restriction.equal(tag: "a", composed).holds(for: ["a": value]) == isSame)
      #expect(Restriction.oneOf(tag: "a", ["x", composed]).holds(for: ["a": value]) == isSame)
      #expect(Restriction.different(tag: "a", composed).holds(for: ["a": value]) != isSame)
    }
  }

  @Test func aRequestForPredicatesOnlyIsEnough() {
    #expect(reason([:]) == "it asks for nothing")
    #expect(reason(["requested_attributes": [:], "requested_predicates": [:]]) == "it asks for nothing")
    let predicate: JSON = ["x": ["name": "a", "p_type": ">", "p_value": 1]]
    #expect(reason(["requested_predicates": predicate]) == nil)
  }

  @Test func attributesAndPredicatesAreCountedTogether() {
    let attributes = (0..<500).map { number -> (String, JSON) in ("\(number)", ["name": "a"]) }
    func request(_ count: Int) -> JSON {
      let predicates = (0..<count).map { number -> (String, JSON) in
        ("\(number)", ["name": "a", "p_type": ">", "p_value": 1])
      }
      return [
        "requested_attributes": .object(JSONObject(attributes)),
        "requested_predicates": .object(JSONObject(predicates)),
      ]
    }
    #expect(reason(request(500)) == nil)
    #expect(reason(request(501)) == "it has more than 1000 items or names")
  }

  @Test func theTextsOfARequestAreOptional() throws {
    let request = try ProofRequest(parsing: #"{"requested_attributes":{"x":{"name":"a"}}}"#)
    #expect(request.name.isEmpty && request.version.isEmpty && request.nonce.isEmpty)
    for name in ["name", "version", "nonce", "ver"] {
      #expect(reason(["requested_attributes": ["x": ["name": "a"]], name: 1])?.contains(name) == true)
    }
  }

  @Test(arguments: [
    (#"{"from":1,"to":2}"#, Interval(from: 1, to: 2)), (#"{"from":1}"#, Interval(from: 1)),
    (#"{"to":2}"#, Interval(to: 2)), (#"{"from":null,"to":2}"#, Interval(to: 2)), ("{}", nil), ("null", nil),
  ])
  func anIntervalIsRead(text: String, expected: Interval?) throws {
    #expect(try Interval(JSON(parsing: text)) == expected)
    if let expected { #expect(try Interval(expected.json) == expected) }
  }

  @Test func intervalsThatDoNotMeetHaveNoCommonTime() {
    #expect(Interval(from: 10).intersection(Interval(to: 9)) == nil)
    #expect(Interval(from: 10).intersection(Interval(to: 10)) == Interval(from: 10, to: 10))
    #expect(Interval(to: 9).intersection(Interval(from: 10, to: 20)) == nil)
    #expect(Interval().intersection(Interval()) == Interval())
  }
}
