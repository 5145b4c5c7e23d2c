import DIDComm
import Files
import JSON
import Sodium
import TestSupport
import Testing
import Time

@testable import Wallet

/// The records that the library keeps, of types that the application cannot reach.
@Suite struct LibraryRecordTests {
  let home: Home
  let wallet: Wallet
  let records: LibraryRecords

  init() throws {
    home = try Home()
    wallet = try home.wallet()
    records = LibraryRecords(of: "Indy::Things", in: wallet)
  }

  @Test func aRecordIsAddedOnceAndPutAgain() throws {
    try wallet.make([records.adding("1", value: "a", tags: ["n": "1", "m": "2"])])
    #expect(
      try records.find("1") == Record(type: "Indy::Things", id: "1", value: "a", tags: ["n": "1", "m": "2"]))
    #expect(throws: WalletError.recordExists) { try wallet.make([records.adding("1", value: "b")]) }
    try wallet.make([records.putting("1", value: "b", tags: ["n": "3"]), records.putting("2", value: "c")])
    #expect(try records.find("1") == Record(type: "Indy::Things", id: "1", value: "b", tags: ["n": "3"]))
    #expect(try records.find("2")?.value == "c")
    #expect(try LibraryRecords(of: "Indy::Other", in: wallet).find("1") == nil)
  }

  @Test func eachNumberOfACounterIsHigher() throws {
    let counter = LibraryRecords(of: "Indy::Counter", in: wallet)
    func next(by count: Int) throws -> String? {
      try wallet.make([
        counter.counting("c", by: count, behind: 7) { [records] in [records.putting("last", value: String($0))] }
      ])
      return try records.find("last")?.value
    }
    #expect(try [next(by: 1), next(by: 3), next(by: 1)] == ["8", "9", "12"])
    // All changes are made, or none.
    #expect(throws: WalletError.recordExists) {
      try wallet.make([counter.counting("c", by: 1) { _ in [] }, records.adding("last", value: "x")])
    }
    #expect(try next(by: 1) == "13")
  }

  @Test func aPresentRecordIsNotAddedAgainAndGetsOtherTags() throws {
    try wallet.make(["a", "b"].map { records.addingUnlessPresent("1", value: $0, tags: ["n": "1", "m": "2"]) })
    try wallet.make([records.tagging("1", ["n": "3"])])
    #expect(try records.find("1") == Record(type: "Indy::Things", id: "1", value: "a", tags: ["n": "3"]))
    #expect(throws: WalletError.recordNotFound) { try wallet.make([records.tagging("2", ["n": "3"])]) }
  }

  @Test func anAbsentRecordCanBeRemoved() throws {
    try wallet.make([records.adding("1", value: "a"), records.adding("2", value: "b")])
    try wallet.make([records.removing("1"), records.removing("3")])
    #expect(try records.find("1") == nil && records.find("2") != nil)
  }

  @Test func aConditionHoldsWhileTheRecordHasTheValueThatWasRead() throws {
    try wallet.make([records.expecting("1", value: nil), records.putting("1", value: "a")])
    try wallet.make([records.expecting("1", value: "a"), records.putting("1", value: "b")])
    for stale in [nil, "a", "B", "b "] {
      #expect(throws: WalletError.recordChanged) {
        try wallet.make([records.putting("2", value: "c"), records.expecting("1", value: stale)])
      }
    }
    #expect(throws: WalletError.recordChanged) { try wallet.make([records.expecting("2", value: "c")]) }
    #expect(try records.find("1")?.value == "b" && records.find("2") == nil)
  }

  @Test func ofSeveralChangesAllAreMadeOrNone() throws {
    try wallet.make([records.adding("1", value: "a")])
    #expect(throws: WalletError.recordExists) {
      try wallet.make([
        records.putting("1", value: "b"), records.adding("2", value: "c"), records.removing("1"),
        records.adding("2", value: "d"),
      ])
    }
    #expect(try records.find("1")?.value == "a" && records.find("2") == nil)
  }

  @Test func aSearchFindsThemInTheirOrderWithTheWantedParts() throws {
    for index in 0..<40 {
      try wallet.make([records.adding("\(index)", value: "v", tags: ["even": "\(index % 2 == 0)"])])
    }
    #expect(try records.search().next(100).records.map(\.id) == (0..<40).map { "\($0)" })
    let found = try records.search(#"{"even":"true"}"#).next(1).records
    #expect(found.map(\.text) == [#"{"type":null,"id":"0","value":"v","tags":{"even":"true"}}"#])
    var parts = Retrieval()
    (parts.type, parts.value, parts.tags) = (true, false, false)
    let bare = try records.search(retrieving: parts).next(1).records
    #expect(bare.map(\.text) == [#"{"type":"Indy::Things","id":"0","value":null,"tags":null}"#])
    #expect(throws: WalletError.reservedType) { try wallet.search(type: "Indy::Things", query: "{}") }
  }

  @Test func theTypesAreCountedInTheirOrder() throws {
    let types = ["b", "a", "Indy::Other", "ä", "B", "", "aa"]
    for (index, type) in types.enumerated() {
      try wallet.insert((0...index).map { Record(type: type, id: "\($0)", value: "v") })
    }
    let counts = try wallet.recordCounts()
    #expect(counts.map(\.type) == ["", "B", "Indy::Other", "a", "aa", "b", "ä"])
    #expect(counts.map(\.count) == [6, 5, 3, 2, 7, 1, 4])
  }

  // MARK: Damage

  @Test(arguments: [
    "", "{}", "[]", #"{"did":"V4SGRU86Z58d6TV7PBUe6f"}"#,
    #"{"verkey":"GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL"}"#,
    #"{"did":"V4SGRU86Z58d6TV7PBUe6f","verkey":"x"}"#,
    #"{"did":"x y","verkey":"GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL"}"#,
    #"{"did":1,"verkey":"GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL"}"#,
    #"{"did":"V4SGRU86Z58d6TV7PBUe6f","verkey":1}"#,
  ])
  func aDIDThatCannotBeReadIsReported(value: String) throws {
    let did = KeyPair().verkey.did
    try wallet.insert(Record(type: "Indy::Did", id: did.text, value: value))
    #expect(throws: WalletError.corrupt(reason: "a record of the type Indy::Did cannot be read")) {
      try wallet.verkey(of: did)
    }
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"signkey":1}"#, #"{"signkey":""}"#, #"{"signkey":"0"}"#,
    #"{"signkey":"GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL"}"#,
    #"{"signkey":"\#(String(repeating: "z", count: 129))"}"#,
  ])
  func aKeyThatCannotBeReadIsReported(value: String) throws {
    let verkey = KeyPair().verkey
    try wallet.insert(Record(type: "Indy::Key", id: verkey.text, value: value))
    #expect(throws: WalletError.corrupt(reason: "a record of the type Indy::Key cannot be read")) {
      try wallet.keyPair(for: verkey)
    }
  }

  /// More of them than are kept in memory.
  @Test func everyKeyIsFoundAgain() throws {
    let keys = try (0..<70).map { _ in try wallet.createKey() }
    for _ in 0..<2 { for key in keys { #expect(try wallet.keyPair(for: key)?.verkey == key) } }
  }

  // MARK: Exports that fail

  @Test func anExportThatFailsLeavesNoFile() throws {
    try wallet.insert((0..<100).map { Record(type: "t", id: "\($0)", value: "v") })
    let folder = home.folder.path + "/exports"
    func expect(_ error: WalletError, key: String? = nil) throws {
      #expect(throws: error) { try wallet.export(to: folder + "/export", key: key ?? home.key, derivation: .raw) }
      #expect(try Files.isFree(folder) || Files.names(in: folder).isEmpty)
    }
    try expect(.malformedKey, key: "no key")
    try home.database().execute("UPDATE items SET value = zeroblob(40) WHERE id = 90")
    try expect(.undecipherable)
    wallet.close()
    try expect(.closed)
  }

  @Test func anExportTellsItsTimeAndReplacesNoFile() throws {
    let path = home.folder.path + "/export"
    let before = systemClock()
    try wallet.export(to: path, key: home.key, derivation: .raw)
    let bytes = try Files.contents(of: path, limit: 10_000)
    let header = try ExportHeader(parsing: Array(bytes[4..<4 + Int(bytes[0])]))
    #expect((before...systemClock()).contains(Int64(header.time)))
    #expect(throws: WalletError.io(reason: "there is a file of this name already")) {
      try wallet.export(to: path, key: home.key, derivation: .raw)
    }
    #expect(try Files.contents(of: path, limit: 10_000) == bytes)
  }
}
