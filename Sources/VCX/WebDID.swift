// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: DIDs on the web
//
// The DIDs of did:webvh under which this program issues. Their logs and objects lie where the first registry of the
// configuration with "type": "webvh" and "write": true says, and any web server serves them. The wallet keeps the keys.
// With such a DID as institution_did, the functions for schemas, credential definitions and credentials publish there.

/// Creates a DID of did:webvh and publishes its log. Its keys are new, and lie in the wallet.
///
/// - Parameters:
///   - place: The place of the DID: the host with a port and a path, as the DID names them, such as `example.com`,
///     `localhost%3A8080` or `example.com:issuers:1`.
///   - options: NULL, or JSON text with `document`, `pre_rotation` and `ttl`.
///   - cb: Receives the DID; 1016 for other options, 1008 for a malformed place or one that has a log, 1025 if the place
///     of the files cannot be reached, 1030 without a place in the configuration.
@_cdecl("msdk_webvh_create")
public func msdk_webvh_create(
  _ command_handle: vcx_command_handle_t, _ place: CString?, _ options: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(place, "place"), optionalText(options, "options"), runningSession(),
    by: .network
  ) { place, options, session in
    try session.createWebDID(at: place, options: options ?? "{}")
  }
}

/// Publishes the next version of an own DID. Another program with the same wallet may do so at the same time: neither
/// change is lost.
///
/// - Parameters:
///   - did: The DID.
///   - changes: JSON text with `document`, `rotate`, `pre_rotation` and `ttl`; `{}` changes only the keys of a DID with
///     pre-rotation.
///   - cb: Receives the id of the version; 1016 for other changes, 1073 when the wallet lacks the keys, 1008 if the DID is
///     deactivated, or if its log is not in its place, is not valid or lacks a version that was seen before, 1025 if the
///     place of the files cannot be reached, 1030 without a place in the configuration.
@_cdecl("msdk_webvh_update")
public func msdk_webvh_update(
  _ command_handle: vcx_command_handle_t, _ did: CString?, _ changes: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(did, "did"), text(changes, "changes"), runningSession(), by: .network) {
    did, changes, session in
    try session.updateWebDID(did, changes: changes)
  }
}

/// Deactivates an own DID for ever. Readers then refuse its objects, and nothing can follow.
///
/// - Parameters:
///   - did: The DID.
///   - cb: Receives the id of the last version, or the errors of `msdk_webvh_update`.
@_cdecl("msdk_webvh_deactivate")
public func msdk_webvh_deactivate(
  _ command_handle: vcx_command_handle_t, _ did: CString?, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(did, "did"), runningSession(), by: .network) { did, session in
    try session.updateWebDID(did, changes: nil)
  }
}
