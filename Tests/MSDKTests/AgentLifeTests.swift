import CloudAgent
import DIDComm
import JSON
import MSDK
import Sodium
import TestSupport
import Testing
import Wallet

extension SDKTests {
  /// One agent at a time, with the wallet that is its own.
  @Suite(.serialized) final class AgentLifeTests {
    static let key = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
    static let otherKey = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    deinit { MSDK.Agent.stop(deletingWallet: false) }

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
      try Agent.start(first)
      #expect(throws: WalletFailure(.alreadyOpen, at: first.wallet.location.file)) { try Agent.start(second) }
      #expect(try Agent.running().wallet === Agent.openWallet())
      Agent.stop(deletingWallet: false)
      #expect(!Agent.isRunning)
      #expect(throws: Never.self) { try Agent.start(second) }
    }

    @Test func whatNeedsACloudAgentSaysThatThereIsNone() throws {
      try Agent.start(settings("alice"))
      let agent = try Agent.running()
      let missing = SettingsError.missing("agency_endpoint")
      #expect(throws: missing) { try agent.checkHealth() }
      #expect(throws: missing) { try agent.createPairwiseAgent() }
      #expect(throws: missing) { try agent.downloadOwnMessages(statuses: nil, uids: nil) }
      #expect(throws: missing) { try agent.updateMessages(status: "MS-106", "[]") }
    }

    @Test func theNewKeyOfAWalletIsTheOneItIsDeletedWith() throws {
      try Agent.start(settings("alice"))
      try Agent.rekey(Agent.openWallet(), to: Self.otherKey, derivation: .raw)
      Agent.stop(deletingWallet: false)
      #expect(throws: WalletFailure(.accessDenied, at: folder.path + "/alice/sqlite.db")) {
        try Agent.start(settings("alice"))
      }
      try Agent.start(settings("alice", key: Self.otherKey))
      try Agent.rekey(Agent.openWallet(), to: Self.key, derivation: .raw)
      let location = try Agent.running().settings.wallet.location
      Agent.stop(deletingWallet: true)
      #expect(throws: WalletError.notFound) { try Wallet.open(location, key: Self.key, derivation: .raw) }
    }

    @Test func onlyTheWalletOfTheAgentGetsAnotherKey() throws {
      let other = try settings("bob")
      let wallet = try Wallet.open(other.wallet.location, key: other.wallet.key, derivation: .raw)
      defer { wallet.close() }
      #expect(throws: WalletError.closed) { try Agent.rekey(wallet, to: Self.otherKey, derivation: .raw) }
      try Agent.start(settings("alice"))
      #expect(throws: WalletError.closed) { try Agent.rekey(wallet, to: Self.otherKey, derivation: .raw) }
      wallet.close()
      #expect(throws: Never.self) { try Wallet.open(other.wallet.location, key: Self.key, derivation: .raw).close() }
    }
  }

  /// A connection whose key the wallet does not hold: it was made with another wallet.
  @Suite(.serialized) struct ForeignConnectionTests {
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
      #expect(throws: missing) { try connection.send("hello", with: world.agent) }
      #expect(throws: missing) { try connection.sign([1], with: world.agent) }
      #expect(throws: missing) { try connection.delete(with: world.agent) }
      var polled = connection
      #expect(throws: missing) { try polled.poll(with: world.agent) }
      #expect(try world.inviter.received().count == sent)
    }
  }
}
