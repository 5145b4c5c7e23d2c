import Foundation
import Sodium
import TestSupport
import Testing

@Suite struct EncodingTests {
  @Test(arguments: [
    ("", ""), ("00", "1"), ("0000", "11"), ("61", "2g"), ("626262", "a3gV"),
    ("ffffffffff", "VtB5VXc"),
  ])
  func base58MatchesKnownAnswers(hex: String, text: String) throws {
    #expect(try Base58.decode(text) == [UInt8](hex: hex))
    #expect(Base58.encode([UInt8](hex: hex)) == text)
  }

  @Test(arguments: ["0", "O", "I", "l", "a b", "ü", String(repeating: "z", count: 17_000)])
  func base58RefusesOtherCharactersAndLengths(text: String) {
    #expect(throws: SodiumError.notBase58) { try Base58.decode(text) }
  }

  @Test(arguments: UInt64(0)..<100) func encodingsSurviveARoundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bytes = random.bytes(Int(seed))
    #expect(try Base58.decode(Base58.encode(bytes)) == bytes)
    #expect([UInt8](hex: bytes.hex) == bytes)
    for alphabet in [Base64.Alphabet.standard, .url] {
      for padded in [true, false] {
        let text = Base64.encode(bytes, alphabet, padded: padded)
        #expect(try Base64.decode(text, alphabet) == bytes)
        #expect(try Base64.decodeAny(text) == bytes)
      }
    }
  }

  /// Appending works in pieces of some thousand bytes.
  @Test(arguments: [0, 1, 2, 3, 3_071, 3_072, 3_073, 6_145, 20_000]) func base64OfEveryLengthIsFoundations(count: Int)
    throws
  {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = random.bytes(count)
    let text = Data(bytes).base64EncodedString()
    #expect(Base64.encode(bytes, .standard) == text)
    var appended = Array("x".utf8)
    Base64.append(bytes.span, .standard, to: &appended)
    #expect(appended == Array("x\(text)".utf8))
    #expect(try Base64.decode(text, .standard) == bytes)
    #expect(try Base64.decodeSecret(text) == bytes)
  }

  /// The tables must say of each text what libsodium says.
  @Test(arguments: UInt64(0)..<500) func base64IsReadAsLibsodiumReadsIt(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let characters = Array("ABCDEZabcz0189+/=")
    let text = String(
      (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in characters.randomElement(using: &random) })
    for text in [text, text + "=", text + "=="] where text.hasSuffix("=") || text.count.isMultiple(of: 4) {
      #expect((try? Base64.decode(text, .standard)) == (try? Base64.decodeSecret(text)), "\(text)")
    }
  }

  @Test(arguments: ["A", "AA=", "AAA==", "A A=", "AAAA\n", "AAB=C", "Zg=", "Zh==", "+-AA", "====", "\u{e4}AAA"])
  func base64RefusesWhatIsNot(text: String) {
    #expect(throws: SodiumError.notBase64) { try Base64.decodeAny(text) }
  }

  /// Each character of Unicode's first 256, whose UTF-8 has all bytes from 0x80 to 0xbf, and some beyond.
  @Test(arguments: [Base64.Alphabet.standard, .url]) func eachCharacterIsTakenOrRefused(alphabet: Base64.Alphabet)
    throws
  {
    let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    let characters = Array(common + (alphabet == .standard ? "+/" : "-_"))
    for scalar in (0..<0x800).compactMap({ Unicode.Scalar(UInt32($0)) }) {
      let text = "AAA\(Character(scalar))"
      if let value = characters.firstIndex(of: Character(scalar)) {
        #expect(try Base64.decode(text, alphabet) == [0, 0, UInt8(value)])
      } else if scalar == "=" {
        #expect(try Base64.decode(text, alphabet) == [0, 0])
      } else {
        #expect(throws: SodiumError.notBase64, "\(scalar.value)") { try Base64.decode(text, alphabet) }
        #expect(throws: SodiumError.notBase64, "\(scalar.value)") {
          try Base64.decode("\(Character(scalar))AAA", alphabet)
        }
      }
    }
  }

  @Test func eachCharacterOfBase58IsTakenOrRefused() throws {
    let characters = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
    for scalar in (0..<0x800).compactMap({ Unicode.Scalar(UInt32($0)) }) {
      if let value = characters.firstIndex(of: Character(scalar)) {
        #expect(try Base58.decode("2\(Character(scalar))") == [UInt8(58 + value)])
      } else {
        #expect(throws: SodiumError.notBase58) { try Base58.decode("2\(Character(scalar))") }
      }
    }
  }

  /// Digit by digit, as everybody learns it.
  @Test(arguments: [1, 4, 5, 31, 32, 33, 200]) func longNumbersAreConvertedAsShortOnesAre(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let bytes = random.bytes(count)
    var (digits, rest): ([Int], [Int]) = ([], bytes.map(Int.init))
    while rest.contains(where: { $0 != 0 }) {
      var remainder = 0
      for index in rest.indices {
        (rest[index], remainder) = (remainder * 256 + rest[index]).quotientAndRemainder(dividingBy: 58)
      }
      digits.append(remainder)
    }
    let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
    let zeros = bytes.prefix { $0 == 0 }.map { _ in Character("1") }
    #expect(Base58.encode(bytes) == String(zeros + digits.reversed().map { alphabet[$0] }))
  }

  @Test func base58HasALimit() throws {
    let longest = String(repeating: "z", count: Base58.maximumLength)
    #expect(try Base58.decode(longest).count > 5_900)
    #expect(throws: SodiumError.notBase58) { try Base58.decode(longest + "z") }
    #expect(throws: SodiumError.notBase58) { try Base58.decode("zzz", limit: 2) }
  }

  @Test func eachAlphabetRefusesTheOther() throws {
    #expect(throws: SodiumError.notBase64) { try Base64.decode("-_-_", .standard) }
    #expect(throws: SodiumError.notBase64) { try Base64.decode("+/+/", .url) }
  }

  @Test func uuidsAreOfVersion4AndDiffer() {
    let text = String.randomUUID()
    let shape = text.map { $0 == "-" ? "-" : ("0123456789abcdef".contains($0) ? "x" : "?") }
    #expect(String(shape.joined()) == "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
    #expect(Array(text)[14] == "4" && "89ab".contains(Array(text)[19]))
    #expect(text != String.randomUUID())
  }
}

