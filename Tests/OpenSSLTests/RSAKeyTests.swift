import OpenSSL
import TestSupport
import Testing

@Suite struct RSAKeyTests {
  @Test func thePublicKeyVerifiesASignature() throws {
    let pair = try #require(RSAKeyPair())
    let message = Array("header.claims".utf8)
    let signature = try RSAKey(pem: pair.pem).sign(message)
    #expect(signature.count == 256)
    #expect(pair.verifies(signature, of: message))
    #expect(!pair.verifies(signature, of: Array("header.other claims".utf8)))
  }

  @Test func aKeyWithAPassphraseIsRefusedAndNobodyIsAskedForIt() throws {
    let pair = try #require(RSAKeyPair(passphrase: "secret"))
    #expect(throws: RSAKeyError.notPEM) { try RSAKey(pem: pair.pem) }
  }

  @Test func aShortKeyIsRefused() throws {
    let pair = try #require(RSAKeyPair(bits: 1024))
    #expect(throws: RSAKeyError.notRSA) { try RSAKey(pem: pair.pem) }
  }

  @Test func aKeyOfAnotherKindIsRefused() throws {
    // A fixed key for Ed25519 (RFC 8410, 10.3).
    let pem = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      -----END PRIVATE KEY-----
      """
    #expect(throws: RSAKeyError.notRSA) { try RSAKey(pem: Array(pem.utf8)) }
  }

  @Test(arguments: ["", "key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func textThatIsNoKeyIsRefused(text: String) {
    #expect(throws: RSAKeyError.notPEM) { try RSAKey(pem: Array(text.utf8)) }
  }
}
