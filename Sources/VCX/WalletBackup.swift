// scripts/bindings compares the documented parameters with the real ones.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, ValidateDocumentationComments

internal import MSDK
internal import Wallet

// MARK: Wallet export, import and backup
//
// The whole wallet as one encrypted file, kept by the program or by the Cloud Agent.

/// Writes the open wallet to an encrypted file: all records, and the keys and DIDs that the library keeps.
///
/// The file appears complete or not at all. It has the wallet's records of one moment, and other calls can use the
/// wallet meanwhile.
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
///   - cb: Receives 0, or 1004, 1076 if a member is missing, 1051 if the wallet exists, 1074 if a file cannot be read or
///     written, 1080 for a wrong passphrase or a broken file. The current error names the file that is at fault.
@_cdecl("vcx_wallet_import")
public func vcx_wallet_import(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(config, "config")) { try Agent.standard.importWallet($0) }
}

/// Asks the Cloud Agent for room for backups of the wallet. State 2 follows when the Cloud Agent has made room.
///
/// A new device needs only the passphrase for `vcx_wallet_backup_restore`. Nobody can look it up or reset it. Everybody
/// with a copy of the backup can try passphrases, so let the program make it: six random words, or more. The
/// configuration's `backup_key_derivation` says how the passphrase gives the key that finds the backup: `ARGON2ID`, the
/// default, or `SHA256` as in libvcx. A restore tries both.
///
/// - Parameters:
///   - source_id: A name that the program chooses; it is kept with the object.
///   - wallet_encryption_key: The passphrase for the backups. Returns 1007 for less than 12 characters.
///   - cb: Receives the handle of the backup, in state 1, or 1010, also if another account has the passphrase.
@_cdecl("vcx_wallet_backup_create")
public func vcx_wallet_backup_create(
  _ command_handle: vcx_command_handle_t, _ source_id: CString?, _ wallet_encryption_key: CString?, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), text(source_id, "source_id"),
    text(wallet_encryption_key, "wallet_encryption_key").map { try WalletBackup.passphrase($0) }, runningSession(),
    by: .network
  ) { try backups.insert(WalletBackup(sourceID: $0, passphrase: $1, with: $2)) }
}

/// Exports the wallet and sends it to the Cloud Agent. State 3 follows, and state 2 again once the Cloud Agent has
/// stored it.
///
/// A second backup has to wait for the confirmation of the first, but no more than ten minutes. If a later
/// `vcx_wallet_backup_create` has given the account another passphrase, the backup is refused: its passphrase would not
/// open the agency's backups any more.
///
/// - Parameters:
///   - wallet_backup_handle: The backup, in state 2.
///   - path: A path. The library writes the export beside it, and then removes it.
///   - cb: Receives 0, or 1005, 1048, 1074 if the file cannot be written, 1096 if the account has another passphrase
///     now, 1105 if the export has more than 5000000 bytes, 1010.
@_cdecl("vcx_wallet_backup_backup")
public func vcx_wallet_backup_backup(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_handle: vcx_wallet_backup_handle_t, _ path: CString?,
  _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: wallet_backup_handle, of: backups, text(path, "path"), runningSession(),
    by: .network
  ) { (backup: inout WalletBackup, path, session) in try backup.send(exportedBeside: path, with: session) }
}

/// Asks the Cloud Agent for news of a backup.
///
/// - Parameters:
///   - wallet_backup_handle: The backup.
///   - cb: Receives the state, one of `vcx_backup_state`, or 1048, 1010.
@_cdecl("vcx_wallet_backup_update_state")
public func vcx_wallet_backup_update_state(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_handle: vcx_wallet_backup_handle_t, _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: wallet_backup_handle, of: backups, runningSession(), by: .network
  ) { (backup: inout WalletBackup, session) in
    try backup.update(with: session)
    return backup.state.rawValue
  }
}

/// Applies a downloaded message to a backup. Returns 1016 for bad JSON.
///
/// - Parameters:
///   - wallet_backup_handle: The backup.
///   - message: The message as JSON text, as `vcx_download_agent_messages` gives it: its `type` and `uid` count.
///   - cb: Receives the state, one of `vcx_backup_state`, or 1048.
@_cdecl("vcx_wallet_backup_update_state_with_message")
public func vcx_wallet_backup_update_state_with_message(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_handle: vcx_wallet_backup_handle_t, _ message: CString?,
  _ cb: vcx_number_cb?
) -> vcx_error_t {
  start(
    Completion(command_handle, cb), on: wallet_backup_handle, of: backups,
    text(message, "message").map { try WalletBackup.News(parsing: $0) }
  ) { (backup: inout WalletBackup, news) in
    backup.apply(news)
    return backup.state.rawValue
  }
}

/// Writes a backup as JSON text for the program to store. `vcx_wallet_backup_deserialize` restores it. The text contains
/// the passphrase: keep it as secret as the wallet's key.
///
/// - Parameters:
///   - wallet_backup_handle: The backup.
///   - cb: Receives the text, or 1048.
@_cdecl("vcx_wallet_backup_serialize")
public func vcx_wallet_backup_serialize(
  _ command_handle: vcx_command_handle_t, _ wallet_backup_handle: vcx_wallet_backup_handle_t, _ cb: vcx_string_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), on: wallet_backup_handle, of: backups) { $0.serialized }
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
  start(Completion(command_handle, cb), text(wallet_backup_str, "wallet_backup_str")) { text in
    try reporting(.invalidJson) { try backups.insert(WalletBackup(serialized: text)) }
  }
}

/// Fetches the newest backup under a passphrase from the agency, and continues with it in place of the open wallet.
///
/// A new device first provisions a temporary wallet and Cloud Agent at the same agency, and initialises the library
/// with them. This call deletes the temporary wallet once the restored wallet is open; a failure does not change it.
/// The restored wallet is then open with the settings of the temporary wallet: read the program's own old configuration
/// from it, call `vcx_shutdown` without deleting, and initialise the library with that configuration.
///
/// If the process ends during the call, initialise the library with the temporary configuration again. If that gives
/// 1079, the restore was complete: use the name and the key of `config` in it. Otherwise call this function again with
/// the same `config`; it finishes the work, even if the restored wallet exists already.
///
/// - Parameters:
///   - config: JSON text with `wallet_name`, `wallet_key`, `exported_wallet_path` and `backup_key`, the passphrase; also
///     `wallet_key_derivation` and `storage_config`, as for `vcx_init_with_config`. The library writes the backup beside
///     `exported_wallet_path` and removes it again.
///   - cb: Receives 0, or 1076 if a member is missing, 1099 if the agency does not know the passphrase, 1097 if it knows
///     the passphrase and has no backup under it, 1010 after too many attempts, 1051 if another wallet has the name, 1074
///     if a file cannot be read or written, or another process has the temporary wallet open, 1080 for a broken backup,
///     1004 if the library was shut down meanwhile.
@_cdecl("vcx_wallet_backup_restore")
public func vcx_wallet_backup_restore(
  _ command_handle: vcx_command_handle_t, _ config: CString?, _ cb: vcx_done_cb?
) -> vcx_error_t {
  start(Completion(command_handle, cb), text(config, "config"), runningSession(), by: .network) { config, session in
    try WalletImport(parsing: config).restore(with: session)
    searches.removeAll(of: session.agent)
  }
}
