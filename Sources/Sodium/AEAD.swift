internal import CSodium

/// ChaCha20-Poly1305 in the form of RFC 8439 (IETF: 12-byte nonce, 16-byte tag).
package enum AEAD: Sendable {
  package static let keyLength = Int(crypto_aead_chacha20poly1305_ietf_KEYBYTES)
  package static let nonceLength = Int(crypto_aead_chacha20poly1305_ietf_NPUBBYTES)
  package static let tagLength = Int(crypto_aead_chacha20poly1305_ietf_ABYTES)

  /// The ciphertext followed by its tag. The caller guarantees the lengths of key and nonce.
  package static func seal(
    _ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8], additionalData: [UInt8] = []
  ) -> [UInt8] {
    precondition(key.count == keyLength && nonce.count == nonceLength)
    return [UInt8](unsafeUninitializedCapacity: plaintext.count + tagLength) { sealed, count in
      guard let start = sealed.baseAddress else { return }
      count = plaintext.count + tagLength
      key.withPointer { key in
        _ = crypto_aead_chacha20poly1305_ietf_encrypt(
          start, nil, plaintext, UInt64(plaintext.count), additionalData, UInt64(additionalData.count), nil,
          nonce, key)
      }
    }
  }

  /// Appends the ciphertext to `text`, in base64url with padding. The ciphertext needs no memory of its own. Returns
  /// the tag. The caller guarantees the lengths of key and nonce.
  package static func seal(
    _ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8], additionalData: [UInt8], to text: inout [UInt8]
  ) -> [UInt8] {
    precondition(key.count == keyLength && nonce.count == nonceLength)
    return [UInt8](unsafeUninitializedCapacity: tagLength) { tag, count in
      guard let tag = tag.baseAddress else { return }
      count = tagLength
      Base64.append(count: plaintext.count, .url, to: &text) { ciphertext in
        key.withPointer { key in
          _ = crypto_aead_chacha20poly1305_ietf_encrypt_detached(
            ciphertext.baseAddress ?? tag, tag, nil, plaintext, UInt64(plaintext.count), additionalData,
            UInt64(additionalData.count), nil, nonce, key)
        }
      }
    }
  }

  /// Opens ciphertext followed by its tag.
  package static func open(
    _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], additionalData: [UInt8] = []
  ) throws(SodiumError) -> [UInt8] {
    guard sealed.count >= tagLength else { throw .wrongLength(of: "ciphertext") }
    return try open(
      sealed.span.extracting(droppingLast: tagLength), tag: Array(sealed.suffix(tagLength)), key: key, nonce: nonce,
      additionalData: additionalData)
  }

  /// Opens ciphertext with a separate tag.
  package static func open(
    _ ciphertext: Span<UInt8>, tag: [UInt8], key: SecretBytes, nonce: [UInt8], additionalData: [UInt8]
  ) throws(SodiumError) -> [UInt8] {
    guard key.count == keyLength else { throw .wrongLength(of: "key") }
    guard nonce.count == nonceLength else { throw .wrongLength(of: "nonce") }
    guard tag.count == tagLength else { throw .wrongLength(of: "tag") }
    var status: Int32 = -1
    let plaintext = [UInt8](unsafeUninitializedCapacity: max(1, ciphertext.count)) { plaintext, count in
      guard let start = plaintext.baseAddress else { return }
      status = ciphertext.withUnsafeBufferPointer { ciphertext in
        key.withPointer { key in
          crypto_aead_chacha20poly1305_ietf_decrypt_detached(
            start, nil, ciphertext.baseAddress ?? UnsafePointer(start), UInt64(ciphertext.count), tag, additionalData,
            UInt64(additionalData.count), nonce, key)
        }
      }
      count = status == 0 ? ciphertext.count : 0
    }
    guard status == 0 else { throw .notAuthentic }
    return plaintext
  }
}
