internal import JSON
internal import Sodium
internal import Wallet

/// Creates a wallet from an exported file.
package struct WalletImport: Sendable {
  let wallet: WalletSettings
  let path: String
  let exportKey: SecretBytes

  private static let required = ["wallet_name", "wallet_key", "exported_wallet_path", "backup_key"]

  /// Reads the configuration of `vcx_wallet_import`: the members of a wallet's settings, the path of the file and the
  /// file's key. The file itself names the derivation of its key.
  package init(parsing text: String) throws(SettingsError) {
    let config = try SettingsReader(text)
    for name in Self.required where !config.has(name) { throw .incompleteImport(name) }
    wallet = try WalletSettings(config)
    path = try config.string("exported_wallet_path") ?? ""
    exportKey = SecretBytes(copying: Array((try config.string("backup_key") ?? "").utf8))
  }

  /// Creates the wallet, complete or not at all, and leaves it closed. The file stays.
  package func run() throws(WalletFailure) {
    do {
      try Wallet.create(
        wallet.location, key: wallet.key, derivation: wallet.derivation, importing: path,
        exportKey: exportKey.text, adding: RestoreNote.forImport())
    } catch {
      throw failure(error)
    }
  }

  /// An error of the import with the file that is at fault: the export, or the new wallet.
  func failure(_ error: WalletError) -> WalletFailure {
    WalletFailure(error, at: error.concernsExport ? path : wallet.location.file)
  }
}
