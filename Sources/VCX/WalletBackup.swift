// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK
internal import Wallet

// MARK: Wallet export, import and backup
//
// The whole wallet as one encrypted file, kept by the program or by the Cloud Agent.

/// Writes the open wallet to an encrypted file: all records, and the keys and DIDs that the library keeps.
///
/// The file appears complete or not at all. It shows the wallet at one moment, while other calls go on using it.
///
/// - Parameters:
///   - path: The file, which must not exist. Directories on the way are created.
///   - backup_key: The passphrase for the file.
///   - cb: Receives 0, 1074 if the file exists or cannot be written, 1057.
@_cdecl("vcx_wallet_export")
public func vcx_wallet_export(
  _ command_handle: vcx_command_handle_t, _ path: CString?, _ backup_key: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(path, "path"), text(backup_key, "backup_key"), openWallet()) {
    path, key, wallet in
    try naming(path) { () throws(WalletError) in try wallet.export(to: path, key: key) }
  }
}

/// Creates a wallet from an exported file, without opening it. The wallet appears complete or not at all. The file
/// stays.
///
/// - Parameters:
///   - config: JSON text with `wallet_name`, `wallet_key`, `exported_wallet_path` and `backup_key`; also
///     `wallet_key_derivation` and `storage_config`, as for `vcx_init_with_config`.
///   - cb: Receives 0, or 1004, 1076 if a member is missing, 1051 if the wallet exists, 1074 for the file, 1080 for a
///     wrong passphrase or a broken file.
@_cdecl("vcx_wallet_import")
public func vcx_wallet_import(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(config, "config")) { try WalletImport(parsing: $0).run() }
}

/// Asks the Cloud Agent to keep a backup of the wallet.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - wallet_encryption_key: The passphrase for the backup.
///   - cb: Receives the handle of the backup, or 1010, 1096.
@_cdecl("vcx_wallet_backup_create")
public func vcx_wallet_backup_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ wallet_encryption_key: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(
    Completion(command_handle, cb), text(source_id, "source_id"), text(wallet_encryption_key, "wallet_encryption_key"))
}

/// Exports the wallet and sends it to the Cloud Agent.
///
/// - Parameters:
///   - wallet_backup_handle: The backup.
///   - path: The file for the export.
///   - cb: Receives 0, or 1005, 1048, 1105 if the wallet is too large.
@_cdecl("vcx_wallet_backup_backup")
public func vcx_wallet_backup_backup(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_handle: vcx_wallet_backup_handle_t, _ path: CString?,
  _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(path, "path"))
}

/// Asks the Cloud Agent for news of a backup.
///
/// - Parameters:
///   - wallet_backup_handle: The backup.
///   - cb: Receives the state, one of `vcx_backup_state`, or 1048.
@_cdecl("vcx_wallet_backup_update_state")
public func vcx_wallet_backup_update_state(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_handle: vcx_wallet_backup_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Applies a downloaded message to a backup. Returns 1016 for bad JSON.
///
/// - Parameters:
///   - wallet_backup_handle: The backup.
///   - message: The message as JSON text.
///   - cb: Receives the state, one of `vcx_backup_state`, or 1048.
@_cdecl("vcx_wallet_backup_update_state_with_message")
public func vcx_wallet_backup_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_handle: vcx_wallet_backup_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(message, "message"))
}

/// Writes a backup as JSON text for the program to store. `vcx_wallet_backup_deserialize` restores it.
///
/// - Parameters:
///   - wallet_backup_handle: The backup.
///   - cb: Receives the text, or 1048.
@_cdecl("vcx_wallet_backup_serialize")
public func vcx_wallet_backup_serialize(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_handle: vcx_wallet_backup_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb))
}

/// Restores a serialized backup.
///
/// - Parameters:
///   - wallet_backup_str: The text from `vcx_wallet_backup_serialize`.
///   - cb: Receives a new handle, or 1016.
@_cdecl("vcx_wallet_backup_deserialize")
public func vcx_wallet_backup_deserialize(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_str: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(wallet_backup_str, "wallet_backup_str"))
}

/// Fetches a backup from the Cloud Agent and replaces the wallet with it.
///
/// - Parameters:
///   - config: JSON text with `wallet_name`, `wallet_key`, `exported_wallet_path` and `backup_key`.
///   - cb: Receives 0, or 1097, 1099.
@_cdecl("vcx_wallet_backup_restore")
public func vcx_wallet_backup_restore(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  unsupported(Completion(command_handle, cb), text(config, "config"))
}
