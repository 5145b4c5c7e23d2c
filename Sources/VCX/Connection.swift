// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Connections: making and keeping
//
// A connection is a relation with one peer; each side uses a DID and keys made for it. An invitee creates it from an
// invitation and connects. An inviter creates it, connects, and hands the invitation over. Then call
// `vcx_connection_update_state` until the state is 4. Serialize and store the connection after each change: the library
// keeps objects only while it runs.

/// Creates the invitee's side of a connection from any invitation. Nothing is sent to the inviter; a link is fetched.
///
/// - Parameters:
///   - source_id: A name that the program chooses and the object keeps, or NULL for a random one.
///   - invitation: The invitation as JSON text (RFC 0160, RFC 0434, or Evernym's own protocol), the URL of a QR code,
///     a short link to the invitation, or an inviter's public DID. Blanks, quotes and ends of lines around it are
///     ignored.
///   - cb: Receives the handle of the connection, in the state that `vcx_connection_create_with_invite` or
///     `vcx_connection_create_with_outofband_invitation` gives; 1045 for an unusable invitation, 1013 for an unusable URL.
@_cdecl("msdk_connection_accept")
public func msdk_connection_accept(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ invitation: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), optionalText(source_id, "source_id"),
    text(invitation, "invitation").map(InvitationText.init), by: .network
  ) { sourceID, given in
    let invitation = try given.resolved(reach: CurrentAgent.value.peerReach, trusting: CurrentAgent.value.authorities)
    return try connections.insert(Connection(sourceID: sourceID, accepting: invitation))
  }
}

/// Creates the invitee's side of a connection from a connection invitation. Nothing is sent.
///
/// Invitations of Evernym's proprietary protocol are accepted too, in full and abbreviated. Both programs of such a
/// connection must use msdk: Evernym's agencies carried answers and messages and rewrote them on the way, while msdk
/// sends them in envelopes, as for any connection. An invitation that another library has made can be compared, shown
/// and serialized, but not connected.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - invite_details: The invitation as JSON text. Its `@type` may be missing. An out-of-band invitation is refused;
///     the error names the function that accepts it.
///   - cb: Receives the handle of the connection, in state 2, or 3 for a proprietary invitation; or 1045.
@_cdecl("vcx_connection_create_with_invite")
public func vcx_connection_create_with_invite(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ invite_details: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(source_id, "source_id"), text(invite_details, "invite_details")) {
    try connections.insert(Connection(sourceID: $0, connectionInvitation: $1))
  }
}

/// Another name of `vcx_connection_create_with_invite`.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - invite_details: The invitation as JSON text.
///   - cb: Receives the handle of the connection, in state 2, or 1045.
@_cdecl("vcx_create_connection_with_invite")
public func vcx_create_connection_with_invite(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ invite_details: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  vcx_connection_create_with_invite(command_handle, source_id, invite_details, cb)
}

/// Creates the invitee's side of a connection from an out-of-band invitation. Nothing is sent.
///
/// An invitation whose only service is a public DID (`did:sov`) can be kept, shown, compared and serialized.
/// `vcx_connection_connect` looks the DID up in the configured ledgers, and reports 1103 if there is none.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - invite: The invitation as JSON text, or a public DID of Indy, which is an invitation to a DID Exchange.
///   - cb: Receives the handle of the connection: in state 2, or 4 when the invitation asks for no handshake and names no
///     public DID; or 1104.
@_cdecl("vcx_connection_create_with_outofband_invitation")
public func vcx_connection_create_with_outofband_invitation(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ invite: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(source_id, "source_id"), text(invite, "invite")) { sourceID, invitation in
    try reporting(.invalidRedirectDetails) {
      try connections.insert(Connection(sourceID: sourceID, outOfBandInvitation: invitation))
    }
  }
}

/// Creates a connection from an invitation, connects and serializes it, in one call.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - invite_details: The invitation as JSON text.
///   - connection_options: As for `vcx_connection_connect`.
///   - cb: Receives the handle of the connection and its serialized form, or the errors of the three calls.
@_cdecl("vcx_connection_accept_connection_invite")
public func vcx_connection_accept_connection_invite(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ invite_details: CString?,
  _ connection_options: CString?, _ cb: vcx_number_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), text(invite_details, "invite_details"),
    optionalText(connection_options, "connection_options"),
    sessionIfRunning(), by: .network
  ) { sourceID, invitation, options, session in
    var connection = try Connection(sourceID: sourceID, connectionInvitation: invitation)
    let session = try session.required()
    try connection.connect(ConnectionOptions(parsing: options), with: session)
    let serialized = connection.serialized(institutionDID: session.settings.institutionDID)
    return NumberAndText(number: try connections.insert(connection), text: serialized)
  }
}

