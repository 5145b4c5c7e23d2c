// swift-format-ignore-file: AlwaysUseLowerCamelCase

// MARK: Disclosed proofs
//
// A proof that this side gives from its credentials. Create it from a request (state 3), choose credentials, generate
// and send it (state 2), update the state until it is accepted (state 4).

/// Reads a proof request without making a proof.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - request: The request as JSON text.
///   - cb: Receives JSON text with `name`, `version`, `requested_attributes`, `requested_predicates` and `thid`, or
///     1086.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_parse_request")
public func vcx_disclosed_proof_parse_request(
  _ command_handle: vcx_command_handle_t, _ request: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(request, "request"))
}

/// Creates a proof from a request.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - proof_req: The request as JSON text.
///   - cb: Receives the handle of the proof, in state 3, or 1086.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_create_with_request")
public func vcx_disclosed_proof_create_with_request(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ proof_req: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(source_id, "source_id"), text(proof_req, "proof_req"))
}

/// Downloads a request and creates a proof from it.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - connection_handle: The connection.
///   - msg_id: The id of the message with the request.
///   - cb: Receives the handle of the proof and the request; 1020 when the message is no request.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_create_with_msgid")
public func vcx_disclosed_proof_create_with_msgid(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ connection_handle: vcx_connection_handle_t,
  _ msg_id: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(source_id, "source_id"), text(msg_id, "msg_id"))
}

/// Creates a proof that this side proposes.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - proposal: The proposed presentation as JSON text.
///   - comment: Text for the verifier.
///   - cb: Receives the handle of the proof, in state 1, or 1110.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_create_proposal")
public func vcx_disclosed_proof_create_proposal(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ proposal: CString?, _ comment: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(proposal, "proposal"), text(comment, "comment"))
}

/// Finds the credentials that fit each item of the request.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - cb: Receives JSON text; 1049, 1005 without a request, 1086.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_retrieve_credentials")
public func vcx_disclosed_proof_retrieve_credentials(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Builds the proof. A failure to build is told by `vcx_disclosed_proof_send_proof`.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - selected_credentials: The chosen credentials as JSON text.
///   - self_attested_attrs: Attributes that the holder states without a credential, as a JSON object.
///   - cb: Receives 0, or 1049.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_generate_proof")
public func vcx_disclosed_proof_generate_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ selected_credentials: CString?, _ self_attested_attrs: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(selected_credentials, "selected_credentials"),
    text(self_attested_attrs, "self_attested_attrs"))
}

/// Sends the proof.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - connection_handle: The connection, or 0 to answer the service that the request names itself.
///   - cb: Receives 0, or 1049, 1003, 1112, 1005, or the error of the build.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_send_proof")
public func vcx_disclosed_proof_send_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Sends the proposal.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1049, 1003, 1112, 1103.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_send_proposal")
public func vcx_disclosed_proof_send_proposal(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Declines a request.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - connection_handle: The connection, or 0 to answer the service that the request names itself.
///   - cb: Receives 0, or 1049, 1003, 1112, 1081.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_reject_proof")
public func vcx_disclosed_proof_reject_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Declines a request with a reason, or proposes another presentation. Exactly one of the two is given.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - connection_handle: The connection; 0 with a reason answers the service that the request names itself.
///   - reason: The reason, or NULL.
///   - proposal: The presentation to propose instead, as JSON text, or NULL.
///   - cb: Receives 0, 1111 for both or none, 1049, 1003, 1016, 1112.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_decline_presentation_request")
public func vcx_disclosed_proof_decline_presentation_request(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ reason: CString?, _ proposal: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), optionalText(reason, "reason"), optionalText(proposal, "proposal"))
}

/// The presentation, for programs that send it themselves.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - cb: Receives the message as JSON text, or 1049, 1005.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_get_proof_msg")
public func vcx_disclosed_proof_get_proof_msg(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// The refusal under the proprietary protocol, for programs that send it themselves.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - cb: Receives the message; 1049, 1103 for an Aries proof.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_get_reject_msg")
public func vcx_disclosed_proof_get_reject_msg(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Downloads all proof requests that wait on a connection. Their status stays what it is.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - connection_handle: The connection.
///   - cb: Receives a JSON array of requests; 1003, 1010.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_get_requests")
public func vcx_disclosed_proof_get_requests(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// The state of a proof, one of `vcx_state`.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - cb: Receives the state, or 1049.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_get_state")
public func vcx_disclosed_proof_get_state(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Asks the Cloud Agent for messages, and applies at most one to the proof.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - cb: Receives the state, or 1049, 1010.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_update_state")
public func vcx_disclosed_proof_update_state(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Applies a message that the program downloaded to the proof.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - message: The decrypted message as JSON text.
///   - cb: Receives the state, or 1049, 1016.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_update_state_with_message")
public func vcx_disclosed_proof_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(message, "message"))
}

/// Writes a proof as JSON text, to store it and bring it back with `vcx_disclosed_proof_deserialize`.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - cb: Receives the text, or 1049.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_serialize")
public func vcx_disclosed_proof_serialize(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Brings a serialized proof back.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_data: The text from `vcx_disclosed_proof_serialize`.
///   - cb: Receives a new handle, or 1016.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_deserialize")
public func vcx_disclosed_proof_deserialize(
  _ command_handle: vcx_command_handle_t, _ proof_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(proof_data, "proof_data"))
}

/// The problem report that ended the exchange.
///
/// - Parameters:
///   - command_handle: Given back to `cb`.
///   - proof_handle: The proof.
///   - cb: Receives JSON text, `null` when there is none; 1049, 1103.
/// - Returns: 0, or the error that kept the operation from starting; `cb` is not called then.
@_cdecl("vcx_disclosed_proof_get_problem_report")
public func vcx_disclosed_proof_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Forgets a proof.
///
/// - Parameter handle: The proof.
/// - Returns: Always 0.
@_cdecl("vcx_disclosed_proof_release")
public func vcx_disclosed_proof_release(_ handle: vcx_disclosed_proof_handle_t) -> vcx_error_t {
  ErrorCode.success.rawValue
}
