import Foundation
import JSON
import Logging
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
    try MSDK.Session.start(settings)
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder.path)/\(name)/sqlite.db")
  }

  /// The line "the wallet is deleted" is the moment between the end of the session and the end of the call.
  @Test func aSessionThatStartsDuringTheDeletionKeepsItsObjects() throws {
    try start("alice")
    let before = try connections.insert(Connection(sourceID: "a", inviting: .connection))
    let made = Locked<UInt32?>(nil)
    let isFirst = Locked(true)
    _ = Log.channel.install(
      LogSink { line in
        guard line.message == "the wallet is deleted", isFirst.withLock({ $0.exchange(false) }) else { return }
        try? start("bob")
        made.withLock { $0 = try? connections.insert(Connection(sourceID: "b", inviting: .connection)) }
      })
    #expect(vcx_shutdown(true) == 0)
    defer { _ = vcx_shutdown(false) }
    let after = try #require(made.withLock { $0 })
    #expect(connections[before] == nil && connections[after] != nil)
    #expect(MSDK.Session.isRunning && !exists("alice") && exists("bob"))
  }

  // MARK: a wallet that no session has opened

  private func importBob() async throws {
    let file = folder.path + "/export"
    try start("alice")
    #expect(await done.call { vcx_wallet_export($0, file, "the key of the export", doneCallback) }.delivery?.error == 0)
    #expect(vcx_shutdown(false) == 0)
    let imported = config("bob", ["exported_wallet_path": .string(file), "backup_key": "the key of the export"])
    #expect(await done.call { vcx_wallet_import($0, imported.text, doneCallback) }.delivery?.error == 0)
    #expect(exists("bob"))
  }

  /// libvcx deletes the wallet that its settings name, and an import sets them.
  @Test func anImportedWalletIsDeletedWithoutASession() async throws {
    try await importBob()
    #expect(vcx_shutdown(true) == 0)
    #expect(!exists("bob") && exists("alice"))
  }

  @Test func aShutdownForgetsWhichWalletWasImported() async throws {
    try await importBob()
    #expect(vcx_shutdown(false) == 0 && vcx_shutdown(true) == 0)
    #expect(exists("bob") && exists("alice"))
  }

  @Test func theWalletOfTheSessionIsDeletedAndNotTheImportedOne() async throws {
    try await importBob()
    try start("alice")
    #expect(vcx_shutdown(true) == 0)
    #expect(exists("bob") && !exists("alice"))
  }
}

extension Bool {
  fileprivate mutating func exchange(_ value: Bool) -> Bool {
    defer { self = value }
    return self
  }
}
