import Foundation
import JSON
import SQLite
import Sodium
import TestSupport
import Testing

@testable import Wallet

@Suite struct RecordTests {
  let home: Home
  let wallet: Wallet
  let record = Record(type: "t", id: "i", value: "v", tags: ["a": "1", "~b": "2"])

  init() throws {
    home = try Home()
    wallet = try home.wallet()
  }

  @Test func recordsAreKept() throws {
    let records = [
      record, Record(type: "t", id: "empty", value: ""), Record(type: "other", id: "i", value: "v"),
      Record(type: "Ünïcode", id: "漢字", value: "välue 😀", tags: ["näme": "ü", "~plàin": "é", "e": "", "~e": ""]),
      Record(type: "t", id: "long", value: String(repeating: "x", count: 100_000)),
    ]
    for record in records { try wallet.apply(.add(record)) }
    for record in records { #expect(try wallet.record(type: record.type, id: record.id) == record) }
    wallet.close()
    let again = try home.open()
    for record in records { #expect(try again.record(type: record.type, id: record.id) == record) }
  }

  @Test func namesThatDifferInBytesDiffer() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    try wallet.apply(
      .add(
        Record(type: composed, id: "i", value: "1", tags: [composed: "x", decomposed: "y", "~\u{301}": "z"])))
    try wallet.apply(.add(Record(type: decomposed, id: "i", value: "2")))
    let tags = try wallet.record(type: composed, id: "i").tags
    #expect(tags.count == 3 && tags[composed] == "x" && tags[decomposed] == "y" && tags["~\u{301}"] == "z")
    #expect(try wallet.record(type: decomposed, id: "i").value == "2")
  }

  @Test func typeAndIDAreUnique() throws {
    try wallet.apply(.add(record))
    #expect(throws: WalletError.recordExists) { try wallet.apply(.add(Record(type: "t", id: "i", value: "w"))) }
    #expect(try wallet.record(type: "t", id: "i") == record)
  }

  @Test func absentRecordsAreNotFound() throws {
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "i") }
    #expect(throws: WalletError.recordNotFound) { try wallet.apply(.updateValue(type: "t", id: "i", value: "v")) }
    #expect(throws: WalletError.recordNotFound) { try wallet.apply(.delete(type: "t", id: "i")) }
  }

  @Test func anUpdateKeepsTheTags() throws {
    try wallet.apply(.add(record))
    try wallet.apply(.updateValue(type: "t", id: "i", value: "new"))
    #expect(try wallet.record(type: "t", id: "i").value == "new")
    #expect(try wallet.record(type: "t", id: "i").tags == record.tags)
  }

  @Test func aDeletedRecordLeavesNothing() throws {
    try wallet.apply(.add(record))
    try wallet.apply(.delete(type: "t", id: "i"))
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "i") }
    let database = try home.database()
    for table in ["items", "tags_encrypted", "tags_plaintext"] {
      #expect(try database.rows("SELECT count(*) FROM \(table)") == [[.integer(0)]])
    }
  }

  @Test(arguments: ["Indy", "Indy::Key", "Indy::", "Indyx"]) func reservedTypesAreRefused(type: String) {
    #expect(throws: WalletError.reservedType) { try wallet.apply(.add(Record(type: type, id: "i", value: "v"))) }
    #expect(throws: WalletError.reservedType) { try wallet.record(type: type, id: "i") }
    #expect(throws: WalletError.reservedType) { try wallet.record(type: type, id: "i", retrieving: Retrieval()) }
    #expect(throws: WalletError.reservedType) { try wallet.apply(.updateValue(type: type, id: "i", value: "v")) }
    #expect(throws: WalletError.reservedType) { try wallet.apply(.delete(type: type, id: "i")) }
  }

  @Test(arguments: ["indy", "INDY::x", "xIndy", "Ind"]) func otherTypesAreNotReserved(type: String) throws {
    try wallet.apply(.add(Record(type: type, id: "i", value: "v")))
  }

  @Test func ofSeveralRecordsAllAreStoredOrNone() throws {
    let (one, two) = (Record(type: "t", id: "1", value: "v"), Record(type: "t", id: "2", value: "v"))
    #expect(throws: WalletError.recordExists) { try wallet.insert([one, two, one]) }
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "1") }
    try wallet.insert([one, two])
    #expect(try wallet.record(type: "t", id: "2") == two)
  }

  @Test func tagsThatCannotBeReplacedStay() throws {
    try wallet.apply(.add(record))
    let database = try home.database()
    try database.execute("CREATE TRIGGER refuse BEFORE INSERT ON tags_plaintext BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: WalletError.self) {
      try wallet.apply(.replaceTags(with: ["new": "1", "~new": "2"], type: "t", id: "i"))
    }
    #expect(throws: WalletError.self) { try wallet.apply(.addTags(["new": "1", "~new": "2"], type: "t", id: "i")) }
    #expect(try wallet.record(type: "t", id: "i") == record)
  }

  @Test func aWriteThatFailsInTheMiddleLeavesNothing() throws {
    // The tag table refuses: the item that was inserted before must go too.
    let database = try home.database()
    try database.execute("CREATE TRIGGER refuse BEFORE INSERT ON tags_plaintext BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: WalletError.self) { try wallet.apply(.add(record)) }
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "i") }
    try database.execute("DROP TRIGGER refuse")
    try wallet.apply(.add(record))
  }
}

