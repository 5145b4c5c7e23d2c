// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Messages
//
// Messages that wait at the Cloud Agent, and functions that read a message or an invitation without a connection.
// Messages have a status: `MS-101` created, `MS-102` sent, `MS-103` received, `MS-104` accepted, `MS-105` rejected,
// `MS-106` read, `MS-107` redirected.

/// Downloads and decrypts messages of the connections.
///
/// - Parameters:
///   - message_status: Only messages with one of these statuses, separated by commas, such as `MS-103`; NULL means all.
///   - uids: Only the messages with these ids, separated by commas; NULL means all.
///   - pw_dids: Only the messages of the connections whose DIDs on this side are these, separated by commas; NULL
///     means all.
///   - cb: Receives a JSON array with an object per connection: `pairwiseDID` and `msgs`. Anyone who knows the
///     connection's key can write to it, so a message is from the peer only if its `senderVerkey` is one of the peer's
///     keys (`vcx_connection_info`, `their`). `senderVerkey` is null if the envelope does not prove its sender. 1016
///     for an unknown status, 1004, 1010, 1020, also if the messages exceed 64 MiB.
@_cdecl("vcx_messages_download")
public func vcx_messages_download(
  _ command_handle: vcx_command_handle_t, _ message_status: CString?, _ uids: CString?, _ pw_dids: CString?,
  _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), optionalText(message_status, "message_status"), optionalText(uids, "uids"),
    optionalText(pw_dids, "pw_dids"), runningSession(), by: .network
  ) { try $3.downloadMessages(statuses: $0, uids: $1, pairwiseDIDs: $2) }
}

/// Gives messages a new status at the Cloud Agent. Mark handled messages with `MS-106`.
///
/// - Parameters:
///   - message_status: `MS-101` to `MS-107`.
///   - msg_json: JSON array of objects with `pairwiseDID` and `uids`.
///   - cb: Receives 0, 1016 for a bad status or bad JSON, 1004, 1010, 1020.
@_cdecl("vcx_messages_update_status")
public func vcx_messages_update_status(
  _ command_handle: vcx_command_handle_t, _ message_status: CString?, _ msg_json: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(message_status, "message_status"), text(msg_json, "msg_json"),
    runningSession(),
    by: .network
  ) {
    try $2.updateMessages(status: $0, $1)
  }
}

/// Downloads and decrypts one message of a connection.
///
/// - Parameters:
///   - uid: The id of the message.
///   - cb: Receives the message as JSON text, as `vcx_messages_download` lists it, with the additional member
///     `pairwiseDID`; 1020 unless exactly one message has the id, 1004, 1010.
@_cdecl("vcx_download_message")
public func vcx_download_message(
  _ command_handle: vcx_command_handle_t, _ uid: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(uid, "uid"), runningSession(), by: .network) {
    try $1.downloadMessage(uid: $0)
  }
}

/// Subscribes to the messages of the connections: calls back once for each new message, and for each one that is unread
/// when the subscription begins. Messages come at once from a Cloud Agent that tells of them, such as msdk-agency or a
/// mediator with a WebSocket. From others they come within some seconds.
///
/// The subscription lasts until `msdk_messages_unsubscribe` or `vcx_shutdown`, also if the Cloud Agent or the network is
/// away meanwhile. A message that a call has applied or marked before the subscription has seen it does not come. Messages
/// keep their status: an unread one comes again in the next subscription.
///
/// Returns 0; 1007 without `cb`, or beyond 16 subscriptions; 1044 if this `command_handle` has a subscription; 1004 if the
/// library is not initialised, or has no Cloud Agent.
///
/// With `apply_messages` in the configuration, the library first applies a message to the kept object that it belongs to:
/// to the unfinished exchange on its thread, or to the connection. The text then has the member `object` with the `id`, the
/// `type` and the `state` of the object. Anybody can write a message on a thread: the state tells whether the library has
/// believed it. The `statusCode` of the text is `MS-106` if the library has applied or refused the message, which is not unread
/// any more. A message that belongs to no object is given as it is. Messages for other objects do not wait for a slow one, so they may come before it.
/// If a message cannot be applied, it stays unread, the object keeps its state, and the program may call the object's update
/// function. Mark a message as read only after the subscription has told of it: otherwise the library may not apply it.
///
/// - Parameters:
///   - cb: Called any number of times, one call at a time, on a thread of the library; while it runs, no further message
///     comes. Its error is always 0. Its text is the message as `vcx_download_message` gives it, with two further members:
///     `kind`, the name in its `decryptedPayload`, and `thread`, the id of its thread; both are null for a message that
///     cannot be decrypted.
@_cdecl("msdk_messages_subscribe")
public func msdk_messages_subscribe(
  _ command_handle: vcx_command_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  attempt { () throws(VCXError) in try Subscriptions.process.add(command_handle, cb, of: CurrentAgent.value) }
}

