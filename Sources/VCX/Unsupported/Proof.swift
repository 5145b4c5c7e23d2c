// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

// MARK: Requesting proofs
//
// Proofs that this side requests and verifies.

/// Creates a proof request.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - requested_attrs: The attributes asked for, as JSON text.
///   - requested_predicates: The predicates asked for, as JSON text.
///   - revocation_interval: The time for which credentials must not be revoked, as JSON text.
///   - name: The name of the request.
///   - cb: Receives the handle of the proof, in state 1, or 1021, 1028.
@_cdecl("vcx_proof_create")
public func vcx_proof_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ requested_attrs: CString?,
  _ requested_predicates: CString?, _ revocation_interval: CString?, _ name: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(requested_attrs, "requested_attrs"),
    text(requested_predicates, "requested_predicates"),
    text(revocation_interval, "revocation_interval"), text(name, "name")
  )
}

/// Creates a proof request from a proposal that arrived.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - presentation_proposal: The proposal as JSON text.
///   - name: The name of the request.
///   - cb: Receives the handle of the proof, or 1110.
@_cdecl("vcx_proof_create_with_proposal")
public func vcx_proof_create_with_proposal(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ presentation_proposal: CString?, _ name: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(presentation_proposal, "presentation_proposal"),
    text(name, "name"))
}

/// Sends the request.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1017, 1003, 1112.
@_cdecl("vcx_proof_send_request")
public func vcx_proof_send_request(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Answers a proposal with a request.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection.
///   - requested_attrs: The attributes asked for, as JSON text.
///   - requested_predicates: The predicates asked for, as JSON text.
///   - revocation_interval: The time for which credentials must not be revoked, as JSON text.
///   - name: The name of the request.
///   - cb: Receives 0, or 1017, 1003, 1021, 1112.
@_cdecl("vcx_proof_request_proof")
public func vcx_proof_request_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ requested_attrs: CString?, _ requested_predicates: CString?,
  _ revocation_interval: CString?, _ name: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(requested_attrs, "requested_attrs"),
    text(requested_predicates, "requested_predicates"), text(revocation_interval, "revocation_interval"),
    text(name, "name")
  )
}

/// Binds a prepared request to a connection. Returns 1015 for an unknown proof, 1003 for an unknown connection.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1103, 1112.
@_cdecl("vcx_proof_set_connection")
public func vcx_proof_set_connection(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads the request, for programs that send it themselves.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the message as JSON text, or 1017.
@_cdecl("vcx_proof_get_request_msg")
public func vcx_proof_get_request_msg(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads the bare proof request inside the message.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives JSON text, or 1017, 1081.
@_cdecl("vcx_proof_get_request_attach")
public func vcx_proof_get_request_attach(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads the proposal that arrived.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the message as JSON text, or 1017, 1005 when there is none, 1103.
@_cdecl("vcx_get_proof_proposal")
public func vcx_get_proof_proposal(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads the presentation, after asking the Cloud Agent for it.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - unused_connection_handle: Ignored.
///   - cb: Receives the result of the proof, one of `vcx_proof_state`, also on error, and the presentation as JSON
///     text; 1017, 1005 before it arrived, 1081 if none will.
@_cdecl("vcx_get_proof")
public func vcx_get_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ unused_connection_handle: vcx_connection_handle_t, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Reads the presentation, after asking the Cloud Agent for it.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the result of the proof, one of `vcx_proof_state`, also on error, and the presentation as JSON
///     text; 1017, 1005 before it arrived, 1081 if none will.
@_cdecl("vcx_get_proof_msg")
public func vcx_get_proof_msg(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Asks the Cloud Agent for messages and applies at most one to the proof.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the state, or 1017, 1023.
@_cdecl("vcx_proof_update_state")
public func vcx_proof_update_state(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Applies a message that the program downloaded to the proof.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - message: The decrypted message as JSON text.
///   - cb: Receives the state, or 1017, 1016, 1023.
@_cdecl("vcx_proof_update_state_with_message")
public func vcx_proof_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ message: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(message, "message"))
}

/// Reads the state of a requested proof, one of `vcx_state`.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the state, or 1017.
@_cdecl("vcx_proof_get_state")
public func vcx_proof_get_state(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Writes a proof as JSON text for the program to store. `vcx_proof_deserialize` restores it.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the text, or 1017.
@_cdecl("vcx_proof_serialize")
public func vcx_proof_serialize(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Restores a serialized proof.
///
/// - Parameters:
///   - proof_data: The text from `vcx_proof_serialize`.
///   - cb: Receives a new handle, or 1016.
@_cdecl("vcx_proof_deserialize")
public func vcx_proof_deserialize(
  _ command_handle: vcx_command_handle_t, _ proof_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(proof_data, "proof_data"))
}

/// Releases the handle of a requested proof.
///
/// - Parameter proof_handle: The proof.
/// - Returns: Always 0.
@_cdecl("vcx_proof_release")
public func vcx_proof_release(_ proof_handle: vcx_proof_handle_t) -> vcx_error_t {
  ErrorCode.success.rawValue
}

/// Reads the problem report that ended the exchange.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives JSON text, `null` when there is none; 1017, 1103.
@_cdecl("vcx_proof_get_problem_report")
public func vcx_proof_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Does nothing; kept for programs written for libvcx.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - response_data: Ignored.
/// - Returns: Always 0.
@_cdecl("vcx_proof_accepted")
public func vcx_proof_accepted(_ proof_handle: vcx_proof_handle_t, _ response_data: CString?) -> vcx_error_t {
  ErrorCode.success.rawValue
}
