// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Thread ids
//
// Each exchange has a thread (RFC 0008): all its messages carry the id, in `thid` of `vcx_extract_thread_id`. The id does
// not change while the object lives, and the other side has the same one.

/// Reads the thread id of a connection's handshake. Before the request it is the id of the invitation.
///
/// - Parameters:
///   - connection_handle: The connection.
///   - cb: Receives the id, or 1003, 1005 without a handshake, 1103 under the proprietary protocol.
@_cdecl("msdk_connection_get_thread_id")
public func msdk_connection_get_thread_id(
  _ command_handle: vcx_command_handle_t, _ connection_handle: vcx_connection_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: connection_handle, of: connections) { try $0.threadID() }
}

/// Reads the thread id of a credential that this side receives. The wallet keeps the credential under this id.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the id, or 1053.
@_cdecl("msdk_credential_get_thread_id")
public func msdk_credential_get_thread_id(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: credentials) { $0.threadID }
}

/// Reads the thread id of a proof that this side gives.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the id, or 1049.
@_cdecl("msdk_disclosed_proof_get_thread_id")
public func msdk_disclosed_proof_get_thread_id(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_disclosed_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: proofs) { $0.threadID }
}

/// Reads the thread id of a credential that this side issues.
///
/// - Parameters:
///   - credential_handle: The credential.
///   - cb: Receives the id, or 1015.
@_cdecl("msdk_issuer_credential_get_thread_id")
public func msdk_issuer_credential_get_thread_id(
  _ command_handle: vcx_command_handle_t, _ credential_handle: vcx_issuer_credential_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: credential_handle, of: issuerCredentials) { $0.threadID }
}

/// Reads the thread id of a proof that this side requests.
///
/// - Parameters:
///   - proof_handle: The proof.
///   - cb: Receives the id, or 1017, 1005 before there is a message.
@_cdecl("msdk_proof_get_thread_id")
public func msdk_proof_get_thread_id(
  _ command_handle: vcx_command_handle_t, _ proof_handle: vcx_proof_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: proof_handle, of: requestedProofs) { try $0.threadID() }
}