/// Ends a subscription. Waits for its running callback, unless it is called inside it: no callback
/// runs after this function. Does nothing if there is no such subscription.
///
/// - Parameter subscription: The `command_handle` of `msdk_messages_subscribe`.
/// - Returns: Always 0.
@_cdecl("msdk_messages_unsubscribe")
public func msdk_messages_unsubscribe(_ subscription: vcx_command_handle_t) -> vcx_error_t {
  attempt { () throws(VCXError) in Subscriptions.process.end(subscription, of: CurrentAgent.value) }
}

/// Downloads messages to the Cloud Agent itself, which belong to no connection. They stay encrypted.
///
/// - Parameters:
///   - message_status: Only messages with one of these statuses, separated by commas; NULL means all.
///   - uids: Only the messages with these ids, separated by commas; NULL means all.
///   - cb: Receives a JSON array; 1016 for an unknown status, 1004, 1010, 1020.
@_cdecl("vcx_download_agent_messages")
public func vcx_download_agent_messages(
  _ command_handle: vcx_command_handle_t, _ message_status: CString?, _ uids: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), optionalText(message_status, "message_status"), optionalText(uids, "uids"),
    runningSession(), by: .network
  ) { try $2.downloadOwnMessages(statuses: $0, uids: $1) }
}

/// Reads a push notification and names the call that fetches the announced message. Works without initialisation.
///
/// - Parameters:
///   - payload: The notification as it arrived, as JSON text: from an agency to a sponsor (`msgId`, `relationshipDid`,
///     `metaData`), from an agency to a web address (`msgUid`, `pwDid`), or from Firebase (`uid`, `forDID`), also
///     inside `data`.
///   - cb: Receives JSON text with `call` (`vcx_messages_download`, or `vcx_download_agent_messages` for the agency's own
///     messages), its arguments `uids` and `pw_dids`, and `msgType` and `sender` from the notification, or null. 1016 if
///     the text is no such notification.
@_cdecl("msdk_parse_push")
public func msdk_parse_push(
  _ command_handle: vcx_command_handle_t, _ payload: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(payload, "payload")) { try PushNotification(parsing: $0).call }
}

/// Finds the message behind a URL: an invitation in its query, or the message at its address.
///
/// - Parameters:
///   - url: An absolute URL, often from a QR code.
///   - cb: Receives the message as JSON text, or 1013.
@_cdecl("vcx_resolve_message_by_url")
public func vcx_resolve_message_by_url(
  _ command_handle: vcx_command_handle_t, _ url: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(url, "url"), by: .network) {
    try MessageLink($0).resolve(reach: CurrentAgent.value.peerReach, trusting: CurrentAgent.value.authorities)
  }
}

/// Reads the first attachment of a message.
///
/// - Parameters:
///   - message: The message as JSON text.
///   - cb: Receives the content of the attachment, as compact text if it is JSON; 1016 without an attachment, 1100 if
///     the list of attachments is empty or the content is not base64 of UTF-8.
@_cdecl("vcx_extract_attached_message")
public func vcx_extract_attached_message(
  _ command_handle: vcx_command_handle_t, _ message: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(message, "message")) { try MessageText(parsing: $0).attachedMessage() }
}

/// Reads the id of a message's thread: the id in its `~thread`, or otherwise the message's own id.
///
/// - Parameters:
///   - message: The message as JSON text.
///   - cb: Receives the id of the thread, or 1016.
@_cdecl("vcx_extract_thread_id")
public func vcx_extract_thread_id(
  _ command_handle: vcx_command_handle_t, _ message: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(message, "message")) { try MessageText(parsing: $0).threadID() }
}
