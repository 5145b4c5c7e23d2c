// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import Aries
internal import MSDK

// MARK: Issuing credentials: proposed ones
//
// A holder proposes a credential: in a message of the kind `credential-proposal`, or in answer to an offer. The
// credential is then in state 10. Read the proposal, plan the offer (state 1) and send it (state 2), or decline. The values
// of the offer are the program's: the library takes none from the proposal.

/// Creates a credential to issue from a holder's proposal. The offer goes on the proposal's thread, in its version and
/// format.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - proposal: The message as JSON text: a proposal of issue-credential 1.0 or 2.0.
///   - cb: Receives the handle of the credential, in state 10, or 1016.
@_cdecl("msdk_issuer_credential_create_with_proposal")
public func msdk_issuer_credential_create_with_proposal(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ proposal: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(source_id, "source_id"), text(proposal, "proposal")) {
    sourceID, proposal in
    try reporting(.invalidJson) {
      try issuerCredentials.insert(IssuerCredential(sourceID: sourceID, proposal: proposal))
    }
  }
}

/// Reads the proposal of the holder, until the offer that answers it is sent.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives JSON text with `attributes`, `filter`, `comment` and `thid`; 1015, 1005 without a proposal.
@_cdecl("msdk_issuer_credential_get_proposal")
public func msdk_issuer_credential_get_proposal(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: issuerCredentials) { try $0.proposal() }
}

/// Decides about the offer that answers a proposal; `vcx_issuer_send_credential_offer` sends it. State 1 follows.
///
/// The values may be those of the proposal or others. Once a credential is made in the exchange, no other is offered: sending
/// the offer reports 1081.
///
/// - Parameters:
///   - credential_handle: The credential, in state 10, or in state 1 before the offer is made.
///   - cred_def_handle: The definition.
///   - credential_data: The values, as for `vcx_issuer_create_credential`.
///   - credential_name: The name that the holder sees, the comment of the offer.
///   - cb: Receives 0, or 1015, 1037, 1021 for other values, 1081 in other states, 1103 without the AnonCreds engine.
@_cdecl("msdk_issuer_credential_plan_offer")
public func msdk_issuer_credential_plan_offer(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t,
  _ cred_def_handle: vcx_credentialdef_handle_t, _ credential_data: CString?, _ credential_name: CString?,
  _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, beside: cred_def_handle,
    of: definitions, text(credential_data, "credential_data"), text(credential_name, "credential_name"),
    runningSession()
  ) { (credential: inout IssuerCredential, definition, values, name, session) in
    try credential.plan(definition, values: values, name: name, with: session)
  }
}

/// Declines a proposal, or withdraws an offer, and tells the holder. State 9 follows.
///
/// - Parameters:
///   - credential_handle: The credential, in state 10, 2 or 3. Nobody is told of an offer that only an invitation carries.
///   - connection_handle: The connection.
///   - reason: The reason, or NULL.
///   - cb: Receives 0, or 1015, 1003, 1112 if the connection is not completed, 1008 if it has no mailbox, 1010, 1081 in other
///     states.
@_cdecl("msdk_issuer_credential_decline_proposal")
public func msdk_issuer_credential_decline_proposal(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ reason: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: issuerCredentials, over: connection_handle,
    optionalText(reason, "reason"), runningSession()
  ) { (credential: inout IssuerCredential, connection, reason, session) in
    guard let connection else { throw connections.missing(connection_handle) }
    try credential.decline(because: reason, over: connection, with: session)
  }
}

/// Creates a credential to offer, as `vcx_issuer_create_credential` does, in a version and a format of the program's choice.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - cred_def_handle: The definition.
///   - credential_data: The values, as for `vcx_issuer_create_credential`.
///   - credential_name: The name that the holder sees, the comment of the offer.
///   - options: JSON text, or NULL; as for `msdk_credential_create_proposal`.
///   - cb: Receives the handle of the credential, in state 1; 1037, 1021 for other values, 1016 for the options, 1103 without
///     the AnonCreds engine.
@_cdecl("msdk_issuer_create_credential_with_options")
public func msdk_issuer_create_credential_with_options(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ cred_def_handle: vcx_credentialdef_handle_t,
  _ credential_data: CString?, _ credential_name: CString?, _ options: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: cred_def_handle, of: definitions, text(source_id, "source_id"),
    text(credential_data, "credential_data"), text(credential_name, "credential_name"),
    optionalText(options, "options"), runningSession()
  ) { (definition: inout CredentialDefinition, sourceID, values, name, options, session) in
    try issuerCredentials.insert(
      IssuerCredential(
        sourceID: sourceID, definition: definition, values: values, name: name, in: ExchangeForm(options: options),
        with: session))
  }
}
