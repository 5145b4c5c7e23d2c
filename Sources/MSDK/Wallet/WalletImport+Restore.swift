internal import CloudAgent
internal import Files
internal import Logging
internal import Wallet

extension WalletImport {
  /// Fetches the newest backup from the agency, and goes on with it in place of the session's temporary wallet, which is
  /// deleted. A failure leaves the temporary wallet as it was.
  ///
  /// The settings still name the temporary Cloud Agent. The program finds its old configuration in the wallet, and starts
  /// again with it.
  package func restore(with session: Session) throws {
    let backup = try newestBackup(with: session)
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
    try session.replaceWallet(with: wallet, importing: file, key: exportKey.text)
    Log.info("the wallet is restored from a backup of \(backup.count) bytes")
  }

  /// The new device does not know how the key was derived when the backup was made.
  private func newestBackup(with session: Session) throws -> [UInt8] {
    let cloudAgent = try session.cloudAgent()
    for derivation in RecoveryKeyDerivation.allCases {
      let pair = try session.recoveryKey(of: exportKey.text, by: derivation)
      if let backup = try cloudAgent.newestBackup(under: pair) { return backup }
    }
    throw BackupError.notFound
  }
}

extension Session {
  /// Makes a wallet of an export, opens it, and only then deletes this session's own.
  fileprivate func replaceWallet(with restored: WalletSettings, importing file: String, key: String) throws {
    let isSame = restored.location.file == wallet.location.file
    let place =
      isSame
      ? try WalletLocation(id: restored.location.id + ".restored", home: restored.location.home) : restored.location
    if isSame { try? Files.removeTree(place.directory) }  // left by a process that ended before it was done
    try naming(place.file) { () throws(WalletError) in
      try Wallet.create(
        place, key: restored.key, derivation: restored.derivation, importing: file, exportKey: key)
      try Wallet.open(place, key: restored.key, derivation: restored.derivation).close()
    }
    wallet.close()
    if isSame {
      deleteWallet()
      do { try Files.rename(place.directory, to: restored.location.directory) } catch {
        throw WalletFailure(.io(reason: "\(error)"), at: place.directory)
      }
    }
    try Session.replace(self, with: settings.with(restored))
    if !isSame { deleteWallet() }
  }
}
