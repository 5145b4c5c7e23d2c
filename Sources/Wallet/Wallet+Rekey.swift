internal import SQLite

extension Wallet {
  /// Gives the wallet another key. No record changes: the wallet's own seven keys stay and are sealed anew. When this
  /// returns, the old key no longer opens the wallet. It still opens earlier copies of the file.
  package func rekey(to key: String, derivation: KeyDerivation = .argon2iModerate) throws(WalletError) {
    let metadata = try Metadata(sealing: cipher.keys, key: key, derivation: derivation).text
    try write { writer throws(WalletError) in
      do throws(SQLiteError) { try WalletTables.replaceMetadata(on: writer.database, with: metadata) } catch {
        throw WalletError(error)
      }
    }
    emptyLog()
  }

  /// The keys that are sealed under the old key stay in the main file until the log is written into it, and a copy of
  /// that file alone would have them. Best effort: another process may be reading.
  private func emptyLog() {
    searches.detachAll()
    let database = try? Database(path: location.file, .readWrite)
    try? database?.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