/// Creates the inviter's side of a connection. Nothing is sent.
///
/// With `protocol_type` `1.0` or `2.0` in the configuration, the connection is of Evernym's proprietary protocol, which
/// only another program that uses msdk can accept.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - cb: Receives the handle of the connection, in state 1.
@_cdecl("vcx_connection_create")
public func vcx_connection_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(source_id, "source_id"), sessionIfRunning()) {
    try connections.insert(.inviter(sourceID: $0, with: $1))
  }
}

/// Creates the inviter's side of a connection with the next peer that asks for one at this agent's public DID.
///
/// Peers that know `institution_did` need no invitation (RFC 0023, implicit invitations): publish its endpoint with
/// `msdk_public_did_publish`, create an object for each peer that is awaited, call `vcx_connection_connect`, serialize the
/// object, and update its state. Each object answers the oldest request that no other object has answered. It presents keys
/// and a mailbox of its own, and the key of the public DID signs them. A request that reaches a message listener has the
/// pairwise DID of the public DID's key.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - cb: Receives the handle of the connection, in state 1. Then `vcx_connection_connect` gives 1004 without
///     `institution_did` or `institution_verkey`, and 1073 when the wallet lacks the key.
@_cdecl("msdk_public_did_listen")
public func msdk_public_did_listen(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(source_id, "source_id")) {
    try connections.insert(Connection(sourceID: $0, atPublicDID: ()))
  }
}

/// Creates the inviter's side of a connection, with an out-of-band invitation.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - goal_code: The purpose for machines, or NULL.
///   - goal: The purpose for people, or NULL.
///   - handshake: Whether the invitation asks for a connection. If false, it only carries `request_attach`.
///   - request_attach: The message to attach, as JSON text, or NULL.
///   - cb: Receives the handle of the connection, in state 1; 1016 if `request_attach` is not a JSON object, 1045
///     without both a handshake and a request.
@_cdecl("vcx_connection_create_outofband")
public func vcx_connection_create_outofband(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ goal_code: CString?, _ goal: CString?,
  _ handshake: Bool, _ request_attach: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"), optionalText(goal_code, "goal_code"),
    optionalText(goal, "goal"), plain(handshake),
    optionalText(request_attach, "request_attach")
  ) {
    try connections.insert(Connection(sourceID: $0, goalCode: $1, goal: $2, handshake: $3, attaching: $4))
  }
}

/// Advances the handshake: an invitee sends its request, an inviter creates its invitation.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - connection_options: JSON text, or NULL. `pairwise_agent_info`: the text from `vcx_create_pairwise_agent`, for
///     this connection alone: 1016 if another connection uses the mailbox.
///     `handshake_protocol`: `connections/1.0`, `didexchange/1.0` or `didexchange/1.1`. It replaces an invitee's
///     default, which is the first protocol of the invitation that the library speaks, and is the only protocol that an
///     inviter offers. `use_did_method`: `unqualified`, `did:peer:2` or `did:peer:4`, the kind of DID that a DID
///     exchange presents; an inviter's out-of-band invitation then names the DID instead of keys and endpoint. By
///     default DID Exchange 1.0 presents an unqualified DID and 1.1 a `did:peer:4`. `use_public_did`: whether an
///     inviter names its public DID. `connection_type`, `phone` and `update_agent_info` have no effect. Any other
///     member is an error.
///   - cb: Receives the invitation as JSON text, abbreviated under the proprietary protocol; or 1003, 1016 for bad
///     options, 1004, 1010, 1020, 1103 for an invitation that needs a ledger. Under the proprietary protocol also 1005
///     once the connection is accepted or redirected, 1045 for an invitation whose sender has not signed for its
///     mailbox, 1103 for an invitation that msdk has not made.
@_cdecl("vcx_connection_connect")
public func vcx_connection_connect(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ connection_options: CString?,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections,
    optionalText(connection_options, "connection_options"),
    runningSession(), by: .network
  ) { (connection: inout Connection, options, session) in
    try connection.connect(ConnectionOptions(parsing: options), with: session)
    return connection.invitationText(abbreviated: true)
  }
}

