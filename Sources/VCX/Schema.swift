// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Schemas
//
// The attributes of a kind of credential. An issuer publishes them in its registry, the first registry in the
// configuration that has "write": true.

/// Creates a schema and publishes it. Returns 1004 without `institution_did` in the configuration.
///
/// The id is `<institution_did>:2:<name>:<version>`, and for a DID of did:webvh the hash of the schema. To publish the same
/// schema again succeeds.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - schema_name: The name, without a colon, and for an issuer of `did:indy` without a slash.
///   - version: The version, of digits and dots, such as `1.0`.
///   - schema_data: The names of 1 to 125 attributes as a JSON array. Names that differ only in spaces, in case or in
///     the normal form of Unicode are the same. `master_secret` and `link_secret` are not permitted.
///   - payment_handle: Ignored.
///   - cb: Receives the handle of the schema; 1080 for another array, 1041 for a name, a version or attributes that
///     are not permitted, 1008 if `institution_did` is neither a DID of Indy nor of did:webvh, 1088 if another schema has
///     this id, 1094 if the registry refuses it, 1025 if the registry cannot be reached, 1030 without a registry to write
///     to.
@_cdecl("vcx_schema_create")
public func vcx_schema_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ schema_name: CString?, _ version: CString?,
  _ schema_data: CString?, _ payment_handle: vcx_payment_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(schema_name, "schema_name"),
    text(version, "version"), text(schema_data, "schema_data"), issuerDID(), runningSession(), by: .network
  ) { sourceID, name, version, attributes, issuer, session in
    var schema = try Schema(
      sourceID: sourceID, name: name, version: version, attributes: attributes, issuer: issuer)
    try schema.publish(with: session)
    return try schemas.insert(schema)
  }
}

/// Creates a schema for an endorser to publish on the ledger, in state 0. The author's DID is `institution_did`.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - schema_name: The name.
///   - version: The version, such as `1.0`.
///   - schema_data: The names of the attributes as a JSON array.
///   - endorser: The endorser's DID.
///   - cb: Receives the handle of the schema and the signed transaction as JSON text; 1080, 1041, 1008 if
///     `institution_did` is not a DID of Indy, 1073 when the wallet lacks the author's key, 1030 without a ledger.
@_cdecl("vcx_schema_prepare_for_endorser")
public func vcx_schema_prepare_for_endorser(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ schema_name: CString?, _ version: CString?,
  _ schema_data: CString?, _ endorser: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(schema_name, "schema_name"),
    text(version, "version"), text(schema_data, "schema_data"), text(endorser, "endorser"), issuerDID(),
    runningSession(), by: .network
  ) { sourceID, name, version, attributes, endorser, issuer, session in
    let schema = try Schema(
      sourceID: sourceID, name: name, version: version, attributes: attributes, issuer: issuer)
    let transaction = try schema.transaction(for: endorser, with: session)
    return NumberAndText(number: try schemas.insert(schema), text: transaction)
  }
}

/// Fetches a schema.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - schema_id: The id of the schema.
///   - cb: Receives the handle of the schema and a JSON object with its `data` (the names of the attributes), `version`,
///     `schema_id`, `name`, `source_id`, `payment_txn` and `state`, as the wrappers of libvcx read it; 1040 if the schema
///     cannot be fetched.
@_cdecl("vcx_schema_get_attributes")
public func vcx_schema_get_attributes(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ schema_id: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(schema_id, "schema_id"), runningSession(),
    by: .network
  ) { sourceID, id, session in
    let schema = try reporting(.invalidSchemaSeqNo) { try Schema(sourceID: sourceID, fetching: id, with: session) }
    return NumberAndText(number: try schemas.insert(schema), text: schema.description)
  }
}

/// Reads the id of a schema.
///
/// - Parameters:
///   - schema_handle: The schema.
///   - cb: Receives the id, or 1042.
@_cdecl("vcx_schema_get_schema_id")
public func vcx_schema_get_schema_id(
  _ command_handle: vcx_command_handle_t, _ schema_handle: vcx_schema_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: schema_handle, of: schemas) { $0.id }
}

/// Writes a schema as JSON text for the program to store. `vcx_schema_deserialize` restores it.
///
/// - Parameters:
///   - schema_handle: The schema.
///   - cb: Receives the text, or 1042.
@_cdecl("vcx_schema_serialize")
public func vcx_schema_serialize(
  _ command_handle: vcx_command_handle_t, _ schema_handle: vcx_schema_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: schema_handle, of: schemas) { $0.serialized() }
}

/// Restores a serialized schema.
///
/// - Parameters:
///   - schema_data: The text from `vcx_schema_serialize`.
///   - cb: Receives a new handle, or 1016.
@_cdecl("vcx_schema_deserialize")
public func vcx_schema_deserialize(
  _ command_handle: vcx_command_handle_t, _ schema_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(schema_data, "schema_data")) {
    try schemas.insert(Schema(serialized: $0))
  }
}

/// Releases the handle of a schema.
///
/// - Parameter schema_handle: The schema.
/// - Returns: Always 0.
@_cdecl("vcx_schema_release")
public func vcx_schema_release(_ schema_handle: vcx_schema_handle_t) -> vcx_error_t {
  attempt(on: schemas.name(of: schema_handle)) { () throws(VCXError) in schemas.remove(schema_handle) }
}

/// Looks whether the registry has the schema. If it cannot look, the state does not change.
///
/// - Parameters:
///   - schema_handle: The schema.
///   - cb: Receives the state, one of `vcx_publication_state`, or 1042.
@_cdecl("vcx_schema_update_state")
public func vcx_schema_update_state(
  _ command_handle: vcx_command_handle_t, _ schema_handle: vcx_schema_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: schema_handle, of: schemas, runningSession(), by: .network) {
    (schema: inout Schema, session) in
    schema.update(with: session)
    return schema.state
  }
}

/// Reads whether a schema is published.
///
/// - Parameters:
///   - schema_handle: The schema.
///   - cb: Receives the state, one of `vcx_publication_state`, or 1042.
@_cdecl("vcx_schema_get_state")
public func vcx_schema_get_state(
  _ command_handle: vcx_command_handle_t, _ schema_handle: vcx_schema_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: schema_handle, of: schemas) { $0.state }
}
