// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import Aries
internal import MSDK

// MARK: Connections: using
//
// Functions on a completed connection. The messages follow the Aries protocols. The functions report 1003 for an
// unknown connection, 1005 for a connection that is not completed, and 1010 for a message that could not be sent.

/// Describes the two sides of a connection: DIDs, keys, endpoints, protocols. `my.did` is the DID that the peer sees,
/// which is a `did:peer` if the handshake presented one.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives JSON text with `invitation`, `my` and `their`; or 1003, 1004, 1103.
@_cdecl("vcx_connection_info")
public func vcx_connection_info(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections, runningSession()) {
    try $0.info(with: $1)
  }
}

/// Reads this side's DID of the connection: the unqualified DID that names its mailbox. Downloaded messages give it as
/// `pairwiseDID`. The peer may know the connection by another DID, which `vcx_connection_info` gives as `my.did`.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives the DID, an empty text before `vcx_connection_connect`, or 1003.
@_cdecl("vcx_connection_get_pw_did")
public func vcx_connection_get_pw_did(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections) { $0.pairwiseDID }
}

/// Reads the peer's DID of the connection. The peer has proven its key (`their.recipientKeys` of
/// `vcx_connection_info`), and by the key its DID, except for a `did:peer:1`, which is only a claim.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives the DID. Before the peer's answer, an invitee receives the `@id` of a connection invitation
///     instead, or an empty text for an out-of-band invitation. An `@id` that is itself a DID is replaced by the DID that
///     is derived from the invitation's key. 1003; 1005 for an inviter without an answer, and after a failure.
@_cdecl("vcx_connection_get_their_pw_did")
public func vcx_connection_get_their_pw_did(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections) { try $0.theirDID() }
}

/// Looks among stored connections for one that serves a new invitation. Needs neither network nor initialisation.
///
/// Anybody can write an invitation with other people's names, so only a connection's proven facts count. The connection
/// comes from the same invitation if both have the same `@id` (or `connReqId`), first recipient key and address, or one
/// DID instead of the key and the address. The connection is with the same inviter if it is completed, and the new
/// invitation names, by its first key or by a DID, the key that signed the response, the peer's key, or a DID that
/// these keys prove. A DID that the old invitation only claimed in `public_did` does not count, nor do failed
/// connections, connections without a handshake, and connections to which this side invited. A connection from the same
/// invitation comes first. Among equals the first in the array counts. If an invitation has several services, only the
/// service for an answer counts: the first usable one.
///
/// - Parameters:
///   - invitation: The new invitation of any form as JSON text.
///   - connections: A JSON array of serialized connections, as texts or as the objects in the texts.
///   - cb: Receives `{"index": 2, "same": "inviter"}`: the place of the connection in the array, or null, and the match
///     with the invitation: `invitation`, `inviter` or `none`. Unreadable connections are skipped; if there are any,
///     `unreadable` lists their places. 1016 for bad JSON.
@_cdecl("msdk_connection_find_existing")
public func msdk_connection_find_existing(
  _ command_handle: vcx_command_handle_t, _ invitation: CString?, _ connections: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(invitation, "invitation"), text(connections, "connections")) {
    try ExistingConnection(for: $0, among: $1).text
  }
}

/// Tells the author of a new out-of-band invitation that this connection serves it too.
///
/// The peer agrees with a message named `handshake-reuse-accepted`, whose `~thread` has the invitation's `@id` as
/// `pthid`; the program downloads it. If the invitation has an attachment, answer the attachment over this connection
/// and send no reuse: the inviter would take the reuse for the whole answer.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - invite: The new invitation as JSON text.
///   - cb: Receives 0, or 1003, 1005, 1010, 1016, 1103.
@_cdecl("vcx_connection_send_reuse")
public func vcx_connection_send_reuse(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ invite: CString?,
  _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, text(invite, "invite"), runningSession(),
    by: .network
  ) {
    try $0.sendReuse(for: $1, with: $2)
  }
}

/// Sends a message to the peer.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - msg: JSON text is sent as it is; any other text is sent as a basic message. Under the proprietary protocol
///     every text is sent as it is.
///   - send_msg_options: JSON text with `msg_type`, `msg_title` and `ref_msg_id`. Only the proprietary protocol uses it:
///     `msg_type`, a name of at most 64 letters, digits, `-` and `_`, is the name in the peer's `decryptedPayload`,
///     `message` without it; `ref_msg_id` is the id of the message that is answered.
///   - cb: Receives an empty text, or the id of the message under the proprietary protocol; 1003, 1005, 1010, 1016 for bad
///     options, 1103 for a proprietary connection with another library.
@_cdecl("vcx_connection_send_message")
public func vcx_connection_send_message(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ msg: CString?,
  _ send_msg_options: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, text(msg, "msg"),
    text(send_msg_options, "send_msg_options"),
    runningSession(), by: .network
  ) { (connection: inout Connection, message, options, session) in
    try connection.send(message, options: options, with: session)
  }
}

