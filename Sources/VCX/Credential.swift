// swift-format-ignore-file: AlwaysUseLowerCamelCase

// MARK: Credentials
//
// A credential that this side is offered, asks for and holds. Create it from an offer (state 3), send the request
// (state 2), update the state until it is stored (state 4).

/// Creates a credential from an offer.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - offer: The offer as JSON text.
///   - cb: Receives the handle of the credential, in state 3, or 1043.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_create_with_offer")
public func vcx_credential_create_with_offer(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ offer: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(source_id, "source_id"), text(offer, "offer"))
}

/// Downloads an offer and creates a credential from it.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - connection_handle: The connection.
///   - msg_id: The id of the message with the offer.
///   - cb: Receives the handle of the credential and the offer; 1020 when the message is no offer.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_create_with_msgid")
public func vcx_credential_create_with_msgid(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ connection_handle: vcx_connection_handle_t,
  _ msg_id: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(source_id, "source_id"), text(msg_id, "msg_id"))
}

/// Creates a credential from an offer, sends the request and serializes the credential, in one call.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - offer: The offer as JSON text.
///   - connection_handle: The connection.
///   - cb: Receives the handle of the credential and its serialized form, or the errors of the three calls.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_accept_credential_offer")
public func vcx_credential_accept_credential_offer(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ offer: CString?,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(source_id, "source_id"), text(offer, "offer"))
}

/// Asks for the credential that was offered.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - connection_handle: The connection, or 0 to answer the service that the offer names itself.
///   - payment_handle: Ignored.
///   - cb: Receives 0, or 1053, 1003, 1112 when the connection is not completed, 1030, 1036.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_send_request")
public func vcx_credential_send_request(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ payment_handle: vcx_payment_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// The request of a credential of the proprietary protocol, for programs that send it themselves.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - my_pw_did: The own DID of the connection.
///   - their_pw_did: The peer's DID, or NULL.
///   - payment_handle: Ignored.
///   - cb: Receives the message; 1053, 1103 for an Aries credential.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_get_request_msg")
public func vcx_credential_get_request_msg(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ my_pw_did: CString?,
  _ their_pw_did: CString?, _ payment_handle: vcx_payment_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(my_pw_did, "my_pw_did"), optionalText(their_pw_did, "their_pw_did"))
}

/// Downloads all offers that wait on a connection. Their status stays what it is.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - connection_handle: The connection.
///   - cb: Receives a JSON array of offers; 1003, 1010.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_get_offers")
public func vcx_credential_get_offers(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Asks the Cloud Agent for messages, and applies at most one to the credential.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - cb: Receives the state, or 1053, 1010, 1054.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_update_state")
public func vcx_credential_update_state(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Applies a message that the program downloaded to the credential.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - message: The decrypted message as JSON text.
///   - cb: Receives the state, or 1053, 1016.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_update_state_with_message")
public func vcx_credential_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(message, "message"))
}

/// The state of a credential, one of `vcx_state`.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - handle: The credential.
///   - cb: Receives the state, or 1053.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_get_state")
public func vcx_credential_get_state(
  _ command_handle: vcx_command_handle_t, _ handle: vcx_credential_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Writes a credential as JSON text, to store it and bring it back with `vcx_credential_deserialize`.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - handle: The credential.
///   - cb: Receives the text, or 1053.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_serialize")
public func vcx_credential_serialize(
  _ command_handle: vcx_command_handle_t, _ handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Brings a serialized credential back.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_data: What `vcx_credential_serialize` gave.
///   - cb: Receives a new handle, or 1016.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_deserialize")
public func vcx_credential_deserialize(
  _ command_handle: vcx_command_handle_t, _ credential_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(credential_data, "credential_data"))
}

/// Forgets a credential. What is in the wallet stays.
///
/// - Parameter handle: The credential.
/// - Returns: Always 0.
@_cdecl("vcx_credential_release")
public func vcx_credential_release(_ handle: vcx_credential_handle_t) -> vcx_error_t {
  ErrorCode.success.rawValue
}

/// The credential itself, once it is stored.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - cb: Receives the message that carried it, as JSON text; 1053, 1005 before, 1081 after a failure.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_get_credential")
public func vcx_get_credential(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Deletes the stored credential from the wallet, and releases the handle, even when the first fails.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - cb: Receives 0, or 1053, 1005 before it is stored, 1081 after a failure.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_delete_credential")
public func vcx_delete_credential(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Declines an offer.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - connection_handle: The connection.
///   - comment: The reason, or NULL for a fixed text.
///   - cb: Receives 0, or 1053, 1003, 1112, 1103.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_reject")
public func vcx_credential_reject(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ comment: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), optionalText(comment, "comment"))
}

/// A proposal to present all attributes of the credential.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - cb: Receives the message as JSON text, or 1053, 1005.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_get_presentation_proposal_msg")
public func vcx_credential_get_presentation_proposal_msg(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads an offer without making a credential.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - offer: The offer as JSON text.
///   - cb: Receives JSON text with `name`, `attributes`, `cred_def_id`, `schema_id` and `thid`, or 1043.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_parse_offer")
public func vcx_credential_parse_offer(
  _ command_handle: vcx_command_handle_t, _ offer: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(offer, "offer"))
}

/// What the wallet says of the stored credential.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - cb: Receives JSON text with `referent`, `attrs`, `schema_id`, `cred_def_id`, `rev_reg_id` and `cred_rev_id`;
///     1053, 1005.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_get_info")
public func vcx_credential_get_info(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// The problem report that ended the exchange.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - credential_handle: The credential.
///   - cb: Receives JSON text, `null` when there is none; 1053, 1103.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_credential_get_problem_report")
public func vcx_credential_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Fetches the schemas, definitions and revocation registries of all stored credentials into the wallet, so that proofs
/// without revocation need no network later.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - cb: Receives 0, 1030 if neither a ledger nor a registry is configured, 1031, 1036 or 1091 if a schema, a definition or
///     a revocation registry is not to be had.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_fetch_public_entities")
public func vcx_fetch_public_entities(_ command_handle: vcx_command_handle_t, _ cb: vcx_done_cb?) -> vcx_error_t {
  start(Completion(command_handle, cb), runningSession(), by: .network) { try $0.fetchPublicObjects() }
}
