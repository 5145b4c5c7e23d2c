// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

/// Receives the end of an operation that has no result.
public typealias vcx_done_cb =
  @convention(c) (_ command_handle: vcx_command_handle_t, _ error: vcx_error_t) -> Void

/// Receives a text. It belongs to the library and is valid until the callback returns; NULL on an error, unless the
/// function says otherwise.
public typealias vcx_string_cb =
  @convention(c) (_ command_handle: vcx_command_handle_t, _ error: vcx_error_t, _ text: CString?) -> Void

/// Receives a handle or a state. 0 on an error, unless the function says otherwise.
public typealias vcx_number_cb =
  @convention(c) (_ command_handle: vcx_command_handle_t, _ error: vcx_error_t, _ number: UInt32) -> Void

/// Receives the handle of a search in the wallet. 0 on an error.
public typealias vcx_search_cb =
  @convention(c) (
    _ command_handle: vcx_command_handle_t, _ error: vcx_error_t, _ search_handle: vcx_search_handle_t
  ) -> Void

/// Receives a yes or no. False on an error.
public typealias vcx_bool_cb =
  @convention(c) (_ command_handle: vcx_command_handle_t, _ error: vcx_error_t, _ answer: Bool) -> Void

/// Receives a price. 0 on an error.
public typealias vcx_price_cb =
  @convention(c) (_ command_handle: vcx_command_handle_t, _ error: vcx_error_t, _ price: UInt64) -> Void

/// Receives bytes. They belong to the library and are valid until the callback returns; NULL and 0 on an error.
public typealias vcx_bytes_cb =
  @convention(c) (
    _ command_handle: vcx_command_handle_t, _ error: vcx_error_t, _ bytes: UnsafePointer<UInt8>?, _ length: UInt32
  ) -> Void

/// Receives a handle or a state, and a text. The text belongs to the library and is valid until the callback returns;
/// 0 and NULL on an error, unless the function says otherwise.
public typealias vcx_number_string_cb =
  @convention(c) (
    _ command_handle: vcx_command_handle_t, _ error: vcx_error_t, _ number: UInt32, _ text: CString?
  ) -> Void

/// Receives a credential definition and the ledger transactions for an endorser to submit. The texts belong to the
/// library and are valid until the callback returns; the last two are NULL if the definition has no revocation.
public typealias vcx_definition_transactions_cb =
  @convention(c) (
    _ command_handle: vcx_command_handle_t, _ error: vcx_error_t,
    _ credentialdef_handle: vcx_credentialdef_handle_t, _ definition_transaction: CString?,
    _ registry_transaction: CString?, _ registry_entry_transaction: CString?
  ) -> Void

/// Returns whether the logger wants a line of this level and target. Called on any thread, concurrently.
public typealias vcx_log_enabled_cb =
  @convention(c) (_ context: UnsafeRawPointer?, _ level: UInt32, _ target: CString?) -> Bool

/// Receives a line of the log. Called on any thread, concurrently. An absent text is NULL; all texts are valid until
/// the callback returns.
public typealias vcx_log_cb =
  @convention(c) (
    _ context: UnsafeRawPointer?, _ level: UInt32, _ target: CString?, _ message: CString?, _ module_path: CString?,
    _ file: CString?, _ line: UInt32
  ) -> Void

/// Writes out the lines that the logger holds back.
public typealias vcx_log_flush_cb = @convention(c) (_ context: UnsafeRawPointer?) -> Void
