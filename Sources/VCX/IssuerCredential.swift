// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Issuing credentials
//
// A credential that this side issues. Create it from a definition and values (state 1), send the offer (state 2),
// update the state until the holder has requested the credential (state 3), and send it (state 4). The program stores
// the serialized object after each step. The wallet keeps the offer and the credential, so that a restored object sends
// the same ones again.

/// Creates a credential to offer. Returns 1004 without `institution_did` in the configuration, if `issuer_did` is NULL.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - cred_def_handle: The definition.
///   - issuer_did: Ignored: the definition names the issuer.
///   - credential_data: The values of all attributes of the definition as JSON text: `{"name": "Alice", "age":
///     "28"}`, or `[{"name", "value", "mime-type"}]`. A number becomes its JSON text. A number that JSON can write in
///     several ways, such as `1.10`, is refused, and so is a repeated name.
///   - credential_name: The name that the holder sees, the comment of the offer.
///   - price: A number as text; ignored.
///   - cb: Receives the handle of the credential, in state 1; 1037, 1021 for other values, 1103 without the AnonCreds
///     engine.
@_cdecl("vcx_issuer_create_credential")
public func vcx_issuer_create_credential(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ cred_def_handle: vcx_credentialdef_handle_t,
  _ issuer_did: CString?, _ credential_data: CString?, _ credential_name: CString?, _ price: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: cred_def_handle, of: definitions, text(source_id, "source_id"),
    issuerDID(optionalText(issuer_did, "issuer_did")), text(credential_data, "credential_data"),
    text(credential_name, "credential_name"),
    text(price, "price").map(number), runningSession()
  ) { (definition: inout CredentialDefinition, sourceID, _, values, name, _, session) in
    try issuerCredentials.insert(
      IssuerCredential(sourceID: sourceID, definition: definition, values: values, name: name, with: session))
  }
}

/// Sends the offer. In other states than 1 the call does nothing and succeeds. An offer that answers a proposal goes on the
/// proposal's thread, where the proposal came from.
///
/// If the connection is an out-of-band invitation without a handshake that carries the offer, nothing is sent: the call
/// ties the credential to the connection, where `vcx_issuer_credential_update_state` receives the holder's request.
///
/// The member `issue_credential_version` of the configuration chooses the version of the protocol, `1.0` or `2.0`.
/// Without it, the protocols that the peer has disclosed decide. A peer that has disclosed none is asked once, and until its
/// answer has come its invitation decides: 2.0 for an out-of-band invitation of version 1.1, otherwise 1.0.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1015, 1003, 1112 when the connection is not completed, 1073 when the wallet lacks the
///     definition's keys, 1091 if the definition has revocation and the credential no registry of this definition, or the
///     reverse, 1081 if another object has offered other values in this exchange, 1010, 1103 without the AnonCreds engine.
@_cdecl("vcx_issuer_send_credential_offer")
public func vcx_issuer_send_credential_offer(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, over: connection_handle,
    runningSession()
  ) { (credential: inout IssuerCredential, connection, session) in
    guard let connection else { throw connections.missing(connection_handle) }
    try credential.sendOffer(over: connection, with: session)
  }
}

/// Makes the offer and reads it, for programs that hand it over themselves, such as in an out-of-band invitation. The
/// state stays 1. Later calls read the same offer.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the message as JSON text; with `protocol_type` 3.0 or less in the older form. 1015, 1073 when the
///     wallet lacks the definition's keys, 1091 and 1081 as for sending it, 1103 without the AnonCreds engine.
@_cdecl("vcx_issuer_get_credential_offer_msg")
public func vcx_issuer_get_credential_offer_msg(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, runningSession()) {
    (credential: inout IssuerCredential, session) in try credential.offer(with: session)
  }
}

/// Makes the credential for the holder's request and sends it. In any state other than 3 the call does nothing and
/// succeeds.
///
/// A credential that can be revoked gets a place in its registry, which no other credential gets, even if the process
/// ends here. A request that does not answer the offer is refused with 1018, and the library tells the holder; state 0
/// follows. The same happens to a second request in an exchange that already has its credential: a program may have
/// restored one stored text twice.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - connection_handle: The connection over which the offer went, or 0. The credential takes the offer's route.
///   - cb: Receives 0, or 1015, 1003, 1018, 1100, 1073 when the wallet lacks keys, 1091 when the registry is full, 1010,
///     1103 without the AnonCreds engine.
@_cdecl("vcx_issuer_send_credential")
public func vcx_issuer_send_credential(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, over: connection_handle,
    runningSession()
  ) { (credential: inout IssuerCredential, _, session) in try credential.sendCredential(with: session) }
}

