import IndyVDR
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// The state that an agent keeps beside its session, and the session that takes the place of another.
  @Suite final class SessionReplacementTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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
      try Agent.ofTest.start(settings("alice"))
      let old = try Agent.ofTest.running()
      try old.wallet.apply(.add(Record(type: "t", id: "kept", value: "x")))
      #expect(throws: WalletError.busy) {
        try old.goOn(in: settings("bob").wallet) { wallet throws(WalletError) in
          wallet.close()
          throw .busy
        }
      }
      #expect(try Agent.ofTest.openWallet().record(type: "t", id: "kept").value == "x")
      #expect(try Agent.ofTest.running().settings.wallet.location.id == "alice")
    }

    @Test func aSessionThatHasStoppedIsNotReplaced() throws {
      try Agent.ofTest.start(settings("alice"))
      let old = try Agent.ofTest.running()
      Agent.ofTest.stop(deletingWallet: false)
      #expect(throws: SessionError.notRunning) { try goOn(from: old, in: "bob") }
      #expect(!Agent.ofTest.isRunning)
      #expect(throws: Never.self) { try Agent.ofTest.start(settings("bob")) }
      #expect(throws: SessionError.notRunning) { try goOn(from: old, in: "carol") }
      #expect(try Agent.ofTest.running().settings.wallet.location.file.contains("/bob/"))
    }

    @Test func theRunningSessionIsReplaced() throws {
      try Agent.ofTest.start(settings("alice"))
      let old = try Agent.ofTest.running()
      try goOn(from: old, in: "bob")
      let next = try Agent.ofTest.running()
      #expect(next !== old && next.settings.wallet.location.file.contains("/bob/"))
      #expect(try Agent.ofTest.openWallet() === next.wallet)
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
      Agent.ofTest.ledgers.connect([])
      try Agent.ofTest.ledgers.connect([connection("a")])
      try Agent.ofTest.ledgers.connect([connection("b")])
      #expect(Agent.ofTest.ledgers.all.map(\.names) == [["a"]] && Agent.ofTest.ledgers.registries.count == 1)
      Agent.ofTest.ledgers.disconnect()
      try Agent.ofTest.ledgers.connect([connection("b")])
      #expect(Agent.ofTest.ledgers.all.map(\.names) == [["b"]])
    }

    @Test func theSettingsOfTheRunningSessionHoldForTheProcess() throws {
      #expect(
        Agent.ofTest.authorities == nil && Agent.ofTest.peerReach == .anywhere
          && Agent.ofTest.acceptedAgreement == nil)
      try Agent.ofTest.start(settings("alice", ["ca_file": "/dev/null", "public_endpoints_only": true]))
      #expect(Agent.ofTest.authorities == "/dev/null" && Agent.ofTest.peerReach == .publicAddresses)
      Agent.ofTest.stop(deletingWallet: false)
      #expect(Agent.ofTest.authorities == nil && Agent.ofTest.peerReach == .anywhere)
    }

    /// The running session keeps its user's name, and asks no ledger of the other one.
    @Test func aRefusedStartChangesNothing() throws {
      try Agent.ofTest.start(settings("alice", ["institution_name": "Alice"]))
      let node: JSON = [
        "txn": ["data": ["dest": "x", "data": ["alias": "a", "client_ip": "127.0.0.1", "client_port": 1]]]
      ]
      let other = try settings(
        "bob", ["institution_name": "Bob", "genesis_transactions": .string(node.text), "network": "b"])
      #expect(throws: WalletFailure.self) { try Agent.ofTest.start(other) }
      #expect(try Agent.ofTest.running().profile.name == "Alice")
      #expect(Agent.ofTest.ledgers.all.isEmpty)
    }

    @Test func aProfileKeepsMembersThatANewOneLeavesOut() throws {
      try Agent.ofTest.start(
        settings("alice", ["institution_name": "Alice", "institution_logo_url": "http://logo.example"]))
      let session = try Agent.ofTest.running()
      Agent.ofTest.introduce(as: Profile(name: "Alicia"))
      #expect(session.profile == Profile(name: "Alicia", logoURL: "http://logo.example"))
      Agent.ofTest.introduce(as: Profile(logoURL: "http://other.example"))
      #expect(session.profile == Profile(name: "Alicia", logoURL: "http://other.example"))
      Agent.ofTest.stop(deletingWallet: false)
      #expect(session.profile == Profile())
    }
  }
}
