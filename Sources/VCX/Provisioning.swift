// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import CloudAgent
internal import MSDK

// MARK: Provisioning
//
// Provision once per wallet. It creates the wallet, its keys and a Cloud Agent, at an agency or a mediator, and gives the
// configuration for `vcx_init_with_config`. The program may add members to it, such as `institution_name`. Store it
// safely: it holds the wallet key.

/// Creates the wallet and the Cloud Agent with a sponsor's token, and blocks until the end. Prefer
/// `vcx_provision_agent_with_token_async`.
///
/// - Parameters:
///   - config: JSON text with `agency_endpoint`, `agency_did`, `agency_verkey`, `wallet_name`, `wallet_key`, and others.
///   - token: JSON text of the sponsor's token.
/// - Returns: The configuration as JSON text, valid until this thread makes another blocking call or ends; never free
///   it. NULL on an error, which becomes the current error.
@_cdecl("vcx_provision_agent_with_token")
public func vcx_provision_agent_with_token(_ config: CString?, _ token: CString?) -> UnsafeMutablePointer<CChar>? {
  answer(text(config, "config", allowingEmpty: true), text(token, "token", allowingEmpty: true), body: provision)
}

/// Creates the wallet and the Cloud Agent with a sponsor's token.
///
/// A token serves once. If a call gets no answer, call again with the same wallet and the same token: the wallet
/// remembers the key that it used with the token, and the agency gives the same Cloud Agent.
///
/// - Parameters:
///   - config: JSON text with `agency_endpoint`, `agency_did`, `agency_verkey`, `wallet_name`, `wallet_key`, and others.
///   - token: JSON text of the sponsor's token.
///   - cb: Receives the configuration as JSON text; 1107 if the token is malformed or refused, with the agency's reason
///     in the current error; 1004, 1008, 1009 and 1013 for the configuration, 1074 or 1075 for the wallet, 1010, 1020.
@_cdecl("vcx_provision_agent_with_token_async")
public func vcx_provision_agent_with_token_async(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ token: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(config, "config"), text(token, "token"), by: .network, body: provision)
}

/// Creates the wallet and the Cloud Agent, and blocks until the end. Prefer `vcx_agent_provision_async`.
///
/// - Parameter config: JSON text with `agency_endpoint`, `agency_did`, `agency_verkey`, or `mediator_invitation`, with
///   `wallet_name`, `wallet_key`, and others.
/// - Returns: The configuration as JSON text, valid until this thread makes another blocking call or ends; never free
///   it. NULL on an error, which becomes the current error.
@_cdecl("vcx_provision_agent")
public func vcx_provision_agent(_ config: CString?) -> UnsafeMutablePointer<CChar>? {
  answer(text(config, "config", allowingEmpty: true)) { try Agent.standard.provision($0) }
}

/// Creates the wallet and the Cloud Agent.
///
/// - Parameters:
///   - config: JSON text with `agency_endpoint`, `agency_did`, `agency_verkey`, or `mediator_invitation`, with `wallet_name`,
///     `wallet_key`, and others.
///   - cb: Receives the configuration as JSON text, or 1004, 1008, 1009 and 1013 for the
///     configuration, 1074 or 1075 for the wallet, 1010, 1020.
@_cdecl("vcx_agent_provision_async")
public func vcx_agent_provision_async(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(config, "config"), by: .network) { try Agent.standard.provision($0) }
}

/// Asks the agency for a provisioning token, if the agency signs tokens for the sponsor. Most sponsors hand out their
/// tokens themselves. Needs no wallet.
///
/// - Parameters:
///   - config: JSON text with `vcx_config`, whose agency is asked, `sponsee_id` and `sponsor_id`. Returns 1004, 1008
///     and 1009 for the agency's DID and key, 1013 for its URL.
///   - cb: Receives the token as JSON text; 1107 if the agency gives no token, 1010, 1020.
@_cdecl("vcx_get_provision_token")
public func vcx_get_provision_token(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(config, "config").map { try TokenRequest(parsing: $0) }, by: .network) {
    try $0.run()
  }
}

/// Tells the Cloud Agent where to announce messages: a push token or a web address. A second call with the same `id`
/// replaces the first; an empty `value` ends the announcements. `msdk_parse_push` reads the notifications.
///
/// - Parameters:
///   - json: JSON text with `id`, `value` and `type`: 1 push, 2 the web address of an institution, 3 push through the
///     sponsor's address, 4 push with the sponsor's account. The default of `type` is 1. Returns 1016 for bad JSON.
///   - cb: Receives 0, or 1004, 1010, 1020, 1029.
@_cdecl("vcx_agent_update_info")
public func vcx_agent_update_info(
  _ command_handle: vcx_command_handle_t, _ json: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(json, "json").map { try PushRegistration(parsing: $0) }, runningSession(),
    by: .network
  ) {
    try $0.register(with: $1)
  }
}

/// Tells the Cloud Agent a web address for announcements of messages, like `vcx_agent_update_info` with the type 2. A
/// second call replaces the address.
///
/// - Parameters:
///   - notification_webhook_url: The web address.
///   - cb: Receives 0, or 1004, 1010, 1020, 1029.
@_cdecl("vcx_update_webhook_url")
public func vcx_update_webhook_url(
  _ command_handle: vcx_command_handle_t, _ notification_webhook_url: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(notification_webhook_url, "notification_webhook_url"), runningSession(),
    by: .network
  ) {
    try PushRegistration(webhook: $0).register(with: $1)
  }
}

/// Prepares keys and a mailbox for a future connection, so that `vcx_connection_connect` is faster.
///
/// - Parameters:
///   - cb: Receives JSON text for the member `pairwise_agent_info` of the options of one `vcx_connection_connect`, or
///     1004, 1057, 1010, 1020.
@_cdecl("vcx_create_pairwise_agent")
public func vcx_create_pairwise_agent(_ command_handle: vcx_command_handle_t, _ cb: vcx_string_cb?) -> vcx_error_t {
  start(Completion(command_handle, cb), runningSession(), by: .network) { try $0.createMailbox() }
}

/// Provisions with a sponsor's token. Checks the token first, so that a bad token leaves no trace.
private func provision(_ config: String, _ token: String) throws -> String {
  let token = try SponsorToken(parsing: token)
  return try Agent.standard.provision(config, with: token)
}
