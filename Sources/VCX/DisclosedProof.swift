// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Disclosed proofs: being given
//
// A proof that this side gives from its credentials. Create it from a request (state 3), choose credentials, generate
// and send it (state 2), update the state until the verifier has confirmed it (state 4).

/// Builds the proof. If it cannot be built, `vcx_disclosed_proof_send_proof` reports the error, and
/// `vcx_disclosed_proof_get_problem_report` has the text for the verifier. The program may call again with another choice.
/// Within `cb`, `vcx_get_current_error` has the error, too.
///
/// Does nothing if the verifier may have a proof already, because a process has ended while it sent the kept proof, or because
/// sending failed after the proof may have arrived: `vcx_disclosed_proof_send_proof` sends the same one again, and the request
/// cannot be declined.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - selected_credentials: The chosen credentials as JSON text: `{"attrs": {"<item>": {"credential": ...}}}` with a
///     credential that `vcx_disclosed_proof_retrieve_credentials` gave for the item, an attribute or a predicate. Next
///     to `credential`, `"revealed": false` hides the value, and `tails_file` names the tails file or its directory;
///     without it the library downloads the file. `"present_revoked": true` presents the credential even if it is
///     revoked: then without the proof that it is not, so that the verifier can decide.
///   - self_attested_attrs: Attributes that the holder states without a credential, as a JSON object.
///   - cb: Receives 0, or 1049, 1005 without a request, 1081 once the proof is sent or declined.
@_cdecl("vcx_disclosed_proof_generate_proof")
public func vcx_disclosed_proof_generate_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ selected_credentials: CString?, _ self_attested_attrs: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: proofs, text(selected_credentials, "selected_credentials"),
    text(self_attested_attrs, "self_attested_attrs"), runningSession(), by: .network
  ) { (proof: inout DisclosedProof, selected, selfAttested, session) in
    try proof.prepare(showing: selected, selfAttested: selfAttested, with: session)
    if let failure = proof.preparationError { _ = record(VCXError(failure)) }
  }
}

/// Sends the proof. If the proof does not exist, or has been sent, the call succeeds without sending.
///
/// If the proof could not be built, the library tells the verifier, and `cb` receives the error. The library does not
/// tell the verifier about a fault on this side, such as a missing AnonCreds engine.
///
/// Without a connection, the verifier can answer only in the response to the delivery. Without such an answer the state is 4
/// at once, and tells nothing of the verdict.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection, or 0 to answer the service that the request names itself.
///   - cb: Receives 0, or 1049, 1003, 1112 when the connection is not completed, 1010, or the error of the build: 1027 for
///     the choice, 1016 for the self-attested attributes, 1086, 1031 and 1036 if the schema or the definition cannot be
///     fetched, 1200 for a revoked credential, 1091 if the
///     registry cannot be used, 1103 without the AnonCreds engine.
@_cdecl("vcx_disclosed_proof_send_proof")
public func vcx_disclosed_proof_send_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: proofs, over: connection_handle, runningSession()
  ) { (proof: inout DisclosedProof, connection, session) in
    try proof.send(over: connection, with: session)
  }
}

/// Sends the proposal. If the proposal has been sent, the call succeeds without sending.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1049, 1003, 1112 when the connection is not completed, 1010, 1103.
@_cdecl("vcx_disclosed_proof_send_proposal")
public func vcx_disclosed_proof_send_proposal(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: proofs, over: connection_handle, runningSession()
  ) { (proof: inout DisclosedProof, connection, session) in
    guard let connection else { throw connections.missing(connection_handle) }
    try proof.propose(over: connection, with: session)
  }
}

/// Declines a request, or withdraws a proposal.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection, or 0 to answer the service that the request names itself.
///   - cb: Receives 0, or 1049, 1003, 1112 when the connection is not completed, 1010, 1081 once the proof is declined,
///     sent, or may have been sent.
@_cdecl("vcx_disclosed_proof_reject_proof")
public func vcx_disclosed_proof_reject_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: proofs, over: connection_handle, runningSession()
  ) { (proof: inout DisclosedProof, connection, session) in
    try proof.decline(because: nil, over: connection, with: session)
  }
}

