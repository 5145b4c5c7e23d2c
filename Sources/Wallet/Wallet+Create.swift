internal import Files
internal import SQLite

extension Wallet {
  /// Makes an empty wallet with new keys. It appears complete or not at all.
  package static func create(
    _ location: WalletLocation, key: String, derivation: KeyDerivation = .argon2iModerate
  ) throws(WalletError) {
    guard Files.identity(of: location.file) == nil else { throw .alreadyExists }
    try create(location, Metadata(sealing: WalletKeys(), key: key, derivation: derivation)) { _ in }
  }

  /// Makes a wallet with what `fill` writes.
  static func create(
    _ location: WalletLocation, _ metadata: Metadata, fill: (Writer) throws(WalletError) -> Void
  ) throws(WalletError) {
    let draft = try WalletDraft(location)
    defer { draft.discard() }
    try draft.fill(metadata, with: fill)
    try draft.publish()
  }

  /// Removes a wallet, its whole directory. Only for those who have its key, and not while it is open.
  package static func delete(
    _ location: WalletLocation, key: String, derivation: KeyDerivation = .argon2iModerate
  ) throws(WalletError) {
    _ = try unlock(location, key, derivation)
    let claim = try OpenWallets.claim(location)
    defer { claim.release() }
    do {
      try Files.remove(location.file)  // first, so that an interruption leaves no wallet
      try Files.removeTree(location.directory)
    } catch {
      throw WalletError(error)
    }
  }
}