@Suite struct KeyTests {
  // RFC 8032, section 7.1, test 2.
  let seed = SecretBytes(copying: [UInt8](hex: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))

  @Test func signaturesMatchTheRFC() throws {
    let pair = try KeyPair(seed: seed)
    #expect(pair.publicKey.bytes.hex == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    let signature = pair.sign([0x72])
    #expect(
      signature.hex
        == "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    #expect(pair.publicKey.verifies(signature, of: [0x72]))
  }

  @Test func changedMessagesAndSignaturesDoNotVerify() {
    let pair = KeyPair()
    var signature = pair.sign([1, 2, 3])
    #expect(!pair.publicKey.verifies(signature, of: [1, 2]))
    #expect(!KeyPair().publicKey.verifies(signature, of: [1, 2, 3]))
    #expect(!pair.publicKey.verifies(signature.dropLast(), of: [1, 2, 3]))
    signature[5] ^= 1
    #expect(!pair.publicKey.verifies(signature, of: [1, 2, 3]))
  }

  @Test func aSecretWithAForeignPublicHalfIsRefused() throws {
    let mixed = KeyPair().secret.slice(0..<32).exposed() + KeyPair().publicKey.bytes
    #expect(throws: SodiumError.unusableKey) { try KeyPair(secret: SecretBytes(copying: mixed)) }
    #expect(throws: SodiumError.wrongLength(of: "seed")) { try KeyPair(seed: SecretBytes(random: 31)) }
    #expect(throws: SodiumError.wrongLength(of: "secret key")) { try KeyPair(secret: SecretBytes(random: 63)) }
  }

