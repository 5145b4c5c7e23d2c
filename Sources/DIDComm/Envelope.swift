package import JSON
internal import Sodium

/// A DIDComm version 1 envelope (RFC 0019): a message encrypted for one or more keys. An authenticated envelope also
/// proves the sender's key.
///
/// The content is encrypted with ChaCha20-Poly1305 (IETF) under a fresh key. The header contains that key once per
/// recipient, boxed for it. The header says `xchacha20poly1305_ietf`; every implementation writes that label and none
/// uses that cipher.
package struct Envelope: Sendable {
  enum Algorithm: String { case authcrypt = "Authcrypt", anoncrypt = "Anoncrypt" }

  /// The content key, boxed for one recipient.
  struct Recipient: Sendable {
    let kid: String
    let encryptedKey: [UInt8]

    /// Authcrypt only: the nonce of the key's box, and the sender's verkey in a sealed box.
    let nonce: [UInt8]?
    let sealedSender: [UInt8]?
  }

  /// The text of the header exactly as it was received: its characters are authenticated.
  package let protected: [UInt8]
  let algorithm: Algorithm
  let recipients: [Recipient]
  let iv: [UInt8]
  let ciphertext: [UInt8]
  let tag: [UInt8]

  /// A digest of the parts that are authenticated. Anybody can write the same envelope in other ways, with other members or
  /// another padding.
  package var digest: [UInt8] { blake2b(blake2b(protected) + blake2b(ciphertext) + iv + tag) }

  /// A recipient list longer than this is refused before any decryption.
  package static let maximumRecipients = 16

  /// The recipients' keys according to the envelope, as their texts.
  package var recipientKeys: [String] { recipients.map(\.kid) }

  package init(parsing bytes: [UInt8]) throws(EnvelopeError) {
    if let plain = Self(plain: bytes) {
      self = plain
      return
    }
    do { try self.init(JSON(parsing: bytes)) } catch let error as EnvelopeError { throw error } catch {
      throw .malformed("not JSON")
    }
  }

  /// Reads an envelope as all implementations write it, without a copy of its text. Returns nil for any other text, which
  /// may still be an envelope.
  private init?(plain bytes: [UInt8]) {
    guard let object = PlainObject(unchecked: bytes), object.count == 4 else { return nil }
    try? self.init { name in object[name].map { bytes[$0] } }
  }

  /// Reads an envelope that is an object inside another message.
  package init(_ json: JSON) throws(EnvelopeError) {
    guard let object = json.object else { throw .malformed("not an object") }
    try self.init { name in object[name]?.string.map { Array($0.utf8)[...] } }
  }

  /// Reads an envelope whose members `text` returns by their names, or nil for an absent member.
  private init(_ text: (String) -> ArraySlice<UInt8>?) throws(EnvelopeError) {
    func bytes(_ name: String, count: Int? = nil) throws(EnvelopeError) -> [UInt8] {
      guard let text = text(name), let bytes = try? Base64.decode(text.span, .url), count == nil || bytes.count == count
      else { throw .malformed(name) }
      return bytes
    }
    guard let protected = text("protected") else { throw .malformed("protected") }
    self.protected = Array(protected)
    iv = try bytes("iv", count: AEAD.nonceLength)
    ciphertext = try bytes("ciphertext")
    tag = try bytes("tag", count: AEAD.tagLength)

    guard let text = try? Base64.decode(protected.span, .url), let header = (try? JSON(parsing: text))?.object else {
      throw .malformed("protected header")
    }
    guard Self.ciphers.contains(try Self.text("enc", in: header)) else { throw .unsupported("enc") }
    if let type = header["typ"], !Self.types.contains(type.string ?? "") { throw .unsupported("typ") }
    guard let algorithm = Algorithm(rawValue: try Self.text("alg", in: header)) else { throw .unsupported("alg") }
    self.algorithm = algorithm
    guard let list = header["recipients"]?.array, !list.isEmpty else { throw .malformed("recipients") }
    guard list.count <= Self.maximumRecipients else { throw .malformed("too many recipients") }
    var recipients: [Recipient] = []
    for element in list { recipients.append(try Recipient(element, algorithm)) }
    self.recipients = recipients
  }

  static let ciphers: Set = ["xchacha20poly1305_ietf", "chacha20poly1305_ietf"]
  private static let types: Set = ["JWM/1.0", "JWM/1.1"]

  static func text(_ key: String, in object: JSONObject) throws(EnvelopeError) -> String {
    guard let text = object[key]?.string else { throw .malformed(key) }
    return text
  }

  static func bytes(_ key: String, in object: JSONObject, count: Int? = nil) throws(EnvelopeError) -> [UInt8] {
    let text = try text(key, in: object)
    guard let bytes = try? Base64.decode(text, .url), count == nil || bytes.count == count else {
      throw .malformed(key)
    }
    return bytes
  }
}

extension Envelope.Recipient {
  fileprivate init(_ json: JSON, _ algorithm: Envelope.Algorithm) throws(EnvelopeError) {
    guard let recipient = json.object, let header = recipient["header"]?.object else {
      throw .malformed("recipients")
    }
    kid = try Envelope.text("kid", in: header)
    encryptedKey = try Envelope.bytes("encrypted_key", in: recipient)
    switch algorithm {
    case .authcrypt:
      nonce = try Envelope.bytes("iv", in: header, count: Box.nonceLength)
      sealedSender = try Envelope.bytes("sender", in: header)
    case .anoncrypt:
      // No implementation writes a sender beside "Anoncrypt"; only an impersonator would.
      guard header["sender"].map(\.isNull) ?? true else { throw .malformed("sender") }
      nonce = nil
      sealedSender = nil
    }
  }
}

/// The reasons why an envelope could not be packed or opened.
package enum EnvelopeError: Error, Equatable, Sendable {
  /// A part is missing or has a wrong form.
  case malformed(String)
  /// A label that no implementation writes.
  case unsupported(String)
  /// This ring has no key of the recipients.
  case noRecipient
  /// The content or a key box does not open: it was changed, or is for another key.
  case notAuthentic
  /// A recipient's key cannot encrypt.
  case unusableKey(VerKey)
  /// A routing key is malformed.
  case malformedRoutingKey
  /// There are more recipients, or routing keys, than the limit.
  case tooManyKeys
}

extension EnvelopeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let part): "malformed envelope: \(part)"
    case .unsupported(let label): "unsupported envelope: \(label)"
    case .noRecipient: "the envelope is for none of our keys"
    case .notAuthentic: "the envelope does not open"
    case .unusableKey(let key): "the key \(key.text) of a recipient cannot be used"
    case .malformedRoutingKey: "one of the peer's routing keys is no key"
    case .tooManyKeys: "there are too many recipients or routing keys"
    }
  }
}
