import AgencyServer
import AgencyWire
import CloudAgent
import Foundation
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// Backups of the wallet at a real agency.
  @Suite struct WalletBackupTests {
    let world: World
    private let passphrase = "correct horse battery staple"

    init() throws { world = try World() }

    private func derive(by name: String) throws {
      Agent.ofTest.stop(deletingWallet: false)
      let config = try JSON(parsing: world.config).with(["backup_key_derivation": .string(name)])
      try Agent.ofTest.start(Settings(parsing: config.text))
    }

    private func stored() throws -> WalletBackup {
      var backup = try WalletBackup(sourceID: "backup", passphrase: passphrase, with: world.session)
      try backup.update(with: world.session)
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      try backup.update(with: world.session)
      return backup
    }

    @Test func aBackupGoesFromStateToState() throws {
      var backup = try WalletBackup(sourceID: "backup", passphrase: passphrase, with: world.session)
      #expect(backup.state == .requested)
      #expect(throws: BackupError.notReady) {
        try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      }
      try backup.update(with: world.session)
      #expect(backup.state == .ready && !backup.hasStoredBackup)
      for path in ["", "/", world.folder.path, world.folder.path + ".."] {
        #expect(throws: WalletFailure.self) { try backup.send(exportedBeside: path + "/", with: world.session) }
      }
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      #expect(backup.state == .sent)
      #expect(throws: BackupError.notReady) {
        try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      }
      let text = backup.serialized
      #expect(try JSON(parsing: text)["data"]?["sent_at"]?.integer != nil)
      backup = try WalletBackup(serialized: text)
      #expect(backup.serialized == text)
      try backup.update(with: world.session)
      #expect(backup.state == .ready && backup.hasStoredBackup)
      let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
      #expect(!files.contains { $0.hasPrefix("export") })
    }

    /// The confirmation of an earlier backup does not confirm this one.
    @Test func oldNewsDoNotCount() throws {
      var backup = try stored()
      let news = try world.session.backups().ownMessages(MessageFilter())
      #expect(news.map(\.type) == ["WALLET_BACKUP_READY", "WALLET_BACKUP_ACK"])
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      for message in news {
        let text: JSON = ["type": .string(message.type), "uid": .string(message.uid)]
        backup.apply(try WalletBackup.News(parsing: text.text))
      }
      #expect(backup.state == .sent)
      try backup.update(with: world.session)
      #expect(backup.state == .ready)
    }

    /// The expected values were computed with Python's `cryptography`.
    @Test func theRecoveryKeyIsHardToGuess() throws {
      let backup = try WalletBackup(sourceID: "backup", passphrase: passphrase, with: world.session)
      let keys = try JSON(parsing: backup.serialized)["data"]?["keys"]
      #expect(keys?["recovery_vk"] == "8EiDzkHH21RebRLgVNg2YC9eVHMSmFaHvFMcnsdNMsHW")
      #expect(
        keys?["dead_drop_address"]?["address"] == "4d30b71588d414ed70df0886713d21238be75cae0baa2f425f1aaaa540948255")
    }

    @Test func aBackupIsStoredInTheFormOfTheOlderLibrary() throws {
      try derive(by: "SHA256")
      let backup = try WalletBackup(sourceID: "backup", passphrase: passphrase, with: world.session)
      let json = try JSON(parsing: backup.serialized)
      let keys = json["data"]?["keys"]
      #expect(try JSONReference("Wallet backup").differences(from: json) == [])
      #expect(json["version"] == "1.0" && json["data"]?["state"] == 1 && json["data"]?["source_id"] == "backup")
      #expect(keys?["wallet_encryption_key"]?.string == passphrase)
      #expect(keys?["recovery_vk"] == "6QyvUKk3FCzmtF2uuZzb1VeG3nTpAewAToZx6KrQGLtF")
      #expect(
        keys?["dead_drop_address"]?["locator"] == "6d47fb20a32bf1d81f72710c8f84fcf58a961b623d8083e52a66d5aac775a38c")
      #expect(try WalletBackup(serialized: backup.serialized).serialized == backup.serialized)
      #expect(throws: BackupError.unknownVersion) {
        try WalletBackup(serialized: json.with(["version": "2.0"]).text)
      }
      var broken = json
      broken["data"]?["keys"]?["cloud_address"] = [1, 256]
      #expect(throws: JSONError.wrongType(key: "cloud_address", expected: "numbers from 0 to 255")) {
        try WalletBackup(serialized: broken.text)
      }
      let record = try world.session.wallet.record(type: "RECOVERY_KEY", id: passphrase)
      #expect(record.value == keys?["recovery_vk"]?.string)
    }

    /// It notes neither the result of the last backup nor the time at which that was sent.
    @Test func aBackupOfTheOlderLibraryMayBeSentAgain() throws {
      var backup = try stored()
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      var json = try JSON(parsing: backup.serialized)
      json["data"]?["has_stored_backup"] = nil
      json["data"]?["sent_at"] = nil
      var restored = try WalletBackup(serialized: json.text)
      #expect(restored.state == .sent && !restored.hasStoredBackup)
      try restored.send(exportedBeside: world.folder.path + "/export", with: world.session)
      try restored.update(with: world.session)
      #expect(restored.state == .ready && restored.hasStoredBackup)
    }

    @Test func aShortPassphraseIsRefused() throws {
      #expect(throws: BackupError.shortPassphrase) { try WalletBackup.passphrase("12345678901") }
      #expect(try WalletBackup.passphrase("123456789012") == "123456789012")
    }

    @Test func aWalletThatIsTooLargeIsNotSent() throws {
      var backup = try WalletBackup(sourceID: "backup", passphrase: passphrase, with: world.session)
      try backup.update(with: world.session)
      let large = String(repeating: "x", count: 1_000_000)
      for id in 0..<5 { try world.session.wallet.apply(.add(Record(type: "t", id: "\(id)", value: large))) }
      #expect(throws: BackupError.tooLarge) {
        try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      }
      #expect(backup.state == .ready)
    }

    /// On another device, whose temporary wallet has the name of the restored one, or another name.
    @Test(arguments: [("alice", "ARGON2ID"), ("restored", "SHA256")])
    func theWalletIsRestored(name: String, derivation: String) throws {
      try derive(by: derivation)
      try world.session.wallet.apply(.add(Record(type: "t", id: "kept", value: "the value")))
      _ = try stored()
      Agent.ofTest.stop(deletingWallet: true)
      let temporary = try Provisioning(parsing: provisioning("alice").text).run()
      try Agent.ofTest.start(Settings(parsing: temporary))
      try world.session.wallet.apply(.add(Record(type: "t", id: "temporary", value: "x")))
      #expect(throws: BackupError.notFound) { try restore(name, with: "another passphrase") }
      #expect(try world.session.wallet.record(type: "t", id: "temporary").value == "x")
      try restore(name, with: passphrase)
      #expect(try world.session.wallet.record(type: "t", id: "kept").value == "the value")
      #expect(throws: WalletError.recordNotFound) { try world.session.wallet.record(type: "t", id: "temporary") }
      let wallets = try FileManager.default.contentsOfDirectory(atPath: world.folder.path + "/wallets")
      #expect(wallets == [name])
      // The old Cloud Agent obeys the key that came back.
      Agent.ofTest.stop(deletingWallet: false)
      let config = try JSON(parsing: world.config).with(["wallet_name": .string(name)])
      try Agent.ofTest.start(Settings(parsing: config.text))
      let news = try world.session.backups().ownMessages(MessageFilter()).map(\.type)
      #expect(news.contains("WALLET_BACKUP_RESTORED"))
    }

    private func restore(_ name: String, with passphrase: String) throws {
      let config = wallet(name).with([
        "backup_key": .string(passphrase), "exported_wallet_path": .string(world.folder.path + "/fetched"),
      ])
      try WalletImport(parsing: config.text).restore(with: world.session)
    }

    private func wallet(_ name: String) -> JSON {
      [
        "wallet_name": .string(name), "wallet_key": "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca",
        "wallet_key_derivation": "RAW", "storage_config": ["path": .string(world.folder.path + "/wallets")],
      ]
    }

    private func provisioning(_ name: String) -> JSON {
      wallet(name).with([
        "agency_url": .string(world.agency.endpoint), "agency_did": .string(world.agency.identity.did),
        "agency_verkey": .string(world.agency.identity.verkey.text), "name": "Alice",
      ])
    }
  }
}
