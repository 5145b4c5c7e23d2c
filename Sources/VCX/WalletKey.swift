// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK
internal import Wallet

// MARK: Wallet key
//
// The key that opens the wallet.

/// Gives the open wallet another key. No record changes. After the callback, the old key no longer opens the wallet:
/// put the new key into the configuration for the next `vcx_init_with_config`.
///
/// - Parameters:
///   - new_key: The new key: a passphrase, or for `RAW` 32 bytes in base58.
///   - derivation: The derivation of the file's key from `new_key`: `ARGON2I_MOD`, the default for NULL, `ARGON2I_INT`
///     or `RAW`. Returns 1007 for anything else.
///   - cb: Receives 0, 1080 for a malformed raw key, 1074, 1057.
@_cdecl("msdk_wallet_rekey")
public func msdk_wallet_rekey(
  _ command_handle: vcx_command_handle_t, _ new_key: CString?, _ derivation: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(new_key, "new_key"), optionalText(derivation, "derivation").map(keyDerivation),
    openWallet()
  ) {
    try CurrentAgent.value.rekey($2, to: $0, derivation: $1)
  }
}

private func keyDerivation(_ name: String?) throws -> KeyDerivation {
  guard let name else { return .argon2iModerate }
  guard let derivation = KeyDerivation(rawValue: name) else {
    throw VCXError(.invalidOption, "the argument derivation is none of ARGON2I_MOD, ARGON2I_INT, RAW")
  }
  return derivation
}
