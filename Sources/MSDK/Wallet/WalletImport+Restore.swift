internal import CloudAgent
internal import Files
internal import Logging
internal import Sodium
internal import Wallet

extension WalletImport {
  /// Fetches the newest backup from the agency, and continues the session with it. It replaces the session's temporary
  /// wallet, which is deleted. A failure does not change the temporary wallet. After an interruption, either the
  /// temporary wallet is unchanged or the restored wallet is complete; a repetition finishes the work.
  ///
  /// The settings still name the temporary Cloud Agent. The program finds its old configuration in the wallet, and
  /// starts again with it.
  package func restore(with session: Session) throws {
    // Either the restored wallet gets the name of the temporary wallet, or its name must be free.
    if wallet.location.file == session.wallet.location.file {
      let restored = try restored(with: session)
      defer { restored.discard() }
      return try session.goOn(in: wallet) { old throws(WalletFailure) in
        try naming(wallet.location.file) { () throws(WalletError) in try restored.replace(old) }
      }
    }
    let passphrase = try session.recoveryKey(of: exportKey.text, by: .sha256).verkey.text
    let restoration = Restoration(of: wallet.location, in: session.wallet)
    if Wallet.exists(wallet.location) {
      guard try restoration.hasBegun(under: passphrase) else {
        throw WalletFailure(.alreadyExists, at: wallet.location.file)
      }
      Log.info("an interrupted restore has made the wallet")
      try adopt(in: session)
    } else {
      let restored = try restored(with: session)
      defer { restored.discard() }
      try restoration.begin(under: passphrase)
      try session.goOn(in: wallet) { _ throws(WalletFailure) in
        try naming(wallet.location.file) { () throws(WalletError) in
          try restored.publish()
          return try restored.open()
        }
      }
    }
    session.wallet.close()
    session.walletSettings.deleteWallet()
  }

  /// Continues with the wallet of an interrupted restore.
  private func adopt(in session: Session) throws {
    let restored = try naming(wallet.location.file) { () throws(WalletError) in
      try Wallet.open(wallet.location, key: wallet.key, derivation: wallet.derivation)
    }
    do { try session.goOn(in: wallet) { _ in restored } } catch {
      restored.close()
      throw error
    }
  }

  /// The wallet of the newest backup, which has no name yet.
  private func restored(with session: Session) throws -> ImportedWallet {
    let backup = try newestBackup(with: session)
    Files.removeAbandonedDrafts(for: path)
    let file = Files.draftPath(for: path)
    defer { try? Files.remove(file) }
    try naming(path) { () throws(WalletError) in
      do throws(FileError) {
        if let directory = Files.parent(of: file) { try Files.makeDirectory(directory) }
        try FileWriter(creating: file).write(backup)
      } catch {
        throw .io(reason: "\(error)")
      }
    }
    do {
      let restored = try ImportedWallet(
        wallet.location, key: wallet.key, derivation: wallet.derivation, importing: file, exportKey: exportKey.text,
        adding: RestoreNote.forImport())
      Log.info("a wallet is made of a backup of \(backup.count) bytes")
      return restored
    } catch {
      throw failure(error)
    }
  }

  /// The new device does not know how the key was derived when the newest backup was made, so it looks under both keys.
  private func newestBackup(with session: Session) throws -> [UInt8] {
    let keeper = try session.backups()
    let results = try RecoveryKeyDerivation.allCases.map { derivation in
      try keeper.newestBackup(under: session.recoveryKey(of: exportKey.text, by: derivation))
    }
    guard let newest = Self.newest(of: results) else {
      throw results.contains(.empty) ? BackupError.nothingStored : BackupError.notFound
    }
    return newest
  }

  /// The backup that was exported last; nil if no backup was found.
  static func newest(of results: [BackupSearch]) -> [UInt8]? {
    let backups = results.compactMap { if case .found(let backup) = $0 { backup } else { nil } }
    return backups.max { (Wallet.exportTime($0) ?? 0) < (Wallet.exportTime($1) ?? 0) }
  }
}

/// The note of a restore in the temporary wallet, which is deleted when the restore ends. Without the note, a wallet
/// with the wanted name belongs to the program.
private struct Restoration {
  private let location: WalletLocation
  private let wallet: Wallet
  private let records: LibraryRecords

  init(of location: WalletLocation, in wallet: Wallet) {
    self.location = location
    self.wallet = wallet
    records = LibraryRecords(of: "msdk.restoration", in: wallet)
  }

  /// Notes that the next step makes the wallet, from a backup under this passphrase's key.
  func begin(under key: String) throws(WalletError) {
    try wallet.make([records.putting(location.file, value: key)])
  }

  /// Whether a restore under this passphrase's key may have made the wallet.
  func hasBegun(under key: String) throws(WalletError) -> Bool { try records.find(location.file)?.value == key }
}