@Suite struct TagsTests {
  @Test func tagsAreReadFromAnObjectOfStrings() throws {
    #expect(try Tags(parsing: #"{"b":"2","a":"1","~c":""}"#) == ["a": "1", "b": "2", "~c": ""])
    #expect(try Tags(parsing: "{}").isEmpty)
    #expect(try Tags(parsing: #"{"a":"1","a":"2"}"#) == ["a": "2"])
    for other: Tags in [[:], ["b": "1"], ["a": "2"], ["a": "1", "b": "1"]] { #expect(["a": "1"] as Tags != other) }
    var writer = JSONWriter()
    try Tags(parsing: #"{"b":"ü","a":"1"}"#).write(to: &writer)
    #expect(writer.text == #"{"a":"1","b":"ü"}"#)
  }

  @Test(arguments: ["", "[]", "null", "{", #"{"a":1}"#, #"{"a":null}"#, #"{"a":true}"#, #"{"a":["b"]}"#, #"{"a":{}}"#])
  func everythingElseIsRefused(text: String) {
    do throws(WalletError) {
      _ = try Tags(parsing: text)
      Issue.record("accepted")
    } catch {
      guard case .malformedTags = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  /// Tags are sorted by their bytes. The last value of a name counts.
  @Test(arguments: UInt64(0)..<20) func aSequenceSetsTheSameTagsAsSingleCalls(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let names = (0..<100).map { _ in
      ["", "~", "é", "e\u{301}"].randomElement(using: &random)! + "\(random.next() % 30)"
    }
    let list = names.enumerated().map { (name: $1, value: "\($0)") }
    let oneByOne = list.reduce(into: Tags()) { $0[$1.name] = $1.value }
    #expect(Tags(list) == oneByOne && oneByOne.count < list.count)
  }

  /// The time that the processor needs for eight times as many grows with their number, not with its square, and a busy
  /// machine does not change it.
  @Test func manyTagsAreReadInGoodTime() throws {
    var random = SplitMix64(seed: 7)
    let list = (0..<80_000).map { (name: "\(random.next())", value: "\($0)") }
    let time = { (count: Int) -> UInt64 in
      let start = processorTime()
      #expect(Tags(list.prefix(count)).count == count)
      return processorTime() - start
    }
    _ = time(10_000)
    #expect(time(80_000) < 25 * time(10_000))
  }

  @Test(arguments: UInt64(0)..<50) func tagsBehaveAsADictionary(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (tags, expected): (Tags, [String: String]) = ([:], [:])
    for step in 0..<100 {
      let name = "n\(Int.random(in: 0..<20, using: &random))"
      let value = Bool.random(using: &random) ? "v\(step)" : nil
      tags[name] = value
      expected[name] = value
      #expect(tags[name] == value)
    }
    #expect(Dictionary(uniqueKeysWithValues: tags.map { ($0.name, $0.value) }) == expected)
  }
}
