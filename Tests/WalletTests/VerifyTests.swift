import Foundation
import SQLite
import Sodium
import TestSupport
import Testing

@testable import Wallet

@Suite struct VerifyTests {
  let home: Home
  let wallet: Wallet

  init() throws {
    home = try Home()
    wallet = try home.wallet()
    try wallet.insert(
      (1...10).map { Record(type: "t", id: "\($0)", value: "v", tags: ["a": "\($0)", "~b": "\($0)"]) })
  }

  @Test func aWalletThatWeWroteIsSound() throws {
    let result = try wallet.verify()
    #expect(result.isSound && result.records == 10 && result.tags == 20)
  }

  @Test(arguments: ["sample-raw", "sample-orphans"]) func walletsOfLibindyAreToldApart(id: String) throws {
    let key = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
    let result = try Wallet.open(home.sample(id), key: key, derivation: .raw).verify()
    #expect(result.isSound == (id == "sample-raw"))
    for problem in result.problems {
      guard case .orphanedTag = problem else {
        Issue.record("\(problem)")
        return
      }
    }
  }

  static let changes: [(String, Verification.Problem)] = [
    ("UPDATE items SET value = CAST(value AS TEXT) WHERE id = 3", .wrongStorageClass(table: "items", row: 3)),
    ("UPDATE items SET value = zeroblob(50) WHERE id = 4", .undecipherable(table: "items", row: 4)),
    ("UPDATE items SET key = zeroblob(60) WHERE id = 5", .undecipherable(table: "items", row: 5)),
    ("UPDATE items SET name = type WHERE id = 6", .undecipherable(table: "items", row: 6)),
    ("UPDATE tags_encrypted SET value = '7' WHERE item_id = 7", .wrongStorageClass(table: "tags_encrypted", row: 7)),
    ("UPDATE tags_encrypted SET value = x'00' WHERE item_id = 7", .undecipherable(table: "tags_encrypted", row: 7)),
    ("UPDATE tags_plaintext SET value = x'37' WHERE item_id = 7", .wrongStorageClass(table: "tags_plaintext", row: 7)),
    ("UPDATE tags_plaintext SET name = x'00' WHERE item_id = 7", .undecipherable(table: "tags_plaintext", row: 7)),
    ("UPDATE tags_plaintext SET name = 'b' WHERE item_id = 7", .wrongStorageClass(table: "tags_plaintext", row: 7)),
    ("UPDATE tags_plaintext SET item_id = 99 WHERE item_id = 7", .orphanedTag(table: "tags_plaintext", row: 7)),
  ]

  @Test(arguments: changes)
  func oneChangedRowIsFound(change: String, problem: Verification.Problem) throws {
    try home.database().execute(change)
    #expect(try wallet.verify().problems == [problem])
  }

  /// libindy leaves such tags behind. Other damage of such a tag is a fault all the same.
  @Test(arguments: [false, true]) func anOrphanedTagIsNoFaultByItself(isDamaged: Bool) throws {
    let name = isDamaged ? ", name = x'00'" : ""
    try home.database().execute("UPDATE tags_plaintext SET item_id = 99\(name) WHERE item_id = 7")
    let result = try wallet.verify()
    let orphan = Verification.Problem.orphanedTag(table: "tags_plaintext", row: 7)
    #expect(result.problems == [orphan] + (isDamaged ? [.undecipherable(table: "tags_plaintext", row: 7)] : []))
    #expect(result.orphans == 1 && result.faults == (isDamaged ? 1 : 0) && !result.isSound)
  }

  @Test func aTagWithANonceThatIsNotItsOwnIsUnsearchable() throws {
    let other = wallet.cipher.sealWithForeignNonce("7", wallet.cipher.keys.tagValue)
    let update = try home.database().prepare("UPDATE tags_encrypted SET value = ?1 WHERE item_id = 7")
    try update.run(.blob(other))
    #expect(try wallet.verify().problems == [.unsearchable(table: "tags_encrypted", row: 7)])
  }

  /// Each of them opens, and none would be found.
  @Test(arguments: ["type", "name", "tag"]) func aRecordThatNoSearchFindsIsUnsearchable(column: String) throws {
    let (database, cipher) = (try home.database(), wallet.cipher)
    switch column {
    case "type":
      let type = cipher.sealWithForeignNonce("t", cipher.keys.type)
      try database.prepare("UPDATE items SET type = ?1 WHERE id = 7").run(.blob(type))
    case "name":
      let name = cipher.sealWithForeignNonce("7", cipher.keys.name)
      try database.prepare("UPDATE items SET name = ?1 WHERE id = 7").run(.blob(name))
    default:
      let name = cipher.sealWithForeignNonce("a", cipher.keys.tagName)
      try database.prepare("UPDATE tags_encrypted SET name = ?1 WHERE item_id = 7").run(.blob(name))
    }
    #expect(
      try wallet.verify().problems == [.unsearchable(table: column == "tag" ? "tags_encrypted" : "items", row: 7)])
  }

  @Test func ofVeryManyProblemsAllAreCountedAndSomeAreListed() throws {
    let more = Verification.longestList + 100
    try home.database().execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(more))
      INSERT INTO tags_plaintext SELECT CAST(i AS BLOB), 'v', 1 FROM n
      """)
    let result = try wallet.verify()
    #expect(result.faults == more && result.problems.count == Verification.longestList)
  }

  @Test func aDamagedTableKeepsNobodyFromTheOthers() throws {
    wallet.close()
    let select = "SELECT rootpage FROM sqlite_master WHERE name = 'tags_encrypted'"
    guard case .integer(let page)? = try home.database().rows(select).first?.first else {
      Issue.record("no such table")
      return
    }
    let file = try FileHandle(forUpdating: URL(filePath: home.location().file))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xff, count: 4096))
    try file.close()
    let result = try home.open().verify()
    #expect(result.records == 10 && result.tags == 10)
    #expect(result.problems.contains { if case .damagedFile = $0 { true } else { false } })
  }

  @Test func anErrorThatIsNoDamageEndsTheCheck() throws {
    _ = try wallet.verify()  // from now on a connection is open
    try home.database().execute("DROP TABLE tags_plaintext")
    #expect(throws: WalletError.database(code: 1, reason: "no such table: tags_plaintext (SQLite 1)")) {
      try wallet.verify()
    }
  }

  @Test func repeatedNoncesAreCounted() throws {
    try home.database().execute(
      "UPDATE items SET (value, key) = (SELECT value, key FROM items WHERE id = 1) WHERE id = 2")
    #expect(try wallet.verify().problems == [.repeatedNonces(count: 2)])
  }
}

extension RecordCipher {
  fileprivate func sealWithForeignNonce(_ text: String, _ key: SecretBytes) -> [UInt8] {
    AEAD.sealPrefixed(text.utf8Span.span, key: key, nonce: randomBytes(AEAD.nonceLength))
  }
}
