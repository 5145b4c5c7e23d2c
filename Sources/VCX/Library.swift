// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: The library
//
// Initialise once per start with the configuration from provisioning, use the objects, and shut down at the end. Every
// program needs `vcx_init_with_config`, `vcx_shutdown`, `vcx_error_c_message` and `vcx_get_current_error`.

/// Opens the wallet and starts a session.
///
/// Returns the error of an unusable configuration: 1004, 1069 without `wallet_key`, 1008 and 1009 for a DID or a key,
/// 1013 for a URL, 1044 if a wallet is already open.
///
/// - Parameters:
///   - config: The configuration from provisioning, as JSON text. With `public_endpoints_only` true, the library does
///     not connect to peers and links at loopback, private and link-local addresses. With `push_details` true, the
///     library tells the agencies of peers the type of each message and `institution_name`, for their notifications.
///   - cb: Receives 0, or 1079 if there is no such wallet, 1075 for a wrong key, 1052 if another call is opening it.
@_cdecl("vcx_init_with_config")
public func vcx_init_with_config(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  CurrentAgent.serving(.standard) {
    start(Completion(command_handle, cb), text(config, "config").map(newSettings(parsing:))) {
      try Agent.standard.start($0)
    }
  }
}

/// Opens the wallet and starts a session like `vcx_init_with_config`, with the configuration from a file.
///
/// - Parameters:
///   - config_path: The path of a file that holds the JSON text. NULL, or no such file: 1004; a file that cannot be
///     read: 1074; an empty text: 1007. `ENABLE_TEST_MODE` stands for fixed settings and a wallet of the default name,
///     which is created if it is missing; nothing is simulated.
///   - cb: Receives 0, or the errors of `vcx_init_with_config`.
@_cdecl("vcx_init")
public func vcx_init(
  _ command_handle: vcx_command_handle_t, _ config_path: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  CurrentAgent.serving(.standard) {
    start(
      Completion(command_handle, cb),
      text(config_path, "config_path", null: .invalidConfiguration).map(newSettings(at:))
    ) { try Agent.standard.start($0) }
  }
}

/// Names the Indy ledgers from which the library reads schemas and definitions of credentials. A program may call this
/// before it initialises the library. The library connects to a ledger when it first needs it, so the call succeeds
/// while the nodes are down.
///
/// Does nothing if ledgers are named already. Ignores a network that has only a `pool_network_alias`, with a warning in
/// the log.
///
/// - Parameters:
///   - pool_config: JSON text: a network, an array of networks, or an object with the array in `indy_pool_networks`.
///     Each network names its first transactions: `genesis_path`, the path of a file, or `genesis_transactions`, their
///     text. Any other text gives 1004.
///   - cb: Receives 0, or 1024 if the transactions of a network cannot be read.
@_cdecl("vcx_init_pool")
public func vcx_init_pool(
  _ command_handle: vcx_command_handle_t, _ pool_config: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(pool_config, "pool_config").map(LedgerNetworks.init(parsing:))) {
    try $0.connect(for: CurrentAgent.value)
  }
}

/// Closes the wallet and forgets all objects and settings of the agent that `vcx_init_with_config` has started. Agents of
/// `msdk_agent_open` go on.
///
/// Any thread may call it, also inside a callback, and without initialisation. Running operations end, with an error if
/// they need the session, and call back. Subscriptions end: the call waits for their running callbacks, except for one in
/// which it is made. The resolver ends too. The logger stays. A session that another thread starts meanwhile keeps its objects.
///
/// - Parameter delete_wallet: Whether to delete the wallet too. Without initialisation, this deletes the wallet that the
///   program has provisioned or imported since the last `vcx_shutdown`.
/// - Returns: Always 0.
@_cdecl("vcx_shutdown")
public func vcx_shutdown(_ delete_wallet: Bool) -> vcx_error_t {
  CurrentAgent.serving(.standard) {
    attempt { () throws(VCXError) in
      Agent.standard.end { Agent.standard.stop(deletingWallet: delete_wallet, forgetting: $0) }
    }
  }
}

/// Ends all callbacks for good, including the logger's. Waits for running callbacks, and starts no more. It serves
/// programs whose code becomes uncallable before the process ends, such as programs of an interpreter.
///
/// Call it at the very end, and not inside a callback. Running operations end without a callback.
///
/// - Returns: 0, or 1005 if a callback still runs after ten seconds.
@_cdecl("msdk_end_callbacks")
public func msdk_end_callbacks() -> vcx_error_t {
  attempt { () throws(VCXError) in
    guard CallbackGate.process.close(milliseconds: 10_000) else {
      throw VCXError(.notReady, "a callback is still running")
    }
  }
}

