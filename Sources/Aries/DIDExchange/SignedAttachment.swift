internal import DIDComm
package import JSON
package import Sodium

/// An attachment in base64 with a detached signature over its content (RFC 0017). A DID exchange signs documents and
/// DIDs this way.
package struct SignedAttachment: Equatable, Sendable {
  package let json: JSON

  /// Keeps the received JSON without checking it.
  init(_ json: JSON) { self.json = json }

  package init(id: String, mimeType: String, content: [UInt8], signedWith pair: KeyPair) {
    json = [
      "@id": .string(id), "mime-type": .string(mimeType),
      "data": [
        "base64": .string(Base64.encode(content, .url, padded: false)),
        "jws": DetachedJWS(signing: content, with: pair).json,
      ],
    ]
  }

  /// Returns the content and the key that has signed it. The caller checks that this key may sign.
  func verified() throws(ProtocolError) -> (content: [UInt8], signer: VerKey) {
    guard let data = json["data"], let content = data["base64"]?.string.flatMap({ try? Base64.decodeAny($0) }) else {
      throw .badSignature(.malformed("attachment"))
    }
    guard let jws = data["jws"] else { throw .badSignature(.malformed("no signature")) }
    do { return (content, try DetachedJWS.signer(of: content, jws)) } catch { throw .badSignature(error) }
  }
}
