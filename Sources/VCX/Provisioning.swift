// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import MSDK

// MARK: Provisioning
//
// Once per wallet: creates it and its keys, and a Cloud Agent for it. The result is the configuration for
// `vcx_init_with_config`; add `institution_name` and `institution_logo_url` to it and store it safely, it holds the
// wallet key.

/// Creates the wallet and the Cloud Agent with a sponsor's token, and waits for it. Prefer
/// `vcx_provision_agent_with_token_async`.
///
/// - Parameters:
///   - config: JSON text: the agency or a mediator's invitation, the name and the key of the wallet.
///   - token: JSON text of the sponsor's token.
/// - Returns: The configuration as JSON text, valid until the next blocking call of this thread; never to be freed.
///   NULL on an error, which is the current one then.
@_cdecl("vcx_provision_agent_with_token")
public func vcx_provision_agent_with_token(_ config: CString?, _ token: CString?) -> CString? {
  answer(text(config, allowingEmpty: true), text(token, allowingEmpty: true)) { _, _ in throw VCXError.notSupported }
}

/// Creates the wallet and the Cloud Agent with a sponsor's token.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - config: JSON text: the agency or a mediator's invitation, the name and the key of the wallet.
///   - token: JSON text of the sponsor's token.
///   - cb: Receives the configuration as JSON text, or 1004, 1107 when the token is refused, 1058 or 1075 for the
///     wallet, 1010.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_provision_agent_with_token_async")
public func vcx_provision_agent_with_token_async(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ token: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(config), text(token))
}

/// Creates the wallet and the Cloud Agent, and waits for it. Prefer `vcx_agent_provision_async`.
///
/// - Parameter config: JSON text: the agency or a mediator's invitation, the name and the key of the wallet.
/// - Returns: The configuration as JSON text, valid until the next blocking call of this thread; never to be freed.
///   NULL on an error, which is the current one then.
@_cdecl("vcx_provision_agent")
public func vcx_provision_agent(_ config: CString?) -> CString? {
  answer(text(config, allowingEmpty: true)) { try Provisioning(parsing: $0).run() }
}

/// Creates the wallet and the Cloud Agent.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - config: JSON text: the agency or a mediator's invitation, the name and the key of the wallet.
///   - cb: Receives the configuration as JSON text, or 1004, 1058 or 1075 for the wallet, 1010.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_agent_provision_async")
public func vcx_agent_provision_async(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(config)) { try Provisioning(parsing: $0).run() }
}

/// Asks the sponsor, through the agency, for a provisioning token.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - config: JSON text with `vcx_config`, `sponsee_id` and `sponsor_id`. Bad JSON is returned as 1004.
///   - cb: Receives the token as JSON text, or 1010, 1020.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_get_provision_token")
public func vcx_get_provision_token(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(config))
}

/// Tells the Cloud Agent where to announce messages: a push token or a web address.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - json: JSON text with `id`, `value` and `type`: 1 push, 2 the web address of an institution, 3 push through the
///     sponsor's address, 4 push with the sponsor's account. Bad JSON is returned as 1016.
///   - cb: Receives 0, or 1004, 1010, 1020, 1029.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_agent_update_info")
public func vcx_agent_update_info(
  _ command_handle: vcx_command_handle_t, _ json: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(json))
}

/// Prepares keys and a place at the Cloud Agent for a connection to come, so that `vcx_connection_connect` is faster.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - cb: Receives JSON text for the member `pairwise_agent_info` of the options of one `vcx_connection_connect`, or
///     1004, 1057, 1010, 1020.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_create_pairwise_agent")
public func vcx_create_pairwise_agent(_ command_handle: vcx_command_handle_t, _ cb: vcx_string_cb?) -> vcx_error_t {
  start(Completion(command_handle, cb)) { try Agent.running().createPairwiseAgent() }
}
