// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Connections: Evernym's older protocol
//
// Functions for connections of the proprietary protocol, which is older than the Aries protocols. The functions report
// 1003 for an unknown connection.

/// Tells whether a serialized connection uses the proprietary protocol.
///
/// - Parameters:
///   - serialized: The text from `vcx_connection_serialize`.
///   - cb: Receives true for the proprietary protocol, or 1016.
@_cdecl("vcx_connection_need_upgrade")
public func vcx_connection_need_upgrade(
  _ command_handle: vcx_command_handle_t, _ serialized: CString?, _ cb: vcx_bool_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(serialized, "serialized")) { try Connection(serialized: $0).isProprietary }
}

/// In libvcx, this turns a connection of the proprietary protocol into a connection of the Aries protocols. It served
/// the move of Evernym's own customers, and needs data that only Evernym's agency has. Make a new connection instead.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - data: The upgrade information as JSON text, or NULL.
///   - cb: Never called.
@_cdecl("vcx_connection_upgrade")
public func vcx_connection_upgrade(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ data: CString?,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), optionalText(data, "data"))
}

/// Answers an invitation of the proprietary protocol with an existing connection to the inviter. Both sides' state
/// becomes 8, the inviter's when `vcx_connection_update_state` finds the answer.
///
/// - Parameters:
///   - connection_handle: The connection that was created from the invitation, in state 3.
///   - redirect_connection_handle: The existing connection of the proprietary protocol, in state 4.
///   - cb: Receives 0; or 1003, 1005 in another state, 1010, 1045 for an invitation whose sender has not signed for its
///     mailbox, 1103 for an Aries connection and for an invitation that msdk has not made.
@_cdecl("vcx_connection_redirect")
public func vcx_connection_redirect(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t,
  _ redirect_connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, beside: redirect_connection_handle, of: connections,
    runningSession()
  ) { (connection: inout Connection, existing, session) in
    try connection.redirect(to: existing, with: session)
  }
}

/// Reads the connection that the invitee wants to use instead of this one, under the proprietary protocol.
///
/// The invitee has proven only `theirVerKey`. Compare `theirVerKey` with the peer's key in the connection that the
/// program then uses. The library refuses a redirection to a connection that it knows to have another peer.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives JSON text, `null` if the invitee has named none; 1003, 1103 for an Aries connection. `theirDID`
///     and `theirVerKey` are the invitee's in the existing connection, `DID` and `verKey` the inviter's.
@_cdecl("vcx_connection_get_redirect_details")
public func vcx_connection_get_redirect_details(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections) { try $0.redirection() }
}
