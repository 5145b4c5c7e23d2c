// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Credentials: being received
//
// A credential that an issuer offers to this side. Create it from an offer or a proposal (state 3), send the request (state 2),
// update the state until it is stored (state 4).

/// Creates a credential from an offer.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - offer: The offer as JSON text: a message of issue-credential 1.0 or 2.0, or an array that begins with it. It may
///     come from `vcx_credential_get_offers`, from a downloaded message, or from `vcx_extract_attached_message`.
///   - cb: Receives the handle of the credential, in state 3, or 1043.
@_cdecl("vcx_credential_create_with_offer")
public func vcx_credential_create_with_offer(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ offer: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(source_id, "source_id"), text(offer, "offer")) { sourceID, offer in
    try reporting(.invalidCredentialOffer) { try credentials.insert(Credential(sourceID: sourceID, offer: offer)) }
  }
}

/// Downloads an offer and creates a credential from it.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - connection_handle: The connection.
///   - msg_id: The id of the message with the offer.
///   - cb: Receives the handle of the credential and the offer; 1020 if the message is not an offer, 1016 if the peer has not
///     sent it.
@_cdecl("vcx_credential_create_with_msgid")
public func vcx_credential_create_with_msgid(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ connection_handle: vcx_connection_handle_t,
  _ msg_id: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, text(source_id, "source_id"),
    text(msg_id, "msg_id"), runningSession(), by: .network
  ) { (connection: inout Connection, sourceID, uid, session) in
    let offered = try Credential.offered(by: uid, over: connection, sourceID: sourceID, with: session)
    return NumberAndText(number: try credentials.insert(offered.credential), text: offered.offer)
  }
}

/// Creates a credential from an offer, sends the request and serializes the credential, in one call.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - offer: The offer as JSON text.
///   - connection_handle: The connection.
///   - cb: Receives the handle of the credential and its serialized form, or the errors of the three calls.
@_cdecl("vcx_credential_accept_credential_offer")
public func vcx_credential_accept_credential_offer(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ offer: CString?,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  let (completion, session) = (Completion(command_handle, cb) as Completion<NumberAndText>?, runningSession())
  let (sourceID, offer) = (text(source_id, "source_id"), text(offer, "offer"))
  guard connection_handle != 0 else {
    return start(completion, sourceID, offer, session, by: .network) { try acceptOffer($1, $0, over: nil, with: $2) }
  }
  return start(completion, on: connection_handle, of: connections, sourceID, offer, session, by: .network) {
    try acceptOffer($2, $1, over: $0, with: $3)
  }
}

/// Requests the offered credential. In later states the call does nothing and succeeds.
///
/// The library fetches the definition and compares the offer with it. It refuses an offer that does not fit with 1043,
/// and tells the issuer. After a fault on this side the credential does not change, and the program can repeat the
/// call: it sends the same request again. Without a connection, the issuer may answer at once: the credential is then
/// stored, and its state is 4. Otherwise the issuer answers later, into a mailbox that the library opens for this
/// credential, and that `vcx_credential_update_state` asks.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - connection_handle: The connection, or 0 to answer the service that the offer names itself.
///   - payment_handle: Ignored.
///   - cb: Receives 0, or 1053, 1003, 1112 if the connection is not completed, 1010, 1036 if the definition cannot be
///     fetched, 1043, 1103 without the AnonCreds engine.
@_cdecl("vcx_credential_send_request")
public func vcx_credential_send_request(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ payment_handle: vcx_payment_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: credentials, over: connection_handle, runningSession()
  ) { (credential: inout Credential, connection, session) in
    try credential.sendRequest(over: connection, with: session)
  }
}

/// Reads the request of a credential of the proprietary protocol, for programs that send it themselves.
///
/// The library has no such credentials: the form of their messages and of their stored states is not published. All its
/// credentials are Aries credentials, for which libvcx refuses this call too.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - my_pw_did: This side's DID of the connection.
///   - their_pw_did: The peer's DID, or NULL.
///   - payment_handle: Ignored.
///   - cb: Receives 1053, or 1103 for an Aries credential.
@_cdecl("vcx_credential_get_request_msg")
public func vcx_credential_get_request_msg(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ my_pw_did: CString?,
  _ their_pw_did: CString?, _ payment_handle: vcx_payment_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: credentials, text(my_pw_did, "my_pw_did"),
    optionalText(their_pw_did, "their_pw_did")
  ) { (_: inout Credential, _, _) in throw VCXError.onlyProprietary }
}

/// Downloads all offers of the peer that wait on a connection. They keep their status at the Cloud Agent. Strangers may
/// know the connection's key; the library omits their offers.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives a JSON array of offers, as they came; with `protocol_type` 3.0 or less each offer is an array
///     with one element, in the older form. 1003, 1010.
@_cdecl("vcx_credential_get_offers")
public func vcx_credential_get_offers(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, runningSession(), by: .network
  ) { (connection: inout Connection, session) in try Credential.offers(of: connection, with: session) }
}

