// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import Aries
internal import MSDK

// MARK: Requested proofs: asking
//
// A proof that this side requests and verifies. Create it (state 1), send the request (state 2), update the state until a
// presentation is verified (state 4) or not (state 0). A prover may propose another presentation (state 3).

/// Creates a proof request.
///
/// Each item may have `restrictions` on its credential: an array of objects, one of which has to hold, with members
/// among `schema_id`, `schema_issuer_did`, `schema_name`, `schema_version`, `issuer_did`, `cred_def_id`, `rev_reg_id`,
/// `attr::<name>::value` and `attr::<name>::marker`; or one query with `$and`, `$or`, `$not`, `$in` and `$neq`. Without
/// restrictions, a prover may answer with a credential of any issuer, and state an attribute without a credential. A
/// restriction on a value holds only if the presentation reveals the value, and a restriction on `rev_reg_id` only
/// together with `non_revoked`.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - requested_attrs: The attributes asked for, as a JSON object of items, whose keys name the items in the request and
///     in all results; or as a JSON array, whose first becomes the item `attribute_0`. Each item has `name`, or `names` of
///     one credential, and optionally `restrictions`, `non_revoked` and `self_attest_allowed`.
///   - requested_predicates: The predicates asked for, as a JSON object of items or as an array, whose first becomes the
///     item `predicate_0`: each with `name`, `p_type` (one of `>=`, `>`, `<=`, `<`), `p_value`, and optionally
///     `restrictions` and `non_revoked`. A predicate may not have the name of an attribute's item.
///     An item with any other member is refused: a mistyped condition would not be asked for.
///   - revocation_interval: The time for which credentials must not be revoked, as a JSON object with `from` and
///     `to`, in seconds since 1970; `{}` for no such time. An interval with only `to`, or with equal ends, asks for
///     that time. One with only `from` asks for any later time, which the prover chooses.
///   - name: The name of the request, for the prover's user.
///   - cb: Receives the handle of the proof, in state 1; 1021 for the attributes and for restrictions, 1028 for the
///     predicates, 1016 for an interval.
@_cdecl("vcx_proof_create")
public func vcx_proof_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ requested_attrs: CString?,
  _ requested_predicates: CString?, _ revocation_interval: CString?, _ name: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(requested_attrs, "requested_attrs"),
    text(requested_predicates, "requested_predicates"), text(revocation_interval, "revocation_interval"),
    text(name, "name")
  ) { sourceID, attributes, predicates, interval, name in
    try requestedProofs.insert(
      RequestedProof(
        sourceID: sourceID, attributes: attributes, predicates: predicates, interval: interval, name: name))
  }
}

/// Creates a proof request, as `vcx_proof_create` does, in a version and a format of the program's choice.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - requested_attrs: The attributes asked for, as for `vcx_proof_create`.
///   - requested_predicates: The predicates asked for, as for `vcx_proof_create`.
///   - revocation_interval: The time for which credentials must not be revoked, as for `vcx_proof_create`.
///   - name: The name of the request, for the prover's user.
///   - options: JSON text, or NULL; as for `msdk_credential_create_proposal`, about present-proof.
///   - cb: Receives the handle of the proof, in state 1; 1021, 1028 and 1016 as for `vcx_proof_create`, 1016 for the options.
@_cdecl("msdk_proof_create_with_options")
public func msdk_proof_create_with_options(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ requested_attrs: CString?,
  _ requested_predicates: CString?, _ revocation_interval: CString?, _ name: CString?, _ options: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(requested_attrs, "requested_attrs"),
    text(requested_predicates, "requested_predicates"), text(revocation_interval, "revocation_interval"),
    text(name, "name"), optionalText(options, "options")
  ) { sourceID, attributes, predicates, interval, name, options in
    try requestedProofs.insert(
      RequestedProof(
        sourceID: sourceID, attributes: attributes, predicates: predicates, interval: interval, name: name,
        in: ExchangeForm(options: options)))
  }
}

/// Creates a proof from a prover's proposal. `vcx_proof_send_request` requests the proposed presentation, and
/// `vcx_proof_request_proof` another one.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - presentation_proposal: The message as JSON text: a proposal of present-proof 1.0 or 2.0.
///   - name: Ignored: the request gets the name that the prover proposes.
///   - cb: Receives the handle of the proof, in state 3, or 1016.
@_cdecl("vcx_proof_create_with_proposal")
public func vcx_proof_create_with_proposal(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ presentation_proposal: CString?, _ name: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(presentation_proposal, "presentation_proposal"),
    text(name, "name")
  ) { sourceID, proposal, _ in
    try requestedProofs.insert(RequestedProof(sourceID: sourceID, proposal: proposal))
  }
}

