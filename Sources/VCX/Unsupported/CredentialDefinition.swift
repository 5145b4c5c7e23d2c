// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

// MARK: Credential definitions
//
// An issuer's keys for a schema, published on a ledger.

/// Creates a credential definition and publishes it.
///
/// - Parameters:
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - credentialdef_name: The name.
///   - schema_id: The id of the schema.
///   - issuer_did: The issuer, or NULL for the institution's DID. Returns 1004 with neither.
///   - tag: Distinguishes definitions of the same schema.
///   - revocation_details: JSON text with `support_revocation`, `tails_file` and `max_creds`; `{}` for no revocation.
///   - payment_handle: Ignored.
///   - cb: Receives the handle of the definition, or 1039, 1034, 1091, 1092, 1095, 1030.
@_cdecl("vcx_credentialdef_create")
public func vcx_credentialdef_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ credentialdef_name: CString?, _ schema_id: CString?,
  _ issuer_did: CString?, _ tag: CString?, _ revocation_details: CString?, _ payment_handle: vcx_payment_handle_t,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(credentialdef_name, "credentialdef_name"),
    text(schema_id, "schema_id"),
    optionalText(issuer_did, "issuer_did"), text(tag, "tag"), text(revocation_details, "revocation_details")
  )
}

/// Creates an object for a credential definition that is on the ledger.
///
/// - Parameters:
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - cred_def_id: The id of the definition.
///   - issuer_did: The issuer, or NULL for the institution's DID. Returns 1004 with neither.
///   - revocation_config: The revocation settings as JSON text, or NULL.
///   - cb: Receives the handle of the definition, or 1034, 1036.
@_cdecl("vcx_credentialdef_create_with_id")
public func vcx_credentialdef_create_with_id(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ cred_def_id: CString?, _ issuer_did: CString?,
  _ revocation_config: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(cred_def_id, "cred_def_id"),
    optionalText(issuer_did, "issuer_did"),
    optionalText(revocation_config, "revocation_config")
  )
}

/// Creates a credential definition for an endorser to publish.
///
/// - Parameters:
///   - source_id: A name of the program's choosing; it is kept with the object.
///   - credentialdef_name: The name.
///   - schema_id: The id of the schema.
///   - issuer_did: The issuer, or NULL for the institution's DID. Returns 1004 with neither.
///   - tag: Distinguishes definitions of the same schema.
///   - revocation_details: JSON text with `support_revocation`, `tails_file` and `max_creds`; `{}` for no revocation.
///   - endorser: The endorser's DID.
///   - cb: Receives the handle of the definition and the transactions; 1034, 1095, 1030.
@_cdecl("vcx_credentialdef_prepare_for_endorser")
public func vcx_credentialdef_prepare_for_endorser(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ credentialdef_name: CString?, _ schema_id: CString?,
  _ issuer_did: CString?, _ tag: CString?, _ revocation_details: CString?, _ endorser: CString?,
  _ cb: vcx_definition_transactions_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(credentialdef_name, "credentialdef_name"),
    text(schema_id, "schema_id"),
    optionalText(issuer_did, "issuer_did"), text(tag, "tag"), text(revocation_details, "revocation_details"),
    text(endorser, "endorser")
  )
}

/// Reads the id of a credential definition.
///
/// - Parameters:
///   - cred_def_handle: The definition.
///   - cb: Receives the id, or 1037.
@_cdecl("vcx_credentialdef_get_cred_def_id")
public func vcx_credentialdef_get_cred_def_id(
  _ command_handle: vcx_command_handle_t, _ cred_def_handle: vcx_credentialdef_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Writes a definition as JSON text for the program to store. `vcx_credentialdef_deserialize` restores it.
///
/// - Parameters:
///   - credentialdef_handle: The definition.
///   - cb: Receives the text, or 1037.
@_cdecl("vcx_credentialdef_serialize")
public func vcx_credentialdef_serialize(
  _ command_handle: vcx_command_handle_t, _ credentialdef_handle: vcx_credentialdef_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Restores a serialized definition.
///
/// - Parameters:
///   - credentialdef_data: The text from `vcx_credentialdef_serialize`.
///   - cb: Receives a new handle, or 1016.
@_cdecl("vcx_credentialdef_deserialize")
public func vcx_credentialdef_deserialize(
  _ command_handle: vcx_command_handle_t, _ credentialdef_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(credentialdef_data, "credentialdef_data"))
}

/// Releases the handle of a credential definition.
///
/// - Parameter credentialdef_handle: The definition.
/// - Returns: Always 0.
@_cdecl("vcx_credentialdef_release")
public func vcx_credentialdef_release(_ credentialdef_handle: vcx_credentialdef_handle_t) -> vcx_error_t {
  ErrorCode.success.rawValue
}

/// Looks for a definition on the ledger.
///
/// - Parameters:
///   - credentialdef_handle: The definition.
///   - cb: Receives the state, one of `vcx_publication_state`, or 1037.
@_cdecl("vcx_credentialdef_update_state")
public func vcx_credentialdef_update_state(
  _ command_handle: vcx_command_handle_t, _ credentialdef_handle: vcx_credentialdef_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Tells whether a definition is on the ledger.
///
/// - Parameters:
///   - credentialdef_handle: The definition.
///   - cb: Receives the state, one of `vcx_publication_state`, or 1037.
@_cdecl("vcx_credentialdef_get_state")
public func vcx_credentialdef_get_state(
  _ command_handle: vcx_command_handle_t, _ credentialdef_handle: vcx_credentialdef_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}
