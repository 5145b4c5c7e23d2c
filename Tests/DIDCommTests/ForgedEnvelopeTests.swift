import DIDComm
import JSON
import Sodium
import Testing

/// Envelopes put together by hand: each is right but for one thing, and is refused for just that.
@Suite struct ForgedEnvelopeTests {
  let alice = KeyPair()
  let bob = KeyPair()
  let mallory = KeyPair()

  /// The parts of an envelope from Alice for Bob, each of which a test can change before the content is sealed.
  struct Parts {
    var contentKey = randomBytes(AEAD.keyLength)
    var nonce = randomBytes(Box.nonceLength)
    var boxedKey: [UInt8]
    var sealedSender: [UInt8]
    var header: JSON = ["enc": "xchacha20poly1305_ietf", "typ": "JWM/1.0", "alg": "Authcrypt"]
    var recipient: JSON

    init(from sender: KeyPair, for recipient: KeyPair) throws {
      boxedKey = try Box.seal(contentKey, from: sender, to: recipient.publicKey, nonce: nonce)
      let name = Array(sender.verkey.text.utf8)
      sealedSender = try Box.sealAnonymously(name, to: recipient.publicKey, random: randomBytes)
      self.recipient = ["header": ["kid": .string(recipient.verkey.text)]]
    }

    /// The members of the recipient, from the parts.
    mutating func address() {
      recipient["encrypted_key"] = text(boxedKey)
      recipient["header"]?["iv"] = text(nonce)
      recipient["header"]?["sender"] = text(sealedSender)
    }

    func sealed() -> JSON {
      var header = header
      if header["recipients"] == nil { header["recipients"] = [recipient] }
      let protected = Base64.encode(header.bytes, .url)
      let iv = randomBytes(AEAD.nonceLength)
      let key = SecretBytes(copying: contentKey.count == AEAD.keyLength ? contentKey : randomBytes(AEAD.keyLength))
      let content = AEAD.seal([42], key: key, nonce: iv, additionalData: Array(protected.utf8))
      return [
        "protected": .string(protected), "iv": text(iv), "ciphertext": text(content.dropLast(AEAD.tagLength)),
        "tag": text(content.suffix(AEAD.tagLength)),
      ]
    }
  }

  func parts() throws -> Parts {
    var parts = try Parts(from: alice, for: bob)
    parts.address()
    return parts
  }

  @Test func theEnvelopeOfTheTestsOpens() throws {
    let opened = try Envelope(parts().sealed()).open(with: bob)
    #expect(opened.message == [42] && opened.sender == alice.verkey && opened.recipient == bob.verkey)
  }

  // MARK: the sender

  /// Anybody can make a sealed box. A content key in one proves no sender, with any name beside it.
  @Test func aContentKeyInAnAnonymousBoxProvesNoSender() throws {
    var parts = try parts()
    parts.boxedKey = try Box.sealAnonymously(parts.contentKey, to: bob.publicKey, random: randomBytes)
    parts.address()
    #expect(throws: EnvelopeError.notAuthentic) { try Envelope(parts.sealed()).open(with: bob) }
    #expect(throws: EnvelopeError.notAuthentic) { try Envelope(parts.sealed()).open(with: Ring(bob)) }
  }

  @Test func aNameBesideTheKeyOfAnotherIsRefused() throws {
    var parts = try Parts(from: mallory, for: bob)
    let name = Array(alice.verkey.text.utf8)
    parts.sealedSender = try Box.sealAnonymously(name, to: bob.publicKey, random: randomBytes)
    parts.address()
    #expect(throws: EnvelopeError.notAuthentic) { try Envelope(parts.sealed()).open(with: bob) }
  }

  @Test func aSenderBesideAnAnonymousEnvelopeIsRefused() throws {
    var parts = try parts()
    parts.header["alg"] = "Anoncrypt"
    parts.boxedKey = try Box.sealAnonymously(parts.contentKey, to: bob.publicKey, random: randomBytes)
    parts.address()
    #expect(throws: EnvelopeError.malformed("sender")) { try Envelope(parts.sealed()) }
    parts.recipient["header"]?["sender"] = .null
    #expect(try Envelope(parts.sealed()).open(with: bob).sender == nil)
  }