/// Sends the request; after a proposal, the request for the proposed presentation. In later states the call succeeds
/// and nothing is sent.
///
/// `present_proof_version` in the configuration decides the version, 1.0 or 2.0; without it, the peer's disclosed
/// protocols and its invitation decide.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection. If it belongs to an invitation that this side made without a handshake, and
///     that carries the request, nothing is sent, and the proof awaits the answer.
///   - cb: Receives 0, or 1017, 1003, 1112 if the connection is not completed, 1010, 1021 for a proposal without items.
@_cdecl("vcx_proof_send_request")
public func vcx_proof_send_request(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: requestedProofs, over: connection_handle, runningSession()
  ) { (proof: inout RequestedProof, connection, session) in
    guard let connection else { throw connections.missing(connection_handle) }
    try proof.send(over: connection, with: session)
  }
}

/// Answers a proposal with another request, on the same thread. In any state other than 3 the call succeeds and nothing
/// is sent.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection.
///   - requested_attrs: The attributes asked for, as for `vcx_proof_create`.
///   - requested_predicates: The predicates asked for, as for `vcx_proof_create`.
///   - revocation_interval: The time for which credentials must not be revoked, as for `vcx_proof_create`.
///   - name: The name of the request, for the prover's user.
///   - cb: Receives 0, or 1017, 1003, 1021, 1028, 1016, 1112 if the connection is not completed, 1010.
@_cdecl("vcx_proof_request_proof")
public func vcx_proof_request_proof(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ requested_attrs: CString?, _ requested_predicates: CString?,
  _ revocation_interval: CString?, _ name: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: requestedProofs, over: connection_handle,
    text(requested_attrs, "requested_attrs"), text(requested_predicates, "requested_predicates"),
    text(revocation_interval, "revocation_interval"), text(name, "name"), runningSession()
  ) { (proof: inout RequestedProof, connection, attributes, predicates, interval, name, session) in
    guard let connection else { throw connections.missing(connection_handle) }
    try proof.request(
      attributes: attributes, predicates: predicates, interval: interval, name: name, over: connection, with: session)
  }
}

/// Declines a proposal, or withdraws a request, and tells the prover. State 9 follows.
///
/// - Parameters:
///   - proof_handle: The proof, in state 3, or in state 2 after `vcx_proof_send_request` over a connection.
///   - connection_handle: The connection.
///   - reason: The reason, or NULL.
///   - cb: Receives 0, or 1017, 1003, 1112 if the connection is not completed, 1010, 1081 in other states.
@_cdecl("msdk_proof_decline_proposal")
public func msdk_proof_decline_proposal(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ reason: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: proof_handle, of: requestedProofs, over: connection_handle,
    optionalText(reason, "reason"), runningSession()
  ) { (proof: inout RequestedProof, connection, reason, session) in
    guard let connection else { throw connections.missing(connection_handle) }
    try proof.decline(because: reason, over: connection, with: session)
  }
}

/// Names the connection that brings the answer to a request that the program sends by itself, for example in an
/// out-of-band invitation. Call `vcx_proof_get_request_msg` first; otherwise this has no effect. Returns 1015 for an
/// unknown proof, 1003 for an unknown connection.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - connection_handle: The connection: completed, or of an invitation without a handshake.
///   - cb: Receives 0, or 1103 for a proprietary connection, 1112 if the connection is not completed.
@_cdecl("vcx_proof_set_connection")
public func vcx_proof_set_connection(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  let handles = Input<Void> { () throws(VCXError) in
    guard requestedProofs[proof_handle] != nil else {
      throw VCXError(.invalidIssuerCredentialHandle, requestedProofs.missing(proof_handle).detail)
    }
    guard connections[connection_handle] != nil else { throw connections.missing(connection_handle) }
  }
  return start(
    Completion(command_handle, cb), on: proof_handle, of: requestedProofs, over: connection_handle, handles
  ) { (proof: inout RequestedProof, connection, _) in
    if let connection { try proof.bind(to: connection) }
  }
}

/// Reads the message of the request, for programs that send it by themselves. The first call makes the message, and the
/// state remains 1. `present_proof_version` in the configuration decides the version; without it, 1.0.
///
/// Once the proof is bound to an invitation without a handshake, the message names the service for the answer
/// (`~service`).
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the message as JSON text; 1017, 1005 while a proposal is not answered.
@_cdecl("vcx_proof_get_request_msg")
public func vcx_proof_get_request_msg(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs, sessionIfRunning()) {
    (proof: inout RequestedProof, session) in
    try proof.requestMessage(with: session)
  }
}

/// Reads the message of the request, for `vcx_connection_create_outofband`. `vcx_proof_get_request_msg` gives the same.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the message as JSON text; 1017, 1005 while a proposal is not answered.
@_cdecl("vcx_proof_get_request_attach")
public func vcx_proof_get_request_attach(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs, sessionIfRunning()) {
    (proof: inout RequestedProof, session) in
    try proof.requestMessage(with: session)
  }
}

/// Reads the proposal of the prover, in state 3.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives JSON text: the preview of a proposal 1.0, the proof request of a proposal 2.0. 1017, 1005 in other
///     states.
@_cdecl("vcx_get_proof_proposal")
public func vcx_get_proof_proposal(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs) { try $0.proposal() }
}
