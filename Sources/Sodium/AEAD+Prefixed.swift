internal import CSodium

/// The form `nonce || ciphertext || tag`, as it is stored: one array, one allocation.
extension AEAD {
  /// What `sealPrefixed` adds to the length of a plaintext.
  package static let prefixedOverhead = nonceLength + tagLength

  /// Key and nonce must have their lengths: they are the program's own.
  package static func sealPrefixed(_ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8]) -> [UInt8] {
    precondition(key.count == keyLength)
    return key.withPointer { sealPrefixed(plaintext, key: $0, nonce: nonce) }
  }

  package static func openPrefixed(_ sealed: [UInt8], key: SecretBytes) throws(SodiumError) -> [UInt8] {
    guard key.count == keyLength else { throw .wrongLength(of: "key") }
    return try key.withPointer { key throws(SodiumError) in try openPrefixed(sealed, key: key) }
  }

  /// Seals `plaintext` under a new random key, and that key under `wrappingKey`.
  ///
  /// The new key is in ordinary memory while this runs and wiped before it returns: locked memory costs several system
  /// calls per key, and this happens for every value that is written. Takes from `random`, in this order: the key, the
  /// nonce of the plaintext, the nonce of the key.
  package static func sealWithNewKey(
    _ plaintext: [UInt8], wrappedBy wrappingKey: SecretBytes, random: RandomSource
  ) -> (sealed: [UInt8], wrappedKey: [UInt8]) {
    var key = random(keyLength)
    defer { wipe(&key) }
    precondition(key.count == keyLength)
    let sealed = sealPrefixed(plaintext, key: key, nonce: random(nonceLength))
    return (sealed, sealPrefixed(key, key: wrappingKey, nonce: random(nonceLength)))
  }

  /// Opens what `sealWithNewKey` sealed.
  package static func open(
    _ sealed: [UInt8], wrappedKey: [UInt8], with wrappingKey: SecretBytes
  ) throws(SodiumError) -> [UInt8] {
    var key = try openPrefixed(wrappedKey, key: wrappingKey)
    defer { wipe(&key) }
    guard key.count == keyLength else { throw .wrongLength(of: "key") }
    return try openPrefixed(sealed, key: key)
  }

  private static func sealPrefixed(
    _ plaintext: [UInt8], key: UnsafePointer<UInt8>, nonce: [UInt8]
  ) -> [UInt8] {
    precondition(nonce.count == nonceLength)
    return [UInt8](unsafeUninitializedCapacity: plaintext.count + prefixedOverhead) { buffer, count in
      count = plaintext.count + prefixedOverhead
      guard let start = buffer.baseAddress else { return }
      start.initialize(from: nonce, count: nonceLength)
      crypto_aead_chacha20poly1305_ietf_encrypt(
        start + nonceLength, nil, plaintext, UInt64(plaintext.count), nil, 0, nil, nonce, key)
    }
  }

  private static func openPrefixed(
    _ sealed: [UInt8], key: UnsafePointer<UInt8>
  ) throws(SodiumError) -> [UInt8] {
    guard sealed.count >= prefixedOverhead else { throw .wrongLength(of: "ciphertext") }
    var isAuthentic = false
    let plaintext = [UInt8](unsafeUninitializedCapacity: sealed.count - prefixedOverhead) { buffer, count in
      sealed.withUnsafeBufferPointer { sealed in
        guard let nonce = sealed.baseAddress else { return }
        let status = crypto_aead_chacha20poly1305_ietf_decrypt(
          buffer.baseAddress, nil, nil, nonce + nonceLength, UInt64(sealed.count - nonceLength), nil, 0, nonce, key)
        isAuthentic = status == 0
        count = isAuthentic ? sealed.count - prefixedOverhead : 0
      }
    }
    guard isAuthentic else { throw .notAuthentic }
    return plaintext
  }
}
