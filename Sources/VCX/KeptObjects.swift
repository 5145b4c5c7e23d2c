// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import JSON
internal import MSDK

// MARK: Kept objects
//
// With `keep_objects` in the configuration, the wallet keeps each connection, credential, proof, schema and definition, and
// each exchange of an issuer or a verifier: from the call that creates the object, and after each change, before the
// callback. A program then need not serialize anything. After a restart, or when its process was killed, it lists its objects
// and opens them. Release forgets a handle, and the record stays until the object is deleted. With `keep_finished_days`, the
// start of a session deletes the records of exchanges that have been over for so many days, but for issued credentials that
// can be revoked.
//
// A record is encrypted as all records of the wallet are, and is in the wallet's exports and backups.

/// Lists the objects that the wallet keeps, as they were after their last change: the object that has changed last comes
/// first.
///
/// - Parameters:
///   - query_json: The conditions as a JSON object, all of which must hold; `{}` finds all objects. `type` is `connection`,
///     `credential`, `disclosed_proof`, `issuer_credential`, `proof`, `schema` or `credentialdef`. `source_id`, `thread`,
///     `pairwise_did` (this side's) and `their_did` are texts, `state` is a number, and `finished` is a boolean. `limit` is
///     the highest number of objects.
///   - cb: Receives a JSON array of objects with `id`, these members, and `changed`, seconds since 1970. A member is null
///     if the object does not have it. 1016 for a bad or unknown condition; 1004.
@_cdecl("msdk_objects_list")
public func msdk_objects_list(
  _ command_handle: vcx_command_handle_t, _ query_json: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(query_json, "query_json"), runningSession()) {
    try $1.keptObjects.list(KeptQuery(parsing: $0))
  }
}

/// Opens an object that the wallet keeps. Release its handle with the function for its type.
///
/// If the object is open, the new handle leads to the same object.
///
/// - Parameters:
///   - object_id: The `id` of the object in the list.
///   - cb: Receives the handle and the object's `type`; 1073 if the wallet does not keep such an object, 1016 for a record
///     that a newer version has written, 1004.
@_cdecl("msdk_object_open")
public func msdk_object_open(
  _ command_handle: vcx_command_handle_t, _ object_id: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(object_id, "object_id"), runningSession()) {
    let found = try $1.keptObjects.find($0)
    return NumberAndText(number: try openKept(found), text: found.kind.rawValue)
  }
}

/// Deletes an object from the wallet, and releases its handles. A credential stays in the wallet, and a connection's mailbox
/// stays at the Cloud Agent: `vcx_delete_credential` and `vcx_connection_delete_connection` delete them together with the
/// object.
///
/// - Parameters:
///   - object_id: The `id` of the object in the list.
///   - cb: Receives 0, or 1073 if the wallet does not keep such an object, 1004.
@_cdecl("msdk_object_delete")
public func msdk_object_delete(
  _ command_handle: vcx_command_handle_t, _ object_id: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(object_id, "object_id"), runningSession()) {
    try deleteKept($1.keptObjects.find($0), with: $1)
  }
}
