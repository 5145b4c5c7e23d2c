internal import SQLite
internal import Threading

/// An open wallet: an encrypted store of records in libindy's file format, and the keys that the library keeps in it.
///
/// Any thread may call it; calls block until they are done. A write is on the disk when its call returns.
package final class Wallet: Sendable {
  package let location: WalletLocation
  let cipher: RecordCipher
  let readers: ReaderPool<Reader>
  let writes: GroupCommit<Writer>
  let searches = OpenSearches()
  let keyPairs = KeyPairCache()
  private let claim: OpenWallets.Claim

  private init(_ location: WalletLocation, _ keys: WalletKeys, _ writer: Writer, _ claim: OpenWallets.Claim) {
    self.location = location
    cipher = RecordCipher(keys)
    readers = ReaderPool(limit: 4) { () throws(SQLiteError) in try claim.reader(at: location) }
    writes = GroupCommit(writer, on: writer.database)
    self.claim = claim
  }

  deinit { close() }

  /// Opens a wallet. Throws `accessDenied` for a wrong key even if the process has the wallet open, and `alreadyOpen`
  /// for the right key in that case.
  package static func open(
    _ location: WalletLocation, key: String, derivation: KeyDerivation = .argon2iModerate
  ) throws(WalletError) -> Wallet {
    let (database, keys) = try unlock(location, key, derivation)
    return try open(location, database, keys)
  }

  /// Opens a wallet whose keys the caller has.
  static func open(_ location: WalletLocation, keys: WalletKeys) throws(WalletError) -> Wallet {
    let database: Database
    do { database = try Database(path: location.file, .readWrite) } catch { throw WalletError(error) }
    return try open(location, database, keys)
  }

  private static func open(
    _ location: WalletLocation, _ database: Database, _ keys: WalletKeys
  ) throws(WalletError) -> Wallet {
    let claim = try OpenWallets.claim(location)
    WalletDraft.removeAbandoned(in: location.directory)
    do {
      try database.configure(cacheKiB: Writer.cacheKiB)
      return Wallet(location, keys, try Writer(database), claim)
    } catch {
      claim.release()
      throw error.primary == .error ? .corrupt(reason: error.description) : WalletError(error)
    }
  }

  /// Ends running operations properly and closes the file. Later calls throw `closed`; closing twice is harmless. Open
  /// searches keep their results.
  package func close() {
    readers.refuse()
    searches.detachAll()
    readers.drain()
    writes.close()
    keyPairs.removeAll()
    claim.release()
  }

  package var isClosed: Bool { readers.isClosed }

  /// Opens the file as it is, and its keys with `key`.
  static func unlock(
    _ location: WalletLocation, _ key: String, _ derivation: KeyDerivation
  ) throws(WalletError) -> (Database, WalletKeys) {
    guard exists(location) else { throw .notFound }
    let database: Database
    do {
      database = try Database(path: location.file, .readWrite)
    } catch {
      throw WalletError(error)
    }
    database.waitForLocks()
    try WalletTables.checkSchema(of: database)
    let metadata = try Metadata(parsing: WalletTables.metadata(on: database))
    return (database, try metadata.open(key: key, derivation: derivation))
  }
}