/// Asks the Cloud Agent for messages and applies at most one to the connection.
///
/// A message that ends the connection sets its state to 0 and stays unread at the Cloud Agent. Two other messages also
/// stay unread, and the library answers each once: a `handshake-reuse` for an invitation of this wallet, and an
/// issuer's notice that it has revoked a credential, if the issuer asks for an acknowledgement.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives the state, also on error; 1003, 1008 before `vcx_connection_connect`, 1010, 1020. After 1108 the
///     state is 0: the library has told the peer that its response cannot be used.
@_cdecl("vcx_connection_update_state")
public func vcx_connection_update_state(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, runningSession(), by: .network,
    failing: \.state.number
  ) {
    (connection: inout Connection, session) in
    try connection.poll(with: session)
    return connection.state.number
  }
}

/// Applies a message that the program downloaded to the connection. The message keeps its status at the Cloud Agent.
///
/// The library takes the sender from the envelope in the connection's mailbox, and not from the program's text. It
/// remembers the messages that this process has downloaded, and looks for others in the mailbox. A message without a
/// proven sender has only the effects that need no sender: the signature in a response is enough to confirm the
/// response.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - message: An entry of `vcx_messages_download` or `vcx_download_message`, or a decrypted message as JSON text.
///   - cb: Receives the state, also on error; 1003, 1010, 1016 also for a message that is not proven to be the peer's.
@_cdecl("vcx_connection_update_state_with_message")
public func vcx_connection_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, text(message, "message"), runningSession(),
    by: .network,
    failing: \.state.number
  ) { (connection: inout Connection, message, session) in
    try connection.receive(message, with: session)
    return connection.state.number
  }
}

/// Reads the state of a connection, one of `vcx_state`.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives the state; 0 without an error for an unknown handle.
@_cdecl("vcx_connection_get_state")
public func vcx_connection_get_state(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections, unknown: .value(0)) { $0.state.number }
}

/// Reads the invitation of a connection.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - abbreviated: Whether to shorten the names of members. Only the proprietary form has short names.
///   - cb: Receives the invitation as JSON text; `{}`, or under the proprietary protocol `null`, if there is no
///     invitation; 1003.
@_cdecl("vcx_connection_invite_details")
public func vcx_connection_invite_details(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ abbreviated: Bool,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections) {
    $0.invitationText(abbreviated: abbreviated)
  }
}

/// Writes a connection as JSON text for the program to store. `vcx_connection_deserialize` restores it.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives the text, or 1003.
@_cdecl("vcx_connection_serialize")
public func vcx_connection_serialize(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections, sessionIfRunning()) {
    $0.serialized(institutionDID: $1?.settings.institutionDID)
  }
}

/// Restores a serialized connection.
///
/// - Parameters:
///   - connection_data: The text from `vcx_connection_serialize`, of this process or an earlier one.
///   - cb: Receives a new handle at each call, or 1016.
@_cdecl("vcx_connection_deserialize")
public func vcx_connection_deserialize(
  _ command_handle: vcx_command_handle_t, _ connection_data: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(connection_data, "connection_data")) {
    try connections.insert(Connection(serialized: $0))
  }
}

/// Releases the handle of a connection. The mailbox at the Cloud Agent and the keys in the wallet stay.
///
/// - Parameter connection_handle: The connection.
/// - Returns: Always 0.
@_cdecl("vcx_connection_release")
public func vcx_connection_release(_ connection_handle: vcx_connection_handle_t) -> vcx_error_t {
  attempt(on: connections.name(of: connection_handle)) { () throws(VCXError) in connections.remove(connection_handle) }
}

/// Deletes the connection's mailbox at the Cloud Agent and releases the handle. The handle is released even if the
/// Cloud Agent cannot be reached: restore the connection from its serialized form and delete it again. Deleting a
/// mailbox that is gone succeeds. The keys stay in the wallet, and the peer is not told.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives 0, or 1003, 1008 before `vcx_connection_connect`, 1010, 1020.
@_cdecl("vcx_connection_delete_connection")
public func vcx_connection_delete_connection(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections, sessionIfRunning(), by: .network) {
    (connection: inout Connection, session) in
    defer { connections.remove(connection_handle) }
    let session = try session.required()
    try connection.delete(with: session)
    try connection.forget(with: session)
  }
}
