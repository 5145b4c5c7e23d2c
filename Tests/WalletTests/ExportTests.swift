import Foundation
import JSON
import TestSupport
import Testing

@testable import Wallet

@Suite struct ExportTests {
  let home: Home

  init() throws { home = try Home() }

  struct Vector: Sendable, CustomTestStringConvertible {
    let json: JSON
    var testDescription: String { "\(json["label"]?.string ?? "") \(json["method"]?.string ?? "")" }
  }

  static let vectors: [Vector] =
    ((try? Fixtures.json("wallet/wallet-export.json"))?["cases"]?.array ?? []).map { Vector(json: $0) }

  func file(_ bytes: [UInt8], _ name: String = "file") throws -> String {
    let url = home.folder.url.appending(path: name)
    try Data(bytes).write(to: url)
    return url.path(percentEncoded: false)
  }

  func records(_ wallet: Wallet) throws -> [String: Record] {
    var records: [String: Record] = [:]
    try wallet.forEachRecord { record in records["\(record.type) \(record.id)"] = record }
    return records
  }

  func restore(_ path: String, key: String, id: String = "restored") throws -> Wallet {
    try Wallet.create(home.location(id), key: home.key, derivation: .raw, importing: path, exportKey: key)
    return try home.open(id)
  }

  @Test(arguments: [false, true]) func aNoteOfTheImportNeedsRecordsOfAType(areThere: Bool) throws {
    let wallet = try home.wallet()
    try wallet.insert([Record(type: "t", id: "1", value: "x"), Record(type: "note", id: "n", value: "earlier")])
    let path = home.folder.path + "/export"
    try wallet.export(to: path, key: "key")
    let note = ImportNote(Record(type: "note", id: "n", value: "later"), besides: areThere ? "t" : "other")
    try Wallet.create(
      home.location("restored"), key: home.key, derivation: .raw, importing: path, exportKey: "key", adding: note)
    #expect(try records(home.open("restored"))["note n"]?.value == (areThere ? "later" : "earlier"))
  }

