import Sodium
import TestSupport
import Testing

/// Ed25519 keys and their signatures.
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

  @Test func aSecretRestoresItsPair() throws {
    let pair = KeyPair()
    #expect(try KeyPair(secret: pair.secret).publicKey == pair.publicKey)
  }

  @Test func aPairWhosePublicHalfIsKnownSignsTheSame() throws {
    let pair = try KeyPair(seed: seed)
    let known = try KeyPair(seed: seed, publicKey: pair.publicKey)
    #expect(known.secret == pair.secret && known.publicKey == pair.publicKey)
    #expect(known.sign([1, 2]) == pair.sign([1, 2]))
    for count in [0, 31, 33, 64] {
      #expect(throws: SodiumError.wrongLength(of: "seed")) {
        try KeyPair(seed: SecretBytes(random: count), publicKey: pair.publicKey)
      }
      #expect(throws: SodiumError.wrongLength(of: "seed")) { try KeyPair(seed: SecretBytes(random: count)) }
    }
    #expect(throws: SodiumError.wrongLength(of: "secret key")) { try KeyPair(secret: SecretBytes(random: 65)) }
  }

  @Test func aSignatureHasItsLength() throws {
    let pair = try KeyPair(seed: seed)
    let signature = pair.sign([1])
    #expect(signature.count == 64 && pair.publicKey.verifies(signature, of: [1]))
    for wrong in [[], Array(signature.prefix(63)), signature + [0]] {
      #expect(!pair.publicKey.verifies(wrong, of: [1]))
    }
  }

  @Test func keysAreEqualIfAllOfTheirBytesAre() throws {
    let bytes = KeyPair().publicKey.bytes
    let key = try PublicKey(bytes)
    let same = try PublicKey(bytes)
    #expect(key == same && Set([key, same]).count == 1)
    for index in [0, 15, 31] {
      var other = bytes
      other[index] ^= 1
      #expect(try key != PublicKey(other))
    }
  }
}
