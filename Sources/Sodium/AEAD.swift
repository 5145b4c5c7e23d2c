internal import CSodium

/// ChaCha20-Poly1305 in the form of RFC 8439 (IETF: 12-byte nonce, 16-byte tag).
package enum AEAD: Sendable {
  package static let keyLength = Int(crypto_aead_chacha20poly1305_ietf_KEYBYTES)
  package static let nonceLength = Int(crypto_aead_chacha20poly1305_ietf_NPUBBYTES)
  package static let tagLength = Int(crypto_aead_chacha20poly1305_ietf_ABYTES)

  /// The ciphertext followed by its tag. Key and nonce must have their lengths: they are the program's own.
  package static func seal(
    _ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8], additionalData: [UInt8] = []
  ) -> [UInt8] {
    precondition(key.count == keyLength && nonce.count == nonceLength)
    var sealed = [UInt8](repeating: 0, count: plaintext.count + tagLength)
    _ = key.withPointer { key in
      crypto_aead_chacha20poly1305_ietf_encrypt(
        &sealed, nil, plaintext, UInt64(plaintext.count), additionalData, UInt64(additionalData.count), nil, nonce, key)
    }
    return sealed
  }

  /// Opens ciphertext followed by its tag.
  package static func open(
    _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], additionalData: [UInt8] = []
  ) throws(SodiumError) -> [UInt8] {
    guard key.count == keyLength else { throw .wrongLength(of: "key") }
    guard nonce.count == nonceLength else { throw .wrongLength(of: "nonce") }
    guard sealed.count >= tagLength else { throw .wrongLength(of: "ciphertext") }
    var plaintext = [UInt8](repeating: 0, count: sealed.count - tagLength)
    let status = key.withPointer { key in
      crypto_aead_chacha20poly1305_ietf_decrypt(
        &plaintext, nil, nil, sealed, UInt64(sealed.count), additionalData, UInt64(additionalData.count), nonce, key)
    }
    guard status == 0 else { throw .notAuthentic }
    return plaintext
  }
}
