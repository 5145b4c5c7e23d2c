import Foundation
import TestSupport
import Testing

@testable import Files
@testable import SQLite
@testable import Wallet

@Suite struct FailureTests {
  let home: Home

  init() throws { home = try Home() }

  func expectCorrupt(_ body: () throws(WalletError) -> Void) {
    do throws(WalletError) {
      try body()
      Issue.record("accepted")
    } catch {
      guard case .corrupt = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  func expectIO(_ body: () throws -> Void) {
    do {
      try body()
      Issue.record("accepted")
    } catch WalletError.io {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func garbageIsNoWallet() throws {
    let location = try home.location()
    try FileManager.default.createDirectory(atPath: location.directory, withIntermediateDirectories: true)
    try Data(repeating: 0x5a, count: 5000).write(to: URL(filePath: location.file))
    expectCorrupt { () throws(WalletError) in _ = try Wallet.open(location, key: home.key, derivation: .raw) }
  }

  @Test func anEmptyFileIsNoWallet() throws {
    let location = try home.location()
    try FileManager.default.createDirectory(atPath: location.directory, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: location.file))
    expectCorrupt { () throws(WalletError) in _ = try Wallet.open(location, key: home.key, derivation: .raw) }
  }

  @Test(arguments: [100, 4096, 5000, 20_000]) func aTruncatedFileIsAnError(length: Int) throws {
    let location = try home.location()
    let wallet = try home.wallet()
    for index in 0..<100 { try wallet.apply(.add(Record(type: "t", id: "i\(index)", value: "v", tags: ["a": "b"]))) }
    wallet.close()
    let file = try FileHandle(forUpdating: URL(filePath: location.file))
    try file.truncate(atOffset: UInt64(length))
    try file.close()
    #expect(throws: WalletError.self) {
      let wallet = try Wallet.open(location, key: home.key, derivation: .raw)
      for index in 0..<100 { _ = try wallet.record(type: "t", id: "i\(index)") }
    }
  }

  @Test func aDatabaseWithoutTheTablesIsNoWallet() throws {
    let location = try home.location()
    try home.wallet().close()
    try home.database().execute("DROP TABLE tags_plaintext")
    for _ in 1...2 {  // the second time it is not taken for open
      expectCorrupt { () throws(WalletError) in _ = try Wallet.open(location, key: home.key, derivation: .raw) }
    }
    try home.database().execute("DELETE FROM metadata")
    expectCorrupt { () throws(WalletError) in _ = try Wallet.open(location, key: home.key, derivation: .raw) }
  }

  /// A stranger's file could hold hundreds of megabytes, which the library does not read.
  @Test(arguments: [(1 << 16, true), ((1 << 16) + 1, false)]) func metadataHasALimitedLength(length: Int, isRead: Bool)
    throws
  {
    let location = try home.location()
    try home.wallet().close()
    let database = try home.database()
    var metadata = try WalletTables.metadata(on: database)
    metadata += Array(repeating: UInt8(ascii: " "), count: length - metadata.count)
    try WalletTables.replaceMetadata(on: database, with: metadata)
    if isRead {
      try Wallet.open(location, key: home.key, derivation: .raw).close()
    } else {
      expectCorrupt { () throws(WalletError) in _ = try Wallet.open(location, key: home.key, derivation: .raw) }
    }
  }

  @Test func metadataStoredAsTextIsRefused() throws {
    let location = try home.location()
    try home.wallet().close()
    try home.database().execute("UPDATE metadata SET value = CAST(value AS TEXT)")
    expectCorrupt { () throws(WalletError) in _ = try Wallet.open(location, key: home.key, derivation: .raw) }
  }

  @Test func aHomeThatIsAFileIsAnError() throws {
    let path = home.folder.path + "/file"
    try Data().write(to: URL(filePath: path))
    let location = try WalletLocation(id: "w", home: path)
    expectIO { try Wallet.create(location, key: home.key, derivation: .raw) }
    #expect(throws: WalletError.notFound) { try Wallet.open(location, key: home.key, derivation: .raw) }
  }

  @Test func aFileInThePlaceOfTheDirectoryTakesTheName() throws {
    let location = try home.location()
    try Data("kept".utf8).write(to: URL(filePath: location.directory))
    #expect(throws: WalletError.alreadyExists) { try Wallet.create(location, key: home.key, derivation: .raw) }
    #expect(try String(contentsOfFile: location.directory, encoding: .utf8) == "kept")
  }

  @Test func aDirectoryInPlaceOfTheFileIsAnError() throws {
    let location = try home.location()
    try FileManager.default.createDirectory(atPath: location.file, withIntermediateDirectories: true)
    expectIO { _ = try Wallet.open(location, key: home.key, derivation: .raw) }
    #expect(throws: WalletError.alreadyExists) { try Wallet.create(location, key: home.key, derivation: .raw) }
  }

  @Test func aRecordWhoseValueWasChangedDoesNotOpen() throws {
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
    try home.database().execute("UPDATE items SET value = zeroblob(40)")
    #expect(throws: WalletError.undecipherable) { try wallet.record(type: "t", id: "i") }
    try home.database().execute("UPDATE items SET value = 'text'")
    expectCorrupt { () throws(WalletError) in _ = try wallet.record(type: "t", id: "i") }
  }

  @Test func aWalletThatCannotBeWrittenSaysSo() throws {
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
    try wallet.writes.write { writer throws(WalletError) in
      do throws(SQLiteError) { try writer.database.execute("PRAGMA query_only=1") } catch { throw WalletError(error) }
    }
    #expect(throws: WalletError.readOnly) { try wallet.apply(.delete(type: "t", id: "i")) }
    #expect(try wallet.record(type: "t", id: "i").value == "v")
  }

  /// Only a record of the same type and id makes one exist already.
  @Test func otherConstraintsAreNotTakenForARecordThatExists() throws {
    let wallet = try home.wallet()
    try home.database().execute("CREATE TRIGGER no BEFORE INSERT ON items BEGIN SELECT RAISE(ABORT, 'no'); END")
    do throws(WalletError) {
      try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
      Issue.record("accepted")
    } catch {
      guard case .database = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  /// The codes of SQLite, with and without details in the second byte.
  @Test(arguments: [
    (13, "the disk is full"), (5, "another process holds the wallet"), (261, "another process holds the wallet"),
    (6, "another process holds the wallet"), (8, "the wallet cannot be written"), (7, "out of memory"),
    (21, "the wallet is closed, or the library was not initialised"),
    (1032, "the wallet was deleted, moved or replaced while it was open"), (10, "m (SQLite 10)"),
    (778, "m (SQLite 778)"), (14, "m (SQLite 14)"), (1, "m (SQLite 1)"), (2067, "m (SQLite 2067)"),
    (11, "the file is damaged or no wallet: m (SQLite 11)"), (26, "the file is damaged or no wallet: m (SQLite 26)"),
    (20, "the file is damaged or no wallet: m (SQLite 20)"),
  ])
  func aFailureOfTheDatabaseHasItsReason(code: Int32, text: String) {
    let error = WalletError(SQLiteError(code: code, message: "m"))
    #expect(error.description == text)
    if case .io = error { #expect([10, 778, 14].contains(code)) }
    if case .database(let kept, _) = error { #expect([1, 2067].contains(code) && kept == Int(code)) }
  }

  @Test func aFullDiskIsToldFromOtherFailuresOfFiles() {
    for code in [ENOSPC, EDQUOT] { #expect(WalletError(FileError("write a file", code: code)) == .diskFull) }
    let other = FileError("write a file", code: EACCES)
    #expect(WalletError(other) == .io(reason: other.description))
  }

  /// A connection in this mode keeps its lock until it is closed.
  @Test func openingWaitsForAnotherProcess() throws {
    try home.wallet().close()
    let (file, isHeld) = (try home.location().file, DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      do {
        let database = try Database(path: file, .readWrite)
        try database.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE")
        isHeld.signal()
        usleep(100_000)
        try database.execute("COMMIT")
      } catch {
        Issue.record(error)
        isHeld.signal()
      }
    }
    isHeld.wait()
    try home.open().close()
  }

  @Test func errorsShowNoContent() throws {
    let wallet = try home.wallet()
    let secret = "do-not-show"
    try wallet.apply(
      .add(Record(type: secret, id: secret, value: secret, tags: [secret: secret, "~" + secret: secret])))
    try home.database().execute("UPDATE items SET value = 1")
    do throws(WalletError) {
      _ = try wallet.record(type: secret, id: secret)
      Issue.record("accepted")
    } catch {
      #expect(!"\(error) \(error.description)".contains(secret))
    }
    #expect(!"\(wallet)".contains(home.key))
  }
}
