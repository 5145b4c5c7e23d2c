import AgencyServer
import JSON
import TestSupport
import Testing
import Threading

@testable import VCX

/// A question in the form of the product's documents, which asks with a time that has passed.
private let question = """
  {"@type":"https://didcomm.org/questionanswer/1.0/question","@id":"1","question_text":"Hi?",\
  "valid_responses":[{"text":"Yes"},{"text":"the-choice"}]}
  """

/// A run that is logged at the highest level: one wallet, an agency, and two connections of the wallet with itself.
struct LoggedRun {
  /// The lines of the process, each behind its level.
  static let log = Locked<[String]>([])

  let folder: TemporaryFolder
  let agency: AgencyServer
  /// Texts that may stand in no line.
  let secrets = Locked<[String]>([])
  let pairwiseDIDs = Locked<[String]>([])
  /// The id of the message that the invitee has sent.
  let uid = Locked("")

  init() throws {
    folder = try TemporaryFolder()
    var rules = Agency.Rules()
    rules.callsPrivateWebhooks = true
    agency = try AgencyServer(dataFolder: folder.path + "/agency", rules: rules)
    let write: vcx_log_cb = { _, level, _, message, _, _, _ in
      guard let message else { return }
      let line = "\(level) \(String(cString: message))"
      LoggedRun.log.withLock { $0.append(line) }
    }
    #expect(vcx_set_logger_with_max_lvl(nil, nil, write, nil, 5) == 0)
  }

  /// A text that is noted as a secret.
  func secret(_ text: String) -> String {
    secrets.withLock { $0.append(text) }
    return text
  }

  var walletKey: String { secret("G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca") }

  var wallet: JSON {
    [
      "wallet_name": "alice", "wallet_key": .string(walletKey), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)],
    ]
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
}

