// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK

// MARK: Handles of libindy
//
// Functions of the vcx library in indy-sdk that take handles of libindy. msdk opens wallets and ledgers itself and cannot
// use such handles, so the functions refuse with 1103. Programs written for them call `vcx_init_with_config`, whose
// configuration names the wallet and the ledgers.

/// In indy-sdk, starts a session with a wallet and a ledger that the program has opened through libindy.
///
/// - Parameter config: The configuration as JSON text.
/// - Returns: 1103, or 1007 if the argument is NULL, empty or not UTF-8.
@_cdecl("vcx_init_minimal")
public func vcx_init_minimal(_ config: CString?) -> vcx_error_t {
  attempt { () throws(VCXError) in
    _ = try text(config, "config").decode()
    throw .handleOfLibindy
  }
}

/// In indy-sdk, names the open wallet for `vcx_init_minimal`, and returns its handle.
///
/// - Parameter handle: A handle of libindy.
/// - Returns: 1103. The library keeps nothing.
@_cdecl("vcx_wallet_set_handle")
public func vcx_wallet_set_handle(_ handle: Int32) -> vcx_error_t {
  attempt { () throws(VCXError) in throw .handleOfLibindy }
}

/// In indy-sdk, names the open ledger for `vcx_init_minimal`, and returns its handle.
///
/// - Parameter handle: A handle of libindy.
/// - Returns: 1103. The library keeps nothing.
@_cdecl("vcx_pool_set_handle")
public func vcx_pool_set_handle(_ handle: Int32) -> vcx_error_t {
  attempt { () throws(VCXError) in throw .handleOfLibindy }
}

extension VCXError {
  fileprivate static let handleOfLibindy = VCXError(
    .actionNotSupported, "the library opens wallets and ledgers itself: call vcx_init_with_config")
}
