// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import Credentials
internal import JSON
internal import MSDK

// MARK: Credentials: looking into the wallet
//
// All credentials of the wallet, without the handles of their exchanges. A credential is a JSON object: `referent`, its
// id in the wallet; `attrs`; `schema_id`, `schema_name`, `schema_version`; `cred_def_id`, `issuer_did`; `rev_reg_id` and
// `cred_rev_id`, null if it cannot be revoked; `revoked`, the wallet's knowledge; `received`, seconds since 1970;
// `connection`, this side's DID of the connection that brought it; `display`, the words and attachments of the offer.
// The last three are null for a credential that an older version or another library has stored. Its signature never
// leaves the wallet. The functions report 1057 if no wallet is open.

/// Opens a search for credentials, in the order in which they were stored. Close it with
/// `msdk_credentials_close_search`.
///
/// The search has the wallet's credentials of this moment. Whether a credential is revoked is read with its page.
///
/// - Parameters:
///   - query_json: The conditions as a JSON object, all of which must hold; `{}` finds all credentials. `schema_id`,
///     `schema_name`, `schema_version`, `schema_issuer_did`, `cred_def_id`, `issuer_did` and `rev_reg_id` are texts.
///     `attributes` maps names, in any spelling, to the wanted values, or to null for any value. `revoked` is a boolean.
///     `connection` is this side's DID of a connection. `received_from` and `received_to` are seconds since 1970.
///   - cb: Receives the handle of the search; 1067 for a bad or unknown condition, 1057.
@_cdecl("msdk_credentials_open_search")
public func msdk_credentials_open_search(
  _ command_handle: vcx_command_handle_t, _ query_json: CString?, _ cb: vcx_search_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(query_json, "query_json"), openWallet()) {
    try openCredentialSearch(in: $1, query: $0)
  }
}

/// Reads the next credentials of a search.
///
/// - Parameters:
///   - search_handle: The search.
///   - count: The highest number of credentials to read. A page has at most 1,000.
///   - cb: Receives a JSON array of credentials, empty at the end; the attachments in `display` lack their `data`. 1057
///     if the search is not open.
@_cdecl("msdk_credentials_search_next")
public func msdk_credentials_search_next(
  _ command_handle: vcx_command_handle_t, _ search_handle: vcx_search_handle_t, _ count: UInt, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: UInt32(bitPattern: search_handle), of: credentialSearches) {
    (search: inout CredentialSearch) in
    var page = JSONWriter()
    let found = try search.next(Int(clamping: count))
    page.array { page in for credential in found { page.write(json: credential.text(withAttachedData: false)) } }
    return page.text
  }
}

/// Closes a search for credentials.
///
/// - Parameters:
///   - search_handle: The search.
///   - cb: Receives 0, or 1057 if it is not open.
@_cdecl("msdk_credentials_close_search")
public func msdk_credentials_close_search(
  _ command_handle: vcx_command_handle_t, _ search_handle: vcx_search_handle_t, _ cb: vcx_done_cb?
) -> vcx_error_t {
  let handle = UInt32(bitPattern: search_handle)
  return start(Completion(command_handle, cb), on: handle, of: credentialSearches) {
    (search: inout CredentialSearch) in
    guard credentialSearches.remove(handle) else { throw credentialSearches.missing(handle) }
    search.close()
  }
}

/// Reads one credential of the wallet.
///
/// - Parameters:
///   - id: The `referent` of the credential: the thread id of the exchange that brought it.
///   - cb: Receives the credential as JSON text; the attachments in `display` have their `data`. 1073 if the wallet does
///     not have it, 1057.
@_cdecl("msdk_credentials_get")
public func msdk_credentials_get(
  _ command_handle: vcx_command_handle_t, _ id: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(id, "id"), openWallet()) {
    try CredentialStore(wallet: $1).found($0).text(withAttachedData: true)
  }
}