/// Declines a request, or withdraws a proposal, with a reason; or proposes another presentation than the requested one. The
/// program gives exactly one of the two.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection, or 0 to answer the service that the request names itself.
///   - reason: The reason, or NULL.
///   - proposal: The presentation to propose instead, as for `vcx_disclosed_proof_create_proposal`, or NULL.
///   - cb: Receives 0, 1111 for both or none, 1049, 1003, 1016, 1112 when the connection is not completed, 1010, 1081 once
///     the proof is sent or declined.
@_cdecl("vcx_disclosed_proof_decline_presentation_request")
public func vcx_disclosed_proof_decline_presentation_request(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ reason: CString?, _ proposal: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: proofs, over: connection_handle,
    optionalText(reason, "reason"), optionalText(proposal, "proposal"), runningSession()
  ) { (proof: inout DisclosedProof, connection, reason, proposal, session) in
    switch (reason, proposal) {
    case (let reason?, nil): try proof.decline(because: reason, over: connection, with: session)
    case (nil, let proposal?): try proof.decline(proposing: proposal, over: connection, with: session)
    default: throw VCXError(.incompatibleParameters, "exactly one of reason and proposal is needed")
    }
  }
}

/// Reads the presentation, for programs that send it themselves.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the message as JSON text, or 1049, 1005.
@_cdecl("vcx_disclosed_proof_get_proof_msg")
public func vcx_disclosed_proof_get_proof_msg(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: proofs, sessionIfRunning()) { proof, session in
    try proof.message(asVersion3: session?.settings.isVersion3 ?? false)
  }
}

/// Reads the refusal under the proprietary protocol, for programs that send it themselves. The library has no proofs of
/// that protocol, whose messages are not published.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives 1049, or 1103 for an Aries proof.
@_cdecl("vcx_disclosed_proof_get_reject_msg")
public func vcx_disclosed_proof_get_reject_msg(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: proofs) { (_: inout DisclosedProof) in
    throw VCXError(.actionNotSupported, "only proofs of the proprietary protocol have such a message")
  }
}

/// Reads the state of a proof, one of `vcx_state`.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the state, or 1049.
@_cdecl("vcx_disclosed_proof_get_state")
public func vcx_disclosed_proof_get_state(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: proofs) { $0.state }
}

/// Asks the Cloud Agent for messages, and applies at most one message of the proof's own thread; others do not change.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the state, also on error; 1049, 1010, 1016.
@_cdecl("vcx_disclosed_proof_update_state")
public func vcx_disclosed_proof_update_state(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: proofs, runningSession(), by: .network, failing: \.state
  ) { (proof: inout DisclosedProof, session) in
    try proof.update(with: session)
    return proof.state
  }
}

/// Applies a downloaded message to the proof. A message of another thread has no effect.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - message: An entry of `vcx_messages_download` or `vcx_download_message`, or a decrypted message as JSON text.
///     The envelope in the mailbox proves its sender, as for `vcx_connection_update_state_with_message`.
///   - cb: Receives the state, also on error; 1049, 1010, 1016 also for a message that is not proven to be the verifier's.
@_cdecl("vcx_disclosed_proof_update_state_with_message")
public func vcx_disclosed_proof_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: proofs, text(message, "message"), runningSession(),
    by: .network, failing: \.state
  ) { (proof: inout DisclosedProof, message, session) in
    try proof.receive(message, with: session)
    return proof.state
  }
}

/// Writes a proof as JSON text for the program to store. `vcx_disclosed_proof_deserialize` restores it.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the text, or 1049.
@_cdecl("vcx_disclosed_proof_serialize")
public func vcx_disclosed_proof_serialize(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: proofs) { $0.serialized() }
}

/// Restores a serialized proof.
///
/// - Parameters:
///   - proof_data: The text from `vcx_disclosed_proof_serialize`, also of libvcx.
///   - cb: Receives a new handle, or 1016; 1103 for a proof of the proprietary protocol, whose form is not published.
@_cdecl("vcx_disclosed_proof_deserialize")
public func vcx_disclosed_proof_deserialize(
  _ command_handle: vcx_command_handle_t, _ proof_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(proof_data, "proof_data")) {
    try proofs.insert(DisclosedProof(serialized: $0))
  }
}

/// Reads the problem report that ended the exchange, or that says why the proof could not be built.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives JSON text, `null` if there is no report; 1049, 1103.
@_cdecl("vcx_disclosed_proof_get_problem_report")
public func vcx_disclosed_proof_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: proofs) { $0.problemReport }
}

/// Releases the handle of a proof.
///
/// - Parameter handle: The proof.
/// - Returns: Always 0.
@_cdecl("vcx_disclosed_proof_release")
public func vcx_disclosed_proof_release(_ handle: vcx_disclosed_proof_handle_t) -> vcx_error_t {
  attempt(on: proofs.name(of: handle)) { () throws(VCXError) in proofs.remove(handle) }
}
