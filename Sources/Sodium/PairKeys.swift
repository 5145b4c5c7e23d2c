internal import CSodium
internal import Threading

/// The keys that a key pair shares with its peers, one for all boxes with a peer. They are in locked memory, and are
/// wiped with the pair's last copy.
final class PairKeys: Sendable {
  private let known = Locked<[PublicKey: SecretBytes]>([:])

  /// The highest number of remembered keys. A pair serves one connection, whose peer has few keys.
  private static let limit = 8

  /// The key that is shared with `peer`, if it is remembered.
  subscript(peer: PublicKey) -> SecretBytes? { known.withLock { $0[peer] } }

  /// Remembers a key. The caller does so only when the peer has proved that it has the key, or when the caller itself
  /// has chosen the peer: a stranger must not fill the memory.
  func remember(_ key: SecretBytes, sharedWith peer: PublicKey) {
    known.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[peer] = key
    }
  }
}

extension KeyPair {
  /// The key for boxes between this pair and `peer`. Throws if the two do not agree on a usable secret.
  func boxKey(with peer: PublicKey) throws(SodiumError) -> SecretBytes {
    if let known = pairKeys[peer] { return known }
    let form = try AgreementForms.form(of: peer)
    return try SecretBytes(count: Int(crypto_box_BEFORENMBYTES)) { memory throws(SodiumError) in
      guard withAgreementSecret({ crypto_box_beforenm(memory, form, $0) }) == 0 else { throw .unusableKey }
    }
  }
}
