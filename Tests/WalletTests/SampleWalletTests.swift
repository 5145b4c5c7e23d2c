import JSON
import TestSupport
import Testing

@testable import Wallet

/// Wallets written by libindy.
@Suite struct SampleWalletTests {
  let home: Home
  let samples: JSONObject

  init() throws {
    home = try Home()
    samples = try Fixtures.json("wallet/wallet-sample.json").requireObject()
  }

  func open(_ json: JSON) throws -> Wallet {
    let object = try json.requireObject()
    let derivation = try #require(KeyDerivation(rawValue: object.string("key_derivation_method")))
    return try Wallet.open(home.sample(object.string("id")), key: object.string("key"), derivation: derivation)
  }

  @Test func everyRecordIsRead() throws {
    let records = try samples.array("records").map { try Record(json: $0) }
    for json in try samples.array("wallets") {
      let wallet = try open(json)
      for record in records { #expect(try wallet.find(type: record.type, id: record.id) == record) }
      wallet.close()
      #expect(
        try home.database(json["id"]?.string ?? "").rows("SELECT count(*) FROM items") == [
          [.integer(Int64(records.count))]
        ])
    }
  }

  @Test func keysAreFound() throws {
    let wallet = try open(samples.array("wallets")[1])
    var found = 0
    for json in try samples.array("records") where json["type"] == "Indy::Did" {
      let did = try OwnDID(Record(json: json))
      #expect(try wallet.verkey(of: did.did) == did.verkey)
      #expect(try wallet.keyPair(for: did.verkey)?.verkey == did.verkey)
      found += 1
    }
    #expect(found > 1)
  }

  @Test func newRecordsDoNotInheritTheTagsOfDeletedOnes() throws {
    let orphans = try #require(samples["orphans"])
    let wallet = try open(orphans)
    for json in try orphans.requireObject().array("records") {
      let record = try Record(json: json)
      #expect(try wallet.record(type: record.type, id: record.id) == record)
    }
    try wallet.apply(.add(Record(type: "t", id: "new", value: "v")))
    try wallet.apply(.add(Record(type: "t", id: "new2", value: "v", tags: ["a": "9"])))
    #expect(try wallet.record(type: "t", id: "new").tags.isEmpty)
    #expect(try wallet.record(type: "t", id: "new2").tags == ["a": "9"])
  }

  /// Not one of several that are written in one transaction either, whether the first of them would inherit or not.
  @Test func noneOfManyNewRecordsInheritsTags() throws {
    let wallet = try home.wallet("many")
    try wallet.insert((0..<3).map { Record(type: "t", id: "old\($0)", value: "v", tags: ["a": "\($0)", "~b": "x"]) })
    let stranger = try home.database("many")
    try stranger.execute("PRAGMA foreign_keys=OFF; DELETE FROM items WHERE id > 1")
    #expect(try stranger.rows("SELECT count(*) FROM tags_plaintext") == [[.integer(3)]])
    try stranger.execute("DELETE FROM tags_encrypted WHERE item_id = 2; DELETE FROM tags_plaintext WHERE item_id = 2")
    try wallet.insert((0..<3).map { Record(type: "t", id: "new\($0)", value: "v", tags: ["c": "\($0)"]) })
    for index in 0..<3 { #expect(try wallet.record(type: "t", id: "new\(index)").tags == ["c": "\(index)"]) }
  }
}
