package import JSON
package import Sodium

extension Envelope {
  /// Encrypts a message for the recipients; with `sender`, the envelope also proves its origin. The result is JSON
  /// text, with libindy's order of members and padding.
  ///
  /// `random` gives, in this order, the content key (32 bytes), the nonce of the content (12), and for each recipient
  /// the nonce of the key's box (24, authenticated only) and the ephemeral secret of a sealed box (32).
  package static func pack(
    _ message: [UInt8], for recipients: [VerKey], from sender: KeyPair? = nil, random: RandomSource = randomBytes
  ) throws(EnvelopeError) -> [UInt8] {
    try packed(message, for: recipients, from: sender, random: random).bytes
  }

  /// The envelope as a JSON value, for another message.
  package static func packed(
    _ message: [UInt8], for recipients: [VerKey], from sender: KeyPair? = nil, random: RandomSource = randomBytes
  ) throws(EnvelopeError) -> JSON {
    var contentKey = random(AEAD.keyLength)
    defer { wipe(&contentKey) }
    let iv = random(AEAD.nonceLength)

    var list: [JSON] = []
    for recipient in recipients {
      list.append(try seal(contentKey, for: recipient, from: sender, random: random))
    }
    let algorithm: Algorithm = sender == nil ? .anoncrypt : .authcrypt
    let header: JSON = [
      "enc": "xchacha20poly1305_ietf", "typ": "JWM/1.0", "alg": .string(algorithm.rawValue), "recipients": .array(list),
    ]
    let protected = Base64.encode(header.bytes, .url)

    let sealed = AEAD.seal(
      message, key: SecretBytes(copying: contentKey), nonce: iv, additionalData: Array(protected.utf8))
    return [
      "protected": .string(protected),
      "iv": encoded(iv),
      "ciphertext": encoded(sealed.dropLast(AEAD.tagLength)),
      "tag": encoded(sealed.suffix(AEAD.tagLength)),
    ]
  }

  private static func seal(
    _ contentKey: [UInt8], for recipient: VerKey, from sender: KeyPair?, random: RandomSource
  ) throws(EnvelopeError) -> JSON {
    do {
      let key = recipient.publicKey
      guard let sender else {
        let box = try Box.sealAnonymously(contentKey, to: key, random: random)
        return ["encrypted_key": encoded(box), "header": ["kid": .string(recipient.text)]]
      }
      let nonce = random(Box.nonceLength)
      let box = try Box.seal(contentKey, from: sender, to: key, nonce: nonce)
      let sealedSender = try Box.sealAnonymously(Array(sender.verkey.text.utf8), to: key, random: random)
      return [
        "encrypted_key": encoded(box),
        "header": ["kid": .string(recipient.text), "iv": encoded(nonce), "sender": encoded(sealedSender)],
      ]
    } catch {
      throw .unusableKey
    }
  }

  private static func encoded(_ bytes: some Sequence<UInt8>) -> JSON { .string(Base64.encode(Array(bytes), .url)) }
}
