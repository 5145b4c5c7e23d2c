import AgencyServer
import CloudAgent
import DIDComm
import Foundation
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK
@testable import Wallet

extension SDKTests {
  /// The passphrases of backups, and restores that end early.
  @Suite struct WalletRestoreTests {
    let world: World
    private let passphrase = "correct horse battery staple"
    private static let key = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"

    init() throws { world = try World() }

    private var wallets: String { world.folder.path + "/wallets" }

    private func begun(_ passphrase: String) throws -> WalletBackup {
      var backup = try WalletBackup(sourceID: "backup", passphrase: passphrase, with: world.session)
      try backup.update(with: world.session)
      return backup
    }

    private func send(_ backup: inout WalletBackup) throws {
      try backup.send(exportedBeside: world.folder.path + "/export", with: world.session)
      try backup.update(with: world.session)
    }

    private func note(_ id: String) throws {
      try world.session.wallet.apply(.add(Record(type: "t", id: id, value: "the value")))
    }

    private func has(_ id: String) throws -> Bool {
      do { return try world.session.wallet.record(type: "t", id: id).value == "the value" } catch WalletError
        .recordNotFound
      {
        return false
      }
    }

    private func config(_ name: String, _ passphrase: String) -> String {
      ([
        "wallet_name": .string(name), "wallet_key": .string(Self.key), "wallet_key_derivation": "RAW",
        "storage_config": ["path": .string(wallets)], "backup_key": .string(passphrase),
        "exported_wallet_path": .string(world.folder.path + "/fetched"),
      ] as JSON).text
    }

    private func restore(_ name: String, _ passphrase: String) throws {
      try WalletImport(parsing: config(name, passphrase)).restore(with: world.session)
    }

    /// A new device with the temporary wallet `alice`.
    private func changeDevice() throws {
      Agent.ofTest.stop(deletingWallet: true)
      var config = try JSON(parsing: config("alice", "x"))
      config["agency_url"] = .string(world.agency.endpoint)
      config["agency_did"] = .string(world.agency.identity.did)
      config["agency_verkey"] = .string(world.agency.identity.verkey.text)
      try Agent.ofTest.start(Settings(parsing: Provisioning(parsing: config.text).run()))
    }

