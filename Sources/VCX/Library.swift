// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: The library
//
// Initialise once per start with the JSON that provisioning gave, use the objects, shut down at the end. Every program
// needs `vcx_init_with_config`, `vcx_shutdown`, `vcx_error_c_message` and `vcx_get_current_error`.

/// Opens the wallet and makes the library ready.
///
/// A configuration that cannot be used is the return value: 1004, 1069 without `wallet_key`, 1008 and 1009 for a DID or
/// a key, 1013 for a URL, 1044 when a wallet is open already.
///
/// - Parameters:
///   - config: The JSON text that provisioning gave. With `public_endpoints_only` true, peers and links at loopback,
///     private and link-local addresses are not connected to. With `push_details` true, the agencies of peers are told
///     the type of each message and `institution_name`, for their notifications.
///   - cb: Receives 0, or 1079 without such a wallet, 1075 for a wrong key, 1052 when another call opens it.
@_cdecl("vcx_init_with_config")
public func vcx_init_with_config(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(config, "config").map(newSettings(parsing:))) { try Session.start($0) }
}

/// Opens the wallet and makes the library ready, like `vcx_init_with_config`, with the configuration from a file.
///
/// - Parameters:
///   - config_path: The path of a file that holds the JSON text. NULL, or no such file: 1004; one that cannot be
///     read: 1074; an empty text: 1007. `ENABLE_TEST_MODE` stands for fixed settings and a wallet of the default name, which is made where it
///     is missing; nothing is simulated.
///   - cb: Receives 0, or the errors of `vcx_init_with_config`.
@_cdecl("vcx_init")
public func vcx_init(
  _ command_handle: vcx_command_handle_t, _ config_path: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(config_path, "config_path", null: .invalidConfiguration).map(newSettings(at:))
  ) { try Session.start($0) }
}

/// Stands for connecting the ledgers. This build connects none: it succeeds, and writes a warning to the log, so that
/// programs that begin with this call go on. Functions that need a ledger answer 1103.
///
/// - Parameters:
///   - pool_config: JSON text with the networks, an object or an array. Anything else is returned as 1004.
///   - cb: Receives 0.
@_cdecl("vcx_init_pool")
public func vcx_init_pool(
  _ command_handle: vcx_command_handle_t, _ pool_config: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(pool_config, "pool_config").map(LedgerNetworks.init(parsing:))) {
    $0.connect()
  }
}

/// Closes the wallet, forgets all objects and settings.
///
/// May be called from any thread, from a callback too, and without initialisation. Operations that are running end,
/// with an error where they need what is gone, and call back. The logger stays.
///
/// - Parameter delete_wallet: Whether to delete the wallet too.
/// - Returns: Always 0.
@_cdecl("vcx_shutdown")
public func vcx_shutdown(_ delete_wallet: Bool) -> vcx_error_t {
  attempt { () throws(VCXError) in
    searches.removeAll()  // first, since open searches would read their remaining records
    Session.stop(deletingWallet: delete_wallet)
    connections.removeAll()
    searches.removeAll()  // and the searches that were opened meanwhile
  }
}

/// Ends all callbacks for good, the logger's too. Waits for the running ones, and lets no other begin. For
/// programs whose code cannot be called any more some time before the process ends, such as those of an interpreter.
///
/// Call it at the very end, and not inside a callback. Operations that are running end without a callback.
///
/// - Returns: 0, or 1005 when a callback is still running after ten seconds.
@_cdecl("msdk_end_callbacks")
public func msdk_end_callbacks() -> vcx_error_t {
  attempt { () throws(VCXError) in
    guard CallbackGate.process.close(milliseconds: 10_000) else {
      throw VCXError(.notReady, "a callback is still running")
    }
  }
}

/// The version of the library and the revision of its source, such as `0.1.0+1a2b3c4`.
///
/// - Returns: Text that lives as long as the process and is never to be freed.
@_cdecl("vcx_version")
public func vcx_version() -> CString? {
  StaticText.version
}

/// The fixed text of an error code.
///
/// - Parameter error_code: Any number.
/// - Returns: Text that lives as long as the process and is never to be freed; that of 1001 for a number that is no code.
@_cdecl("vcx_error_c_message")
public func vcx_error_c_message(_ error_code: vcx_error_t) -> CString? {
  StaticText.error(error_code)
}

/// Gives the last error of the calling thread as JSON text with the members `error` (the fixed text of the code),
/// `cause` (what exactly was wrong), `message` (both) and `backtrace` (null).
///
/// Call it right after a function returned an error, or inside the callback that received one. A success leaves the
/// last error as it is.
///
/// - Parameter error_json_p: Receives the text, or NULL before the first error of the thread. The text is valid until
///   the thread's next error. Nothing happens when `error_json_p` itself is NULL.
@_cdecl("vcx_get_current_error")
public func vcx_get_current_error(_ error_json_p: UnsafeMutablePointer<CString?>?) {
  error_json_p?.pointee = CurrentError.pointer
}

/// Changes the name and the logo that invitations and requests show from now on. Nothing is sent.
///
/// - Parameters:
///   - name: The name.
///   - logo_url: The URL of the logo. It is not looked at.
/// - Returns: 0, or 1007.
@_cdecl("vcx_update_institution_info")
public func vcx_update_institution_info(_ name: CString?, _ logo_url: CString?) -> vcx_error_t {
  attempt { () throws(VCXError) in
    Session.introduce(
      as: Profile(name: try text(name, "name").decode(), logoURL: try text(logo_url, "logo_url").decode()))
  }
}

/// Asks the Cloud Agent whether it is there.
///
/// - Parameters:
///   - cb: Receives 0, 1010 when it cannot be reached, 1020 for an answer that is none, 1004 without a Cloud Agent in
///     the configuration.
@_cdecl("vcx_health_check")
public func vcx_health_check(_ command_handle: vcx_command_handle_t, _ cb: vcx_done_cb?) -> vcx_error_t {
  start(Completion(command_handle, cb), runningSession(), by: .network) { try $0.checkHealth() }
}

/// Does nothing. It queued answers of a simulated agency in libvcx, and this library simulates none.
///
/// - Parameter message_index: Ignored.
@_cdecl("vcx_set_next_agency_response")
public func vcx_set_next_agency_response(_ message_index: UInt32) {}
