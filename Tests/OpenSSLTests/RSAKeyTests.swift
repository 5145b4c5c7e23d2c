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

  /// A key of RFC 7919's group of 2048 bits, for Diffie and Hellman.
  @Test func aKeyOfAnotherKindIsRefusedAlsoIfItIsLong() throws {
    let pem = """
      -----BEGIN PRIVATE KEY-----
      MIIBPwIBADCCARcGCSqGSIb3DQEDATCCAQgCggEBAP//////////rfhUWKK7Spqv
      3FYgJz088di5xYPOLTaVqeE2QRRkM/vMk53OJJs++X0v42NjDHXY9oGyAq7EYXrT
      3x7V1f1lYSQz9R9fBm7QhWNlVT3tGvO1VxNef1fJNZhPDHDg5ot34qaJ2vPv6HId
      8VihNq3nNTCsyk9IOnl6vAqxgrMk+2HRCKlLssjj+7lq2rdg1/RoHU9Co945TfSu
      Vu3nY3K7GQsHp8juCm1wngL84c334uzANATNKDQvYZFy/pzphYP/jk8SMu7ygYPD
      /jsbTG+tczu1/LwuwiAFxY7xg30Wg7LG80omwbLv+ohrQjhhKFyX//////////8C
      AQIEHwIdAcpxtvvFDuXmgQXuMSLuMcVPJuJi8aaYILsyuQI=
      -----END PRIVATE KEY-----
      """
    #expect(throws: RSAKeyError.notRSA) { try RSAKey(pem: Array(pem.utf8)) }
  }

  @Test(arguments: ["", "key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func textThatIsNoKeyIsRefused(text: String) {
    #expect(throws: RSAKeyError.notPEM) { try RSAKey(pem: Array(text.utf8)) }
  }
}