    private var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: wallets).sorted() } }

    // MARK: Passphrases

    /// The agency would confirm it, and no passphrase would open it.
    @Test(arguments: [false, true]) func aBackupUnderAnEarlierPassphraseIsNotSent(isRefusedByTheAgency: Bool) throws {
      var earlier = try begun("the first of two passphrases")
      try note("1")
      try send(&earlier)
      var later = try begun("the second of two passphrases")
      if isRefusedByTheAgency {  // as when another device has set the later one
        try world.session.wallet.apply(.delete(type: "msdk.recovery", id: "key"))
      }
      try note("2")
      #expect(throws: CloudAgentError.recoveryKeyReplaced) { try send(&earlier) }
      try send(&later)
      try changeDevice()
      try restore("alice", "the second of two passphrases")
      #expect(try has("1") && has("2"))
    }

    @Test func theBackupOfAnEarlierPassphraseStays() throws {
      var earlier = try begun("the first of two passphrases")
      try note("1")
      try send(&earlier)
      _ = try begun("the second of two passphrases")
      try changeDevice()
      #expect(throws: BackupError.nothingStored) { try restore("alice", "the second of two passphrases") }
      try restore("alice", "the first of two passphrases")
      #expect(try has("1"))
    }

    @Test func aPassphraseOfAnotherAccountIsRefused() throws {
      _ = try begun(passphrase)
      try changeDevice()
      #expect(throws: CloudAgentError.recoveryKeyTaken) { try begun(passphrase) }
    }

    /// Sends the wallet as it is exported at a time, under the key of a derivation.
    private func send(by derivation: RecoveryKeyDerivation, at time: UInt64) throws {
      let (session, cloudAgent) = (try world.session, try world.session.backups())
      let pair = try session.recoveryKey(of: passphrase, by: derivation)
      try cloudAgent.beginBackup(at: cloudAgent.backupPlace(of: pair), under: pair.verkey)
      let file = world.folder.path + "/export at \(time)"
      try session.wallet.export(to: file, key: passphrase, header: ExportHeader(.argon2iInteractive, time: time))
      try cloudAgent.storeBackup(Array(Data(contentsOf: URL(filePath: file))), under: pair.verkey)
    }

    @Test(arguments: [RecoveryKeyDerivation.argon2id, .sha256])
    func theNewestBackupOfBothDerivationsIsRestored(newest: RecoveryKeyDerivation) throws {
      for derivation in RecoveryKeyDerivation.allCases {
        try note(derivation.rawValue)
        try send(by: derivation, at: derivation == newest ? 1_700_000_001 : 1_700_000_000)
        try world.session.wallet.apply(.delete(type: "t", id: derivation.rawValue))
      }
      try changeDevice()
      try restore("alice", passphrase)
      #expect(try has(newest.rawValue))
      #expect(try RecoveryKeyDerivation.allCases.filter { try has($0.rawValue) } == [newest])
    }

    // MARK: Interruptions

    private func backedUp() throws {
      var backup = try begun(passphrase)
      try note("kept")
      try send(&backup)
      try changeDevice()
    }

    /// As if the process had ended after the restored wallet got its name. The temporary wallet is still there then.
    @Test func aRestoreThatWasInterruptedIsFinishedByARepetition() throws {
      try backedUp()
      let copy = world.folder.path + "/copy"
      let settings = try world.session.settings
      try restoreKeepingTemporary(as: copy)
      Agent.ofTest.stop(deletingWallet: false)
      try FileManager.default.copyItem(atPath: copy, toPath: wallets + "/alice")
      try Agent.ofTest.start(settings)
      #expect(throws: WalletFailure.self) { try restore("restored", "another passphrase") }
      try restore("restored", passphrase)
      #expect(try has("kept") && has("later"))
      #expect(try files == ["restored"])
    }

    /// Restores the wallet `restored`, and copies the temporary wallet before it is deleted.
    private func restoreKeepingTemporary(as copy: String) throws {
      let session = try world.session
      let restored = try Settings(parsing: config("restored", "x")).wallet.location
      let pair = try session.recoveryKey(of: passphrase, by: .sha256)
      let records = LibraryRecords(of: "msdk.restoration", in: session.wallet)
      try session.wallet.make([records.putting(restored.file, value: pair.verkey.text)])
      Agent.ofTest.stop(deletingWallet: false)
      try FileManager.default.copyItem(atPath: wallets + "/alice", toPath: copy)
      try Agent.ofTest.start(session.settings)
      try restore("restored", passphrase)
      try note("later")
    }

    /// A wallet of the user's own may have any name.
    @Test func noOtherWalletIsRemoved() throws {
      try backedUp()
      let own = try Settings(parsing: config("alice.restored", "x")).wallet
      try Wallet.create(own.location, key: own.key, derivation: .raw)
      try restore("alice", passphrase)
      #expect(try has("kept"))
      #expect(try files == ["alice", "alice.restored"])
      try Wallet.open(own.location, key: own.key, derivation: .raw).close()
    }

    @Test func aRestoreDuringWhichTheLibraryStopsLeavesTheTemporaryWallet() throws {
      try backedUp()
      let session = try world.session
      let settings = session.settings
      Agent.ofTest.stop(deletingWallet: false)
      for name in ["alice", "restored"] {
        #expect(throws: (any Error).self) {
          try WalletImport(parsing: config(name, passphrase)).restore(with: session)
        }
      }
      try Agent.ofTest.start(settings)
      #expect(try files == ["alice"])
      try restore("restored", passphrase)
      #expect(try has("kept") && files == ["restored"])
    }

    /// The draft of a process that was killed, which no wallet's name can be.
    @Test func theRemainsOfAKilledRestoreAreRemoved() throws {
      try backedUp()
      let drafts = [
        wallets + "/alice/sqlite.db.msdk-2147483646-1.new", world.folder.path + "/fetched.msdk-2147483646-1.new",
      ]
      for draft in drafts { try Data("half".utf8).write(to: URL(filePath: draft)) }
      try restore("alice", passphrase)
      for draft in drafts { #expect(!FileManager.default.fileExists(atPath: draft)) }
    }
  }
}