/// Asks the Cloud Agent for messages, and applies at most one message of the credential's own thread; others do not
/// change.
///
/// The library verifies an arriving credential, stores and acknowledges it. It refuses a credential that differs from
/// the offer with 1054, and tells the issuer. After a fault on this side the message stays, and the next call tries
/// again.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the state, also on error; 1053, 1010, 1054, 1103 without the AnonCreds engine.
@_cdecl("vcx_credential_update_state")
public func vcx_credential_update_state(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: credentials, runningSession(), by: .network,
    failing: \.state
  ) { (credential: inout Credential, session) in
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
///   - cb: Receives the state, also on error; 1053, 1010, 1016 also for a message that is not proven to be the issuer's,
///     1054, 1103 without the AnonCreds engine.
@_cdecl("vcx_credential_update_state_with_message")
public func vcx_credential_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: credentials, text(message, "message"), runningSession(),
    by: .network, failing: \.state
  ) { (credential: inout Credential, message, session) in
    try credential.receive(message, with: session)
    return credential.state
  }
}

/// Reads the state of a credential, one of `vcx_state`.
///
/// - Parameters:
///   - handle: The credential.
///   - cb: Receives the state, or 1053.
@_cdecl("vcx_credential_get_state")
public func vcx_credential_get_state(
  _ command_handle: vcx_command_handle_t, _ handle: vcx_credential_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: handle, of: credentials) { $0.state }
}

/// Writes a credential as JSON text for the program to store. `vcx_credential_deserialize` restores it.
///
/// - Parameters:
///   - handle: The credential.
///   - cb: Receives the text, or 1053.
@_cdecl("vcx_credential_serialize")
public func vcx_credential_serialize(
  _ command_handle: vcx_command_handle_t, _ handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: handle, of: credentials) { $0.serialized() }
}

/// Restores a serialized credential.
///
/// - Parameters:
///   - credential_data: The text from `vcx_credential_serialize`, also of libvcx.
///   - cb: Receives a new handle, or 1016; 1103 for a credential of the proprietary protocol, whose form is not published.
@_cdecl("vcx_credential_deserialize")
public func vcx_credential_deserialize(
  _ command_handle: vcx_command_handle_t, _ credential_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(credential_data, "credential_data")) {
    try credentials.insert(Credential(serialized: $0))
  }
}

/// Releases the handle of a credential. The stored credential stays in the wallet.
///
/// - Parameter handle: The credential.
/// - Returns: Always 0.
@_cdecl("vcx_credential_release")
public func vcx_credential_release(_ handle: vcx_credential_handle_t) -> vcx_error_t {
  attempt(on: credentials.name(of: handle)) { () throws(VCXError) in credentials.remove(handle) }
}

/// Declines an offer, or withdraws a proposal, and tells the issuer. Once the exchange has ended the call does nothing and
/// succeeds.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - connection_handle: The connection, or 0 to answer the service that the offer names itself.
///   - comment: The reason, or NULL for a fixed text.
///   - cb: Receives 0, or 1053, 1003, 1112 when the connection is not completed, 1010; 1081 if another object of the same
///     exchange, such as one from a later serialized text, has stored the credential.
@_cdecl("vcx_credential_reject")
public func vcx_credential_reject(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ comment: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: credentials, over: connection_handle,
    optionalText(comment, "comment"), runningSession()
  ) { (credential: inout Credential, connection, comment, session) in
    try credential.reject(comment: comment, over: connection, with: session)
  }
}

/// Reads an offer without creating a credential.
///
/// - Parameters:
///   - offer: The offer as JSON text.
///   - cb: Receives JSON text with `name`, `attributes`, `cred_def_id`, `schema_id` and `thid`, or 1043.
@_cdecl("vcx_credential_parse_offer")
public func vcx_credential_parse_offer(
  _ command_handle: vcx_command_handle_t, _ offer: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(offer, "offer")) { offer in
    try reporting(.invalidCredentialOffer) { try Credential.summary(ofOffer: offer) }
  }
}

/// Reads the problem report that ended the exchange.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives JSON text, `null` if no report ended the exchange; 1053, 1103.
@_cdecl("vcx_credential_get_problem_report")
public func vcx_credential_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials) { $0.problemReport }
}

/// Creates a credential, requests it, and returns its handle and its text.
private func acceptOffer(
  _ offer: String, _ sourceID: String, over connection: Connection?, with session: Session
) throws -> NumberAndText {
  var credential = try reporting(.invalidCredentialOffer) { try Credential(sourceID: sourceID, offer: offer) }
  try credential.sendRequest(over: connection, with: session)
  let serialized = credential.serialized()
  return NumberAndText(number: try credentials.insert(credential), text: serialized)
}
