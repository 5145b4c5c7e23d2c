// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import Aries
internal import MSDK

// MARK: Credentials: being proposed
//
// A credential that this side proposes to an issuer. Create it (state 1), send the proposal (state 10), and update the
// state until the issuer's offer is there (state 3). Then request the credential, or propose another one, as often as both
// sides want: at most 32 times.

/// Creates a credential that this side proposes.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - proposal: The credential to propose, as JSON text with `attributes` and `filter`, of which one may be absent.
///     `attributes` are values as for `vcx_issuer_create_credential`; `filter` is an object with members among `cred_def_id`,
///     `issuer_did`, `schema_id`, `schema_issuer_did`, `schema_name` and `schema_version`.
///   - comment: Text for the issuer, or NULL.
///   - options: JSON text, or NULL. `version`: `1.0` or `2.0`, the version of issue-credential; `format`: `hlindy` or
///     `anoncreds`, the format of version 2.0. Without a member, or with `auto`, the configuration decides; without it the
///     peer's disclosed protocols or its invitation decide about the version, and the ids about the format.
///   - cb: Receives the handle of the credential, in state 1, or 1016.
@_cdecl("msdk_credential_create_proposal")
public func msdk_credential_create_proposal(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ proposal: CString?, _ comment: CString?,
  _ options: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(proposal, "proposal"),
    optionalText(comment, "comment"), optionalText(options, "options")
  ) { sourceID, proposal, comment, options in
    try credentials.insert(
      Credential(sourceID: sourceID, proposing: proposal, comment: comment, in: ExchangeForm(options: options)))
  }
}

/// Sends the proposal. If the proposal has been sent, the call succeeds without sending.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1053, 1003, 1112 if the connection is not completed, 1008 if it has no mailbox, 1010, 1103.
@_cdecl("msdk_credential_send_proposal")
public func msdk_credential_send_proposal(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: credentials, over: connection_handle, runningSession()
  ) { (credential: inout Credential, connection, session) in
    guard let connection else { throw connections.missing(connection_handle) }
    try credential.propose(over: connection, with: session)
  }
}

/// Answers an offer with a proposal of another credential, on its thread. State 10 follows, and with the next offer
/// state 3.
///
/// - Parameters:
///   - credential_handle: The credential, in state 3.
///   - connection_handle: The connection. After a proposal before, the new one takes the way of that one.
///   - proposal: The credential to propose, as for `msdk_credential_create_proposal`.
///   - comment: Text for the issuer, or NULL.
///   - cb: Receives 0, or 1053, 1003, 1016, 1112 if the connection is not completed, 1008 if it has no mailbox, 1010, 1081
///     in other states and after 32 proposals.
@_cdecl("msdk_credential_propose_instead")
public func msdk_credential_propose_instead(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t,
  _ connection_handle: vcx_connection_handle_t, _ proposal: CString?, _ comment: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credential_handle, of: credentials, over: connection_handle,
    text(proposal, "proposal"), optionalText(comment, "comment"), runningSession()
  ) { (credential: inout Credential, connection, proposal, comment, session) in
    guard let connection else { throw connections.missing(connection_handle) }
    try credential.propose(instead: proposal, comment: comment, over: connection, with: session)
  }
}

/// Reads the offer of a credential, also one that answers a proposal. `vcx_credential_parse_offer` reads its content.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the message as JSON text, or 1053, 1005 before there is an offer.
@_cdecl("msdk_credential_get_offer")
public func msdk_credential_get_offer(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials) { try $0.offerMessage() }
}
