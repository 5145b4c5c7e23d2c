import CMSDK
import CMSDKCalls

// The steps of docs/guide.md. The documentation site shows each beside the same step in C and Python.

/// Makes the wallet and the mailbox of a user. `request` is JSON; the result is the configuration of all later starts.
func provision(_ request: String) async throws -> String {
  try await Call.text { vcx_agent_provision_async($0, request, $1) } ?? ""
}

func begin(_ configuration: String) async throws {
  try await Call.done { vcx_init_with_config($0, configuration, $1) }
}

func accept(_ url: String) async throws -> vcx_connection_handle_t {
  let invitation = try await Call.text { vcx_resolve_message_by_url($0, url, $1) } ?? ""
  let connection =
    invitation.contains("/out-of-band/")
    ? try await Call.number { vcx_connection_create_with_outofband_invitation($0, "faber", invitation, $1) }
    : try await Call.number { vcx_connection_create_with_invite($0, "faber", invitation, $1) }
  _ = try await Call.text { vcx_connection_connect($0, connection, nil, $1) }
  return connection
}

/// Looks into the mailbox until the connection is completed. Returns false if the handshake failed.
func complete(_ connection: vcx_connection_handle_t) async throws -> Bool {
  while true {
    let state = try await Call.number { vcx_connection_update_state($0, connection, $1) }
    if state == VCX_STATE_ACCEPTED.rawValue { return true }
    if state == VCX_STATE_NONE.rawValue { return false }
    try await Task.sleep(for: .milliseconds(200))
  }
}

/// The inviter's side. Returns the invitation, to be shown as a QR code.
func invite() async throws -> (connection: vcx_connection_handle_t, invitation: String) {
  let connection = try await Call.number {
    vcx_connection_create_outofband($0, "guest", nil, "To get to know each other", true, nil, $1)
  }
  let invitation = try await Call.text { vcx_connection_connect($0, connection, nil, $1) } ?? ""
  return (connection, invitation)
}

func greet(_ connection: vcx_connection_handle_t) async throws {
  try await Call.done { vcx_connection_send_ping($0, connection, "are you there?", $1) }
  _ = try await Call.text { vcx_connection_send_message($0, connection, "Good morning", "{}", $1) }
}

/// The unread messages of a connection, as JSON text.
func unread(_ connection: vcx_connection_handle_t) async throws -> String {
  let ours = try await Call.text { vcx_connection_get_pw_did($0, connection, $1) } ?? ""
  return try await Call.text { vcx_messages_download($0, "MS-103", nil, ours, $1) } ?? "[]"
}

func keep(_ connection: vcx_connection_handle_t) async throws {
  let text = try await Call.text { vcx_connection_serialize($0, connection, $1) } ?? ""
  try await Call.done { vcx_wallet_add_record($0, "connection", "faber", text, "{}", $1) }
}

func hold(_ offer: String, _ connection: vcx_connection_handle_t) async throws -> vcx_credential_handle_t {
  let credential = try await Call.number { vcx_credential_create_with_offer($0, "degree", offer, $1) }
  try await Call.done { vcx_credential_send_request($0, credential, connection, 0, $1) }
  while try await Call.number({ vcx_credential_update_state($0, credential, $1) }) == VCX_STATE_OFFER_SENT.rawValue {
    try await Task.sleep(for: .milliseconds(200))
  }
  return credential
}

/// `selection` has a credential for each item of the request, as JSON.
func prove(_ request: String, _ selection: String, _ connection: vcx_connection_handle_t) async throws {
  let proof = try await Call.number { vcx_disclosed_proof_create_with_request($0, "degree", request, $1) }
  try await Call.done { vcx_disclosed_proof_generate_proof($0, proof, selection, "{}", $1) }
  try await Call.done { vcx_disclosed_proof_send_proof($0, proof, connection, $1) }
}

func meetAnError() async {
  do {
    _ = try await Call.text { vcx_wallet_get_record($0, "note", "1", "{}", $1) }
  } catch {
    print(error)
  }
}
