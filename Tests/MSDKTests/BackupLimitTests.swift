import CloudAgent
import Foundation
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// The limits of backups, and their refusals.
  @Suite struct BackupLimitTests {
    let world: World

    init() throws { world = try World() }

    private func requested() throws -> WalletBackup {
      try WalletBackup(sourceID: "backup", passphrase: "correct horse battery staple", with: world.session)
    }

    private func changed(_ backup: WalletBackup, _ member: String, _ value: JSON) throws -> WalletBackup {
      var json = try JSON(parsing: backup.serialized)
      json["data"]?[member] = value
      return try WalletBackup(serialized: json.text)
    }

    @Test func anExportNeedsAFileBesideWhichItStands() throws {
      var backup = try requested()
      try backup.update(with: world.session)
      let folder = world.folder.path
      for path in ["", "/", ".", "..", folder + "/", folder + "/.", folder + "/.."] {
        #expect { try backup.send(exportedBeside: path, with: world.session) } throws: { error in
          "\(error)".contains("the path names no file")
        }
      }
      #expect(backup.state == .ready)
    }

    @Test func aBackupIsSentAgainAfterTenMinutesWithoutAConfirmation() throws {
      var backup = try requested()
      try backup.update(with: world.session)
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      let now = Int64(Date().timeIntervalSince1970)
      var early = try changed(backup, "sent_at", .integer(now - 590))
      #expect(throws: BackupError.notReady) {
        try early.send(exportedBeside: world.folder.path + "/export", with: world.session)
      }
      // A request for room is not repeated, however long it takes.
      var waiting = try changed(early, "state", 1)
      waiting = try changed(waiting, "sent_at", 0)
      #expect(throws: BackupError.notReady) {
        try waiting.send(exportedBeside: world.folder.path + "/export", with: world.session)
      }
      var late = try changed(backup, "sent_at", .integer(now - 600))
      try late.send(exportedBeside: world.folder.path + "/export", with: world.session)
      #expect(late.state == .sent)
    }

    @Test func onlyTheAwaitedNewsCount() throws {
      let backup = try requested()
      func after(_ state: JSON, _ type: String) throws -> WalletBackup {
        var next = try changed(backup, "state", state)
        next.apply(try WalletBackup.News(parsing: #"{"type":"\#(type)","uid":"new"}"#))
        return next
      }
      for (state, type, next, isStored) in [
        (1, "WALLET_BACKUP_READY", .ready, false), (1, "WALLET_BACKUP_ACK", .requested, false),
        (3, "WALLET_BACKUP_ACK", .ready, true), (3, "WALLET_BACKUP_READY", .sent, false),
        (0, "WALLET_BACKUP_READY", .uninitialized, false), (2, "WALLET_BACKUP_ACK", .ready, false),
        (1, "aries", .requested, false),
      ] as [(JSON, String, WalletBackup.State, Bool)] {
        let backup = try after(state, type)
        #expect(backup.state == next && backup.hasStoredBackup == isStored, "\(state), \(type)")
      }
    }

    /// A program may lose the object of a backup and begin with the same passphrase again.
    @Test func theNewsOfAnEarlierBackupDoNotCount() throws {
      _ = try requested()
      let old = try world.session.backups().ownMessages(MessageFilter())
      #expect(!old.isEmpty)
      var again = try requested()
      for message in old {
        let text: JSON = ["type": .string(message.type), "uid": .string(message.uid)]
        again.apply(try WalletBackup.News(parsing: text.text))
      }
      #expect(again.state == .requested)
      try again.update(with: world.session)
      #expect(again.state == .ready)
    }

    @Test func aStoredBackupIsRemembered() throws {
      let backup = try requested()
      #expect(try changed(backup, "has_stored_backup", true).hasStoredBackup)
      #expect(try !changed(backup, "has_stored_backup", .null).hasStoredBackup)
    }

    /// As when the program goes on in another process, between the second backup and its confirmation.
    @Test func aStoredBackupKnowsTheNewsOfTheEarlierOne() throws {
      var backup = try requested()
      try backup.update(with: world.session)
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      try backup.update(with: world.session)
      let old = try world.session.backups().ownMessages(MessageFilter())
      #expect(old.contains { $0.type == "WALLET_BACKUP_ACK" })
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      var restored = try WalletBackup(serialized: backup.serialized)
      for message in old {
        let text: JSON = ["type": .string(message.type), "uid": .string(message.uid)]
        restored.apply(try WalletBackup.News(parsing: text.text))
      }
      #expect(restored.state == .sent)
      try restored.update(with: world.session)
      #expect(restored.state == .ready)
    }

    @Test func thePassphraseIsCountedInCharacters() throws {
      #expect(throws: BackupError.shortPassphrase) { try WalletBackup.passphrase("пароль пять") }
      #expect(try WalletBackup.passphrase("пароль шесть") == "пароль шесть")
    }

    /// The owner's messages are about backups.
    @Test func theOwnersMessagesMeetTheFilters() throws {
      var backup = try requested()
      try backup.update(with: world.session)
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      let download = { (statuses: String?, uids: String?) in
        try JSON(parsing: world.session.downloadOwnMessages(statuses: statuses, uids: uids)).requireArray()
      }
      let all = try download(nil, nil)
      #expect(all.map { $0["type"] } == ["WALLET_BACKUP_READY", "WALLET_BACKUP_ACK"])
      let uid = try #require(all.last?["uid"]?.string)
      #expect(try download(nil, uid).map { $0["uid"] } == [.string(uid)])
      #expect(try download("MS-105", nil).isEmpty)
    }

    @Test func aBackupIsFetchedIntoAFolderThatIsNotThereYet() throws {
      var backup = try requested()
      try backup.update(with: world.session)
      try world.session.wallet.apply(.add(Record(type: "t", id: "kept", value: "the value")))
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      let config = try JSON(parsing: world.config).with([
        "wallet_name": "bob", "backup_key": "correct horse battery staple",
        "exported_wallet_path": .string(world.folder.path + "/new/folder/fetched"),
      ])
      try WalletImport(parsing: config.text).restore(with: world.session)
      #expect(try world.session.wallet.record(type: "t", id: "kept").value == "the value")
    }

    @Test func aStoredBackupNamesItsOwner() throws {
      let json = try JSON(parsing: requested().serialized)
      #expect(try json["data"]?["to_did"] == JSON(parsing: world.config)["remote_to_sdk_did"])
      #expect(json["data"]?["has_stored_backup"] == false && json["data"]?["old_news"] == [])
    }

    @Test(
      arguments: [("state", 4), ("state", -1), ("state", "1"), ("old_news", 1), ("source_id", 1)]
        as [(String, JSON)])
    func aDamagedBackupIsRefused(member: String, value: JSON) throws {
      let backup = try requested()
      #expect(throws: (any Error).self) { try changed(backup, member, value) }
    }

    @Test(arguments: [[-1], [256], ["1"], 1] as [JSON]) func theAddressOfABackupIsInBytes(address: JSON) throws {
      var json = try JSON(parsing: requested().serialized)
      json["data"]?["keys"]?["cloud_address"] = address
      #expect(throws: JSONError.self) { try WalletBackup(serialized: json.text) }
      json["data"]?["keys"]?["cloud_address"] = [0, 255]
      #expect(throws: Never.self) { try WalletBackup(serialized: json.text) }
    }

    /// Neither the wallet that is there nor the temporary one is lost.
    @Test func aWalletThatIsThereIsNotReplacedByABackup() throws {
      var backup = try requested()
      try backup.update(with: world.session)
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      let settings = try JSON(parsing: world.config).with(["wallet_name": "bob"])
      let other = try Settings(parsing: settings.text).wallet
      try Wallet.create(other.location, key: other.key, derivation: .raw)
      let wallet = try Wallet.open(other.location, key: other.key, derivation: .raw)
      try wallet.apply(.add(Record(type: "t", id: "kept", value: "bob's")))
      wallet.close()
      let config = settings.with([
        "backup_key": "correct horse battery staple", "exported_wallet_path": .string(world.folder.path + "/fetched"),
      ])
      #expect(throws: WalletFailure(.alreadyExists, at: other.location.file)) {
        try WalletImport(parsing: config.text).restore(with: world.session)
      }
      let again = try Wallet.open(other.location, key: other.key, derivation: .raw)
      #expect(try again.record(type: "t", id: "kept").value == "bob's")
      again.close()
      #expect(throws: Never.self) {
        try world.session.wallet.record(type: "RECOVERY_KEY", id: "correct horse battery staple")
      }
      #expect(
        try !FileManager.default.contentsOfDirectory(atPath: world.folder.path).contains { $0.hasPrefix("fetched") })
    }
  }
}
