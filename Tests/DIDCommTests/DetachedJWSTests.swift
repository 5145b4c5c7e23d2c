import DIDComm
import JSON
import Sodium
import Testing

@Suite struct DetachedJWSTests {
  let pair = KeyPair()

  @Test func aSignatureNamesItsKey() throws {
    let jws = DetachedJWS(signing: [1, 2, 3], with: pair).json
    #expect(try DetachedJWS.signer(of: [1, 2, 3], jws) == pair.verkey)
    #expect(jws["header"] == ["kid": .string(pair.verkey.didKey)])
    #expect(throws: SignatureError.notAuthentic) { try DetachedJWS.signer(of: [1, 2], jws) }
  }

  /// Other implementations take the key from the header, or from the name there.
  @Test func theHeaderHasTheKeyAndItsName() throws {
    let jws = DetachedJWS(signing: [1], with: pair).json
    let header = try JSON(parsing: Base64.decode(#require(jws["protected"]?.string), .url))
    let x = JSON.string(Base64.encode(pair.publicKey.bytes, .url, padded: false))
    let jwk: JSON = ["kty": "OKP", "crv": "Ed25519", "x": x, "kid": .string(pair.verkey.didKey)]
    #expect(header == ["alg": "EdDSA", "jwk": jwk])
  }

  @Test func theFormWithSeveralSignaturesIsRead() throws {
    let jws = DetachedJWS(signing: [1], with: pair).json
    #expect(try DetachedJWS.signer(of: [1], ["signatures": [jws]]) == pair.verkey)
    let other = DetachedJWS(signing: [1], with: KeyPair()).json
    #expect(try DetachedJWS.signer(of: [1], ["signatures": [jws, other]]) == pair.verkey, "the first counts")
  }

  /// RFC 7515, 4.1.4: the name is a hint. The key beside it is the one that signs.
  @Test func theKeyInTheHeaderGoesBeforeItsName() throws {
    let x = Base64.encode(pair.publicKey.bytes, .url, padded: false)
    let jwk = #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}"#
    let header = #"{"alg":"EdDSA","kid":"\#(KeyPair().verkey.didKey)","jwk":\#(jwk)}"#
    #expect(try DetachedJWS.signer(of: [1], signed(header)) == pair.verkey)
  }

  @Test func theKeyMayStandInTheHeaderAlone() throws {
    let protected = Base64.encode(Array(#"{"alg":"EdDSA"}"#.utf8), .url, padded: false)
    let signature = pair.sign(Array("\(protected).AQ".utf8))
    let jws: JSON = [
      "protected": .string(protected), "signature": .string(Base64.encode(signature, .url)),
      "header": ["kid": .string(pair.verkey.didURL)],
    ]
    #expect(try DetachedJWS.signer(of: [1], jws) == pair.verkey)
  }

  /// A signature that verifies, under a header that is wrong in one thing.
  func signed(_ header: String, unprotected: JSON? = nil) -> JSON {
    let protected = Base64.encode(Array(header.utf8), .url, padded: false)
    let signature = pair.sign(Array("\(protected).AQ".utf8))
    let jws: JSON = [
      "protected": .string(protected), "signature": .string(Base64.encode(signature, .url, padded: false)),
      "header": unprotected ?? ["kid": .string(pair.verkey.didKey)],
    ]
    return jws
  }

  @Test(arguments: [
    (#"{"alg":"none"}"#, "alg"), (#"{"alg":"HS256"}"#, "alg"), (#"{"alg":"eddsa"}"#, "alg"), ("{}", "alg"),
    ("[]", "alg"),
    (#"{"alg":["EdDSA"]}"#, "alg"), (#"{"alg":"EdDSA","crit":["b64"],"b64":false}"#, "crit"),
    (#"{"alg":"EdDSA","crit":["x"]}"#, "crit"), (#"{"alg":"EdDSA","crit":[]}"#, "crit"),
    (#"{"alg":"EdDSA","crit":null}"#, "crit"), ("!", "protected"), ("", "protected"),
  ])
  func otherHeadersAreRefused(header: String, part: String) throws {
    #expect(try DetachedJWS.signer(of: [1], signed(#"{"alg":"EdDSA"}"#)) == pair.verkey)
    #expect(throws: SignatureError.malformed(part)) { try DetachedJWS.signer(of: [1], signed(header)) }
    #expect(throws: SignatureError.malformed(part)) {
      try DetachedJWS.signer(of: [1], ["signatures": [signed(header)]])
    }
  }

  @Test(arguments: [
    #"{"alg":"EdDSA"}"#, #"{"alg":"EdDSA","kid":"did:key:z6Mkx"}"#, #"{"alg":"EdDSA","kid":1}"#,
    #"{"alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"AQ"}}"#,
    #"{"alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519"}}"#,
  ])
  func aSignatureWithoutAKeyIsRefused(header: String) {
    #expect(throws: SignatureError.malformed("key")) {
      try DetachedJWS.signer(of: [1], signed(header, unprotected: [:]))
    }
  }

  @Test(arguments: [("EC", "Ed25519"), ("OKP", "X25519"), ("OKP", "ed25519")])
  func aKeyOfAnotherTypeIsRefused(kty: String, crv: String) {
    let x = Base64.encode(pair.publicKey.bytes, .url, padded: false)
    let header = #"{"alg":"EdDSA","jwk":{"kty":"\#(kty)","crv":"\#(crv)","x":"\#(x)"}}"#
    #expect(throws: SignatureError.malformed("key")) {
      try DetachedJWS.signer(of: [1], signed(header, unprotected: [:]))
    }
  }

  /// The unprotected header is not signed: anybody can name a key there.
  @Test func theKeyOfTheProtectedHeaderCounts() throws {
    var jws = DetachedJWS(signing: [1], with: pair).json
    jws["header"] = ["kid": .string(KeyPair().verkey.didKey)]
    #expect(try DetachedJWS.signer(of: [1], jws) == pair.verkey)
    let kid = signed(#"{"alg":"EdDSA","kid":"\#(KeyPair().verkey.didKey)"}"#)
    #expect(throws: SignatureError.notAuthentic) { try DetachedJWS.signer(of: [1], kid) }
  }

  @Test func aSignatureMustBeThereAndWhole() {
    var jws = DetachedJWS(signing: [1], with: pair).json
    for (value, error) in [
      (nil, .malformed("signature")), ("!", .malformed("signature")), (1, .malformed("signature")),
      ("AQ", .notAuthentic), (.string(Base64.encode(KeyPair().sign([1]), .url)), .notAuthentic),
    ] as [(JSON?, SignatureError)] {
      jws["signature"] = value
      #expect(throws: error) { try DetachedJWS.signer(of: [1], jws) }
    }
    #expect(throws: SignatureError.malformed("protected")) { try DetachedJWS.signer(of: [1], ["protected": 1]) }
    #expect(throws: SignatureError.malformed("protected")) { try DetachedJWS.signer(of: [1], []) }
  }
}