  @Test(arguments: ["iv", "sender"]) func anAuthenticEnvelopeNeedsBoth(member: String) throws {
    var parts = try parts()
    parts.recipient["header"]?[member] = nil
    #expect(throws: EnvelopeError.malformed(member)) { try Envelope(parts.sealed()) }
  }

  @Test func aSenderThatIsNoKeyIsRefused() throws {
    var parts = try parts()
    parts.sealedSender = try Box.sealAnonymously(Array("alice".utf8), to: bob.publicKey, random: randomBytes)
    parts.address()
    #expect(throws: EnvelopeError.malformed("sender")) { try Envelope(parts.sealed()).open(with: bob) }
  }

  @Test func aSenderThatIsSealedForAnotherIsRefused() throws {
    var parts = try parts()
    let name = Array(alice.verkey.text.utf8)
    parts.sealedSender = try Box.sealAnonymously(name, to: mallory.publicKey, random: randomBytes)
    parts.address()
    #expect(throws: EnvelopeError.notAuthentic) { try Envelope(parts.sealed()).open(with: bob) }
  }

  @Test func aContentKeyOfAWrongLengthIsRefused() throws {
    var parts = try parts()
    parts.contentKey = randomBytes(31)
    parts.boxedKey = try Box.seal(parts.contentKey, from: alice, to: bob.publicKey, nonce: parts.nonce)
    parts.address()
    #expect(throws: EnvelopeError.malformed("encrypted_key")) { try Envelope(parts.sealed()).open(with: bob) }
  }

  @Test func aSenderMayBeNamedWithTheSuffixOfLibindy() throws {
    var parts = try parts()
    let name = Array("\(alice.verkey.text):ed25519".utf8)
    parts.sealedSender = try Box.sealAnonymously(name, to: bob.publicKey, random: randomBytes)
    parts.address()
    #expect(try Envelope(parts.sealed()).open(with: bob).sender == alice.verkey)
  }

  // MARK: the recipients

  /// A recipient with a key that is none, or of another, does not hide ours.
  @Test(arguments: ["x", "other"]) func anotherRecipientBeforeOursIsPassedOver(kid: String) throws {
    var parts = try parts()
    var first = parts.recipient
    first["header"]?["kid"] = .string(kid == "other" ? mallory.verkey.text : kid)
    parts.header["recipients"] = [first, parts.recipient]
    let envelope = try Envelope(parts.sealed())
    #expect(try envelope.open(with: bob).message == [42] && envelope.open(with: Ring(bob)).message == [42])
    #expect(envelope.recipientKeys.count == 2 && envelope.recipientKeys.last == bob.verkey.text)
  }

  // MARK: the content