/// Sends a trust ping.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - comment: Text for the peer, or NULL.
///   - cb: Receives 0, or 1003, 1005, 1010, 1103.
@_cdecl("vcx_connection_send_ping")
public func vcx_connection_send_ping(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ comment: CString?,
  _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, optionalText(comment, "comment"),
    runningSession(), by: .network
  ) {
    try $0.sendPing(comment: $1, with: $2)
  }
}

/// Asks the peer for the protocols that it speaks.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - query: A protocol, with `*` for any characters; NULL asks for all.
///   - comment: Text for the peer, or NULL.
///   - cb: Receives 0, or 1003, 1005, 1010, 1103.
@_cdecl("vcx_connection_send_discovery_features")
public func vcx_connection_send_discovery_features(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ query: CString?,
  _ comment: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, optionalText(query, "query"),
    optionalText(comment, "comment"),
    runningSession(), by: .network
  ) { try $0.sendFeatureQuery($1, comment: $2, with: $3) }
}

/// Signs bytes with this side's key of the connection (Ed25519). Returns 1003 for an unknown handle.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - data_raw: The bytes.
///   - data_len: The number of bytes; not 0.
///   - cb: Receives the signature, 64 bytes; 1008 before `vcx_connection_connect`.
@_cdecl("vcx_connection_sign_data")
public func vcx_connection_sign_data(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t,
  _ data_raw: UnsafePointer<UInt8>?, _ data_len: UInt32, _ cb: vcx_bytes_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, bytes(data_raw, data_len, "data_raw"),
    known(connection_handle, in: connections), runningSession()
  ) { (connection: inout Connection, data, _, session) in try connection.sign(data, with: session) }
}

/// Verifies a signature with the peer's key of the connection. Returns 1003 for an unknown handle, and 1005 if the
/// peer's key is not known. While another operation on the connection runs, 1005 goes to the callback.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - data_raw: The bytes that were signed.
///   - data_len: The number of bytes; not 0.
///   - signature_raw: The signature.
///   - signature_len: Its length; not 0.
///   - cb: Receives whether the signature is valid.
@_cdecl("vcx_connection_verify_signature")
public func vcx_connection_verify_signature(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t,
  _ data_raw: UnsafePointer<UInt8>?, _ data_len: UInt32, _ signature_raw: UnsafePointer<UInt8>?,
  _ signature_len: UInt32, _ cb: vcx_bool_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, bytes(data_raw, data_len, "data_raw"),
    bytes(signature_raw, signature_len, "signature_raw"),
    known(connection_handle, in: connections, ready: \.knowsPeerKey)
  ) { (connection: inout Connection, data, signature, _) in try connection.verifies(signature, of: data) }
}

/// Reads the message that ended a connection: a problem report of either side, or the peer's `did-rotate/1.0/hangup`.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives JSON text, `null` if no message ended the connection; 1003, 1103.
@_cdecl("vcx_connection_get_problem_report")
public func vcx_connection_get_problem_report(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections) { try $0.problemReport() }
}

/// Answers a structured question of `questionanswer/1.0` or `committedanswer/1.0`. The answer is signed if the protocol
/// or the question requires it. The library signs one answer for each nonce, which may be sent again.
///
/// The library refuses a question that the connection's peer did not send, such as a question from a stranger, or over
/// another connection. It knows the senders of the messages that this process has downloaded, and looks for other
/// questions in the connection's mailbox. It cannot tell the sender of a question that is in neither, for example if
/// another process has downloaded it from another connection: pass each question to the connection with its
/// `pairwiseDID`.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - question: The question as it arrived, as JSON text, or the downloaded entry that holds it.
///   - answer: JSON text with the member `text` of the chosen response. For a committed answer also `nonce`, which the
///     library otherwise takes from the question.
///   - cb: Receives 0; 1016 if the JSON is no question or no answer, if the question is not the peer's, if it does not offer
///     the response, if its time has passed, or if another answer is signed with its nonce; 1048 for an unknown handle, 1005,
///     1010.
@_cdecl("vcx_connection_send_answer")
public func vcx_connection_send_answer(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ question: CString?,
  _ answer: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections, text(question, "question"),
    text(answer, "answer"),
    runningSession(), by: .network, unknown: .error(.invalidObjHandle)
  ) { (connection: inout Connection, question, answer, session) in
    try connection.sendAnswer(to: question, choosing: answer, with: session)
  }
}

/// Invites the peer to act. Returns 1016 for bad JSON.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - data: JSON text with `goal_code`, and `ack_on` for the wanted acknowledgements.
///   - cb: Receives the message that was sent, as JSON text; 1048 for an unknown handle, 1010.
@_cdecl("vcx_connection_send_invite_action")
public func vcx_connection_send_invite_action(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ data: CString?,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: connection_handle, of: connections,
    text(data, "data").map(InviteAction.init(parsing:)),
    runningSession(), by: .network, unknown: .error(.invalidObjHandle)
  ) { try $0.send($1, with: $2) }
}
