extension Wallet {
  /// Makes an empty wallet with new keys. It appears complete or not at all.
  package static func create(
    _ location: WalletLocation, key: String, derivation: KeyDerivation = .argon2iModerate
  ) throws(WalletError) {
    guard !exists(location) else { throw .alreadyExists }
    try create(location, Metadata(sealing: WalletKeys(), key: key, derivation: derivation)) { _ in }
  }

  /// Makes a wallet with the rows that `fill` writes.
  static func create(
    _ location: WalletLocation, _ metadata: Metadata, fill: (Writer) throws(WalletError) -> Void
  ) throws(WalletError) {
    let draft = try WalletDraft(location)
    defer { draft.discard() }
    try draft.fill(metadata, with: fill)
    try draft.publish()
  }

  /// Removes a wallet with its whole directory. The caller needs its key. Throws `alreadyOpen` while this process has
  /// it open. In other processes that have it open, all later calls throw `removed`. An interrupted deletion leaves a
  /// wallet or none, and the next call that opens, creates or deletes a wallet at this location removes the rest.
  package static func delete(
    _ location: WalletLocation, key: String, derivation: KeyDerivation = .argon2iModerate
  ) throws(WalletError) {
    _ = try unlock(location, key, derivation)
    let claim = try OpenWallets.claim(location)
    defer { claim.release() }
    try location.deleteFiles()
  }
}