  @Test(arguments: ["iv", "ciphertext", "tag"]) func aChangedPartIsNoticed(member: String) throws {
    var json = try parts().sealed()
    var bytes = try Base64.decode(#require(json[member]?.string), .url)
    bytes[0] ^= 1
    json[member] = text(bytes)
    #expect(throws: EnvelopeError.notAuthentic) { try Envelope(json).open(with: bob) }
  }

  /// The header is authenticated by its characters, not by its meaning.
  @Test func aChangedHeaderIsNoticed() throws {
    var json = try parts().sealed()
    let header = try Base64.decode(#require(json["protected"]?.string), .url)
    json["protected"] = .string(Base64.encode(header + [0x20], .url))
    #expect(throws: EnvelopeError.notAuthentic) { try Envelope(json).open(with: bob) }
  }

  @Test func aKeyThatIsNotAddressedOpensNothing() throws {
    let envelope = try Envelope(parts().sealed())
    #expect(throws: EnvelopeError.noRecipient) { try envelope.open(with: mallory) }
    #expect(throws: EnvelopeError.noRecipient) { try envelope.open(with: Ring(mallory)) }
  }

  // MARK: the form

  @Test(
    arguments: [
      ("protected", nil, .malformed("protected")), ("protected", 1, .malformed("protected")),
      ("protected", "!", .malformed("protected header")), ("protected", "e30=!", .malformed("protected header")),
      ("protected", "W10=", .malformed("protected header")), ("protected", "ew==", .malformed("protected header")),
      ("iv", nil, .malformed("iv")), ("iv", "AAAA", .malformed("iv")), ("iv", "!", .malformed("iv")),
      ("ciphertext", nil, .malformed("ciphertext")), ("ciphertext", "A", .malformed("ciphertext")),
      ("tag", nil, .malformed("tag")), ("tag", "AAAA", .malformed("tag")),
    ] as [(String, JSON?, EnvelopeError)])
  func eachMemberIsNeeded(member: String, value: JSON?, error: EnvelopeError) throws {
    var json = try parts().sealed()
    json[member] = value
    #expect(throws: error) { try Envelope(json) }
    #expect(throws: error) { try Envelope(parsing: json.bytes) }
  }

  @Test(
    arguments: [
      ("enc", nil, .malformed("enc")), ("enc", "A256GCM", .unsupported("enc")), ("typ", "JWM/2.0", .unsupported("typ")),
      ("typ", 1, .unsupported("typ")), ("alg", nil, .malformed("alg")), ("alg", "authcrypt", .unsupported("alg")),
      ("alg", 1, .malformed("alg")), ("recipients", [], .malformed("recipients")),
      ("recipients", 1, .malformed("recipients")),
      ("recipients", ["x"], .malformed("recipients")), ("recipients", [["header": 1]], .malformed("recipients")),
      ("recipients", [["header": [:]]], .malformed("kid")),
      ("recipients", [["header": ["kid": "x"]]], .malformed("encrypted_key")),
      ("recipients", [["encrypted_key": "AA", "header": ["kid": "x", "iv": "AA"]]], .malformed("iv")),
    ] as [(String, JSON?, EnvelopeError)])
  func eachMemberOfTheHeaderIsChecked(member: String, value: JSON?, error: EnvelopeError) throws {
    var parts = try parts()
    parts.header["recipients"] = [parts.recipient]
    parts.header[member] = value
    // Without a list of recipients the parts would put in their own.
    if member == "recipients", value == nil { return }
    #expect(throws: error) { try Envelope(parts.sealed()) }
  }

  @Test(
    arguments: [
      ("typ", nil), ("typ", "JWM/1.1"), ("typ", "JWM/1.0"), ("enc", "chacha20poly1305_ietf"),
    ] as [(String, JSON?)])
  func theLabelsOfOtherProgramsAreTaken(member: String, value: JSON?) throws {
    var parts = try parts()
    parts.header[member] = value
    #expect(try Envelope(parts.sealed()).open(with: bob).message == [42])
  }

  @Test(arguments: [23, 25]) func theNonceOfTheKeyHasItsLength(count: Int) throws {
    var parts = try parts()
    parts.recipient["header"]?["iv"] = text([UInt8](repeating: 0, count: count))
    #expect(throws: EnvelopeError.malformed("iv")) { try Envelope(parts.sealed()) }
  }

  @Test(arguments: [("iv", 11), ("iv", 13), ("tag", 15), ("tag", 17)]) func thePartsHaveTheirLengths(
    member: String, count: Int
  ) throws {
    var json = try parts().sealed()
    json[member] = text([UInt8](repeating: 0, count: count))
    #expect(throws: EnvelopeError.malformed(member)) { try Envelope(json) }
    #expect(throws: EnvelopeError.malformed(member)) { try Envelope(parsing: json.bytes) }
  }

  @Test func onlyAnObjectIsAnEnvelope() {
    #expect(throws: EnvelopeError.malformed("not an object")) { try Envelope(parsing: Array("[]".utf8)) }
    #expect(throws: EnvelopeError.malformed("not JSON")) { try Envelope(parsing: Array("{".utf8)) }
  }

  @Test func keysThatCannotBeEncryptedForAreNamedAsSuch() throws {
    let zero = VerKey(try PublicKey([UInt8](repeating: 0, count: 32)))
    #expect(throws: EnvelopeError.unusableKey(zero)) { try Envelope.pack([1], for: [zero]) }
    #expect(throws: EnvelopeError.unusableKey(zero)) { try Envelope.pack([1], for: [zero], from: alice) }
    #expect(throws: EnvelopeError.noRecipient) {
      try Service(recipientKeys: [], endpoint: "http://x").pack([1], from: alice)
    }
  }
}

private func text(_ bytes: some Sequence<UInt8>) -> JSON { .string(Base64.encode(Array(bytes), .url)) }
