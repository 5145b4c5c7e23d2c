// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Credentials: in the wallet
//
// A credential in state 4 is in the wallet, even after its handle is released. Its record has libindy's form.

/// Reads the stored credential.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the message that carried the credential, as JSON text; with `protocol_type` 3.0 or less
///     `credential_id` and `credential`, the latter as text. 1053, 1005 before it is stored, 1081 after a failure.
@_cdecl("vcx_get_credential")
public func vcx_get_credential(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials, sessionIfRunning()) {
    try $0.message(asVersion3: $1?.settings.isVersion3 ?? false)
  }
}

/// Deletes the stored credential from the wallet and releases the handle. The handle is released even if the deletion
/// fails.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives 0, or 1053, 1005 before it is stored, 1073 when it is deleted already, 1081 after a failure,
///     which closes the mailbox of an exchange without a connection.
@_cdecl("vcx_delete_credential")
public func vcx_delete_credential(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials, runningSession(), by: .network) {
    (credential: inout Credential, session) in
    defer { credentials.remove(credential_handle) }
    try credential.delete(with: session)
    try credential.forget(with: session)
  }
}

/// Creates a proposal to present all attributes of the credential.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the message as JSON text, or 1053, 1005.
@_cdecl("vcx_credential_get_presentation_proposal_msg")
public func vcx_credential_get_presentation_proposal_msg(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials, runningSession()) {
    try $0.presentationProposal(with: $1)
  }
}

/// Reads the wallet's information about the stored credential.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives JSON text with `referent`, `attrs`, `schema_id`, `cred_def_id`, `rev_reg_id` and `cred_rev_id`;
///     1053, 1005.
@_cdecl("vcx_credential_get_info")
public func vcx_credential_get_info(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials, runningSession()) {
    try $0.info(with: $1)
  }
}

/// Asks the registry whether the issuer has revoked the stored credential. The wallet notes the answer:
/// `vcx_disclosed_proof_retrieve_credentials` marks a revoked credential.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives whether it is revoked; false for a credential that cannot be revoked. 1053, 1005 before it is
///     stored, 1081 after a failure, 1091 if the registry does not answer or cannot be used.
@_cdecl("msdk_credential_is_revoked")
public func msdk_credential_is_revoked(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_bool_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials, runningSession(), by: .network) {
    try $0.isRevoked(with: $1)
  }
}

/// Fetches the schemas, definitions and revocation registries of all stored credentials into the wallet, so that proofs
/// without revocation need no network later.
///
/// - Parameters:
///   - cb: Receives 0, 1030 if neither a ledger nor a registry is configured, 1031, 1036 or 1091 if a schema, a definition or
///     a revocation registry cannot be fetched.
@_cdecl("vcx_fetch_public_entities")
public func vcx_fetch_public_entities(_ command_handle: vcx_command_handle_t, _ cb: vcx_done_cb?) -> vcx_error_t {
  start(Completion(command_handle, cb), runningSession(), by: .network) { try $0.fetchPublicObjects() }
}
