import Foundation
import TestSupport
import Testing
import Threading

@testable import SQLite
@testable import Wallet

@Suite struct SearchTests {
  let home: Home
  let wallet: Wallet
  static let count = 200

  init() throws {
    home = try Home()
    wallet = try home.wallet()
    try wallet.insert(
      (0..<Self.count).map { index in
        Record(type: "t", id: "i\(index)", value: "v\(index)", tags: ["even": "\(index % 2 == 0)", "~n": "\(index)"])
      })
  }

  func all(_ search: Search, pages: Int = 7) throws -> [RetrievedRecord] {
    var records: [RetrievedRecord] = []
    while true {
      let page = try search.next(pages).records
      records += page
      if page.count < pages { return records }
    }
  }

  /// The tags of many records are read 64 at a time, the tags of few one by one. A search takes 32 records before that: of
  /// 97 records the last is alone in its batch.
  @Test(arguments: [1, 8, 9, 63, 64, 65, 97, 127, 128, 129, 161, 193]) func everyRecordHasItsTags(count: Int) throws {
    let records = (0..<count).map { Record(type: "u", id: "\($0)", value: "v", tags: ["a": "a\($0)", "~b": "b\($0)"]) }
    let (wallet, path) = (try home.wallet("batches"), home.folder.path + "/export")
    try wallet.insert(records)
    let search = try wallet.search(type: "u", query: "{}")
    let found = try search.next(Search.firstChunk).records + search.next(count).records
    try wallet.export(to: path, key: home.key, derivation: .raw)
    try Wallet.create(
      home.location("copy"), key: home.key, derivation: .raw, importing: path, exportKey: home.key)
    let copy = try home.open("copy")
    #expect(found.count == count)
    for record in records {
      #expect(found.first { $0.id == record.id }?.tags == record.tags, "\(record.id)")
      #expect(try copy.record(type: "u", id: record.id).tags == record.tags, "\(record.id)")
    }
  }

  @Test(arguments: [1, 7, 31, 32, 33, 64, 200, 201, 100_000]) func pagesAreComplete(size: Int) throws {
    let records = try all(wallet.search(type: "t", query: "{}"), pages: size)
    #expect(records.count == Self.count)
    for record in records {
      let index = record.id.dropFirst()
      #expect(record.type == nil && record.value == "v\(index)" && record.tags?["~n"] == String(index))
    }
    #expect(Set(records.map(\.id)).count == Self.count)
  }

  @Test(arguments: [0, -1, .min]) func aPageOfNoneIsEmpty(count: Int) throws {
    let search = try wallet.search(type: "t", query: "{}")
    #expect(try search.next(count).records.isEmpty)
    #expect(try search.next(Self.count + 1).records.count == Self.count)
  }

  /// To say that it does not match would be a guess.
  @Test func aPatternThatTakesTooLongEndsTheSearch() throws {
    let value = String(repeating: "a", count: 100) + "!"
    try wallet.apply(.add(Record(type: "long", id: "1", value: "v", tags: ["sealed": value, "~open": value])))
    for name in ["sealed", "~open"] {
      let reason = "a pattern takes too long to compare with a tag's value"
      #expect(throws: WalletError.malformedQuery(reason: reason, at: "")) {
        try wallet.search(type: "long", query: #"{"\#(name)":{"$regex":"^(a+)+$"}}"#)
      }
    }
  }

