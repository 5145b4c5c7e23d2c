import AgencyServer
import JSON
import TestSupport
import Testing

@testable import MSDK
@testable import VCX

/// One wallet at an agency, and two connections of the wallet with itself, through the C functions.
final class Conversation {
  let folder: TemporaryFolder
  let agency: AgencyServer
  /// The configuration that provisioning has made.
  private(set) var config: JSON = [:]
  private(set) var inviter: UInt32 = 0
  private(set) var invitee: UInt32 = 0

  init() async throws {
    folder = try TemporaryFolder()
    agency = try AgencyServer(dataFolder: folder.path + "/agency")
    let provisioning: JSON = [
      "wallet_name": "alice", "wallet_key": .string(SessionFunctionTests.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)], "agency_url": .string(agency.endpoint),
      "agency_did": .string(agency.identity.did), "agency_verkey": .string(agency.identity.verkey.text),
    ]
    config = try JSON(parsing: await text { vcx_agent_provision_async($0, provisioning.text, stringCallback) })
    try await finish { vcx_init_with_config($0, config.text, doneCallback) }
    (inviter, invitee) = try await connected()
  }

  deinit {
    Agent.standard.stop(deletingWallet: false)
    agency.stop()
  }

  private func connected() async throws -> (UInt32, UInt32) {
    let inviter = try await number { vcx_connection_create($0, "bob", numberCallback) }
    let invitation = try await text { vcx_connection_connect($0, inviter, nil, stringCallback) }
    let invitee = try await number { vcx_connection_create_with_invite($0, "alice", invitation, numberCallback) }
    _ = try await text { vcx_connection_connect($0, invitee, "{}", stringCallback) }
    for (connection, state) in [(inviter, 3), (invitee, 4), (inviter, 4)] as [(UInt32, UInt32)] {
      #expect(try await number { vcx_connection_update_state($0, connection, numberCallback) } == state)
    }
    return (inviter, invitee)
  }

  func text(_ call: (UInt32) -> vcx_error_t) async throws -> String {
    let delivery = try #require(await strings.call(call).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
    return try #require(delivery.value)
  }

  func number(_ call: (UInt32) -> vcx_error_t) async throws -> UInt32 {
    let delivery = try #require(await numbers.call(call).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
    return delivery.value
  }

  func finish(_ call: (UInt32) -> vcx_error_t) async throws {
    let delivery = try #require(await done.call(call).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
  }

  func did(of connection: UInt32) async throws -> String {
    try await text { vcx_connection_get_pw_did($0, connection, stringCallback) }
  }

  /// The unread messages of a connection, as they were downloaded.
  func entries(of connection: UInt32) async throws -> [JSON] {
    let did = try await did(of: connection)
    let found = try await text { vcx_messages_download($0, "MS-103", nil, did, stringCallback) }
    return try JSON(parsing: found).array?.first?["msgs"]?.array ?? []
  }

  /// The last message that came over a connection.
  func last(of connection: UInt32) async throws -> JSON {
    let payload = try #require(await entries(of: connection).last?["decryptedPayload"]?.string)
    return try JSON(parsing: #require(try JSON(parsing: payload)["@msg"]?.string))
  }
}
