package import JSON
package import Sodium

/// A signature in JSON (RFC 7515) over detached bytes (RFC 0017): Ed25519, flattened form.
package struct DetachedJWS: Equatable, Sendable {
  package let json: JSON

  /// Signs a payload. The protected header names the key; so does the unprotected header, as a `did:key`, which agents
  /// require.
  package init(signing payload: [UInt8], with pair: KeyPair) {
    let kid = JSON.string(pair.verkey.didKey)
    let header: JSON = [
      "alg": "EdDSA",
      "jwk": ["kty": "OKP", "crv": "Ed25519", "x": .string(encoded(pair.publicKey.bytes)), "kid": kid],
    ]
    let protected = encoded(header.bytes)
    let signature = pair.sign(Self.signingInput(protected, payload))
    json = [
      "header": ["kid": kid], "protected": .string(protected), "signature": .string(encoded(signature)),
    ]
  }

  /// Verifies the signature and returns its key. The caller checks that this key may sign. If there are several
  /// signatures, the first counts.
  package static func signer(of payload: [UInt8], _ json: JSON) throws(SignatureError) -> VerKey {
    let signature = json["signatures"]?.array?.first ?? json
    guard let protected = signature["protected"]?.string, let bytes = try? Base64.decodeAny(protected),
      let header = try? JSON(parsing: bytes)
    else { throw .malformed("protected") }
    guard header["alg"]?.string == "EdDSA" else { throw .malformed("alg") }
    // The header requires extensions, such as an unencoded payload; msdk supports none.
    guard header["crit"] == nil else { throw .malformed("crit") }
    guard let key = key(header["jwk"]) ?? key(header["kid"]) ?? key(signature["header"]?["kid"]) else {
      throw .malformed("key")
    }
    guard let bytes = signature["signature"]?.string.flatMap({ try? Base64.decodeAny($0) }) else {
      throw .malformed("signature")
    }
    guard key.publicKey.verifies(bytes, of: signingInput(protected, payload)) else { throw .notAuthentic }
    return key
  }

  /// The unchanged header, and the payload in base64url without padding, for any encoding of the payload in the
  /// message.
  private static func signingInput(_ protected: String, _ payload: [UInt8]) -> [UInt8] {
    Array("\(protected).\(encoded(payload))".utf8)
  }

  /// A key as a JWK (RFC 8037), or by its `did:key`.
  private static func key(_ json: JSON?) -> VerKey? {
    switch json {
    case .string(let kid)?: return try? VerKey(anyForm: kid)
    case .object(let jwk)?:
      guard jwk["kty"]?.string == "OKP", jwk["crv"]?.string == "Ed25519", let x = jwk["x"]?.string else { return nil }
      return (try? Base64.decodeAny(x)).flatMap { try? PublicKey($0) }.map(VerKey.init)
    default: return nil
    }
  }
}

/// The reasons why a signature is invalid.
package enum SignatureError: Error, Equatable, Sendable {
  case malformed(String)
  /// The named key did not make the signature, or made it over other bytes.
  case notAuthentic
}

extension SignatureError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let part): "malformed signature: \(part)"
    case .notAuthentic: "the signature does not verify"
    }
  }
}

private func encoded(_ bytes: [UInt8]) -> String { Base64.encode(bytes, .url, padded: false) }
