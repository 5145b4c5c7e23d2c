// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Credential definitions
//
// An issuer's keys for credentials of a schema. The registry that takes schemas publishes the public keys, and the
// wallet keeps the private keys.

/// Creates a credential definition and publishes it. Its keys take seconds to make, on threads of their own: no other
/// call waits for them.
///
/// If the wallet has keys for the schema and the tag, the library uses them, so that a program can repeat a call that
/// failed to publish.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - credentialdef_name: The name.
///   - schema_id: The id of the schema.
///   - issuer_did: The issuer, or NULL for the institution's DID. Returns 1004 with neither.
///   - tag: Distinguishes definitions of the same schema. Not empty, without a colon, and for an issuer of `did:indy`
///     without a slash.
///   - revocation_details: JSON text with `support_revocation`, `tails_file` and `max_creds`; `{}` for no revocation.
///   - payment_handle: Ignored.
///   - cb: Receives the handle of the definition; 1031 if the schema cannot be fetched, 1091 for other revocation
///     details, 1008 if the issuer has no DID of Indy or of did:webvh, 1034 for another tag, or if the registry refuses the definition,
///     1025 if the registry cannot be reached, 1030 without a registry to write to, 1103 without the AnonCreds engine.
@_cdecl("vcx_credentialdef_create")
public func vcx_credentialdef_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ credentialdef_name: CString?, _ schema_id: CString?,
  _ issuer_did: CString?, _ tag: CString?, _ revocation_details: CString?, _ payment_handle: vcx_payment_handle_t,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(credentialdef_name, "credentialdef_name"),
    text(schema_id, "schema_id"), issuerDID(optionalText(issuer_did, "issuer_did")), text(tag, "tag"),
    text(revocation_details, "revocation_details"), runningSession(), by: .makingKeys
  ) { sourceID, name, schemaID, issuer, tag, details, session in
    try definitions.insert(
      CredentialDefinition(
        sourceID: sourceID, name: name, schemaID: schemaID, issuer: issuer, tag: tag,
        revocation: RevocationDetails(parsing: details), with: session))
  }
}

/// Creates an object for a credential definition that this wallet has made before, in state 0. Asks neither the wallet
/// nor a registry.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - cred_def_id: The id of the definition.
///   - issuer_did: The issuer, or NULL for the institution's DID. Returns 1004 with neither.
///   - revocation_config: NULL, or the revocation registry as JSON text: `{"version": "1.0", "data": {"tails_file",
///     "rev_reg_id", "rev_reg_def", "rev_reg_entry"}}`, as in a serialized definition.
///   - cb: Receives the handle of the definition, or 1016.
@_cdecl("vcx_credentialdef_create_with_id")
public func vcx_credentialdef_create_with_id(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ cred_def_id: CString?, _ issuer_did: CString?,
  _ revocation_config: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(cred_def_id, "cred_def_id"),
    issuerDID(optionalText(issuer_did, "issuer_did")), optionalText(revocation_config, "revocation_config")
  ) { sourceID, id, issuer, revocation in
    try definitions.insert(
      CredentialDefinition(sourceID: sourceID, id: id, issuer: issuer, revocation: revocation))
  }
}

/// Creates a credential definition for an endorser to publish on the ledger, in state 0. Its keys take seconds to make,
/// like the keys of `vcx_credentialdef_create`.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - credentialdef_name: The name.
///   - schema_id: The id of the schema.
///   - issuer_did: The issuer, or NULL for the institution's DID. Returns 1004 with neither.
///   - tag: Distinguishes definitions of the same schema. Not empty, without a colon, and for an issuer of `did:indy`
///     without a slash.
///   - revocation_details: JSON text with `support_revocation`, `tails_file` and `max_creds`; `{}` for no revocation.
///   - endorser: The endorser's DID.
///   - cb: Receives the handle of the definition and the signed transactions as JSON texts, in the order in which they
///     are to be published; 1031, 1091, 1008 if the issuer has no DID of Indy or of did:webvh, 1034 for another tag, 1073 when the wallet
///     lacks the author's key, 1030 without a ledger, 1103 without the AnonCreds engine.
@_cdecl("vcx_credentialdef_prepare_for_endorser")
public func vcx_credentialdef_prepare_for_endorser(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ credentialdef_name: CString?, _ schema_id: CString?,
  _ issuer_did: CString?, _ tag: CString?, _ revocation_details: CString?, _ endorser: CString?,
  _ cb: vcx_definition_transactions_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(credentialdef_name, "credentialdef_name"),
    text(schema_id, "schema_id"), issuerDID(optionalText(issuer_did, "issuer_did")), text(tag, "tag"),
    text(revocation_details, "revocation_details"), text(endorser, "endorser"), runningSession(), by: .makingKeys
  ) { sourceID, name, schemaID, issuer, tag, details, endorser, session in
    var definition = try CredentialDefinition(
      unpublished: sourceID, name: name, schemaID: schemaID, issuer: issuer, tag: tag,
      revocation: RevocationDetails(parsing: details), with: session)
    let made = try definition.transactions(for: endorser, with: session)
    return DefinitionTransactions(
      handle: try definitions.insert(definition), definition: made.definition, registry: made.registry,
      registryEntry: made.entry)
  }
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
  start(Completion(command_handle, cb), on: cred_def_handle, of: definitions) { $0.id }
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
  start(Completion(command_handle, cb), on: credentialdef_handle, of: definitions) { $0.serialized() }
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
  start(Completion(command_handle, cb), text(credentialdef_data, "credentialdef_data")) {
    try definitions.insert(CredentialDefinition(serialized: $0))
  }
}

/// Releases the handle of a credential definition.
///
/// - Parameter credentialdef_handle: The definition.
/// - Returns: Always 0.
@_cdecl("vcx_credentialdef_release")
public func vcx_credentialdef_release(_ credentialdef_handle: vcx_credentialdef_handle_t) -> vcx_error_t {
  attempt(on: definitions.name(of: credentialdef_handle)) { () throws(VCXError) in
    definitions.remove(credentialdef_handle)
  }
}

/// Publishes the parts that an earlier call could not publish. If an endorser publishes the definition, or if its keys
/// are not in the wallet, it only looks whether the definition is published.
///
/// - Parameters:
///   - credentialdef_handle: The definition.
///   - cb: Receives the state, one of `vcx_publication_state`; 1037, and the errors of publishing:
///     1034, 1025, 1030, 1103.
@_cdecl("vcx_credentialdef_update_state")
public func vcx_credentialdef_update_state(
  _ command_handle: vcx_command_handle_t, _ credentialdef_handle: vcx_credentialdef_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: credentialdef_handle, of: definitions, runningSession(), by: .network,
    failing: \.state
  ) { (definition: inout CredentialDefinition, session) in
    try definition.update(with: session)
    return definition.state
  }
}

/// Reads whether a definition is published.
///
/// - Parameters:
///   - credentialdef_handle: The definition.
///   - cb: Receives the state, one of `vcx_publication_state`, or 1037.
@_cdecl("vcx_credentialdef_get_state")
public func vcx_credentialdef_get_state(
  _ command_handle: vcx_command_handle_t, _ credentialdef_handle: vcx_credentialdef_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credentialdef_handle, of: definitions) { $0.state }
}
