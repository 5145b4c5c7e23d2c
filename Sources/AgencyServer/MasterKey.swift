package import DIDComm
package import Sodium

/// The key that seals all secret keys of the agency. It is in a file of its own.
///
/// A sealed key is a nonce (12 bytes), then the seed, encrypted and authenticated with ChaCha20-Poly1305. The public
/// half is the additional data, so that a sealed key opens only as the key of its own row.
package struct MasterKey: Sendable {
  package static let length = AEAD.keyLength

  private let key: SecretBytes

  /// `key` has `length` bytes.
  package init(_ key: SecretBytes) {
    precondition(key.count == Self.length, "a master key has \(Self.length) bytes")
    self.key = key
  }

  package func seal(_ pair: KeyPair) -> SealedKey {
    let nonce = randomBytes(AEAD.nonceLength)
    var seed = pair.secret.slice(0..<KeyPair.seedLength).exposed()
    defer { wipe(&seed) }
    return SealedKey(nonce + AEAD.seal(seed, key: key, nonce: nonce, additionalData: pair.publicKey.bytes))
  }

  /// Whether this key sealed the agency's own key.
  func opens(_ identity: Identity) -> Bool { (try? open(identity.sealedKey, of: identity.verkey)) != nil }

  /// Fails if the sealed key was made under another master key, or for another verkey.
  package func open(_ sealed: SealedKey, of verkey: VerKey) throws(SodiumError) -> KeyPair {
    let nonce = Array(sealed.bytes.prefix(AEAD.nonceLength))
    let box = Array(sealed.bytes.dropFirst(AEAD.nonceLength))
    var seed = try AEAD.open(box, key: key, nonce: nonce, additionalData: verkey.publicKey.bytes)
    defer { wipe(&seed) }
    // `seal` has authenticated them together.
    return try KeyPair(seed: SecretBytes(copying: seed), publicKey: verkey.publicKey)
  }
}

extension MasterKey {
  private static let place = Array("place in a mailbox".utf8)

  /// Encrypts the number of a message, because the numbers count the messages of all mailboxes.
  package func sealPlace(_ number: Int64) -> String {
    let nonce = randomBytes(AEAD.nonceLength)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    return Base64.encode(nonce + AEAD.seal(bytes, key: key, nonce: nonce, additionalData: Self.place), .url)
  }

  /// The number; nil if `sealPlace` did not make the text.
  package func openPlace(_ text: String) -> Int64? {
    guard let sealed = try? Base64.decode(text, .url),
      let bytes = try? AEAD.open(
        Array(sealed.dropFirst(AEAD.nonceLength)), key: key, nonce: Array(sealed.prefix(AEAD.nonceLength)),
        additionalData: Self.place)
    else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }
}