extension LoggedRun {
  func provisionAndStart() async throws {
    var config = wallet
    config["agency_url"] = .string(agency.endpoint)
    config["agency_did"] = .string(agency.identity.did)
    config["agency_verkey"] = .string(agency.identity.verkey.text)
    config["agent_seed"] = .string(secret("000000000000000000000000TheSeed1"))
    config["name"] = .string(secret("Alice-Lidell"))
    let provisioned = try await text { vcx_agent_provision_async($0, config.text, stringCallback) }
    let object = try JSON(parsing: provisioned).requireObject()
    for (name, value) in object.members where name.hasSuffix("verkey") { _ = secret(try #require(value.string)) }
    try await finish { vcx_init_with_config($0, provisioned, doneCallback) }
    let hook: JSON = [
      "id": .string(secret("my-phone")), "value": .string(secret("http://127.0.0.1:1/push-token")), "type": 2,
    ]
    try await finish { vcx_agent_update_info($0, hook.text, doneCallback) }
  }

  /// The inviter's connection and the invitee's.
  func connectWithItself() async throws -> [UInt32] {
    let inviter = try await number { vcx_connection_create($0, secret("label-of-bob"), numberCallback) }
    let invitation = try await text { vcx_connection_connect($0, inviter, nil, stringCallback) }
    let label = secret("label-of-alice")
    let invitee = try await number { vcx_connection_create_with_invite($0, label, invitation, numberCallback) }
    _ = try await text { vcx_connection_connect($0, invitee, "{}", stringCallback) }
    for (connection, state) in [(inviter, 3), (invitee, 4), (inviter, 4)] as [(UInt32, UInt32)] {
      #expect(try await number { vcx_connection_update_state($0, connection, numberCallback) } == state)
    }
    for connection in [inviter, invitee] {
      let did = try await text { vcx_connection_get_pw_did($0, connection, stringCallback) }
      pairwiseDIDs.withLock { $0.append(did) }
      let info = try JSON(parsing: await text { vcx_connection_info($0, connection, stringCallback) })
      for name in ["recipientKeys", "routingKeys"] {
        for key in info["my"]?[name]?.array ?? [] { _ = secret(try #require(key.string)) }
      }
      let stored = try await text { vcx_connection_serialize($0, connection, stringCallback) }
      let again = try await number { vcx_connection_deserialize($0, stored, numberCallback) }
      #expect(vcx_connection_release(again) == 0)
      let bytes = Array(secret("to-be-signed").utf8)
      let signed = await byteArrays.call {
        vcx_connection_sign_data($0, connection, bytes, UInt32(bytes.count), bytesCallback)
      }
      #expect(signed.delivery?.error == 0)
    }
    return [inviter, invitee]
  }

  func exchangeMessages(over connections: [UInt32]) async throws {
    let (inviter, invitee) = (connections[0], connections[1])
    let content = secret("the-content-of-a-message")
    _ = try await text { vcx_connection_send_message($0, invitee, content, "{}", stringCallback) }
    try await finish { vcx_connection_send_ping($0, inviter, secret("a-comment"), doneCallback) }
    _ = try await number { vcx_connection_update_state($0, inviter, numberCallback) }
    _ = try await number { vcx_connection_update_state($0, invitee, numberCallback) }
    let choice = #"{"text":"\#(secret("the-choice"))"}"#
    try await finish { vcx_connection_send_answer($0, invitee, question, choice, doneCallback) }

    let did = pairwiseDIDs.withLock { $0[0] }
    let found = try await text { vcx_messages_download($0, "MS-103", nil, did, stringCallback) }
    let message = try #require(try JSON(parsing: found).requireArray().first?["msgs"]?.array?.first)
    #expect(message["decryptedPayload"]?.string?.contains(content) == true)
    let id = try #require(message["uid"]?.string)
    uid.withLock { $0 = id }
    _ = try await text { vcx_download_message($0, id, stringCallback) }
    let read: JSON = [["pairwiseDID": .string(did), "uids": [.string(id)]]]
    try await finish { vcx_messages_update_status($0, "MS-106", read.text, doneCallback) }
  }

  func useTheWallet() async throws {
    let imported = folder.path + "/export"
    let (type, id) = (secret("type-of-a-record"), secret("id-of-a-record"))
    let (value, tags) = (secret("value-of-a-record"), #"{"\#(secret("tag-name"))":"\#(secret("tag-value"))"}"#)
    try await finish { vcx_wallet_add_record($0, type, id, value, tags, doneCallback) }
    _ = try await text { vcx_wallet_get_record($0, type, id, "{}", stringCallback) }
    let search = await searchHandles.call { vcx_wallet_open_search($0, type, tags, "{}", searchCallback) }
    let handle = try #require(search.delivery?.value)
    _ = try await text { vcx_wallet_search_next_records($0, handle, 5, stringCallback) }
    try await finish { vcx_wallet_close_search($0, handle, doneCallback) }
    try await finish { vcx_wallet_export($0, imported, secret("key-of-the-export"), doneCallback) }
    try await finish { vcx_wallet_delete_record($0, type, id, doneCallback) }
    #expect(await strings.call { vcx_wallet_get_record($0, type, id, "{}", stringCallback) }.delivery?.error == 1073)
    #expect(await strings.call { vcx_wallet_get_record($0, nil, id, "{}", stringCallback) }.refusal == 1007)
  }

  /// The restored wallet takes the place of the open one, whose searches end.
  func restoreTheWallet() async throws {
    let (key, path) = (secret("passphrase-of-a-backup"), folder.path + "/backup")
    let backup = try await number { vcx_wallet_backup_create($0, "b", key, numberCallback) }
    _ = try await number { vcx_wallet_backup_update_state($0, backup, numberCallback) }
    try await finish { vcx_wallet_backup_backup($0, backup, path, doneCallback) }
    _ = try await number { vcx_wallet_backup_update_state($0, backup, numberCallback) }
    let search = await searchHandles.call { vcx_wallet_open_search($0, "t", "{}", "{}", searchCallback) }
    let handle = try #require(search.delivery?.value)
    var config = wallet
    config["exported_wallet_path"] = .string(path)
    config["backup_key"] = .string(key)
    try await finish { vcx_wallet_backup_restore($0, config.text, doneCallback) }
    let ended = await strings.call { vcx_wallet_search_next_records($0, handle, 1, stringCallback) }
    #expect(ended.delivery?.currentError?.contains("has the handle \(handle)") == true)
  }

  /// Objects that an application forgets to release: none of them outlives the session.
  func makeObjects() async throws -> [Object] {
    let key = secret("passphrase-of-backups")
    let backup = try await number { vcx_wallet_backup_create($0, "b", key, numberCallback) }
    let texts = try Fixtures.json("issuer/public_objects.json")
    let schema = try #require(texts["schema"]).text
    let definition = try #require(texts["credentialdef"]).text
    let issued = try #require(Fixtures.json("issuer/issuer_states.json")["states"]?["1 Initial"]).text
    let objects = [
      Object(handle: backup, serialize: vcx_wallet_backup_serialize),
      Object(
        handle: try await number { vcx_schema_deserialize($0, schema, numberCallback) },
        serialize: vcx_schema_serialize),
      Object(
        handle: try await number { vcx_credentialdef_deserialize($0, definition, numberCallback) },
        serialize: vcx_credentialdef_serialize),
      Object(
        handle: try await number { vcx_issuer_credential_deserialize($0, issued, numberCallback) },
        serialize: vcx_issuer_credential_serialize),
      Object(
        handle: try await number { vcx_connection_create($0, "c", numberCallback) },
        serialize: vcx_connection_serialize),
      try await stored("holder-offered", vcx_credential_deserialize, vcx_credential_serialize),
      try await stored("prover-requested", vcx_disclosed_proof_deserialize, vcx_disclosed_proof_serialize),
      try await stored("verifier-sent", vcx_proof_deserialize, vcx_proof_serialize),
    ]
    for object in objects { _ = try await text { object.serialize($0, object.handle, stringCallback) } }
    return objects
  }

  /// The object of an exchange, from its stored form.
  private func stored(
    _ name: String, _ deserialize: (vcx_command_handle_t, CString?, vcx_number_cb?) -> vcx_error_t,
    _ serialize: @escaping (vcx_command_handle_t, UInt32, vcx_string_cb?) -> vcx_error_t
  ) async throws -> Object {
    let text = try Fixtures.json("exchanges/\(name).json").text
    return Object(handle: try await number { deserialize($0, text, numberCallback) }, serialize: serialize)
  }

  /// An object of the C API.
  struct Object {
    let handle: UInt32
    let serialize: (vcx_command_handle_t, UInt32, vcx_string_cb?) -> vcx_error_t
  }

  /// Errors have causes, and these stand in the log.
  func makeMistakes() async throws {
    #expect(await done.call { vcx_init_with_config($0, wallet.text, doneCallback) }.refusal == 1044)
    #expect(await done.call { vcx_init($0, "ENABLE_TEST_MODE", doneCallback) }.refusal == 1044)
    let broken = #"{"wallet_key": "\#(secret("a-key-in-broken-JSON"))" nonsense"#
    for config in [broken, #"{"wallet_key": "x", "agency_did": "\#(secret("no-such-DID"))"}"#] {
      #expect(await done.call { vcx_init_with_config($0, config, doneCallback) }.delivery?.error != 0)
    }
    for query in [broken, #"{"~name":{"$nothing":"\#(secret("value-in-a-query"))"}}"#] {
      let search = await searchHandles.call { vcx_wallet_open_search($0, "t", query, "{}", searchCallback) }
      #expect(search.delivery?.error != 0)
    }
    for origin in [agency.endpoint, "http://\(secret("user-of-a-URL")):\(secret("password"))@127.0.0.1:1"] {
      let url = "\(origin)/\(secret("path-of-a-URL"))?\(secret("query-of-a-URL"))"
      #expect(await strings.call { vcx_resolve_message_by_url($0, url, stringCallback) }.delivery?.error != 0)
    }
    let invitation = #"{"@id":"1","label":"\#(secret("a-label"))","recipientKeys":["\#(secret("no-key"))"]}"#
    let created = await numbers.call { vcx_connection_create_with_invite($0, "x", invitation, numberCallback) }
    #expect(created.delivery?.error != 0)
    #expect(await strings.call { vcx_connection_get_pw_did($0, 4711, stringCallback) }.delivery?.error == 1003)
    let schema = await numbers.call { vcx_schema_create($0, "a", "b", "1", "[]", 0, numberCallback) }
    #expect(schema.delivery?.error == 1041)
  }
}
