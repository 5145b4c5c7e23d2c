import Sodium
import TestSupport
import Testing

/// Encryption under one key, hashes and message codes.
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
    #expect(blake2b(Array("abc".utf8)).hex == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
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
