package import DIDComm
internal import JSON
internal import SQLite
package import Sodium
internal import Threading

/// The DIDs and keys that the library keeps, as records of the types `Indy::Did` and `Indy::Key`.
extension Wallet {
  /// Makes a key pair, random or from a 32-byte seed, and stores it with its DID. The same seed gives the same DID.
  package func createDID(seed: SecretBytes? = nil) throws(WalletError) -> (did: DID, verkey: VerKey) {
    let pair = try Self.makePair(seed)
    let (did, verkey) = (pair.verkey.did, pair.verkey)
    let didRecord = cipher.seal(OwnDID(did: did, verkey: verkey).record)
    let keyRecord = seal(pair)
    try write { writer throws(WalletError) in
      try writer.insertUnlessPresent(didRecord)
      try writer.insertUnlessPresent(keyRecord)
    }
    return (did, verkey)
  }

  /// Makes a key pair, random or from a 32-byte seed, and stores it.
  package func createKey(seed: SecretBytes? = nil) throws(WalletError) -> VerKey {
    let pair = try Self.makePair(seed)
    let record = seal(pair)
    try write { writer throws(WalletError) in try writer.insertUnlessPresent(record) }
    return pair.verkey
  }

  /// The key of an own DID; nil if the wallet has no such DID.
  package func verkey(of did: DID) throws(WalletError) -> VerKey? {
    guard let record = try find(type: OwnDID.type, id: did.text) else { return nil }
    return try OwnDID(record).verkey
  }

  private static func makePair(_ seed: SecretBytes?) throws(WalletError) -> KeyPair {
    guard let seed else { return KeyPair() }
    guard let pair = try? KeyPair(seed: seed) else { throw .malformedSeed }
    return pair
  }

  private func seal(_ pair: KeyPair) -> SealedRecord {
    var value = OwnKey.value(of: pair)
    defer { wipe(&value) }
    return SealedRecord(
      type: cipher.seal(type: OwnKey.type), name: cipher.seal(id: pair.verkey.text),
      value: cipher.seal(value: value.span), tags: [])
  }
}

extension Wallet: KeyRing {
  /// The pair of an own key; nil if the wallet does not have it.
  package func keyPair(for key: VerKey) throws(WalletError) -> KeyPair? {
    if let known = keyPairs[key] { return known }
    let (type, name) = (cipher.seal(type: OwnKey.type), cipher.seal(id: key.text))
    let found = try read { reader throws(SQLiteError) in
      try reader.find(type: type, name: name, withTags: false)
    }
    guard let found else { return nil }
    var value = try cipher.openBytes(found.value)
    defer { wipe(&value) }
    let pair = try OwnKey.pair(from: value)
    keyPairs[key] = pair
    return pair
  }
}

/// The recently used key pairs, so that a busy connection does not decrypt its key for every message.
final class KeyPairCache: Sendable {
  private let pairs = Locked<[VerKey: KeyPair]>([:])
  private static let limit = 32

  subscript(key: VerKey) -> KeyPair? {
    get { pairs.withLock { $0[key] } }
    set {
      pairs.withLock {
        if $0.count >= Self.limit { $0.removeAll() }
        $0[key] = newValue
      }
    }
  }

  func removeAll() { pairs.withLock { $0.removeAll() } }
}
