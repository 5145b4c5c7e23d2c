// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import Aries
internal import MSDK

// MARK: Disclosed proofs: being requested
//
// A verifier requests a proof, or this side proposes a proof. Each item of the request needs a credential that fits.

/// Reads a proof request without making a proof.
///
/// - Parameters:
///   - request: The request as JSON text: a message of present-proof 1.0 or 2.0.
///   - cb: Receives JSON text with `name`, `version`, `requested_attributes`, `requested_predicates` and `thid`, or
///     1086.
@_cdecl("vcx_disclosed_proof_parse_request")
public func vcx_disclosed_proof_parse_request(
  _ command_handle: vcx_command_handle_t, _ request: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(request, "request")) { request in
    try reporting(.invalidProofRequest) { try DisclosedProof.summary(ofRequest: request) }
  }
}

/// Creates a proof from a request.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - proof_req: The request as JSON text: a message of present-proof 1.0 or 2.0. It may come from
///     `vcx_disclosed_proof_get_requests`, from a downloaded message, or from `vcx_extract_attached_message`.
///   - cb: Receives the handle of the proof, in state 3, or 1086.
@_cdecl("vcx_disclosed_proof_create_with_request")
public func vcx_disclosed_proof_create_with_request(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ proof_req: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(source_id, "source_id"), text(proof_req, "proof_req")) {
    sourceID, request in
    try reporting(.invalidProofRequest) { try proofs.insert(DisclosedProof(sourceID: sourceID, request: request)) }
  }
}

/// Downloads a request and creates a proof from it.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - connection_handle: The connection.
///   - msg_id: The id of the message with the request.
///   - cb: Receives the handle of the proof and the request; 1020 if the message is not a request, 1016 if the peer
///     has not sent it.
@_cdecl("vcx_disclosed_proof_create_with_msgid")
public func vcx_disclosed_proof_create_with_msgid(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ connection_handle: vcx_connection_handle_t,
  _ msg_id: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, text(source_id, "source_id"),
    text(msg_id, "msg_id"), runningSession(), by: .network
  ) { (connection: inout Connection, sourceID, uid, session) in
    let requested = try DisclosedProof.requested(by: uid, over: connection, sourceID: sourceID, with: session)
    return NumberAndText(number: try proofs.insert(requested.proof), text: requested.request)
  }
}

/// Creates a proof that this side proposes.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - proposal: The presentation to propose, as JSON text: `attributes` with `name`, and optionally `cred_def_id`, `value` and
///     `referent`, and `predicates` with `name`, `predicate`, `threshold` and optionally `cred_def_id`.
///   - comment: Text for the verifier.
///   - cb: Receives the handle of the proof, in state 1, or 1110.
@_cdecl("vcx_disclosed_proof_create_proposal")
public func vcx_disclosed_proof_create_proposal(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ proposal: CString?, _ comment: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(proposal, "proposal"), text(comment, "comment")
  ) { sourceID, preview, comment in
    try reporting(.invalidProofProposal) {
      try proofs.insert(DisclosedProof(sourceID: sourceID, proposing: preview, comment: comment))
    }
  }
}

/// Creates a proof that this side proposes, as `vcx_disclosed_proof_create_proposal` does, in a version and a format of the
/// program's choice.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - proposal: The presentation to propose, as for `vcx_disclosed_proof_create_proposal`.
///   - comment: Text for the verifier.
///   - options: JSON text, or NULL; as for `msdk_credential_create_proposal`, about present-proof.
///   - cb: Receives the handle of the proof, in state 1, or 1110, also for the options.
@_cdecl("msdk_disclosed_proof_create_proposal_with_options")
public func msdk_disclosed_proof_create_proposal_with_options(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ proposal: CString?, _ comment: CString?,
  _ options: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(proposal, "proposal"),
    text(comment, "comment"), optionalText(options, "options")
  ) { sourceID, preview, comment, options in
    try reporting(.invalidProofProposal) {
      try proofs.insert(
        DisclosedProof(sourceID: sourceID, proposing: preview, comment: comment, in: ExchangeForm(options: options)))
    }
  }
}

/// Finds the credentials that fit each item of the request.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives JSON text with `attributes` and `predicates`: each item with its `credentials`, and whether a
///     credential is `missing`; with `protocol_type` 3.0 or less one map `attrs` of all items. 1049, 1005 without a
///     request, 1086.
@_cdecl("vcx_disclosed_proof_retrieve_credentials")
public func vcx_disclosed_proof_retrieve_credentials(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: proofs, runningSession()) { proof, session in
    try proof.matchingCredentials(asVersion3: session.settings.isVersion3, with: session)
  }
}

/// Reads all that a screen shows of a request, in one call: the verifier's words, and each item with the stored
/// credentials that fit it.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives a JSON object: `thid`, `name` and `version` of the request; `display` with `comment`, `goal_code`,
///     `goal` and `attachments`, as far as the message has them; `attributes` and `predicates` as
///     `vcx_disclosed_proof_retrieve_credentials` gives them with `protocol_type` 4.0. 1049, 1005 without a request,
///     1086, 1080.
@_cdecl("msdk_disclosed_proof_describe_request")
public func msdk_disclosed_proof_describe_request(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: proofs, runningSession()) { proof, session in
    try proof.description(with: session)
  }
}

/// Downloads all proof requests of the peer that wait on a connection. They keep their status at the Cloud Agent.
/// Strangers may know the connection's key; the library omits their requests.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives a JSON array of requests; 1003, 1010.
@_cdecl("vcx_disclosed_proof_get_requests")
public func vcx_disclosed_proof_get_requests(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, runningSession(), by: .network
  ) { (connection: inout Connection, session) in try DisclosedProof.requests(of: connection, with: session) }
}
