// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Requested proofs: the result
//
// A presentation is verified if its cryptographic proof is right, and if it answers exactly the request: items,
// predicates, restrictions, revocation. One presentation is judged for each request; a message with more than one is not
// verified.

/// Reads the presentation. Looks for it first, as `vcx_proof_update_state` does, and ignores an error of that search.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - unused_connection_handle: Ignored.
///   - cb: Receives the result of the proof, one of `vcx_proof_state`, also on error, and the judged presentation, also
///     one that is not verified: the message as JSON text; with `protocol_type` 3.0 or less `libindy_proof`, as text. The
///     message is reduced to what was judged: its one attachment is the presentation, without the prover's comment and
///     other attachments. `msdk_proof_content` reads the values. 1017, 1005 before there is one, 1081 if the prover
///     declined.
@_cdecl("vcx_get_proof")
public func vcx_get_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ unused_connection_handle: vcx_connection_handle_t, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  startResult(Completion(command_handle, cb), proof_handle)
}

/// Reads the presentation. Looks for it first, as `vcx_proof_update_state` does, and ignores an error of that search.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the result and the presentation as from `vcx_get_proof`.
@_cdecl("vcx_get_proof_msg")
public func vcx_get_proof_msg(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  startResult(Completion(command_handle, cb), proof_handle)
}

private func startResult(
  _ completion: Completion<NumberAndText>?, _ proof: vcx_proof_handle_t, function: StaticString = #function
) -> vcx_error_t {
  start(
    completion, on: proof, of: requestedProofs, sessionIfRunning(), by: .network,
    failing: { NumberAndText(number: $0.result, text: nil) }, function: function
  ) { (proof: inout RequestedProof, session) in
    if let session { try? proof.update(with: session) }
    let isVersion3 = session?.settings.isVersion3 ?? false
    return NumberAndText(number: proof.result, text: try proof.presentation(asVersion3: isVersion3))
  }
}

/// Reads the content of a verified presentation: what is proved, and what the prover states without proof. This function
/// is msdk's own.
///
/// Programs that show or store values take them from here. The library reads this content and the verdict from the same
/// presentation, also after `vcx_proof_deserialize`; a message, or another reading of it, may hold other values.
///
/// The proof is about the numbers that encode the values. Of an integer, it does not prove the spelling: `28`, `028` and
/// `+28` are one number. `self_attested` values are the prover's own words.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives a JSON object with `revealed`, `self_attested`, `unrevealed` and `predicates`: objects of the items by
///     their referents, such as `attribute_0`. Items have `values` by name, the withheld `names`, or the `name`, `p_type`
///     and `p_value` of a predicate, and except self-attested ones `credential`: its `schema_id`, `cred_def_id`, and with
///     a proof that it was not revoked `rev_reg_id` and `timestamp`, otherwise null. 1017, 1023 if the presentation is not
///     verified, 1005 before there is one, 1081 if the prover declined.
@_cdecl("msdk_proof_content")
public func msdk_proof_content(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs) { try $0.content() }
}

/// Explains the result of a proof. This function is msdk's own.
///
/// The codes of reasons are `malformed`, `ambiguous`, `missing`, `repeated`, `unrequested`, `self-attested`, `unknown-object`,
/// `unusable-object`, `other-object`, `attribute`, `value`, `predicate`, `restriction`, `revocation-unproved`, `time` and
/// `proof`; those of warnings `withheld`, `not-revocable` and `self-attested`. Later versions may add codes.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives a JSON object with `state`, `proof_state`, `verified` (true, false, or null without a presentation),
///     `reasons` why it is not verified, and `warnings`. Each of these has a `code`, the `referent` of its item in the
///     request or null, the `check` of the proof that failed (an id such as `B1`) or null, and a `text`. 1017.
@_cdecl("msdk_proof_explain")
public func msdk_proof_explain(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs) { $0.explanation }
}

/// Asks the Cloud Agent for messages, and applies at most one message of the proof's own thread; others do not change.
/// The library verifies a presentation, and sends the prover an ack or a problem report.
///
/// A fault on this side, such as a ledger that does not answer, is an error: the presentation stays in the mailbox, and the
/// next call looks at it again.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the state, also on error: 4 for a verified presentation, 0 for one that is not. 1017, 1010,
///     1016; 1031, 1036 and 1091 for public objects that cannot be fetched, 1103 without the AnonCreds engine.
@_cdecl("vcx_proof_update_state")
public func vcx_proof_update_state(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: requestedProofs, runningSession(), by: .network,
    failing: \.state
  ) { (proof: inout RequestedProof, session) in
    try proof.update(with: session)
    return proof.state
  }
}

/// Applies a message that the program downloaded to the proof. A message of another thread has no effect.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - message: An entry of `vcx_messages_download` or `vcx_download_message`, or a decrypted message as JSON text.
///     The envelope in the mailbox proves its sender, as for `vcx_connection_update_state_with_message`.
///   - cb: Receives the state, also on error, as from `vcx_proof_update_state`. 1016 also for a message that is not proven
///     to be the prover's. 1081 before the request is sent or bound to a connection.
@_cdecl("vcx_proof_update_state_with_message")
public func vcx_proof_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ message: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: requestedProofs, text(message, "message"), runningSession(),
    by: .network, failing: \.state
  ) { (proof: inout RequestedProof, message, session) in
    try proof.receive(message, with: session)
    return proof.state
  }
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
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs) { $0.state }
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
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs) { $0.serialized() }
}

/// Restores a serialized proof.
///
/// - Parameters:
///   - proof_data: The text from `vcx_proof_serialize`.
///   - cb: Receives a new handle, or 1016, 1103 for a proof of the proprietary protocol.
@_cdecl("vcx_proof_deserialize")
public func vcx_proof_deserialize(
  _ command_handle: vcx_command_handle_t, _ proof_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(proof_data, "proof_data")) {
    try requestedProofs.insert(RequestedProof(serialized: $0))
  }
}

/// Releases the handle of a requested proof.
///
/// - Parameter proof_handle: The proof.
/// - Returns: Always 0.
@_cdecl("vcx_proof_release")
public func vcx_proof_release(_ proof_handle: vcx_proof_handle_t) -> vcx_error_t {
  attempt(on: requestedProofs.name(of: proof_handle)) { () throws(VCXError) in requestedProofs.remove(proof_handle) }
}

/// Reads the problem report that ended the exchange: the prover's report, or the report that told the prover that its
/// proof is not verified.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives JSON text, `null` if no report ended the exchange; 1017.
@_cdecl("vcx_proof_get_problem_report")
public func vcx_proof_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs) { $0.problemReport }
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
