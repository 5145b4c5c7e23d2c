// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import JSON
internal import MSDK
internal import Wallet

// MARK: Wallet records
//
// The program's own texts, kept in the encrypted wallet under a type and an id and found by tags. Tags are a JSON
// object of texts, at most 10,000 in one call. A tag whose name begins with `~` is stored unencrypted and allows
// comparisons. Functions report 1057 if no wallet is open.

/// Adds a record.
///
/// - Parameters:
///   - type_: The type of the record.
///   - id: The id of the record, unique within its type.
///   - value: The text to keep.
///   - tags_json: The tags as a JSON object, `{}` for none.
///   - cb: Receives 0, 1072 if the record exists, 1080 for bad tags, 1057.
@_cdecl("vcx_wallet_add_record")
public func vcx_wallet_add_record(
  _ command_handle: vcx_command_handle_t, _ type_: CString?, _ id: CString?, _ value: CString?, _ tags_json: CString?,
  _ cb: vcx_done_cb?
) -> vcx_error_t {
  startChange(
    Completion(command_handle, cb), text(type_, "type_"), text(id, "id"), text(value, "value"),
    text(tags_json, "tags_json")
  ) {
    .add(Record(type: $0, id: $1, value: $2, tags: try Tags(parsing: $3)))
  }
}

/// Replaces the text of a record. Its tags do not change.
///
/// - Parameters:
///   - type_: The type of the record.
///   - id: The id of the record, unique within its type.
///   - value: The new text.
///   - cb: Receives 0, 1073 if there is no such record, 1057.
@_cdecl("vcx_wallet_update_record_value")
public func vcx_wallet_update_record_value(
  _ command_handle: vcx_command_handle_t, _ type_: CString?, _ id: CString?, _ value: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  startChange(Completion(command_handle, cb), text(type_, "type_"), text(id, "id"), text(value, "value")) {
    .updateValue(type: $0, id: $1, value: $2)
  }
}

/// Replaces all tags of a record.
///
/// - Parameters:
///   - type_: The type of the record.
///   - id: The id of the record, unique within its type.
///   - tags: The tags as a JSON object.
///   - cb: Receives 0, 1073 if there is no such record, 1080 for bad tags, 1057.
@_cdecl("vcx_wallet_update_record_tags")
public func vcx_wallet_update_record_tags(
  _ command_handle: vcx_command_handle_t, _ type_: CString?, _ id: CString?, _ tags: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  startChange(Completion(command_handle, cb), text(type_, "type_"), text(id, "id"), text(tags, "tags")) {
    .replaceTags(with: try Tags(parsing: $2), type: $0, id: $1)
  }
}

/// Adds tags to a record and replaces its tags with the same names.
///
/// - Parameters:
///   - type_: The type of the record.
///   - id: The id of the record, unique within its type.
///   - tags: The tags as a JSON object.
///   - cb: Receives 0, 1073 if there is no such record, 1080 for bad tags, 1057.
@_cdecl("vcx_wallet_add_record_tags")
public func vcx_wallet_add_record_tags(
  _ command_handle: vcx_command_handle_t, _ type_: CString?, _ id: CString?, _ tags: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  startChange(Completion(command_handle, cb), text(type_, "type_"), text(id, "id"), text(tags, "tags")) {
    .addTags(try Tags(parsing: $2), type: $0, id: $1)
  }
}

/// Deletes tags of a record. Names that the record does not have are ignored.
///
/// - Parameters:
///   - type_: The type of the record.
///   - id: The id of the record, unique within its type.
///   - tags: The names as a JSON array.
///   - cb: Receives 0, 1073 if there is no such record, 1080 for bad names, 1057.
@_cdecl("vcx_wallet_delete_record_tags")
public func vcx_wallet_delete_record_tags(
  _ command_handle: vcx_command_handle_t, _ type_: CString?, _ id: CString?, _ tags: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  startChange(Completion(command_handle, cb), text(type_, "type_"), text(id, "id"), text(tags, "tags")) {
    .deleteTags(named: try Tags.names(parsing: $2), type: $0, id: $1)
  }
}

