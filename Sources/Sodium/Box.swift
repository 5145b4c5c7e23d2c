internal import CSodium

/// Public-key boxes between Ed25519 keys, by their X25519 counterparts: libsodium's `crypto_box`
/// (X25519, XSalsa20-Poly1305).
package enum Box: Sendable {
  package static let nonceLength = Int(crypto_box_NONCEBYTES)
  package static let overhead = Int(crypto_box_MACBYTES)
  package static let sealOverhead = Int(crypto_box_PUBLICKEYBYTES + crypto_box_MACBYTES)

  /// A box from `sender` for `recipient`; the tag comes first.
  package static func seal(
    _ message: [UInt8], from sender: KeyPair, to recipient: PublicKey, nonce: [UInt8]
  ) throws(SodiumError) -> [UInt8] {
    precondition(nonce.count == nonceLength)
    let key = try sender.boxKey(with: recipient)
    sender.pairKeys.remember(key, sharedWith: recipient)
    var box = [UInt8](repeating: 0, count: message.count + overhead)
    key.withPointer { _ = crypto_box_easy_afternm(&box, message, UInt64(message.count), nonce, $0) }
    return box
  }

  package static func open(
    _ box: [UInt8], from sender: PublicKey, with recipient: KeyPair, nonce: [UInt8]
  ) throws(SodiumError) -> [UInt8] {
    guard nonce.count == nonceLength else { throw .wrongLength(of: "nonce") }
    guard box.count >= overhead else { throw .wrongLength(of: "box") }
    let key = try recipient.boxKey(with: sender)
    var message = [UInt8](repeating: 0, count: box.count - overhead)
    let status = key.withPointer { crypto_box_open_easy_afternm(&message, box, UInt64(box.count), nonce, $0) }
    guard status == 0 else { throw .notAuthentic }
    recipient.pairKeys.remember(key, sharedWith: sender)
    return message
  }

  /// An anonymous box for `recipient` (libsodium's sealed box): an ephemeral public key, then the box from that key.
  /// Its nonce is BLAKE2b of both public keys. It does not use `crypto_box_seal`, so that the ephemeral secret can come
  /// from `random`.
  package static func sealAnonymously(
    _ message: [UInt8], to recipient: PublicKey, random: RandomSource
  ) throws(SodiumError) -> [UInt8] {
    let key = try AgreementForms.form(of: recipient)
    var secret = random(Int(crypto_box_SECRETKEYBYTES))
    defer { wipe(&secret) }
    var ephemeral = [UInt8](repeating: 0, count: Int(crypto_box_PUBLICKEYBYTES))
    crypto_scalarmult_base(&ephemeral, secret)
    var nonce = [UInt8](repeating: 0, count: nonceLength)
    crypto_generichash(&nonce, nonce.count, ephemeral + key, UInt64(ephemeral.count + key.count), nil, 0)
    var box = [UInt8](repeating: 0, count: message.count + overhead)
    guard crypto_box_easy(&box, message, UInt64(message.count), nonce, key, secret) == 0 else { throw .unusableKey }
    return ephemeral + box
  }

  package static func openAnonymous(_ box: [UInt8], with recipient: KeyPair) throws(SodiumError) -> [UInt8] {
    guard box.count >= sealOverhead else { throw .wrongLength(of: "box") }
    let key = try AgreementForms.form(of: recipient.publicKey)
    var message = [UInt8](repeating: 0, count: box.count - sealOverhead)
    let status = recipient.withAgreementSecret {
      crypto_box_seal_open(&message, box, UInt64(box.count), key, $0)
    }
    guard status == 0 else { throw .notAuthentic }
    return message
  }
}
