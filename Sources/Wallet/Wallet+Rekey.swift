internal import SQLite

extension Wallet {
  /// Gives the wallet another key. No record is touched: the wallet's own seven keys stay and are sealed anew. When this
  /// returns, the old key opens it no more.
  package func rekey(to key: String, derivation: KeyDerivation = .argon2iModerate) throws(WalletError) {
    let metadata = try Metadata(sealing: cipher.keys, key: key, derivation: derivation).text
    try write { writer throws(WalletError) in
      do throws(SQLiteError) { try Schema.replaceMetadata(on: writer.connection, with: metadata) } catch {
        throw WalletError(error)
      }
    }
  }
}
