import JSON
import MSDK
import TestSupport

/// A scripted agency, and an agent of the library that is provisioned there and runs.
final class ScriptedWorld {
  let agent = Agent.ofTest
  let folder: TemporaryFolder
  let agency: ScriptedAgency
  let config: String

  init(ignoring ignored: Set<String> = []) throws {
    folder = try TemporaryFolder()
    agency = try ScriptedAgency(ignoring: ignored)
    config = try Provisioning(parsing: Self.provisioning(agency, folder).text).run()
    try agent.start(Settings(parsing: config))
  }

  deinit {
    agent.stop(deletingWallet: false)
    agency.stop()
  }

  var session: MSDK.Session { get throws { try agent.running() } }

  /// The configuration to provision with, for a wallet of this name.
  func provisioning(wallet: String) -> JSON { Self.provisioning(agency, folder, wallet: wallet) }

  private static func provisioning(_ agency: ScriptedAgency, _ folder: TemporaryFolder, wallet: String = "alice")
    -> JSON
  {
    [
      "agency_url": .string(agency.endpoint), "agency_did": .string(agency.party.did),
      "agency_verkey": .string(agency.party.verkey.text), "wallet_name": .string(wallet),
      "wallet_key": "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca", "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)],
    ]
  }
}