  @Test(arguments: [0, 31, 33]) func aPublicKeyHasItsLength(count: Int) {
    #expect(throws: SodiumError.wrongLength(of: "public key")) { try PublicKey([UInt8](repeating: 1, count: count)) }
  }

  @Test func aPasswordHashNeedsItsSalt() {
    #expect(throws: SodiumError.wrongLength(of: "salt")) {
      try PasswordHash.derive([1], salt: [UInt8](repeating: 0, count: 15), by: .argon2iInteractive)
    }
  }

  @Test func aSecretRestoresItsPair() throws {
    let pair = KeyPair()
    #expect(try KeyPair(secret: pair.secret).publicKey == pair.publicKey)
  }
}

@Suite struct BoxTests {
  let sender = KeyPair()
  let recipient = KeyPair()
  let nonce = randomBytes(24)

  @Test func boxesOpenOnlyForTheirTwoKeys() throws {
    let box = try Box.seal([1, 2, 3], from: sender, to: recipient.publicKey, nonce: nonce)
    #expect(try Box.open(box, from: sender.publicKey, with: recipient, nonce: nonce) == [1, 2, 3])
    #expect(throws: SodiumError.notAuthentic) {
      try Box.open(box, from: KeyPair().publicKey, with: recipient, nonce: nonce)
    }
    #expect(throws: SodiumError.notAuthentic) {
      try Box.open(box, from: sender.publicKey, with: KeyPair(), nonce: nonce)
    }
    #expect(throws: SodiumError.wrongLength(of: "box")) {
      try Box.open([1], from: sender.publicKey, with: recipient, nonce: nonce)
    }
    #expect(throws: SodiumError.wrongLength(of: "nonce")) {
      try Box.open(box, from: sender.publicKey, with: recipient, nonce: [1])
    }
    #expect(throws: SodiumError.unusableKey) {
      try Box.open(box, from: PublicKey([UInt8](repeating: 0, count: 32)), with: recipient, nonce: nonce)
    }
    #expect(throws: SodiumError.notAuthentic) {
      try Box.open([box[0] ^ 1] + box.dropFirst(), from: sender.publicKey, with: recipient, nonce: nonce)
    }
  }

  @Test func sealedBoxesOpenOnlyForTheirRecipient() throws {
    let box = try Box.sealAnonymously([1, 2, 3], to: recipient.publicKey, random: randomBytes)
    #expect(box.count == 3 + Box.sealOverhead)
    #expect(try Box.openAnonymous(box, with: recipient) == [1, 2, 3])
    #expect(throws: SodiumError.notAuthentic) { try Box.openAnonymous(box, with: sender) }
    #expect(throws: SodiumError.wrongLength(of: "box")) {
      try Box.openAnonymous(Array(box.prefix(47)), with: recipient)
    }
  }

  @Test(arguments: [
    String(repeating: "00", count: 32), "01" + String(repeating: "00", count: 31), String(repeating: "ff", count: 32),
  ])
  func keysThatAreNoUsablePointsAreRefused(hex: String) throws {
    let key = try PublicKey([UInt8](hex: hex))
    #expect(throws: SodiumError.unusableKey) { try Box.seal([1], from: sender, to: key, nonce: nonce) }
    #expect(throws: SodiumError.unusableKey) { try Box.sealAnonymously([1], to: key, random: randomBytes) }
  }
}

@Suite struct SymmetricTests {
  // RFC 8439, section 2.8.2.
  let key = SecretBytes(copying: (0x80...0x9f).map(UInt8.init))
  let nonce = [UInt8](hex: "070000004041424344454647")
  let data = [UInt8](hex: "50515253c0c1c2c3c4c5c6c7")
  let message = Array(
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
      .utf8)

