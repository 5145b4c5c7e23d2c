import TestSupport
import Testing

@testable import Wallet

/// Numbers in tags, and the limits of queries.
@Suite struct QueryLimitTests {
  static let numbers = [
    "0", "-0", "5", "10", "-5", "1.5", "0.5", "-0.25", "1e2", "1E2", "1e+2", "1E-2", "2.5e1", "0e0", "100",
  ]
  static let others = [
    "", "-", "+1", " 1", "1 ", "1.", ".5", "-.5", "01", "-01", "00", "1e", "1e+", "1e5x", "1.e5", "0x10", "١", "inf",
    "nan", "--1", "1_000", "1,5", "e5", "1e5.5", "true",
  ]

  @Test(arguments: ["n", "~n"]) func onlyAWholeJSONNumberIsANumber(name: String) throws {
    let home = try Home()
    let wallet = try home.wallet()
    try wallet.insert((Self.numbers + Self.others).map { Record(type: "t", id: $0, value: "v", tags: [name: $0]) })
    let found = { (query: String) in
      try Set(wallet.search(type: "t", query: #"{"\#(name)":\#(query)}"#).next(100).records.map(\.id))
    }
    #expect(try found(#"{"$gte":-100}"#) == Set(Self.numbers))
    #expect(try found(#"{"$lt":0.3}"#) == ["0", "-0", "-5", "-0.25", "1E-2", "0e0"])
    #expect(try found(#"{"$gt":99}"#) == ["1e2", "1E2", "1e+2", "100"])
    #expect(try found(#"{"$lte":-0.25}"#) == ["-5", "-0.25"])
  }

  @Test func aQueryMayBeNestedToItsLimit() throws {
    let nested = { (depth: Int) in
      String(repeating: #"{"$not":"#, count: depth) + #"{"a":"1"}"# + String(repeating: "}", count: depth)
    }
    #expect(try Query.parse(nested(63)) != nil)
    let place = [String](repeating: "$not", count: 64).joined(separator: ".")
    #expect(throws: WalletError.malformedQuery(reason: "nested too deeply", at: place)) { try Query.parse(nested(64)) }
  }

  /// Up to a number of alternatives, a search starts from the values; with more it tests each record.
  @Test(arguments: [1, 2, 50, 51, 99, 100, 101, 150]) func alternativesOfAnyNumberAreFound(count: Int) throws {
    let home = try Home()
    let wallet = try home.wallet()
    try wallet.insert(
      (0..<160).map { Record(type: "t", id: "\($0)", value: "v", tags: ["a": "\($0)", "~b": "\($0)"]) })
    for name in ["a", "~b"] {
      let parts = (0..<count).map { #"{"\#(name)":"\#($0)"}"# }.joined(separator: ",")
      for query in [#"{"$or":[\#(parts)]}"#, #"{"$and":[{"$or":[\#(parts)]},{"a":{"$neq":"0"}}]}"#] {
        let ids = try wallet.search(type: "t", query: query).next(200).records.compactMap { Int($0.id) }
        #expect(ids.sorted() == Array((query.hasPrefix(#"{"$and"#) ? 1 : 0)..<count))
      }
    }
  }
}
