import TestSupport
import Testing

@testable import Sodium

/// The stored form of encrypted values: the nonce, the ciphertext and the tag in one array.
@Suite struct PrefixedTests {
  let key = SecretBytes(copying: [UInt8](repeating: 7, count: AEAD.keyLength))
  let nonce = [UInt8](1...12)

  @Test(arguments: [0, 1, 64, 1_000]) func theNonceStandsBeforeTheRest(count: Int) throws {
    let message = [UInt8](repeating: 3, count: count)
    let sealed = AEAD.sealPrefixed(message.span, key: key, nonce: nonce)
    #expect(sealed == nonce + AEAD.seal(message, key: key, nonce: nonce))
    #expect(sealed.count == count + AEAD.prefixedOverhead)
    #expect(try AEAD.openPrefixed(sealed, key: key) == message)
  }

  @Test func equalTextsGiveEqualCiphertexts() throws {
    let nonceKey = HMACKey(SecretBytes(copying: [1, 2, 3]))
    let message: [UInt8] = [9, 8, 7]
    let sealed = AEAD.sealPrefixed(message.span, key: key, nonceKey: nonceKey)
    #expect(Array(sealed.prefix(AEAD.nonceLength)) == Array(nonceKey.authenticate(message).prefix(AEAD.nonceLength)))
    #expect(AEAD.sealPrefixed(message.span, key: key, nonceKey: nonceKey) == sealed)
    #expect(AEAD.sealPrefixed([9, 8].span, key: key, nonceKey: nonceKey).prefix(12) != sealed.prefix(12))
    #expect(try AEAD.openPrefixed(sealed, key: key) == message)
  }

  @Test func aChangedOrShortTextIsRefused() {
    let sealed = AEAD.sealPrefixed([1, 2, 3].span, key: key, nonce: nonce)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: SodiumError.notAuthentic) { try AEAD.openPrefixed(changed, key: key) }
    }
    #expect(throws: SodiumError.notAuthentic) { try AEAD.openPrefixed(sealed, key: SecretBytes(random: 32)) }
    for count in [0, 11, 12, 27] {
      #expect(throws: SodiumError.wrongLength(of: "ciphertext")) {
        try AEAD.openPrefixed(Array(sealed.prefix(count)), key: key)
      }
    }
    #expect(throws: SodiumError.notAuthentic) { try AEAD.openPrefixed(Array(sealed.prefix(28)), key: key) }
    for count in [31, 33] {
      #expect(throws: SodiumError.wrongLength(of: "key")) {
        try AEAD.openPrefixed(sealed, key: SecretBytes(random: count))
      }
    }
  }

  // MARK: A new key for each value

  /// The bytes of `random` are the key, the nonce of the value and the nonce of the key.
  @Test func aValueHasAKeyOfItsOwn() throws {
    let random = (0..<56).map { UInt8($0) }
    let value: [UInt8] = [1, 2, 3, 4]
    let (sealed, wrappedKey) = AEAD.sealWithNewKey(value.span, wrappedBy: key) { count in
      #expect(count == 56)
      return random
    }
    let fresh = SecretBytes(copying: random[..<32])
    #expect(sealed == AEAD.sealPrefixed(value.span, key: fresh, nonce: Array(random[32..<44])))
    #expect(wrappedKey == AEAD.sealPrefixed(Array(random[..<32]).span, key: key, nonce: Array(random[44...])))
    #expect(try AEAD.open(sealed, wrappedKey: wrappedKey, with: key) == value)
  }

  @Test func eachValueHasAnotherKey() throws {
    let value: [UInt8] = [1, 2, 3]
    let (first, second) = (
      AEAD.sealWithNewKey(value.span, wrappedBy: key, random: randomBytes),
      AEAD.sealWithNewKey(value.span, wrappedBy: key, random: randomBytes)
    )
    #expect(first.sealed != second.sealed && first.wrappedKey != second.wrappedKey)
    #expect(throws: SodiumError.notAuthentic) {
      try AEAD.open(first.sealed, wrappedKey: second.wrappedKey, with: key)
    }
  }

  @Test func aKeyOfAWrongLengthIsRefused() {
    let (sealed, wrappedKey) = AEAD.sealWithNewKey([1].span, wrappedBy: key, random: randomBytes)
    for wrapped in [[], Array(wrappedKey.dropLast()), wrappedKey + [0]] {
      #expect(throws: SodiumError.wrongLength(of: "key")) { try AEAD.open(sealed, wrappedKey: wrapped, with: key) }
    }
    for count in [31, 33] {
      #expect(throws: SodiumError.wrongLength(of: "key")) {
        try AEAD.open(sealed, wrappedKey: wrappedKey, with: SecretBytes(random: count))
      }
    }
    #expect(throws: SodiumError.wrongLength(of: "ciphertext")) {
      try AEAD.open(Array(sealed.prefix(27)), wrappedKey: wrappedKey, with: key)
    }
  }

  /// A key that does not open is zeros in libsodium's memory. A stranger could seal a value under zeros.
  @Test func aWrappedKeyThatDoesNotOpenOpensNoValueUnderZeros() {
    let zeros = SecretBytes(copying: [UInt8](repeating: 0, count: 32))
    let forged = AEAD.sealPrefixed([1, 2, 3].span, key: zeros, nonce: nonce)
    let garbage = [UInt8](repeating: 1, count: AEAD.keyLength + AEAD.prefixedOverhead)
    #expect(throws: SodiumError.notAuthentic) { try AEAD.open(forged, wrappedKey: garbage, with: key) }
  }

  // MARK: The parts apart

  @Test func theTagMayBeElsewhere() throws {
    let (message, data): ([UInt8], [UInt8]) = ([1, 2, 3], [4])
    for message in [message, []] {
      let sealed = AEAD.seal(message, key: key, nonce: nonce, additionalData: data)
      let (ciphertext, tag) = (Array(sealed.dropLast(16)), Array(sealed.suffix(16)))
      #expect(
        try AEAD.open(ciphertext.span, tag: tag, key: key, nonce: nonce, additionalData: data) == message)
      #expect(try AEAD.open(sealed, key: key, nonce: nonce, additionalData: data) == message)
      for wrong in [Array(tag.dropLast()), tag + [0], []] {
        #expect(throws: SodiumError.wrongLength(of: "tag")) {
          try AEAD.open(ciphertext.span, tag: wrong, key: key, nonce: nonce, additionalData: data)
        }
      }
      for wrong in [Array(nonce.dropLast()), nonce + [0]] {
        #expect(throws: SodiumError.wrongLength(of: "nonce")) {
          try AEAD.open(ciphertext.span, tag: tag, key: key, nonce: wrong, additionalData: data)
        }
      }
      #expect(throws: SodiumError.notAuthentic) {
        try AEAD.open(ciphertext.span, tag: tag, key: key, nonce: nonce, additionalData: [])
      }
    }
    #expect(throws: SodiumError.wrongLength(of: "ciphertext")) {
      try AEAD.open([UInt8](repeating: 0, count: 15), key: key, nonce: nonce)
    }
  }
}