/// Reads the credential under the proprietary protocol, for programs that send it themselves.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - my_pw_did: This side's DID of the connection.
///   - cb: Receives the message; 1015, 1103 for an Aries credential.
@_cdecl("vcx_issuer_get_credential_msg")
public func vcx_issuer_get_credential_msg(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ my_pw_did: CString?,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, text(my_pw_did, "my_pw_did")
  ) { (_: inout IssuerCredential, _) in throw VCXError.onlyProprietary }
}

/// Asks the Cloud Agent for messages and applies at most one message of the credential's own thread: the holder's
/// request (state 3), its proposal of another credential (state 10), its ack (state 4 stays), or its report that it
/// declines (state 9). A proposal after a request has no effect; the 33rd proposal ends the exchange (state 0).
///
/// A holder may never answer. The program decides how long it waits.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the state, also on error; 1015, 1010, also for a request without a connection that names no service for
///     the answer.
@_cdecl("vcx_issuer_credential_update_state")
public func vcx_issuer_credential_update_state(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, runningSession(), by: .network,
    failing: \.state
  ) { (credential: inout IssuerCredential, session) in
    try credential.update(with: session)
    return credential.state
  }
}

/// Applies a message that the program downloaded to the credential. A message of another thread has no effect.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - message: An entry of `vcx_messages_download` or `vcx_download_message`, or a decrypted message as JSON text.
///     The envelope in the mailbox proves its sender, as for `vcx_connection_update_state_with_message`.
///   - cb: Receives the state, also on error; 1015; 1016 also for a message that is not proven to be the holder's; 1010,
///     also for a request without a connection that names no service for the answer.
@_cdecl("vcx_issuer_credential_update_state_with_message")
public func vcx_issuer_credential_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, text(message, "message"),
    runningSession(), by: .network, failing: \.state
  ) { (credential: inout IssuerCredential, message, session) in
    try credential.receive(message, with: session)
    return credential.state
  }
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
  start(Completion(command_handle, cb), on: credential_handle, of: issuerCredentials) { $0.state }
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
  start(Completion(command_handle, cb), on: credential_handle, of: issuerCredentials) { $0.serialized() }
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
  start(Completion(command_handle, cb), text(credential_data, "credential_data")) {
    try issuerCredentials.insert(IssuerCredential(serialized: $0))
  }
}

/// Releases the handle of a credential being issued.
///
/// - Parameter credential_handle: The credential.
/// - Returns: Always 0.
@_cdecl("vcx_issuer_credential_release")
public func vcx_issuer_credential_release(_ credential_handle: vcx_issuer_credential_handle_t) -> vcx_error_t {
  attempt(on: issuerCredentials.name(of: credential_handle)) { () throws(VCXError) in
    issuerCredentials.remove(credential_handle)
  }
}

/// Reads the place of an issued credential in its revocation registry.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives a JSON object: `rev_reg_id` and `cred_rev_id`, null for a credential that cannot be revoked, and
///     `revoked`, whether this object has revoked it; 1015, 1005 before the credential is sent.
@_cdecl("msdk_issuer_credential_get_place")
public func msdk_issuer_credential_get_place(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: issuerCredentials) { try $0.revocationPlace() }
}

/// Revokes an issued credential: publishes its registry's new status, and tells the holder over the connection of the
/// exchange. A repeated revocation succeeds. The state stays 4.
///
/// Many credentials of a registry can be revoked at once: calls that come during a publication share the next one. If a
/// call fails to publish, the revocation stays, and the next call on the registry or `vcx_credentialdef_update_state`
/// publishes it.
///
/// The member `revocation_notification` of the configuration chooses the message for the holder: `1.0`, `2.0`, `none`, or
/// `auto`, the version of the exchange.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives 0, or 1015, 1005 before the credential is sent, 1091 if it cannot be revoked, 1092 if the registry
///     refuses the status, 1025 if the registry cannot be reached, 1103 without the AnonCreds engine.
@_cdecl("vcx_issuer_revoke_credential")
public func vcx_issuer_revoke_credential(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, runningSession(), by: .network
  ) { (credential: inout IssuerCredential, session) in try credential.revoke(with: session) }
}

/// Reads the problem report that ended the exchange.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives JSON text, `null` if no report ended the exchange; 1015.
@_cdecl("vcx_issuer_credential_get_problem_report")
public func vcx_issuer_credential_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: issuerCredentials) { $0.problemReport }
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

/// The number in a text, such as the price of a credential, which has no effect.
private func number(_ text: String) throws(VCXError) -> UInt64 {
  guard let number = UInt64(text) else { throw VCXError(.invalidOption, "the argument price is not a number") }
  return number
}
