internal import CSodium

/// The stored form `nonce || ciphertext || tag`: one array, one allocation.
extension AEAD {
  /// The length that `sealPrefixed` adds to a plaintext.
  package static let prefixedOverhead = nonceLength + tagLength

  /// The caller guarantees the lengths of key and nonce.
  package static func sealPrefixed(_ plaintext: Span<UInt8>, key: SecretBytes, nonce: [UInt8]) -> [UInt8] {
    precondition(key.count == keyLength && nonce.count == nonceLength)
    return key.withPointer { key in
      seal(plaintext, key: key) { $0.initialize(from: nonce, count: nonceLength) }
    }
  }

  /// Derives the nonce from the plaintext with `nonceKey`: equal plaintexts give equal ciphertexts.
  package static func sealPrefixed(_ plaintext: Span<UInt8>, key: SecretBytes, nonceKey: HMACKey) -> [UInt8] {
    precondition(key.count == keyLength)
    return key.withPointer { key in
      seal(plaintext, key: key) { nonce in
        nonceKey.withCode(of: plaintext) { nonce.initialize(from: $0, count: nonceLength) }
      }
    }
  }

  package static func openPrefixed(_ sealed: [UInt8], key: SecretBytes) throws(SodiumError) -> [UInt8] {
    guard key.count == keyLength else { throw .wrongLength(of: "key") }
    return try key.withPointer { key throws(SodiumError) in try open(sealed, key: key) }
  }

  /// Seals `plaintext` under a new random key, and that key under `wrappingKey`.
  ///
  /// The new key is in ordinary memory while this runs, and is wiped before it returns: locked memory costs several
  /// system calls per key, and every written value needs a key. Takes from `random`, at once and in this order: the
  /// key, the nonce of the plaintext, the nonce of the key.
  package static func sealWithNewKey(
    _ plaintext: Span<UInt8>, wrappedBy wrappingKey: SecretBytes, random: RandomSource
  ) -> (sealed: [UInt8], wrappedKey: [UInt8]) {
    var fresh = random(keyLength + 2 * nonceLength)
    defer { wipe(&fresh) }
    precondition(fresh.count == keyLength + 2 * nonceLength && wrappingKey.count == keyLength)
    return fresh.withUnsafeBufferPointer { fresh in
      guard let key = fresh.baseAddress else { return ([], []) }
      let (nonce, keyNonce) = (key + keyLength, key + keyLength + nonceLength)
      let sealed = seal(plaintext, key: key) { $0.initialize(from: nonce, count: nonceLength) }
      let wrappedKey = wrappingKey.withPointer { wrappingKey in
        seal(UnsafeBufferPointer(start: key, count: keyLength), key: wrappingKey) {
          $0.initialize(from: keyNonce, count: nonceLength)
        }
      }
      return (sealed, wrappedKey)
    }
  }

  /// Opens a value from `sealWithNewKey`.
  package static func open(
    _ sealed: [UInt8], wrappedKey: [UInt8], with wrappingKey: SecretBytes
  ) throws(SodiumError) -> [UInt8] {
    guard wrappingKey.count == keyLength, wrappedKey.count == keyLength + prefixedOverhead else {
      throw .wrongLength(of: "key")
    }
    return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: keyLength) { key in
      defer { sodium_memzero(key.baseAddress, keyLength) }
      return Result { () throws(SodiumError) in
        guard let start = key.baseAddress, wrappingKey.withPointer({ open(wrappedKey, key: $0, into: start) }) else {
          throw .notAuthentic
        }
        return try open(sealed, key: start)
      }
    }.get()
  }

  private static func seal(
    _ plaintext: Span<UInt8>, key: UnsafePointer<UInt8>, nonce: (UnsafeMutablePointer<UInt8>) -> Void
  ) -> [UInt8] {
    plaintext.withUnsafeBufferPointer { seal($0, key: key, nonce: nonce) }
  }

  /// `nonce` writes the nonce.
  private static func seal(
    _ plaintext: UnsafeBufferPointer<UInt8>, key: UnsafePointer<UInt8>, nonce: (UnsafeMutablePointer<UInt8>) -> Void
  ) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: plaintext.count + prefixedOverhead)
    sealed.withUnsafeMutableBufferPointer { sealed in
      guard let start = sealed.baseAddress else { return }
      nonce(start)
      crypto_aead_chacha20poly1305_ietf_encrypt(
        start + nonceLength, nil, plaintext.baseAddress, UInt64(plaintext.count), nil, 0, nil, start, key)
    }
    return sealed
  }

  private static func open(_ sealed: [UInt8], key: UnsafePointer<UInt8>) throws(SodiumError) -> [UInt8] {
    guard sealed.count >= prefixedOverhead else { throw .wrongLength(of: "ciphertext") }
    var plaintext = [UInt8](repeating: 0, count: sealed.count - prefixedOverhead)
    let isAuthentic = plaintext.withUnsafeMutableBufferPointer { open(sealed, key: key, into: $0.baseAddress) }
    guard isAuthentic else { throw .notAuthentic }
    return plaintext
  }

  /// Returns false if `sealed`, which is long enough, is not authentic.
  private static func open(
    _ sealed: [UInt8], key: UnsafePointer<UInt8>, into plaintext: UnsafeMutablePointer<UInt8>?
  ) -> Bool {
    sealed.withUnsafeBufferPointer { sealed in
      guard let nonce = sealed.baseAddress else { return false }
      let count = UInt64(sealed.count - nonceLength)
      return crypto_aead_chacha20poly1305_ietf_decrypt(
        plaintext, nil, nil, nonce + nonceLength, count, nil, 0, nonce, key) == 0
    }
  }
}
