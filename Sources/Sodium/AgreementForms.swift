internal import CSodium
internal import Threading

/// The X25519 forms of the recently used public keys: to compute a form takes as long as to agree on a secret. The
/// forms are public.
enum AgreementForms {
  private static let known = Locked<[PublicKey: [UInt8]]>([:])
  private static let limit = 1_000

  /// Throws for points of low order and for bytes that are not a point.
  static func form(of key: PublicKey) throws(SodiumError) -> [UInt8] {
    if let form = known.withLock({ $0[key] }) { return form }
    var form = [UInt8](repeating: 0, count: Int(crypto_box_PUBLICKEYBYTES))
    guard crypto_sign_ed25519_pk_to_curve25519(&form, key.bytes) == 0 else { throw .unusableKey }
    known.withLock {
      if $0.count >= limit { $0.removeAll() }
      $0[key] = form
    }
    return form
  }
}
