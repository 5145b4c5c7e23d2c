package import DIDComm
package import JSON
package import Sodium

/// `~sig` (RFC 0234): a value that travels with a signature over it.
package struct SignatureDecorator: Equatable, Sendable {
  static let type = MessageType("signature", 1, 0, "ed25519Sha512_single")

  package let signer: VerKey
  private let json: JSON

  /// The signed bytes: eight for the time, then the value's JSON.
  private let data: [UInt8]

  /// Reads a decorator and verifies its signature with the key that it names. The caller checks that this key may sign.
  package init(verifying json: JSON) throws(SignatureError) {
    guard let object = json.object, let type = object["@type"]?.string, MessageType(type) == Self.type else {
      throw .malformed("@type")
    }
    guard let signer = object["signer"]?.string, let key = try? VerKey(anyForm: signer) else {
      throw .malformed("signer")
    }
    guard let data = object["sig_data"]?.string.flatMap({ try? Base64.decodeAny($0) }), data.count > 8 else {
      throw .malformed("sig_data")
    }
    guard let signature = object["signature"]?.string.flatMap({ try? Base64.decodeAny($0) }) else {
      throw .malformed("signature")
    }
    guard key.publicKey.verifies(signature, of: data) else { throw .notAuthentic }
    self.signer = key
    self.data = data
    self.json = json
  }

  /// Signs a value. `time` is in seconds since 1970.
  package init(signing value: JSON, with pair: KeyPair, time: UInt64) {
    signer = pair.verkey
    data = (0..<8).reversed().map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) } + value.bytes
    json = [
      "@type": .string(Self.type.text),
      "signer": .string(pair.verkey.text),
      "sig_data": .string(Base64.encode(data, .url)),
      "signature": .string(Base64.encode(pair.sign(data), .url)),
    ]
  }

  /// The value that was signed.
  package func value() throws(JSONError) -> JSON { try JSON(parsing: Array(data.dropFirst(8))) }

  /// The decorator as it was received or created.
  package var received: JSON { json }
}