/// Returns the version of the library and the revision of its source, such as `0.1.0+1a2b3c4`.
///
/// - Returns: Text that lives as long as the process; never free it.
@_cdecl("vcx_version")
public func vcx_version() -> CString? {
  StaticText.version
}

/// Returns the fixed text of an error code.
///
/// - Parameter error_code: Any number.
/// - Returns: Text that lives as long as the process; never free it. Unknown numbers have the text of 1001.
@_cdecl("vcx_error_c_message")
public func vcx_error_c_message(_ error_code: vcx_error_t) -> CString? {
  StaticText.error(error_code)
}

/// Returns the name of an object's state, such as `requested`, as `docs/states.md` explains it.
///
/// - Parameters:
///   - type: A type of `msdk_objects_list`: `connection`, `credential`, `disclosed_proof`, `issuer_credential`, `proof`,
///     `schema` or `credentialdef`.
///   - state: The number that the function for the object's state returned.
/// - Returns: Text that lives as long as the process; never free it. NULL if there is no such type, or no such state of it.
@_cdecl("msdk_state_name")
public func msdk_state_name(_ type: CString?, _ state: UInt32) -> CString? {
  (try? text(type, "type").decode()).flatMap { StaticText.state($0, state) }
}

/// Limits the time of the next call on this thread whose function has a callback, for an answer within this time.
///
/// The call fails with 1201 if its turn on an object does not come in time: it then has done nothing. An operation that has
/// begun waits for a server no longer than this time, and then fails with 1201. It may have had its effect: a server
/// may have received the request whose answer did not come. Look at the object's state, and repeat the call. Work of the
/// processor, such as making a key, is not cut short, and the wallet's disk is waited for. A call that is refused at once
/// uses the limit up too. Subscriptions ignore it.
///
/// - Parameter milliseconds: The limit, or 0 for a call with the library's own limits, which are 10 to 60 seconds for each
///   answer of a server.
@_cdecl("msdk_call_timeout")
public func msdk_call_timeout(_ milliseconds: UInt32) { CallLimit.setNext(milliseconds: milliseconds) }

/// Reads the last error of the calling thread as JSON text with the members `error` (the fixed text of the code),
/// `cause` (the exact cause), `message` (both) and `backtrace` (null).
///
/// Call it right after a function returned an error, or inside the callback that received one. A success does not
/// change the last error.
///
/// - Parameter error_json_p: Receives the text, or NULL before the first error of the thread. The text is valid until
///   the thread's next error. If `error_json_p` itself is NULL, the function does nothing.
@_cdecl("vcx_get_current_error")
public func vcx_get_current_error(_ error_json_p: UnsafeMutablePointer<CString?>?) {
  error_json_p?.pointee = CurrentError.pointer
}

/// Changes the name and the logo that later invitations and requests show. Nothing is sent.
///
/// - Parameters:
///   - name: The name.
///   - logo_url: The URL of the logo. It is not checked.
/// - Returns: 0, or 1007.
@_cdecl("vcx_update_institution_info")
public func vcx_update_institution_info(_ name: CString?, _ logo_url: CString?) -> vcx_error_t {
  attempt { () throws(VCXError) in
    CurrentAgent.value.introduce(
      as: Profile(name: try text(name, "name").decode(), logoURL: try text(logo_url, "logo_url").decode()))
  }
}

/// Checks that the Cloud Agent answers.
///
/// - Parameters:
///   - cb: Receives 0, 1010 if it cannot be reached, 1020 for an unusable answer, 1004 if the configuration has no
///     Cloud Agent.
@_cdecl("vcx_health_check")
public func vcx_health_check(_ command_handle: vcx_command_handle_t, _ cb: vcx_done_cb?) -> vcx_error_t {
  start(Completion(command_handle, cb), runningSession(), by: .network) { _ = try $0.checkHealth() }
}

/// Does nothing. In libvcx it queued answers of a simulated agency; this library simulates none.
///
/// - Parameter message_index: Ignored.
@_cdecl("vcx_set_next_agency_response")
public func vcx_set_next_agency_response(_ message_index: UInt32) {}
