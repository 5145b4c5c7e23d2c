import AgencyServer
import CloudAgent
import JSON
import MSDK
import TestSupport
import Testing
import Wallet

extension SDKTests {
  /// Starting and stopping the library.
  @Suite struct StartTests {
    @Test func aSessionRunsOnceAndStartsAgain() throws {
      let world = try World()
      #expect(throws: WalletFailure(.alreadyOpen, at: world.folder.path + "/wallets/alice/sqlite.db")) {
        try Agent.ofTest.start(Settings(parsing: world.config))
      }
      let session = try world.session
      Agent.ofTest.stop(deletingWallet: false)
      #expect(throws: SessionError.notRunning) { try Agent.ofTest.running() }
      #expect(throws: WalletError.closed) { try Agent.ofTest.openWallet() }
      #expect(throws: (any Error).self) { try session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil) }
      try Agent.ofTest.start(Settings(parsing: world.config))
      #expect(try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil) == "[]")
    }

    @Test func stoppingCanDeleteTheWallet() throws {
      let world = try World()
      Agent.ofTest.stop(deletingWallet: true)
      #expect(throws: WalletFailure(.notFound, at: world.folder.path + "/wallets/alice/sqlite.db")) {
        try Agent.ofTest.start(Settings(parsing: world.config))
      }
    }

    @Test func aWrongKeyIsRefused() throws {
      let world = try World()
      Agent.ofTest.stop(deletingWallet: false)
      var config = try JSON(parsing: world.config)
      config["wallet_key"] = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
      #expect(throws: WalletFailure(.accessDenied, at: world.folder.path + "/wallets/alice/sqlite.db")) {
        try Agent.ofTest.start(Settings(parsing: config.text))
      }
    }

    @Test func provisioningCanBeRepeatedAfterAFailure() throws {
      let folder = try TemporaryFolder()
      var config: JSON = [
        "agency_url": "http://127.0.0.1:1", "agency_did": "SnTKP3E2D6Y8zE4p62Le3n",
        "agency_verkey": "F45Ey9188uCq5QzTnsJJHC7WczwVSjjpAFxUvJXYJVqR",
        "wallet_key": "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca", "wallet_key_derivation": "RAW",
        "storage_config": ["path": .string(folder.path)],
      ]
      #expect(throws: CloudAgentError.self) { try Provisioning(parsing: config.text).run() }
      let agency = try AgencyServer(dataFolder: folder.path + "/agency")
      defer { agency.stop() }
      config["agency_url"] = .string(agency.endpoint + "/")
      config["agency_did"] = .string(agency.identity.did)
      config["agency_verkey"] = .string(agency.identity.verkey.text)
      let result = try JSON(parsing: Provisioning(parsing: config.text).run())
      #expect(result["agency_endpoint"] == .string(agency.endpoint))
      #expect(result["institution_did"] == result["sdk_to_remote_did"])
      #expect(result["wallet_name"] == "LIBVCX_SDK_WALLET")
      #expect(result["protocol_type"] == "3.0")
      _ = try Settings(parsing: result.text)
    }
  }
}
