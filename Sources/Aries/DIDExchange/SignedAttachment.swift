internal import DIDComm
package import JSON
package import Sodium

/// An attachment in base64 with a detached signature over its content (RFC 0017): how a DID exchange vouches for a
/// document or a DID.
package struct SignedAttachment: Equatable, Sendable {
  package let json: JSON

  /// As it was received; nothing in it is looked at yet.
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

  /// The content and the key that has signed it. Which key that should be is for the caller to judge.
  func verified() throws(ProtocolError) -> (content: [UInt8], signer: VerKey) {
    guard let data = json["data"], let content = data["base64"]?.string.flatMap({ try? Base64.decodeAny($0) }) else {
      throw .badSignature(.malformed("attachment"))
    }
    guard let jws = data["jws"] else { throw .badSignature(.malformed("no signature")) }
    do { return (content, try DetachedJWS.signer(of: content, jws)) } catch { throw .badSignature(error) }
  }
}
