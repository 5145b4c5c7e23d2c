import Foundation
import SQLite
import TestSupport
import Testing

import Files
@testable import Wallet

/// Wallets that were deleted, also halfway, and what others make of them.
@Suite struct RemovalTests {
  let home: Home
  let location: WalletLocation

  init() throws {
    home = try Home()
    location = try home.location()
  }

  func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: location.directory)) ?? []).sorted()
  }

  func delete() throws { try Wallet.delete(location, key: home.key, derivation: .raw) }

  func create() throws { try Wallet.create(location, key: home.key, derivation: .raw) }

  func write(_ text: String, to suffix: String) throws {
    try Files.makeDirectory(location.directory)
    try Data(text.utf8).write(to: URL(filePath: location.file + suffix))
  }

  /// The remains of a wallet whose process died while another one removed its file.
  func leaveLogBehind() throws {
    let wallet = try home.wallet()
    for index in 0..<50 { try wallet.apply(.add(Record(type: "old", id: "\(index)", value: "v", tags: ["a": "b"]))) }
    let log = try Data(contentsOf: URL(filePath: location.file + "-wal"))
    wallet.close()
    try FileManager.default.removeItem(atPath: location.file)
    try log.write(to: URL(filePath: location.file + "-wal"))
  }

  // MARK: Logs without a wallet

  @Test func theLogOfAnotherWalletIsNotTakenUp() throws {
    try leaveLogBehind()
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "new", id: "1", value: "v")))
    #expect(try wallet.recordCounts().map(\.type) == ["new"])
    #expect(try wallet.verify().isSound)
  }

  @Test func anImportDoesNotTakeUpTheLogOfAnotherWallet() throws {
    let (origin, path) = (try home.wallet("origin"), home.folder.path + "/export")
    for index in 0..<30 { try origin.apply(.add(Record(type: "mine", id: "\(index)", value: "v"))) }
    try origin.export(to: path, key: home.key, derivation: .raw)
    try leaveLogBehind()
    try Wallet.create(location, key: home.wrongKey, derivation: .raw, importing: path, exportKey: home.key)
    let wallet = try Wallet.open(location, key: home.wrongKey, derivation: .raw)
    for index in 0..<30 { #expect(try wallet.record(type: "mine", id: "\(index)").value == "v") }
  }

  @Test(arguments: ["-wal", "-shm", "-journal"]) func noFileOfAnotherWalletIsKept(suffix: String) throws {
    try write("of another wallet", to: suffix)
    try create()
    #expect(names() == ["sqlite.db"])
    try home.open().close()
  }

  @Test func theLogOfAnOpenWalletIsKept() throws {
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "1", value: "v")))
    #expect(throws: WalletError.alreadyExists) { try create() }
    #expect(throws: WalletError.alreadyExists) { try location.publish(location.file) }
    location.finishDeletion()
    #expect(names() == ["sqlite.db", "sqlite.db-shm", "sqlite.db-wal"])
    try wallet.apply(.add(Record(type: "t", id: "2", value: "v")))
    wallet.close()
    #expect(try home.open().recordCounts().map(\.count) == [2])
  }

  // MARK: Deletions halfway

  @Test(arguments: ["open", "create", "delete"]) func anInterruptedDeletionIsFinished(by call: String) throws {
    try leaveLogBehind()
    try write("the wallet", to: ".deleted")
    try write("its journal", to: "-journal")
    switch call {
    case "open": #expect(throws: WalletError.notFound) { try home.open() }
    case "delete": #expect(throws: WalletError.notFound) { try delete() }
    default: try create()
    }
    #expect(names() == (call == "create" ? ["sqlite.db"] : []))
    #expect(Files.isDirectory(location.directory) == (call == "create"))
  }

  /// A log whose wallet is missing for another reason may still be put together with it.
  @Test func aLogIsNotRemovedByOpening() throws {
    try leaveLogBehind()
    #expect(throws: WalletError.notFound) { try home.open() }
    #expect(names() == ["sqlite.db-wal"])
  }

  @Test func aNewWalletIsNotRemovedWithTheRestOfAnOldOne() throws {
    let wallet = try home.wallet()
    try write("the old wallet", to: ".deleted")
    location.finishDeletion()
    try wallet.apply(.add(Record(type: "t", id: "1", value: "v")))
    #expect(try wallet.record(type: "t", id: "1").value == "v")
    wallet.close()
    try delete()
    #expect(!Files.isDirectory(location.directory))
  }

  // MARK: Wallets that are open meanwhile

  /// As another process does it: this one would be told that the wallet is open.
  @Test(arguments: [false, true]) func aProgramWithADeletedWalletGetsAnError(isReplaced: Bool) throws {
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "1", value: "v")))
    #expect(try wallet.record(type: "t", id: "1").value == "v")
    try location.deleteFiles()
    if isReplaced { try create() }
    #expect(throws: WalletError.removed) { try wallet.apply(.add(Record(type: "t", id: "2", value: "v"))) }
    #expect(throws: WalletError.removed) { try wallet.apply(.delete(type: "t", id: "1")) }
    #expect(throws: WalletError.removed) { try wallet.createKey() }
    #expect(throws: WalletError.removed) { try wallet.record(type: "t", id: "1") }
    #expect(throws: WalletError.removed) { try wallet.search(type: "t", query: "{}") }
    #expect(throws: WalletError.removed) { try wallet.verify() }
    #expect(throws: WalletError.removed) { try wallet.rekey(to: home.wrongKey, derivation: .raw) }
    wallet.close()
    #expect(names() == (isReplaced ? ["sqlite.db"] : []))
  }

  /// Some file systems permit no log. SQLite itself finds out there that the file has moved.
  @Test func withoutALogADeletedWalletSaysSoToo() throws {
    let wallet = try home.wallet()
    try wallet.writes.write { writer throws(WalletError) in
      do throws(SQLiteError) {
        try writer.database.execute("COMMIT; PRAGMA journal_mode=DELETE; BEGIN IMMEDIATE")
      } catch {
        throw WalletError(error)
      }
    }
    try wallet.apply(.add(Record(type: "t", id: "1", value: "v")))
    #expect(names() == ["sqlite.db"])
    try location.deleteFiles()
    #expect(throws: WalletError.removed) { try wallet.apply(.add(Record(type: "t", id: "2", value: "v"))) }
  }

  /// A reader that is opened only now must not read the file that has taken the place of the wallet's.
  @Test(arguments: [false, true]) func aNewReaderDoesNotReadAnotherWallet(isReplaced: Bool) throws {
    let wallet = try home.wallet()
    try location.deleteFiles()
    if isReplaced { try create() }
    #expect(throws: WalletError.removed) { try wallet.record(type: "t", id: "1") }
  }

  /// A link that leads to itself: the system does not say whether the file is there.
  @Test func aWalletIsNotTakenForRemovedIfTheSystemCannotLookAtIt() throws {
    let wallet = try home.wallet()
    let elsewhere = home.folder.path + "/elsewhere"
    try FileManager.default.moveItem(atPath: location.directory, toPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: location.directory, withDestinationPath: location.directory)
    do throws(WalletError) {
      _ = try wallet.record(type: "t", id: "1")
      Issue.record("read")
    } catch .io {
    } catch {
      Issue.record("\(error)")
    }
    try FileManager.default.removeItem(atPath: location.directory)
    try FileManager.default.moveItem(atPath: elsewhere, toPath: location.directory)
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "1") }
  }

  // MARK: Drafts

  @Test func aDraftOfALivingProcessIsKept() throws {
    let draft = "\(location.file).\(getpid())-1.new"
    try write("", to: String(draft.dropFirst(location.file.count)))
    try create()
    #expect(FileManager.default.fileExists(atPath: draft))
  }
}
