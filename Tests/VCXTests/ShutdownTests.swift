import Foundation
import JSON
import TestSupport
import Testing
import Threading
import Wallet

@testable import MSDK
@testable import VCX

/// The end of a session, and the work that begins beside it.
@Suite(.theAgent) struct ShutdownTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func config(_ name: String, _ members: [String: JSON] = [:]) -> JSON {
    let config: JSON = [
      "wallet_name": .string(name), "wallet_key": .string(SessionFunctionTests.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)],
    ]
    return config.with(members)
  }

  private func start(_ name: String) throws {
    let settings = try Settings(parsing: config(name).text)
    try Wallet.makeUnlessPresent(settings.wallet)
    try Agent.standard.start(settings)
  }

  /// The part of `vcx_shutdown` without the objects, which other suites have meanwhile.
  private func stop(deletingWallet: Bool, forgetting: () -> Void = {}) {
    Agent.standard.stop(deletingWallet: deletingWallet, forgetting: forgetting)
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder.path)/\(name)/sqlite.db")
  }

  /// The next session can start once the objects are forgotten: nothing that it makes is among them.
  @Test func objectsAreForgottenBeforeTheWalletIsDeleted() throws {
    try start("alice")
    var isStillThere: [Bool] = []
    stop(deletingWallet: true) { isStillThere.append(exists("alice")) }
    #expect(isStillThere == [true] && !exists("alice"))
  }

  /// A program may start its next session from another thread while the shutdown deletes.
  @Test func theObjectsOfANextSessionSurviveTheShutdown() throws {
    for _ in 0..<10 {
      try start("alice")
      let table = HandleTable<Int>(missing: .invalidObjHandle, kind: "object", counter: HandleCounter())
      let old = try table.insert(0)
      let next = Locked<UInt32?>(nil)
      let thread = Thread {
        while (try? start("bob")) == nil {}
        let handle = try? table.insert(1)
        next.withLock { $0 = handle }
      }
      thread.start()
      stop(deletingWallet: true) {
        Thread.sleep(forTimeInterval: 0.01)
        table.removeAll(of: .standard)
      }
      while next.withLock({ $0 }) == nil { Thread.sleep(forTimeInterval: 0.001) }
      #expect(table[old] == nil)
      #expect(try table[#require(next.withLock { $0 })] != nil)
      stop(deletingWallet: true)
    }
  }

  // MARK: a wallet that no session has opened

  private func importBob() async throws {
    let file = folder.path + "/export"
    try start("alice")
    #expect(await done.call { vcx_wallet_export($0, file, "the key of the export", doneCallback) }.delivery?.error == 0)
    stop(deletingWallet: false)
    let imported = config("bob", ["exported_wallet_path": .string(file), "backup_key": "the key of the export"])
    #expect(await done.call { vcx_wallet_import($0, imported.text, doneCallback) }.delivery?.error == 0)
    #expect(exists("bob"))
  }

  /// libvcx deletes the wallet that its settings name, and an import sets them.
  @Test func anImportedWalletIsDeletedWithoutASession() async throws {
    try await importBob()
    stop(deletingWallet: true)
    #expect(!exists("bob") && exists("alice"))
  }

  @Test func aShutdownForgetsWhichWalletWasImported() async throws {
    try await importBob()
    stop(deletingWallet: false)
    stop(deletingWallet: true)
    #expect(exists("bob") && exists("alice"))
  }

  @Test func theWalletOfTheSessionIsDeletedAndNotTheImportedOne() async throws {
    try await importBob()
    try start("alice")
    stop(deletingWallet: true)
    #expect(exists("bob") && !exists("alice"))
  }
}
