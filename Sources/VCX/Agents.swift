// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Several agents
//
// A process may run any number of agents beside the one of `vcx_init_with_config`: each has its own wallet, Cloud Agent,
// ledgers, name and threads for its calls. Each thread has a current agent, for which all functions work. A
// function on an object works for the agent that was current when the object was made, and not for the thread's. Objects of
// two agents in one call are refused with the error of an unknown handle.

/// Opens an agent: opens its wallet and starts its session, as `vcx_init_with_config` does for the agent of the process.
/// Select it with `msdk_agent_select`, and end it with `msdk_agent_close`.
///
/// Returns the error of an unusable configuration: 1007, 1004, 1069 without `wallet_key`, 1008 and 1009 for a DID or a
/// key, 1013 for a URL.
///
/// - Parameters:
///   - config: The configuration from provisioning, as JSON text. No two agents can have one wallet.
///   - cb: Receives the handle of the agent, or 1079 if there is no such wallet, 1075 for a wrong key, 1052 if an agent
///     has the wallet open.
@_cdecl("msdk_agent_open")
public func msdk_agent_open(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  CurrentAgent.serving(.standard) {
    start(Completion(command_handle, cb), text(config, "config").map(Settings.init(parsing:))) {
      try OpenAgents.process.open($0)
    }
  }
}

/// Makes an agent the current one of the calling thread. Later calls of this thread work for it, until the thread selects
/// another. A new thread has agent 0. An agent that is closed stays selected: calls then fail with 1004 or 1057.
///
/// Inside a callback of C, the agent of the call is current, and agent 0 in those of `msdk_agent_open` and `msdk_agent_close`. A
/// selection made there ends with the callback.
///
/// - Parameter agent_handle: The agent, or 0 for the agent of `vcx_init_with_config`.
/// - Returns: 0, or 1048 if no open agent has the handle; the selection does not change then.
@_cdecl("msdk_agent_select")
public func msdk_agent_select(_ agent_handle: msdk_agent_handle_t) -> vcx_error_t {
  code(of: nil) { () throws(VCXError) in CurrentAgent.select(try OpenAgents.process.find(agent_handle)) }
}

/// Closes an agent: closes its wallet, and forgets its objects and settings. Other agents do not notice.
///
/// Handles of its objects become unknown at once. Its running calls end with their results, or with an error if they need
/// the wallet, and call back. Its subscriptions end: no callback of them runs once `cb` is called, so a callback of a
/// subscription must not wait for `cb`.
///
/// - Parameters:
///   - agent_handle: The agent. `vcx_shutdown` ends the agent 0.
///   - cb: Receives 0, or 1048 if no open agent has the handle.
@_cdecl("msdk_agent_close")
public func msdk_agent_close(
  _ command_handle: vcx_command_handle_t, _ agent_handle: msdk_agent_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  CurrentAgent.serving(.standard) {
    start(Completion(command_handle, cb)) { try OpenAgents.process.close(agent_handle) }
  }
}