  @Test func anExhaustedSearchHasEmptyPages() throws {
    let search = try wallet.search(type: "t", query: #"{"~n":"5"}"#)
    #expect(try search.next(0).records.isEmpty)
    #expect(try search.next(10).records.map(\.id) == ["i5"])
    #expect(try search.next(10).text == #"{"totalCount":null,"records":null}"#)
    #expect(try search.next(10).records.isEmpty)
  }

  @Test func theOptionsSelectTheMembersOfRecords() throws {
    let page = { (options: String) in
      try wallet.search(type: "t", query: #"{"~n":"5"}"#, options: SearchOptions(parsing: options)).next(5).text
    }
    #expect(
      try page("{}")
        == #"{"totalCount":null,"records":[{"type":null,"id":"i5","value":"v5","tags":{"even":"false","~n":"5"}}]}"#)
    #expect(
      try page(#"{"retrieveType":true,"retrieveValue":false,"retrieveTags":false,"retrieveTotalCount":true,"x":1}"#)
        == #"{"totalCount":1,"records":[{"type":"t","id":"i5","value":null,"tags":null}]}"#)
    #expect(
      try page(#"{"retrieveRecords":false,"retrieveTotalCount":true}"#) == #"{"totalCount":1,"records":null}"#)
  }

  @Test func aGetTakesOptionsToo() throws {
    let get = { (options: String) in
      try wallet.record(type: "t", id: "i5", retrieving: Retrieval(parsing: options)).text
    }
    #expect(try get("{}") == #"{"type":null,"id":"i5","value":"v5","tags":{"even":"false","~n":"5"}}"#)
    #expect(
      try get(#"{"retrieveType":true,"retrieveValue":false,"retrieveTags":false}"#)
        == #"{"type":"t","id":"i5","value":null,"tags":null}"#)
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "x", retrieving: Retrieval()) }
  }

  @Test(arguments: [
    "", "[]", "null", "1", #"{"retrieveTags":1}"#, #"{"retrieveValue":null}"#, #"{"retrieveType":"true"}"#,
  ])
  func malformedOptionsAreRefused(text: String) {
    do throws(WalletError) {
      _ = try SearchOptions(parsing: text)
      Issue.record("accepted")
    } catch {
      guard case .malformedOptions = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func totalCountCountsAllNotThePage() throws {
    var options = SearchOptions()
    options.totalCount = true
    let search = try wallet.search(type: "t", query: #"{"even":"true"}"#, options: options)
    #expect(try search.next(3).totalCount == Self.count / 2)
    #expect(try search.next(3).totalCount == Self.count / 2)
  }

  /// Changes everything that a search could see.
  func disturb() throws {
    for index in 0..<Self.count {
      switch index % 3 {
      case 0: try wallet.apply(.delete(type: "t", id: "i\(index)"))
      case 1: try wallet.apply(.updateValue(type: "t", id: "i\(index)", value: "changed"))
      default: try wallet.apply(.replaceTags(with: ["changed": "tags"], type: "t", id: "i\(index)"))
      }
      try wallet.apply(.add(Record(type: "t", id: "new\(index)", value: "new")))
    }
  }

  @Test func changesDoNotDisturbASearch() throws {
    let expected = try all(wallet.search(type: "t", query: "{}")).map(\.text).sorted()
    var options = SearchOptions()
    options.totalCount = true
    let search = try wallet.search(type: "t", query: "{}", options: options)
    let first = try search.next(5).records
    try disturb()
    let found = first + (try all(search))
    #expect(found.map(\.text).sorted() == expected)
    #expect(search.totalCount == Self.count)
    #expect(try all(wallet.search(type: "t", query: "{}")).count == Self.count + Self.count - 67)
  }

  @Test func closingTheWalletDoesNotDisturbASearch() throws {
    let expected = try all(wallet.search(type: "t", query: "{}")).map(\.text).sorted()
    let search = try wallet.search(type: "t", query: "{}")
    wallet.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.location().directory) == ["sqlite.db"])
    #expect(try all(search).map(\.text).sorted() == expected)
    #expect(throws: WalletError.closed) { try wallet.search(type: "t", query: "{}") }
  }

  @Test func aClosedSearchSaysSo() throws {
    for query in ["{}", #"{"~n":"5"}"#] {
      let search = try wallet.search(type: "t", query: query)
      search.close()
      search.close()
      #expect(throws: WalletError.closed) { try search.next(1) }
    }
  }

  @Test func openSearchesKeepNobodyFromReading() throws {
    let searches = try (0..<20).map { _ in try wallet.search(type: "t", query: "{}") }
    #expect(try wallet.record(type: "t", id: "i1").value == "v1")
    try wallet.apply(.updateValue(type: "t", id: "i1", value: "w"))
    for search in searches { #expect(try all(search).count == Self.count) }
  }

  @Test func ofManySearchesOnlySomeHoldTheirSnapshots() throws {
    let searches = try (0..<40).map { _ in try wallet.search(type: "t", query: "{}") }
    #expect(searches.filter(\.holdsSnapshot).count == 16)
    try wallet.apply(.delete(type: "t", id: "i199"))
    for search in searches { #expect(try all(search).count == Self.count) }
  }

  @Test func withoutAWriteAheadLogASearchHoldsNothing() throws {
    try wallet.readers.lend { lent throws(WalletError) in
      lent.reader.database.hasWriteAheadLog = false
      wallet.readers.giveBack(lent)
    }
    let search = try wallet.search(type: "t", query: "{}")
    #expect(!search.holdsSnapshot)
    #expect(try all(search).count == Self.count)
  }

  @Test func aWriterIsAnsweredBeforeSearchesAreRead() throws {
    let search = try wallet.search(type: "t", query: "{}")
    // One write was made before, and the thousandth is the one that ends the snapshots.
    for index in 2..<1000 { try wallet.apply(.updateValue(type: "t", id: "i1", value: "\(index)")) }
    let (ended, held) = (Monitor(false), Locked(false))
    try wallet.apply(.updateValue(type: "t", id: "i1", value: "last")) { _ in
      held.withLock { $0 = search.holdsSnapshot }
      ended.withLock { $0 = true }
    }
    ended.wait { $0 ? () : nil }
    #expect(held.withLock { $0 })
    wallet.close()
    #expect(!search.holdsSnapshot)
  }

  @Test func aForgottenSearchDoesNotKeepTheLogFromBeingEmptied() throws {
    let search = try wallet.search(type: "t", query: "{}")
    #expect(search.holdsSnapshot)
    for index in 0..<1000 { try wallet.apply(.updateValue(type: "t", id: "i1", value: "\(index)")) }
    #expect(!search.holdsSnapshot)
    #expect(try all(search).count == Self.count)
  }

  @Test func reservedTypesAreRefusedAndOtherTypesNotFound() throws {
    #expect(throws: WalletError.reservedType) { try wallet.search(type: "Indy::Key", query: "{}") }
    #expect(try wallet.search(type: "u", query: "{}").next(1).records.isEmpty)
    #expect(try wallet.search(type: "u", query: #"{"even":"true"}"#).next(1).records.isEmpty)
  }

  @Test func aTagThatCannotBeReadIsAnErrorOfTheSearch() throws {
    try home.database().execute("UPDATE tags_encrypted SET value = zeroblob(40) WHERE item_id = 3")
    #expect(throws: WalletError.undecipherable) { try wallet.search(type: "t", query: #"{"even":{"$regex":"x"}}"#) }
    #expect(throws: WalletError.undecipherable) { try all(wallet.search(type: "t", query: "{}")) }
    #expect(try all(wallet.search(type: "t", query: #"{"even":"true"}"#)).count == Self.count / 2 - 1)
  }

  @Test func sampleOrphansAreNotFound() throws {
    let location = try home.sample("sample-orphans")
    let wallet = try Wallet.open(location, key: "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca", derivation: .raw)
    try wallet.apply(.add(Record(type: "t", id: "new", value: "v")))
    try wallet.apply(.add(Record(type: "t", id: "new2", value: "v", tags: ["a": "9"])))
    #expect(try wallet.search(type: "t", query: #"{"a":"2"}"#).next(5).records.isEmpty)
    #expect(try wallet.search(type: "t", query: #"{"a":"9"}"#).next(5).records.map(\.id) == ["new2"])
  }
}
