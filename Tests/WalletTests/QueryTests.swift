import JSON
import SQLite
import TestSupport
import Testing

@testable import Wallet

/// The query language, as libindy's code answers it, and the forms of the documentation.
@Suite struct QueryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let query: String
    let ids: [String]
    var testDescription: String { query }
  }

  static let vectors = (try? Fixtures.json("wallet/wallet-wql.json")) ?? .null
  static let results = cases("results")
  static let documented = cases("documented_forms")
  static let rejected =
    strings("rejected_with_wallet_query_error") + strings("documented_forms_rejected")

  static func cases(_ name: String) -> [Case] {
    (vectors[name]?.array ?? []).map { json in
      Case(query: json["query"]?.string ?? "", ids: json["ids"]?.array?.compactMap(\.string) ?? [])
    }
  }

  static func strings(_ name: String) -> [String] { vectors[name]?.array?.compactMap(\.string) ?? [] }

  @Test func allVectorsAreThere() {
    #expect(Self.results.count == 43 && Self.documented.count == 22 && Self.rejected.count == 38)
  }

  func wallet(_ home: Home) throws -> Wallet {
    let wallet = try home.wallet()
    try wallet.insert(#require(Self.vectors["records"]?.array).map { try Record(json: $0) })
    return wallet
  }

  @Test(arguments: results + documented) func queriesFindWhatTheyShould(vector: Case) throws {
    let home = try Home()
    let wallet = try wallet(home)
    var options = SearchOptions()
    options.totalCount = true
    let page = try wallet.search(type: "t", query: vector.query, options: options).next(100)
    #expect(page.records.map(\.id).sorted() == vector.ids)
    #expect(page.totalCount == vector.ids.count)
  }

  @Test func namesThatDifferInBytesAreTwoConditions() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let home = try Home()
    let wallet = try home.wallet()
    try wallet.insert(Record(type: "t", id: "both", value: "", tags: [composed: "1", decomposed: "2"]))
    try wallet.insert(Record(type: "t", id: "one", value: "", tags: [decomposed: "2"]))
    let condition = #"{"\#(composed)":"1","\#(decomposed)":"2"}"#
    for query in [condition, "[\(condition)]"] {
      #expect(try wallet.search(type: "t", query: query).next(10).records.map(\.id) == ["both"])
    }
  }

  @Test func eachAlternativeHasAllItsConditions() throws {
    let home = try Home()
    let wallet = try home.wallet()
    try wallet.insert(Record(type: "t", id: "half", value: "", tags: ["a": "1"]))
    try wallet.insert(Record(type: "t", id: "whole", value: "", tags: ["a": "1", "b": "2"]))
    try wallet.insert(Record(type: "t", id: "other", value: "", tags: ["c": "3"]))
    for query in [#"{"$or":[{"a":"1","b":"2"},{"c":"3"}]}"#, #"[{"c":"3"},{"b":"2","a":"1"}]"#] {
      #expect(try wallet.search(type: "t", query: query).next(10).records.map(\.id).sorted() == ["other", "whole"])
    }
  }

  @Test func anArrayOfManyConditionsIsReadInGoodTime() throws {
    let conditions = (0..<20_000).map { #""name\#($0)":"v""# }.joined(separator: ",")
    let start = processorTime()
    #expect(try Query.parse("[{\(conditions)}]") != nil)
    #expect(processorTime() - start < 5_000_000_000)
  }

  @Test(arguments: rejected) func malformedQueriesAreRefused(query: String) throws {
    do throws(WalletError) {
      _ = try Query.parse(query)
      Issue.record("accepted")
    } catch {
      guard case .malformedQuery = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test(arguments: [
    (#"{"$not":{}}"#, "$not"), (#"{"$not":{"$and":[{}]}}"#, "$not"), (#"{"$not":{"$not":{}}}"#, "$not.$not"),
    (#"{"a":"b","c":5}"#, "c"), (#"{"$or":[{"a":"b"},{"c":{"$gt":"x"}}]}"#, "$or[1].c.$gt"),
    (#"{"$or":{"c":{"$in":["x",1]}}}"#, "$or.c.$in[1]"), (#"[{"a":"b"},7]"#, "[1]"),
    (#"{"$and":[{"$not":{"~n":{"$foo":"x"}}}]}"#, "$and[0].$not.~n.$foo"),
  ])
  func theErrorNamesThePlace(query: String, place: String) {
    do throws(WalletError) {
      _ = try Query.parse(query)
      Issue.record("accepted")
    } catch {
      guard case .malformedQuery(_, place) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func deepAndLongQueriesAreAnsweredOrRefused() throws {
    let home = try Home()
    let wallet = try wallet(home)
    let long = (0..<2000).map { #"{"color":"c\#($0)"}"# }.joined(separator: ",")
    #expect(try wallet.search(type: "t", query: #"{"$or":[\#(long),{"color":"red"}]}"#).next(9).records.count == 2)
    for depth in [10, 20, 40, 60, 100, 1000] {
      let text =
        String(repeating: #"{"$or":[{"color":"blue"},{"$not":"#, count: depth) + #"{"color":"red"}"#
        + String(repeating: "}]}", count: depth)
      do throws(WalletError) {
        _ = try wallet.search(type: "t", query: text)
      } catch {
        guard case .malformedQuery = error else {
          Issue.record("\(depth): \(error)")
          return
        }
        #expect(depth > 10)
      }
    }
  }

  @Test func operandsAreSealedInTheirOrder() throws {
    let cipher = RecordCipher(try vectorKeys(Self.vectors))
    for json in try #require(Self.vectors["operands"]?.array) {
      let object = try json.requireObject()
      let query = try Query.parse(object.string("query")).map(cipher.seal)
      let operands = try object.strings("operands")
      #expect(query?.operands ?? [] == operands)
    }
  }

  /// The meaning of a query, computed from the parsed form without a database.
  @Test(arguments: UInt64(0)..<40) func randomQueriesFindWhatTheyMean(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let home = try Home()
    let wallet = try home.wallet()
    var records: [Record] = []
    for index in 0..<30 {
      var tags = Tags()
      for name in ["a", "b", "~a", "~b"] where Bool.random(using: &random) {
        tags[name] = "\(Int.random(in: 0..<4, using: &random))"
      }
      records.append(Record(type: "t", id: "\(index)", value: "v", tags: tags))
    }
    try wallet.insert(records)
    for _ in 0..<10 {
      let json = Self.randomQuery(depth: 3, &random)
      let query = try Query.parse(json.text)
      let expected = records.filter { query?.isTrue(for: $0.tags) ?? true }.map(\.id).sorted()
      let found = try wallet.search(type: "t", query: json.text).next(100).records.map(\.id).sorted()
      #expect(found == expected, "\(json.text)")
    }
  }

  static func randomQuery(depth: Int, _ random: inout SplitMix64) -> JSON {
    let parts = { (random: inout SplitMix64) -> JSON in
      .array((0..<Int.random(in: 1...3, using: &random)).map { _ in randomQuery(depth: depth - 1, &random) })
    }
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 4: return ["$and": parts(&random)]
    case 5: return ["$or": parts(&random)]
    case 6: return ["$not": randomQuery(depth: depth - 1, &random)]
    default: return randomLeaf(&random)
    }
  }

  static func randomLeaf(_ random: inout SplitMix64) -> JSON {
    let value = JSON.string("\(Int.random(in: 0..<4, using: &random))")
    let number = JSON.integer(Int64.random(in: 0..<4, using: &random))
    let name = ["a", "b", "~a", "~b"].randomElement(using: &random) ?? "a"
    let tests: [JSON] = [
      value, ["$neq": value], ["$in": [value, "1"]], ["$in": []], ["$gte": number], ["$lt": number], ["$regex": "[12]"],
    ]
    let plainTests: [JSON] = [["$gt": value], ["$lte": value], ["$like": "_"]]
    let test = (tests + (name.hasPrefix("~") ? plainTests : [])).randomElement(using: &random) ?? value
    return .object([name: test])
  }
}

extension SealedQuery {
  fileprivate var operands: [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.operands)
    case .not(let query): query.operands
    case .tag(let name, let test): [name.hex] + test.operands
    }
  }
}

extension SealedTagName {
  fileprivate var hex: String {
    switch self {
    case .encrypted(let name), .plaintext(let name): name.hex
    }
  }
}

extension SealedQuery.Test {
  fileprivate var operands: [String] {
    let values: [Value] =
      switch self {
      case .equal(let value), .notEqual(let value), .ordered(_, let value), .like(let value): [value]
      case .oneOf(let values): values
      case .satisfying: []
      }
    return values.map { value in
      switch value {
      case .text(let text): text
      case .blob(let bytes): bytes.hex
      default: "?"
      }
    }
  }
}

extension Query {
  fileprivate func isTrue(for tags: Tags) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.isTrue(for: tags) }
    case .any(let parts): parts.contains { $0.isTrue(for: tags) }
    case .not(let query): !query.isTrue(for: tags)
    case .tag(let name, let test): tags[name.text].map { test.isTrue(of: $0) } ?? false
    }
  }
}

extension Query.Test {
  /// For values of one digit.
  fileprivate func isTrue(of value: String) -> Bool {
    switch self {
    case .equal(let text): value == text
    case .notEqual(let text): value != text
    case .oneOf(let texts): texts.contains(value)
    case .ordered(let order, let text): order.holds(Double(value) ?? 0, Double(text) ?? 0)
    case .like: true
    case .matching: value == "1" || value == "2"
    case .number(let order, let number): order.holds(Double(value) ?? 0, number)
    }
  }
}
