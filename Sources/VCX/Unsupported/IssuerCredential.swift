// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

// MARK: Issuing credentials
//
// A credential that this side issues.

/// Creates a credential to offer. Returns 1004 without an own DID.
///
/// - Parameters:
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - cred_def_handle: The definition.
///   - issuer_did: The issuer, or NULL for the institution's DID.
///   - credential_data: The attributes as JSON text.
///   - credential_name: The name that the holder sees.
///   - price: A number as text.
///   - cb: Receives the handle of the credential, in state 1.
@_cdecl("vcx_issuer_create_credential")
public func vcx_issuer_create_credential(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ cred_def_handle: vcx_credentialdef_handle_t,
  _ issuer_did: CString?, _ credential_data: CString?, _ credential_name: CString?, _ price: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), optionalText(issuer_did, "issuer_did"),
    text(credential_data, "credential_data"),
    text(credential_name, "credential_name"), text(price, "price")
  )
}

/// Sends the offer.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1015, 1003, 1021, 1112.
@_cdecl("vcx_issuer_send_credential_offer")
public func vcx_issuer_send_credential_offer(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads the offer, for programs that send it themselves.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the message as JSON text, or 1015, 1005.
@_cdecl("vcx_issuer_get_credential_offer_msg")
public func vcx_issuer_get_credential_offer_msg(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Sends the credential, after the request.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1015, 1003, 1021, 1112.
@_cdecl("vcx_issuer_send_credential")
public func vcx_issuer_send_credential(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads the credential under the proprietary protocol, for programs that send it themselves.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - my_pw_did: The own DID of the connection.
///   - cb: Receives the message; 1015, 1103 for an Aries credential.
@_cdecl("vcx_issuer_get_credential_msg")
public func vcx_issuer_get_credential_msg(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ my_pw_did: CString?,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(my_pw_did, "my_pw_did"))
}

/// Asks the Cloud Agent for messages and applies at most one to the credential.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the state, or 1015.
@_cdecl("vcx_issuer_credential_update_state")
public func vcx_issuer_credential_update_state(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Applies a message that the program downloaded to the credential.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - message: The decrypted message as JSON text.
///   - cb: Receives the state, or 1015, 1016.
@_cdecl("vcx_issuer_credential_update_state_with_message")
public func vcx_issuer_credential_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(message, "message"))
}

/// Reads the state of a credential being issued, one of `vcx_state`.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the state, or 1015.
@_cdecl("vcx_issuer_credential_get_state")
public func vcx_issuer_credential_get_state(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Writes the credential as JSON text for the program to store. `vcx_issuer_credential_deserialize` restores it.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the text, or 1015.
@_cdecl("vcx_issuer_credential_serialize")
public func vcx_issuer_credential_serialize(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Restores a serialized credential.
///
/// - Parameters:
///   - credential_data: The text from `vcx_issuer_credential_serialize`.
///   - cb: Receives a new handle, or 1016.
@_cdecl("vcx_issuer_credential_deserialize")
public func vcx_issuer_credential_deserialize(
  _ command_handle: vcx_command_handle_t, _ credential_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(credential_data, "credential_data"))
}

/// Releases the handle of a credential being issued.
///
/// - Parameter credential_handle: The credential.
/// - Returns: Always 0.
@_cdecl("vcx_issuer_credential_release")
public func vcx_issuer_credential_release(_ credential_handle: vcx_issuer_credential_handle_t) -> vcx_error_t {
  ErrorCode.success.rawValue
}

/// Revokes an issued credential.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives 0, or 1015, 1091, 1092, 1103.
@_cdecl("vcx_issuer_revoke_credential")
public func vcx_issuer_revoke_credential(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads the problem report that ended the exchange.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives JSON text, `null` when there is none; 1015, 1103.
@_cdecl("vcx_issuer_credential_get_problem_report")
public func vcx_issuer_credential_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Does nothing; kept for programs written for libvcx.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - credential_request: Ignored.
/// - Returns: Always 0.
@_cdecl("vcx_issuer_get_credential_request")
public func vcx_issuer_get_credential_request(
  _ credential_handle: vcx_issuer_credential_handle_t, _ credential_request: UnsafeMutablePointer<CChar>?
) -> vcx_error_t {
  ErrorCode.success.rawValue
}

/// Does nothing; kept for programs written for libvcx.
///
/// - Parameter credential_handle: The credential.
/// - Returns: Always 0.
@_cdecl("vcx_issuer_accept_credential")
public func vcx_issuer_accept_credential(_ credential_handle: vcx_issuer_credential_handle_t) -> vcx_error_t {
  ErrorCode.success.rawValue
}

/// Does nothing; kept for programs written for libvcx.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - termination_type: Ignored.
///   - msg: Ignored.
/// - Returns: Always 0.
@_cdecl("vcx_issuer_terminate_credential")
public func vcx_issuer_terminate_credential(
  _ credential_handle: vcx_issuer_credential_handle_t, _ termination_type: UInt32, _ msg: CString?
) -> vcx_error_t {
  ErrorCode.success.rawValue
}
