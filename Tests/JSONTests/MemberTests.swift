import JSON
import TestSupport
import Testing

/// Objects: their members, the types of these, and repeated names.
@Suite struct MemberTests {
  private let object: JSONObject = [
    "string": "x", "integer": 1, "bool": true, "array": [1], "strings": ["a", "b"], "object": ["a": 1],
    "real": .real(1.5),
    "null": nil, "mixed": ["a", 1],
  ]

  private typealias Read = @Sendable (JSONObject, String) throws(JSONError) -> JSON?

  /// Each way to read a member, with the member that has its type.
  private static let ways: [(kind: String, expected: String, read: Read)] = [
    ("string", "a string", { (object, key) throws(JSONError) in .string(try object.string(key)) }),
    ("integer", "an integer", { (object, key) throws(JSONError) in .integer(try object.integer(key)) }),
    ("bool", "a boolean", { (object, key) throws(JSONError) in .bool(try object.bool(key)) }),
    ("object", "an object", { (object, key) throws(JSONError) in .object(try object.object(key)) }),
    ("strings", "an array of strings", { (object, key) throws(JSONError) in JSON(try object.strings(key)) }),
  ]

  private static let optionalWays: [(kind: String, expected: String, read: Read)] = [
    ("string", "a string", { (object, key) throws(JSONError) in try object.optionalString(key).map(JSON.string) }),
    ("integer", "an integer", { (object, key) throws(JSONError) in try object.optionalInteger(key).map(JSON.integer) }),
    ("bool", "a boolean", { (object, key) throws(JSONError) in try object.optionalBool(key).map(JSON.bool) }),
    ("object", "an object", { (object, key) throws(JSONError) in try object.optionalObject(key).map(JSON.object) }),
    (
      "strings", "an array of strings",
      { (object, key) throws(JSONError) in try object.optionalStrings(key).map { JSON($0) } }
    ),
  ]

  @Test func aMemberHasItsType() throws {
    for (kind, expected, read) in Self.ways + Self.optionalWays {
      #expect(try read(object, kind) == object[kind], "\(kind)")
      for other in object.keys where other != kind && other != "null" {
        #expect(throws: JSONError.wrongType(key: other, expected: expected)) { try read(object, other) }
      }
    }
  }

  /// Texts that only look the same are two texts, as for peers and for the engine.
  @Test func textsAreTheirBytes() {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    #expect(JSON.string(composed) != JSON.string(decomposed))
    var object = JSONObject([(composed, JSON.integer(1)), (decomposed, JSON.integer(2))])
    #expect(object.count == 2 && object[composed] == 1 && object[decomposed] == 2)
    object[decomposed] = 3
    #expect(object[composed] == 1 && object[decomposed] == 3)
    #expect([composed: 1] as JSON != [decomposed: 1])
    #expect([composed: 1, decomposed: 2] as JSON == [decomposed: 2, composed: 1])
    #expect(ExactText(composed) != ExactText(decomposed) && Set([composed, decomposed].map(ExactText.init)).count == 2)
    #expect(ExactText(composed) == ExactText("caf" + "\u{e9}"))
  }

  @Test func aMemberThatIsRequiredIsThere() throws {
    for (_, expected, read) in Self.ways {
      #expect(throws: JSONError.missing(key: "none")) { try read(object, "none") }
      #expect(throws: JSONError.wrongType(key: "null", expected: expected)) { try read(object, "null") }
    }
    for (_, _, read) in Self.optionalWays {
      #expect(try read(object, "none") == nil)
      #expect(try read(object, "null") == nil)
    }
  }

  @Test func anArrayIsOneOfAnything() throws {
    #expect(try object.array("mixed") == ["a", 1] && object.optionalArray("array") == [1])
    #expect(try object.optionalArray("null") == nil && object.optionalArray("none") == nil)
    #expect(throws: JSONError.wrongType(key: "string", expected: "an array")) { try object.array("string") }
    #expect(throws: JSONError.wrongType(key: "string", expected: "an array")) { try object.optionalArray("string") }
    #expect(throws: JSONError.missing(key: "none")) { try object.array("none") }
  }

  @Test func aValueIsOfOneKind() {
    let values: [JSON] = [nil, true, 1, .real(1.5), "x", [1], ["a": 1]]
    #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
    #expect(values.map { $0.bool != nil } == [false, true, false, false, false, false, false])
    #expect(values.map { $0.integer != nil } == [false, false, true, false, false, false, false])
    #expect(values.map(\.number) == [nil, nil, 1, 1.5, nil, nil, nil])
    #expect(values.map { $0.string != nil } == [false, false, false, false, true, false, false])
    #expect(values.map { $0.array != nil } == [false, false, false, false, false, true, false])
    #expect(values.map { $0.object != nil } == [false, false, false, false, false, false, true])
    #expect(JSON(nil as String?) == .null && JSON("x" as String?) == "x")
    #expect(throws: JSONError.wrongType(key: nil, expected: "an object")) { try JSON.array([]).requireObject() }
    #expect(throws: JSONError.wrongType(key: nil, expected: "an array")) { try JSON.object([:]).requireArray() }
  }

