// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

// MARK: Schemas
//
// The attributes of a kind of credential, published on a ledger.

/// Creates a schema and publishes it.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - schema_name: The name.
///   - version: The version, such as `1.0`.
///   - schema_data: The names of the attributes as a JSON array.
///   - payment_handle: Ignored.
///   - cb: Receives the handle of the schema, or 1088, 1041, 1094, 1030.
@_cdecl("vcx_schema_create")
public func vcx_schema_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ schema_name: CString?, _ version: CString?,
  _ schema_data: CString?, _ payment_handle: vcx_payment_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(schema_name, "schema_name"),
    text(version, "version"), text(schema_data, "schema_data"))
}

/// Creates a schema for an endorser to publish.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - schema_name: The name.
///   - version: The version, such as `1.0`.
///   - schema_data: The names of the attributes as a JSON array.
///   - endorser: The endorser's DID.
///   - cb: Receives the handle of the schema and the transaction as JSON text; 1041, 1030.
@_cdecl("vcx_schema_prepare_for_endorser")
public func vcx_schema_prepare_for_endorser(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ schema_name: CString?, _ version: CString?,
  _ schema_data: CString?, _ endorser: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(schema_name, "schema_name"),
    text(version, "version"), text(schema_data, "schema_data"), text(endorser, "endorser")
  )
}

/// Fetches a schema.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - schema_id: The id of the schema.
///   - cb: Receives the handle of the schema and its attributes as JSON text; 1031, 1030.
@_cdecl("vcx_schema_get_attributes")
public func vcx_schema_get_attributes(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ schema_id: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(source_id, "source_id"), text(schema_id, "schema_id"))
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
  unsupported(Completion(command_handle, cb))
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
  unsupported(Completion(command_handle, cb))
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
  unsupported(Completion(command_handle, cb), text(schema_data, "schema_data"))
}

/// Releases the handle of a schema.
///
/// - Parameter schema_handle: The schema.
/// - Returns: Always 0.
@_cdecl("vcx_schema_release")
public func vcx_schema_release(_ schema_handle: vcx_schema_handle_t) -> vcx_error_t {
  ErrorCode.success.rawValue
}

/// Looks for a schema on the ledger.
///
/// - Parameters:
///   - schema_handle: The schema.
///   - cb: Receives the state, one of `vcx_publication_state`, or 1042.
@_cdecl("vcx_schema_update_state")
public func vcx_schema_update_state(
  _ command_handle: vcx_command_handle_t, _ schema_handle: vcx_schema_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Tells whether a schema is on the ledger.
///
/// - Parameters:
///   - schema_handle: The schema.
///   - cb: Receives the state, one of `vcx_publication_state`, or 1042.
@_cdecl("vcx_schema_get_state")
public func vcx_schema_get_state(
  _ command_handle: vcx_command_handle_t, _ schema_handle: vcx_schema_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}
