import AgencyServer
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK
@testable import VCX

/// An agency, and agents of this process with accounts there, through the C functions.
final class AgentScene: Sendable {
  let folder: TemporaryFolder
  let agency: AgencyServer

  init() throws {
    folder = try TemporaryFolder()
    agency = try AgencyServer(dataFolder: folder.path + "/agency")
  }

  deinit { agency.stop() }

  /// The configuration of a wallet with an account at the agency.
  func config(_ name: String, _ members: [String: JSON] = [:]) async throws -> JSON {
    let provisioning: JSON = [
      "wallet_name": .string(name), "wallet_key": .string(SessionFunctionTests.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)], "agency_url": .string(agency.endpoint),
      "agency_did": .string(agency.identity.did), "agency_verkey": .string(agency.identity.verkey.text),
      "name": .string(name),
      "protocol_type": "4.0",
    ]
    let made = await strings.call { vcx_agent_provision_async($0, provisioning.text, stringCallback) }
    return try JSON(parsing: #require(made.delivery?.value ?? nil)).with(members)
  }

  /// The members for credentials: the engine, and a folder in which all agents publish and read.
  var credentials: [String: JSON] {
    [
      "anoncreds_library_path": .string(CredentialLibraries.anonCreds),
      "anoncreds_registries": [["type": "file", "path": .string(folder.path + "/registry"), "write": true]],
    ]
  }

  func open(_ name: String, _ members: [String: JSON] = [:]) async throws -> OpenAgent {
    try await OpenAgent(config: config(name, members))
  }

  /// The wallet's configuration without a Cloud Agent, and the wallet.
  func local(_ name: String) throws -> JSON {
    let config: JSON = [
      "wallet_name": .string(name), "wallet_key": .string(SessionFunctionTests.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)],
    ]
    try Wallet.makeUnlessPresent(Settings(parsing: config.text).wallet)
    return config
  }
}

/// An agent that the tests have opened. Its calls select it, and no other call of the thread has it.
struct OpenAgent: Sendable {
  let handle: UInt32

  init(config: JSON) async throws {
    let opened = try #require(await numbers.call { msdk_agent_open($0, config.text, numberCallback) }.delivery)
    try #require(opened.error == 0, "\(opened.currentError ?? "")")
    handle = opened.value
  }

  /// Makes a call with this agent selected.
  func select(_ call: @escaping (UInt32) -> vcx_error_t) -> (UInt32) -> vcx_error_t {
    { [handle] command in
      guard msdk_agent_select(handle) == 0 else { return .max }
      defer { _ = msdk_agent_select(0) }
      return call(command)
    }
  }

  func text(_ call: @escaping (UInt32) -> vcx_error_t) async throws -> String {
    let delivery = try #require(await strings.call(select(call)).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
    return try #require(delivery.value)
  }

  func number(_ call: @escaping (UInt32) -> vcx_error_t) async throws -> UInt32 {
    let delivery = try #require(await numbers.call(select(call)).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
    return delivery.value
  }

  func finish(_ call: @escaping (UInt32) -> vcx_error_t) async throws {
    let delivery = try #require(await done.call(select(call)).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
  }

  /// Closes the agent, and returns the error.
  @discardableResult
  func close() async -> UInt32? { await done.call { msdk_agent_close($0, handle, doneCallback) }.delivery?.error }

  func record(_ id: String) async -> Ending<String?> {
    await strings.call(select { vcx_wallet_get_record($0, "t", id, "{}", stringCallback) })
  }

  func add(_ id: String) async throws {
    try await finish { vcx_wallet_add_record($0, "t", id, "v", "{}", doneCallback) }
  }

  /// Connects with another agent. Returns both connections.
  func connected(with other: OpenAgent) async throws -> (own: UInt32, others: UInt32) {
    let own = try await number { vcx_connection_create($0, "other", numberCallback) }
    let invitation = try await text { vcx_connection_connect($0, own, nil, stringCallback) }
    let others = try await other.number { vcx_connection_create_with_invite($0, "one", invitation, numberCallback) }
    _ = try await text { vcx_connection_connect($0, others, "{}", stringCallback) }
    for (connection, state) in [(own, 3), (others, 4), (own, 4)] as [(UInt32, UInt32)] {
      #expect(try await number { vcx_connection_update_state($0, connection, numberCallback) } == state)
    }
    return (own, others)
  }
}
