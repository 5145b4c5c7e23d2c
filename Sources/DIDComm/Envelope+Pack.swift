internal import JSON
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
    var contentKey = random(AEAD.keyLength)
    defer { wipe(&contentKey) }
    let iv = random(AEAD.nonceLength)

    let author = sender.map { Author(pair: $0) }
    var sealed: [SealedKey] = []
    for recipient in recipients {
      sealed.append(try SealedKey(of: contentKey, for: recipient, from: author, random: random))
    }
    let protected = header(sealed, sender == nil ? .anoncrypt : .authcrypt)

    var text = JSONWriter(expecting: protected.count + message.count / 3 * 4 + 200)
    text.object { text in
      text.name("protected")
      text.writePlainString { $0 += protected }
      text.name("iv")
      text.write(base64: iv)
      text.name("ciphertext")
      var tag: [UInt8] = []
      text.writePlainString { text in
        tag = AEAD.seal(
          message, key: SecretBytes(copying: contentKey), nonce: iv, additionalData: protected, to: &text)
      }
      text.name("tag")
      text.write(base64: tag)
    }
    return text.bytes
  }

  /// The text of the header, in base64.
  private static func header(_ keys: [SealedKey], _ algorithm: Algorithm) -> [UInt8] {
    var json = JSONWriter(expecting: 100 + keys.count * 400)
    json.object { json in
      json.name("enc")
      json.write("xchacha20poly1305_ietf")
      json.name("typ")
      json.write("JWM/1.0")
      json.name("alg")
      json.write(algorithm.rawValue)
      json.name("recipients")
      json.array { json in
        for key in keys { key.write(to: &json) }
      }
    }
    var text: [UInt8] = []
    text.reserveCapacity(json.bytes.count / 3 * 4 + 4)
    Base64.append(json.bytes.span, .url, to: &text)
    return text
  }
}

/// The sender of an envelope, with the bytes of its verkey's text.
private struct Author {
  let pair: KeyPair
  let name: [UInt8]

  init(pair: KeyPair) {
    self.pair = pair
    name = Array(pair.verkey.text.utf8)
  }
}

/// The content key for one recipient, as the header has it.
private struct SealedKey {
  let recipient: VerKey
  let box: [UInt8]
  /// Authenticated only: the nonce of the box, and the sender's verkey in a sealed box.
  let proof: (nonce: [UInt8], sender: [UInt8])?

  init(
    of contentKey: [UInt8], for recipient: VerKey, from author: Author?, random: RandomSource
  ) throws(EnvelopeError) {
    self.recipient = recipient
    let key = recipient.publicKey
    do {
      if let author {
        let nonce = random(Box.nonceLength)
        box = try Box.seal(contentKey, from: author.pair, to: key, nonce: nonce)
        proof = (nonce, try Box.sealAnonymously(author.name, to: key, random: random))
      } else {
        box = try Box.sealAnonymously(contentKey, to: key, random: random)
        proof = nil
      }
    } catch {
      throw .unusableKey(recipient)
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.name("encrypted_key")
      json.write(base64: box)
      json.name("header")
      json.object { json in
        json.name("kid")
        json.write(recipient.text)
        guard let proof else { return }
        json.name("iv")
        json.write(base64: proof.nonce)
        json.name("sender")
        json.write(base64: proof.sender)
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(base64 bytes: [UInt8]) {
    writePlainString { Base64.append(bytes.span, .url, to: &$0) }
  }
}
