import IndyVDR
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// The state that a session shares with the process, and the session that takes its place.
  @Suite(.serialized) final class SessionReplacementTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    deinit {
      Session.stop(deletingWallet: false)
      Ledgers.disconnect()
    }

    /// The settings of a wallet without a Cloud Agent, which is made.
    private func settings(_ name: String, _ changes: JSONObject = [:]) throws -> Settings {
      var config: JSON = [
        "wallet_name": .string(name), "wallet_key": .string(SessionTests.key), "wallet_key_derivation": "RAW",
        "storage_config": ["path": .string(folder.path)],
      ]
      for (key, value) in changes.members { config[key] = value }
      let settings = try Settings(parsing: config.text)
      try Wallet.makeUnlessPresent(settings.wallet)
      return settings
    }

    private func goOn(from old: Session, in name: String) throws {
      let wallet = try settings(name).wallet
      try old.goOn(in: wallet) { _ in try Wallet.open(wallet.location, key: wallet.key, derivation: .raw) }
    }

    /// The temporary wallet goes on if the restored one cannot take its place.
    @Test func aReplacementThatFailsLeavesTheWalletOpen() throws {
      try Session.start(settings("alice"))
      let old = try Session.running()
      try old.wallet.apply(.add(Record(type: "t", id: "kept", value: "x")))
      #expect(throws: WalletError.busy) {
        try old.goOn(in: settings("bob").wallet) { wallet throws(WalletError) in
          wallet.close()
          throw .busy
        }
      }
      #expect(try Session.openWallet().record(type: "t", id: "kept").value == "x")
      #expect(try Session.running().settings.wallet.location.id == "alice")
    }

    @Test func aSessionThatHasStoppedIsNotReplaced() throws {
      try Session.start(settings("alice"))
      let old = try Session.running()
      Session.stop(deletingWallet: false)
      #expect(throws: SessionError.notRunning) { try goOn(from: old, in: "bob") }
      #expect(!Session.isRunning)
      #expect(throws: Never.self) { try Session.start(settings("bob")) }
      #expect(throws: SessionError.notRunning) { try goOn(from: old, in: "carol") }
      #expect(try Session.running().settings.wallet.location.file.contains("/bob/"))
    }

    @Test func theRunningSessionIsReplaced() throws {
      try Session.start(settings("alice"))
      let old = try Session.running()
      try goOn(from: old, in: "bob")
      let next = try Session.running()
      #expect(next !== old && next.settings.wallet.location.file.contains("/bob/"))
      #expect(try Session.openWallet() === next.wallet)
      old.wallet.close()
    }

    @Test func anotherWalletKeepsTheNameOfTheLinkSecret() throws {
      let old = try settings("alice", ["link_secret_alias": "x"])
      let next = try old.with(settings("bob", ["link_secret_alias": "y"]).wallet).wallet
      #expect(next.linkSecretName == "x" && next.location.id == "bob")
    }

    /// The ledgers of the first call stay until the library stops: their pools may be open.
    @Test func ledgersAreConnectedOnce() throws {
      let node: JSON = [
        "txn": ["data": ["dest": "x", "data": ["alias": "a", "client_ip": "127.0.0.1", "client_port": 1]]]
      ]
      func connection(_ name: String) throws -> LedgerConnection {
        LedgerConnection(try Genesis(node.text), names: [name], library: nil)
      }
      Ledgers.connect([])
      try Ledgers.connect([connection("a")])
      try Ledgers.connect([connection("b")])
      #expect(Ledgers.all.map(\.names) == [["a"]] && Ledgers.registries.count == 1)
      Ledgers.disconnect()
      try Ledgers.connect([connection("b")])
      #expect(Ledgers.all.map(\.names) == [["b"]])
    }

    @Test func theSettingsOfTheRunningSessionHoldForTheProcess() throws {
      #expect(Session.authorities == nil && Session.peerReach == .anywhere && Session.acceptedAgreement == nil)
      try Session.start(settings("alice", ["ca_file": "/dev/null", "public_endpoints_only": true]))
      #expect(Session.authorities == "/dev/null" && Session.peerReach == .publicAddresses)
      Session.stop(deletingWallet: false)
      #expect(Session.authorities == nil && Session.peerReach == .anywhere)
    }

    /// The running session keeps its user's name, and asks no ledger of the other one.
    @Test func aRefusedStartChangesNothing() throws {
      try Session.start(settings("alice", ["institution_name": "Alice"]))
      let node: JSON = [
        "txn": ["data": ["dest": "x", "data": ["alias": "a", "client_ip": "127.0.0.1", "client_port": 1]]]
      ]
      let other = try settings(
        "bob", ["institution_name": "Bob", "genesis_transactions": .string(node.text), "network": "b"])
      #expect(throws: WalletFailure.self) { try Session.start(other) }
      #expect(try Session.running().profile.name == "Alice")
      #expect(Ledgers.all.isEmpty)
    }

    @Test func aProfileKeepsMembersThatANewOneLeavesOut() throws {
      try Session.start(
        settings("alice", ["institution_name": "Alice", "institution_logo_url": "http://logo.example"]))
      let session = try Session.running()
      Session.introduce(as: Profile(name: "Alicia"))
      #expect(session.profile == Profile(name: "Alicia", logoURL: "http://logo.example"))
      Session.introduce(as: Profile(logoURL: "http://other.example"))
      #expect(session.profile == Profile(name: "Alicia", logoURL: "http://other.example"))
      Session.stop(deletingWallet: false)
      #expect(session.profile == Profile())
    }
  }
}