  @Test func thereAreVectors() { #expect(Self.vectors.count > 5) }

  @Test(arguments: vectors) func filesMatchByteForByte(vector: Vector) throws {
    let object = try vector.json.requireObject()
    let derivation = try #require(KeyDerivation(rawValue: object.string("method")))
    var random = try [object.optionalString("salt"), object.string("nonce")].compactMap(\.self).map { [UInt8](hex: $0) }
    let header = ExportHeader(derivation, time: UInt64(try object.integer("time"))) { _ in random.removeFirst() }
    #expect(try header.bytes.hex == object.string("header"))
    #expect(try ExportHeader(parsing: header.bytes) == header)

    let expected = try object.array("records").map { try Record(json: $0) }
    let wallet = try home.wallet()
    try wallet.insert(expected)
    let path = home.folder.path + "/below/export"
    try wallet.export(to: path, key: object.string("key"), header: header)
    #expect(try Array(Data(contentsOf: URL(filePath: path))).hex == object.string("file"))

    let restored = try records(restore(path, key: object.string("key")))
    #expect(restored.count == expected.count)
    for record in expected { #expect(restored["\(record.type) \(record.id)"] == record) }
  }

  /// On both sides of each limit of the forms that MessagePack has for maps and texts.
  @Test func recordsOfEverySizeAreExported() throws {
    let wallet = try home.wallet()
    var expected: [Record] = []
    for count in [0, 1, 15, 16, 17] {
      let tags = Tags((0..<count).map { (name: "n\($0)", value: "v") })
      expected.append(Record(type: "t", id: "tags \(count)", value: "v", tags: tags))
    }
    for count in [0, 31, 32, 33, 255, 256, 257, 65_535, 65_536, 65_537] {
      expected.append(Record(type: "t", id: "value \(count)", value: String(repeating: "x", count: count)))
    }
    for record in expected { try wallet.insert(record) }
    let path = home.folder.path + "/export"
    try wallet.export(to: path, key: home.key, derivation: .raw)
    let restored = try restore(path, key: home.key)
    for record in expected { #expect(try restored.record(type: "t", id: record.id) == record) }
  }

  /// Each of its 16,384 chunks is read once.
  @Test func aLongRecordIsReadInGoodTime() throws {
    let wallet = try home.wallet()
    let record = Record(type: "t", id: "i", value: String(repeating: "x", count: 16 << 20))
    try wallet.insert(record)
    let path = home.folder.path + "/export"
    try wallet.export(to: path, key: home.key, derivation: .raw)
    let start = processorTime()
    let restored = try restore(path, key: home.key)
    #expect(processorTime() - start < 8_000_000_000)
    #expect(try restored.record(type: "t", id: "i") == record)
  }

  @Test func noncesCountUpLeastSignificantByteFirst() throws {
    let increments = try #require(try Fixtures.json("wallet/wallet-export.json")["nonce_increment"]?.array)
    #expect(!increments.isEmpty)
    for json in increments {
      var nonces = ChunkNonces(first: [UInt8](hex: try #require(json["before"]?.string)))
      nonces.advance()
      #expect(nonces.current.hex == json["after"]?.string)
    }
  }

  @Test func theSampleOfLibindyIsRead() throws {
    let samples = try Fixtures.json("wallet/wallet-sample.json").requireObject()
    let path = Fixtures.folder.appending(path: "wallet/wallet-sample/sample.export").path(percentEncoded: false)
    let restored = try records(restore(path, key: "sample backup key"))
    let expected = try samples.array("records").map { try Record(json: $0) }
    #expect(restored.count == expected.count)
    for record in expected { #expect(restored["\(record.type) \(record.id)"] == record) }
  }

  @Test func anExistingFileIsKept() throws {
    let wallet = try home.wallet()
    let path = try file([1, 2, 3])
    #expect(throws: WalletError.self) { try wallet.export(to: path, key: home.key, derivation: .raw) }
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == [1, 2, 3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).sorted() == ["file", "wallet"])
  }

  @Test func anExistingWalletIsKept() throws {
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
    let path = home.folder.path + "/export"
    try wallet.export(to: path, key: home.key, derivation: .raw)
    #expect(throws: WalletError.alreadyExists) {
      try Wallet.create(home.location(), key: home.key, derivation: .raw, importing: path, exportKey: home.key)
    }
    #expect(try wallet.record(type: "t", id: "i").value == "v")
  }

  @Test func onlyTheOwnerCanReadAnExport() throws {
    let path = home.folder.path + "/export"
    try home.wallet().export(to: path, key: home.key, derivation: .raw)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  /// Refused as no export, with nothing left behind.
  func expectRefusal(_ bytes: [UInt8], key: String, _ what: Comment) throws {
    let path = try file(bytes)
    defer { try? FileManager.default.removeItem(atPath: path) }
    do throws(WalletError) {
      try Wallet.create(
        WalletLocation(id: "refused", home: home.folder.path), key: home.key, derivation: .raw, importing: path,
        exportKey: key)
      Issue.record("accepted \(what)")
    } catch {
      guard case .malformedExport = error else {
        Issue.record("\(error) \(what)")
        return
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path) == ["file"], what)
  }

  func small() throws -> (bytes: [UInt8], key: String) {
    let vector = try #require(
      Self.vectors.first { $0.json["method"] == "RAW" && $0.json["records"]?.array?.count == 3 })
    let object = try vector.json.requireObject()
    return ([UInt8](hex: try object.string("file")), try object.string("key"))
  }

  @Test func changedBytesAreRefused() throws {
    let (bytes, key) = try small()
    for index in Array(0..<60) + stride(from: 60, to: bytes.count, by: 131) + [bytes.count - 1] {
      var changed = bytes
      changed[index] ^= 0x10
      try expectRefusal(changed, key: key, "byte \(index)")
    }
  }

  @Test func truncatedAndExtendedFilesAreRefused() throws {
    let (bytes, key) = try small()
    for count in Array(0..<60) + stride(from: 60, to: bytes.count, by: 97) + [1082, bytes.count - 1] {
      try expectRefusal(Array(bytes.prefix(count)), key: key, "\(count) bytes")
    }
    try expectRefusal(bytes + [0], key: key, "one byte more")
    try expectRefusal(bytes + bytes, key: key, "twice")
  }

  @Test func aWrongKeyIsRefused() throws {
    try expectRefusal(small().bytes, key: home.wrongKey, "wrong key")
  }

  /// To open and close it would lose SQLite's locks, which other processes rely on.
  @Test(arguments: ["sqlite.db", "sqlite.db-shm", "link"]) func theFileOfAnOpenWalletIsNotOpened(name: String) throws {
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
    let directory = try home.location().directory
    try FileManager.default.createSymbolicLink(
      atPath: directory + "/link", withDestinationPath: directory + "/sqlite.db")
    #expect(throws: WalletError.malformedExport(reason: "the file is that of an open wallet")) {
      try restore(directory + "/" + name, key: home.key)
    }
    #expect(try wallet.record(type: "t", id: "i").value == "v")
  }

  @Test func anAbsentFileIsAnError() throws {
    for path in [home.folder.path + "/absent", home.folder.path] {
      do throws(WalletError) {
        try Wallet.create(
          WalletLocation(id: "w", home: home.folder.path), key: home.key, derivation: .raw, importing: path,
          exportKey: home.key)
        Issue.record("accepted")
      } catch {
        guard case .unreadableExport = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).isEmpty)
  }

  @Test func everythingASecondDeviceNeedsIsExported() throws {
    let wallet = try home.wallet()
    let (did, verkey) = try wallet.createDID()
    let path = home.folder.path + "/export"
    try wallet.export(to: path, key: "passphrase", derivation: .argon2iInteractive)
    let restored = try restore(path, key: "passphrase")
    #expect(try restored.verkey(of: did) == verkey)
    #expect(try restored.keyPair(for: verkey)?.verkey == verkey)
    #expect(restored.cipher.keys.packed != wallet.cipher.keys.packed)
  }

  @Test(arguments: UInt64(0)..<300) func bytesFromStrangersDoNotCrash(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = random.bytes(Int.random(in: 0..<80, using: &random))
    _ = try? ExportHeader(parsing: bytes)
    var reader = MessagePack.Reader(bytes)
    while !reader.isAtEnd {
      let before = reader
      _ = (reader.string(), reader.integer(), reader.byteArray(), reader.mapCount(), reader.arrayCount())
      if "\(before)" == "\(reader)" { break }
    }
  }
}

@Suite struct RekeyTests {
  @Test func onlyTheNewKeyOpensTheWallet() throws {
    let home = try Home()
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
    try wallet.rekey(to: "a passphrase", derivation: .argon2iInteractive)
    try wallet.apply(.add(Record(type: "t", id: "j", value: "w")))
    wallet.close()
    #expect(throws: WalletError.accessDenied) { try home.open() }
    let again = try Wallet.open(home.location(), key: "a passphrase", derivation: .argon2iInteractive)
    #expect(try again.record(type: "t", id: "i").value == "v")
    #expect(try again.record(type: "t", id: "j").value == "w")
    try again.rekey(to: home.wrongKey, derivation: .raw)
    again.close()
    try Wallet.open(home.location(), key: home.wrongKey, derivation: .raw).close()
  }

  @Test func theMainFileAloneHasTheNewKey() throws {
    let home = try Home()
    let wallet = try home.wallet()
    try wallet.insert((0..<100).map { Record(type: "t", id: "i\($0)", value: "v") })
    let search = try wallet.search(type: "t", query: "{}")
    try wallet.rekey(to: home.wrongKey, derivation: .raw)
    let copy = try home.location("copy")
    try FileManager.default.createDirectory(atPath: copy.directory, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: home.location().file, toPath: copy.file)
    #expect(throws: WalletError.accessDenied) { try home.open("copy") }
    try Wallet.open(copy, key: home.wrongKey, derivation: .raw).close()
    #expect(try search.next(200).records.count == 100)
  }

  @Test func aKeyThatCannotBeUsedChangesNothing() throws {
    let home = try Home()
    let wallet = try home.wallet()
    #expect(throws: WalletError.malformedKey) { try wallet.rekey(to: "not base58!", derivation: .raw) }
    wallet.close()
    #expect(throws: WalletError.closed) { try wallet.rekey(to: home.key, derivation: .raw) }
    try home.open().close()
  }
}