  // MARK: Changes

  @Test func aMemberIsSetAndRemoved() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["c"] = 3
    object["a"] = 4
    object["none"] = nil
    #expect(object.keys == ["a", "b", "c"] && object.count == 3 && object["a"] == 4)
    object["b"] = nil
    #expect(object.keys == ["a", "c"] && object["b"] == nil)
    #expect(!object.isEmpty && JSONObject().isEmpty)
  }

  @Test func onlyAnObjectTakesMembers() {
    for value: JSON in [nil, 1, "x", [1]] {
      var changed = value
      changed["a"] = 1
      #expect(changed == value && value["a"] == nil)
    }
  }

  @Test func nullsAreLeftOutAtEachDepth() {
    let json: JSON = ["a": nil, "b": [nil, 1, ["c": nil, "d": [nil]]], "e": ["f": nil]]
    #expect(json.withoutNulls == ["b": [1, ["d": []]], "e": [:]])
    #expect(JSON.null.withoutNulls == .null && JSON.integer(1).withoutNulls == 1)
  }

  // MARK: Equality

  @Test(
    arguments: [
      (["a": 1], ["a": 1], true), (["a": 1, "b": 2], ["b": 2, "a": 1], true), (["a": 1], ["b": 1], false),
      (["a": 1], ["a": 1, "b": 2], false), (["a": 1, "b": 2], ["a": 1], false),
      (["a": 1, "b": 2], ["b": 1, "a": 2], false),
      (["a": 1, "b": 2], ["a": 1, "c": 2], false), (["a": 1, "b": 2], ["c": 2, "a": 1], false), ([:], [:], true),
    ] as [(JSONObject, JSONObject, Bool)])
  func objectsAreEqualIfTheirMembersAre(left: JSONObject, right: JSONObject, isEqual: Bool) {
    #expect((left == right) == isEqual)
  }

  // MARK: Repeated names

  /// Few members are compared with each other, and many are put in order.
  @Test(arguments: 0..<200) func ofRepeatedNamesTheLastValueCounts(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let most = seed.isMultiple(of: 4) ? 300 : 40
    let names = (0..<Int.random(in: 1...most, using: &random)).map { String(repeating: "n", count: $0 % 3) + "\($0)" }
    let members = (0..<Int.random(in: 1...most, using: &random)).map { index in
      (names[Int.random(in: names.indices, using: &random)], index)
    }
    var expected: [(name: String, value: Int)] = []
    for (name, value) in members {
      if let place = expected.firstIndex(where: { $0.name == name }) {
        expected[place].value = value
      } else {
        expected.append((name, value))
      }
    }
    func text(_ members: [(String, Int)]) -> String {
      "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }
    #expect(try JSON(parsing: text(members)).text == text(expected.map { ($0.name, $0.value) }))
    let object = JSONObject(members.map { ($0.0, JSON.integer(Int64($0.1))) })
    #expect(JSON.object(object).text == text(expected.map { ($0.name, $0.value) }))
  }

  @Test(arguments: [15, 16, 17, 18]) func aRepeatedNameIsFoundAmongAnyNumber(count: Int) throws {
    let names = (0..<count - 1).map { "\"n\($0)\":\($0)" }
    for place in 0..<names.count {
      let text = "{" + (names + ["\"n\(place)\":99"]).joined(separator: ",") + "}"
      let object = try JSON(parsing: text).requireObject()
      #expect(object.count == count - 1 && object["n\(place)"] == 99)
    }
  }
}

/// The reader that refuses repeated names, for texts whose author must mean one value.
extension MemberTests {
  @Test(arguments: [
    (#"{"a":1,"a":1}"#, "a"), (#"{"x":[{"b":1,"c":2,"b":3}]}"#, "b"), (#"{"a":1,"\u0061":2}"#, "a"),
    (#"{"":1,"":2}"#, ""),
  ])
  func aRepeatedNameIsRefusedIfTheCallerWantsThat(text: String, name: String) throws {
    #expect(throws: JSONError.repeatedName(name)) { try JSON(parsing: Array(text.utf8), repeatedNames: .refused) }
    #expect(throws: Never.self) { try JSON(parsing: text) }
  }

  @Test func equalNamesInDifferentObjectsAreNotRepeated() throws {
    let text = Array(#"[{"a":{"a":1}},{"a":2,"A":3}]"#.utf8)
    #expect(try JSON(parsing: text, repeatedNames: .refused) == JSON(parsing: text))
  }
}