  @Test func sealedBytesMatchTheRFC() throws {
    let sealed = AEAD.seal(message, key: key, nonce: nonce, additionalData: data)
    #expect(sealed.prefix(16).hex == "d31a8d34648e60db7b86afbc53ef7ec2")
    #expect(sealed.suffix(16).hex == "1ae10b594f09e26a7e902ecbd0600691")
    #expect(try AEAD.open(sealed, key: key, nonce: nonce, additionalData: data) == message)
  }

  @Test func changesAreNoticed() {
    var sealed = AEAD.seal(message, key: key, nonce: nonce, additionalData: data)
    #expect(throws: SodiumError.notAuthentic) { try AEAD.open(sealed, key: key, nonce: nonce) }
    sealed[0] ^= 1
    #expect(throws: SodiumError.notAuthentic) { try AEAD.open(sealed, key: key, nonce: nonce, additionalData: data) }
    #expect(throws: SodiumError.wrongLength(of: "ciphertext")) { try AEAD.open([1, 2], key: key, nonce: nonce) }
    #expect(throws: SodiumError.wrongLength(of: "nonce")) { try AEAD.open(sealed, key: key, nonce: []) }
    #expect(throws: SodiumError.wrongLength(of: "key")) {
      try AEAD.open(sealed, key: SecretBytes(random: 31), nonce: nonce)
    }
  }

  @Test func hashesMatchKnownAnswers() {
    #expect(sha256([]).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(sha512(Array("abc".utf8)).prefix(8).hex == "ddaf35a193617aba")
    var stream = SHA256Stream()
    stream.update(Array("ab".utf8))
    stream.update(Array("c".utf8))
    #expect(stream.finish() == sha256(Array("abc".utf8)))
  }

  // RFC 4231, test case 2.
  @Test func messageCodesMatchTheRFC() {
    let key = HMACKey(SecretBytes(copying: Array("Jefe".utf8)))
    let code = key.authenticate(Array("what do ya want for nothing?".utf8))
    #expect(code.hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(key.authenticate([]) != code)
    #expect(key.authenticate(Array("what do ya want for nothing?".utf8)) == code)
  }

  @Test func secretsCompareByContent() {
    #expect(SecretBytes(copying: [1, 2]) == SecretBytes(copying: [1, 2]))
    #expect(SecretBytes(copying: [1, 2]) != SecretBytes(copying: [1, 3]))
    #expect(SecretBytes(copying: [1, 2]) != SecretBytes(copying: [1]))
    #expect(SecretBytes(copying: [1, 2, 3]).slice(1..<3).exposed() == [2, 3])
    let parts = [SecretBytes(copying: [1]), SecretBytes(copying: []), SecretBytes(copying: [2, 3])]
    #expect(SecretBytes(joining: parts).exposed() == [1, 2, 3])
    #expect(SecretBytes(copying: Array("käse".utf8)).text == "käse")
  }
}

@Suite struct SecretBytesTests {
  @Test func veryManySecretsLiveAtATime() {
    let secrets = (0..<100_000).map { SecretBytes(copying: [UInt8(truncatingIfNeeded: $0), 1, 2]) }
    #expect(secrets.enumerated().allSatisfy { $1.exposed() == [UInt8(truncatingIfNeeded: $0), 1, 2] })
  }

  @Test(arguments: [0, 1, 63, 64, 65, 5000]) func everyLengthIsKept(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let secret = SecretBytes(copying: bytes)
    let other = SecretBytes(random: count)
    #expect(secret.exposed() == bytes && secret.count == count)
    #expect(count < 8 || other != secret)
  }

  @Test func threadsShareTheMemory() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in UInt8(0)..<8 {
        group.addTask {
          (0..<2000).allSatisfy { _ in
            SecretBytes(copying: [UInt8](repeating: number, count: 32)).exposed().allSatisfy { $0 == number }
          }
        }
      }
      for await isIntact in group { #expect(isIntact) }
    }
  }
}