/// Reads a record.
///
/// - Parameters:
///   - type_: The type of the record.
///   - id: The id of the record, unique within its type.
///   - options_json: JSON object with `retrieveType` (false unless given), `retrieveValue` (true) and `retrieveTags`
///     (true); `{}` for the defaults.
///   - cb: Receives JSON text with `type`, `id`, `value` and `tags`; unwanted members are null. On an error an empty
///     text: 1073, 1080, 1057.
@_cdecl("vcx_wallet_get_record")
public func vcx_wallet_get_record(
  _ command_handle: vcx_command_handle_t, _ type_: CString?, _ id: CString?, _ options_json: CString?,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(type_, "type_"), text(id, "id"), text(options_json, "options_json"),
    openWallet(), failing: ""
  ) {
    try $3.record(type: $0, id: $1, retrieving: Retrieval(parsing: $2)).text
  }
}

/// Deletes a record.
///
/// - Parameters:
///   - type_: The type of the record.
///   - id: The id of the record, unique within its type.
///   - cb: Receives 0, 1073 if there is no such record, 1057.
@_cdecl("vcx_wallet_delete_record")
public func vcx_wallet_delete_record(
  _ command_handle: vcx_command_handle_t, _ type_: CString?, _ id: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  startChange(Completion(command_handle, cb), text(type_, "type_"), text(id, "id")) { .delete(type: $0, id: $1) }
}

/// Opens a search for records. Close it with `vcx_wallet_close_search`.
///
/// The search has the wallet's records of this moment: later changes have no effect on it. The order of the records is
/// not specified.
///
/// - Parameters:
///   - type_: The type of the records.
///   - query_json: The query over tags as JSON text; `{}` finds all. It maps names of tags to texts or to one of
///     `$neq`, `$in`, `$regex`, `$gt`, `$gte`, `$lt`, `$lte` and `$like`; `$and`, `$or` and `$not` combine. `$like` needs
///     an unencrypted tag, and so do `$gt`, `$gte`, `$lt` and `$lte` with a text; with a number they take any tag.
///   - options_json: JSON object with `retrieveRecords` (true unless given), `retrieveTotalCount` (false),
///     `retrieveType` (false), `retrieveValue` (true) and `retrieveTags` (true); `{}` for the defaults.
///   - cb: Receives the handle of the search; 1067 for a bad query, with the place in the current error's `cause`; 1080
///     for bad options, 1057.
@_cdecl("vcx_wallet_open_search")
public func vcx_wallet_open_search(
  _ command_handle: vcx_command_handle_t, _ type_: CString?, _ query_json: CString?, _ options_json: CString?,
  _ cb: vcx_search_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(type_, "type_"), text(query_json, "query_json"),
    text(options_json, "options_json"), openWallet()
  ) {
    try openSearch(in: $3, type: $0, query: $1, options: $2)
  }
}

/// Reads the next records of a search.
///
/// - Parameters:
///   - wallet_search_handle: The search.
///   - count: The highest number of records to read.
///   - cb: Receives JSON text with `totalCount`, null unless wanted, and `records`, null at the end and unless wanted;
///     1057 if the search is not open.
@_cdecl("vcx_wallet_search_next_records")
public func vcx_wallet_search_next_records(
  _ command_handle: vcx_command_handle_t, _ wallet_search_handle: vcx_search_handle_t, _ count: UInt,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: UInt32(bitPattern: wallet_search_handle), of: searches) { search in
    try search.next(Int(clamping: count)).text
  }
}

/// Closes a search.
///
/// - Parameters:
///   - search_handle: The search.
///   - cb: Receives 0, or 1057 if it is not open.
@_cdecl("vcx_wallet_close_search")
public func vcx_wallet_close_search(
  _ command_handle: vcx_command_handle_t, _ search_handle: vcx_search_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  let handle = UInt32(bitPattern: search_handle)
  return start(Completion(command_handle, cb), on: handle, of: searches) { (search: inout Search) in
    guard searches.remove(handle) else { throw searches.missing(handle) }
    search.close()
  }
}
