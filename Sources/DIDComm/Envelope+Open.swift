package import Sodium

/// The content of an envelope.
package struct Opened: Sendable {
  package let message: [UInt8]

  /// Our key that opened it.
  package let recipient: VerKey

  /// The key that provably sent the message; nil if the envelope proves no sender. The message's own claims about its
  /// sender prove nothing.
  package let sender: VerKey?
}

extension Envelope {
  /// Opens the envelope with the first recipient's key that the ring holds.
  package func open(with keys: some KeyRing) throws -> Opened {
    for recipient in recipients {
      guard let key = try? VerKey(recipient.kid), let pair = try keys.keyPair(for: key) else { continue }
      return try open(recipient, of: key, with: pair)
    }
    throw EnvelopeError.noRecipient
  }

  /// Opens the envelope with one key.
  package func open(with pair: KeyPair) throws(EnvelopeError) -> Opened {
    for recipient in recipients {
      guard let key = try? VerKey(recipient.kid), key.publicKey == pair.publicKey else { continue }
      return try open(recipient, of: key, with: pair)
    }
    throw .noRecipient
  }

  private func open(_ recipient: Recipient, of key: VerKey, with pair: KeyPair) throws(EnvelopeError) -> Opened {
    let sender = try recipient.sender(with: pair)
    var contentKey = try recipient.contentKey(from: sender, with: pair)
    defer { wipe(&contentKey) }
    guard contentKey.count == AEAD.keyLength else { throw .malformed("encrypted_key") }
    let message = try? AEAD.open(
      ciphertext.span, tag: tag, key: SecretBytes(copying: contentKey), nonce: iv, additionalData: protected)
    guard let message else { throw .notAuthentic }
    return Opened(message: message, recipient: key, sender: sender)
  }
}

extension Envelope.Recipient {
  fileprivate func sender(with pair: KeyPair) throws(EnvelopeError) -> VerKey? {
    guard let sealedSender else { return nil }
    guard let text = try? Box.openAnonymous(sealedSender, with: pair) else { throw .notAuthentic }
    guard let key = try? VerKey(String(decoding: text, as: UTF8.self)) else { throw .malformed("sender") }
    return key
  }

  fileprivate func contentKey(from sender: VerKey?, with pair: KeyPair) throws(EnvelopeError) -> [UInt8] {
    let key =
      if let sender, let nonce {
        try? Box.open(encryptedKey, from: sender.publicKey, with: pair, nonce: nonce)
      } else {
        try? Box.openAnonymous(encryptedKey, with: pair)
      }
    guard let key else { throw .notAuthentic }
    return key
  }
}
