import CloudAgent
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// An agent has one session at a time, with one wallet.
  @Suite final class SessionTests {
    static let key = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
    static let otherKey = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The settings of a wallet without a Cloud Agent, which is made.
    func settings(_ name: String, key: String = key, _ changes: JSONObject = [:]) throws -> Settings {
      var config: JSON = [
        "wallet_name": .string(name), "wallet_key": .string(key), "wallet_key_derivation": "RAW",
        "storage_config": ["path": .string(folder.path)],
      ]
      for (key, value) in changes.members { config[key] = value }
      let settings = try Settings(parsing: config.text)
      do { try Wallet.create(settings.wallet.location, key: key, derivation: .raw) } catch WalletError.alreadyExists {}
      return settings
    }

    @Test func aSecondAgentIsRefusedAndLeavesItsWalletClosed() throws {
      let (first, second) = (try settings("alice"), try settings("bob"))
      try Agent.ofTest.start(first)
      #expect(throws: WalletFailure(.alreadyOpen, at: first.wallet.location.file)) { try Agent.ofTest.start(second) }
      #expect(try Agent.ofTest.running().wallet === Agent.ofTest.openWallet())
      Agent.ofTest.stop(deletingWallet: false)
      #expect(!Agent.ofTest.isRunning)
      #expect(throws: Never.self) { try Agent.ofTest.start(second) }
    }

    @Test func theLedgersOfASessionEndWithIt() throws {
      let node: JSON = [
        "txn": ["data": ["dest": "x", "data": ["alias": "a", "client_ip": "127.0.0.1", "client_port": 1]]]
      ]
      let network: JSON = ["genesis_transactions": .string(node.text), "namespace_list": ["a"]]
      try Agent.ofTest.start(settings("alice", ["indy_pool_networks": [network]]))
      #expect(Agent.ofTest.ledgers.all.map(\.names) == [["a"]])
      Agent.ofTest.stop(deletingWallet: false)
      #expect(Agent.ofTest.ledgers.all.isEmpty)
    }

    @Test func anErrorSaysThatThereIsNoCloudAgent() throws {
      try Agent.ofTest.start(settings("alice"))
      let session = try Agent.ofTest.running()
      let missing = SettingsError.noCloudAgent
      #expect(throws: missing) { try session.checkHealth() }
      #expect(throws: missing) { try session.createMailbox() }
      #expect(throws: missing) { try session.downloadOwnMessages(statuses: nil, uids: nil) }
      #expect(throws: missing) { try session.updateMessages(status: "MS-106", "[]") }
    }

    @Test func aWalletIsDeletedWithItsNewKey() throws {
      try Agent.ofTest.start(settings("alice"))
      try Agent.ofTest.rekey(Agent.ofTest.openWallet(), to: Self.otherKey, derivation: .raw)
      Agent.ofTest.stop(deletingWallet: false)
      #expect(throws: WalletFailure(.accessDenied, at: folder.path + "/alice/sqlite.db")) {
        try Agent.ofTest.start(settings("alice"))
      }
      try Agent.ofTest.start(settings("alice", key: Self.otherKey))
      try Agent.ofTest.rekey(Agent.ofTest.openWallet(), to: Self.key, derivation: .raw)
      let location = try Agent.ofTest.running().settings.wallet.location
      Agent.ofTest.stop(deletingWallet: true)
      #expect(throws: WalletError.notFound) { try Wallet.open(location, key: Self.key, derivation: .raw) }
    }

    @Test func aKeyThatIsRefusedChangesNothing() throws {
      try Agent.ofTest.start(settings("alice"))
      let location = try Agent.ofTest.running().settings.wallet.location
      #expect(throws: WalletError.self) {
        try Agent.ofTest.rekey(Agent.ofTest.openWallet(), to: "not a raw key", derivation: .raw)
      }
      Agent.ofTest.stop(deletingWallet: true)
      #expect(throws: WalletError.notFound) { try Wallet.open(location, key: Self.key, derivation: .raw) }
    }

    @Test func onlyTheWalletOfTheAgentGetsAnotherKey() throws {
      let other = try settings("bob")
      let wallet = try Wallet.open(other.wallet.location, key: other.wallet.key, derivation: .raw)
      defer { wallet.close() }
      #expect(throws: WalletError.closed) { try Agent.ofTest.rekey(wallet, to: Self.otherKey, derivation: .raw) }
      try Agent.ofTest.start(settings("alice"))
      #expect(throws: WalletError.closed) { try Agent.ofTest.rekey(wallet, to: Self.otherKey, derivation: .raw) }
      wallet.close()
      #expect(throws: Never.self) { try Wallet.open(other.wallet.location, key: Self.key, derivation: .raw).close() }
    }
  }

  /// A connection whose key the wallet does not hold: it was made with another wallet.
  @Suite struct ForeignConnectionTests {
    let world: World

    init() throws { world = try World() }

    @Test func nothingIsSentOrSignedInItsName() throws {
      var text = try JSON(parsing: world.completed().serialized(institutionDID: nil))
      let foreign = KeyPair().verkey
      text["data"]?["pw_verkey"] = .string(foreign.text)
      text["data"]?["pw_did"] = .string(foreign.did.text)
      let connection = try Connection(serialized: text.text)
      let sent = try world.inviter.received().count
      let missing = CloudAgentError.missingKey(foreign)
      #expect(throws: missing) { try connection.send("hello", with: world.session) }
      #expect(throws: missing) { try connection.sign([1], with: world.session) }
      #expect(throws: missing) { try connection.delete(with: world.session) }
      var polled = connection
      #expect(throws: missing) { try polled.poll(with: world.session) }
      #expect(try world.inviter.received().count == sent)
    }
  }
}
