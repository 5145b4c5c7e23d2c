import Foundation
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// Wallets from exported files.
  @Suite struct WalletImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func config(_ name: String) -> JSON {
      [
        "wallet_name": .string(name), "wallet_key": .string(SessionTests.key), "wallet_key_derivation": "RAW",
        "storage_config": ["path": .string(folder.path)], "exported_wallet_path": .string(folder.path + "/export"),
        "backup_key": .string(SessionTests.key),
      ]
    }

    private func isFailure(_ error: any Error, at path: String) -> Bool { (error as? WalletFailure)?.path == path }

    /// The user learns which of the two files is the wrong one.
    @Test func anErrorNamesTheFileThatIsWrong() throws {
      let alice = try Settings(parsing: config("alice").text).wallet
      try Wallet.create(alice.location, key: alice.key, derivation: .raw)
      #expect {
        try WalletImport(parsing: config("bob").text).run()
      } throws: { isFailure($0, at: folder.path + "/export") }
      let wallet = try Wallet.open(alice.location, key: alice.key, derivation: .raw)
      try wallet.apply(.add(Record(type: "t", id: "kept", value: "x")))
      try wallet.export(to: folder.path + "/export", key: SessionTests.key)
      wallet.close()
      #expect(throws: WalletFailure(.alreadyExists, at: alice.location.file)) {
        try WalletImport(parsing: config("alice").text).run()
      }
      #expect {
        try WalletImport(parsing: config("bob").with(["backup_key": "another"]).text).run()
      } throws: { isFailure($0, at: folder.path + "/export") }
      let file = folder.path + "/file"
      try Data().write(to: URL(filePath: file))
      let carol = config("carol").with(["storage_config": ["path": .string(file)]])
      #expect {
        try WalletImport(parsing: carol.text).run()
      } throws: { isFailure($0, at: file + "/carol/sqlite.db") }
      #expect {
        try WalletImport(parsing: config("bob").with(["wallet_key": "short"]).text).run()
      } throws: { isFailure($0, at: folder.path + "/bob/sqlite.db") }
      try WalletImport(parsing: config("bob").text).run()
      let bob = try Settings(parsing: config("bob").text).wallet
      let imported = try Wallet.open(bob.location, key: bob.key, derivation: .raw)
      #expect(try imported.record(type: "t", id: "kept").value == "x")
      imported.close()
      #expect(FileManager.default.fileExists(atPath: folder.path + "/export"), "the file stays")
    }
  }
}
