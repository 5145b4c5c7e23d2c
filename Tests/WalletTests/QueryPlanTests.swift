import SQLite
import Testing

@testable import Wallet

/// The indexes that searches use, in the tables of new wallets and in libindy's own.
@Suite struct QueryPlanTests {
  let home: Home
  let cipher: RecordCipher

  init() throws {
    home = try Home()
    try home.walletInLibindysTables()
    cipher = try home.wallet("new").cipher
  }

  func plan(_ query: String, in id: String) throws -> [String] {
    let sql = try QuerySQL(type: cipher.seal(type: "t"), Query.parse(query).map(cipher.seal))
    var steps: [String] = []
    try home.database(id).prepare("EXPLAIN QUERY PLAN SELECT i.id \(sql.rows)").forEach { row throws(SQLiteError) in
      steps.append(try row.text(3))
    }
    return steps
  }

  /// A name is that of many tags, a value often of one.
  @Test(arguments: [
    #"{"a":"1"}"#, #"{"~a":"1"}"#, #"{"a":{"$in":["1","2"]}}"#, #"{"$or":[{"a":"1"},{"b":"2"}]}"#,
    #"{"$not":{"a":"1"}}"#, #"{"a":"1","b":{"$neq":"2"}}"#,
  ])
  func anEqualityFindsItsTagsByTheirValue(query: String) throws {
    for (id, index) in [("wallet", "value (value=?)"), ("new", "PRIMARY KEY (name=? AND value=?)")] {
      let steps = try plan(query, in: id)
      #expect(steps.contains { $0.hasSuffix(index) }, "\(steps)")
      #expect(!steps.contains { $0.hasSuffix("(name=?)") || $0.hasPrefix("SCAN") }, "\(steps)")
    }
  }

  /// Tags of other names are not read.
  @Test(arguments: [#"{"a":{"$neq":"1"}}"#, #"{"~a":{"$like":"1%"}}"#, #"{"~a":{"$gt":"1"}}"#])
  func otherTestsReadTheTagsOfTheName(query: String) throws {
    for id in ["wallet", "new"] {
      let steps = try plan(query, in: id)
      #expect(steps.contains { $0.contains("(name=?") } && !steps.contains { $0.hasPrefix("SCAN tags") }, "\(steps)")
    }
  }
}
