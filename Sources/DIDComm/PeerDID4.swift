package import JSON
internal import Sodium

/// A `did:peer:4` (did:peer method, numalgo 4): a DID that contains a document, or the hash of one.
package struct PeerDID4: Equatable, Sendable {
  /// The form for the first message to a peer, which suffices to resolve the DID.
  package let long: String
  /// The form for a peer that knows the long form.
  package let short: String
  private let document: JSON

  /// Creates the DID of a document without `id`, which names its own keys by `#…`.
  package init(encoding document: JSON) {
    self.init(document, encoded: "z" + Base58.encode(Self.json + document.bytes))
  }

  /// Reads the long form. Its hash must be the hash of its document.
  package init(_ long: String) throws(DIDDocumentError) {
    let parts = long.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4 || parts.count == 3, long.hasPrefix(Self.prefix) else { throw .malformed("did:peer:4") }
    guard parts.count == 4 else { throw .unresolvable("the short form of a did:peer:4, which says nothing by itself") }
    let encoded = parts[3]
    guard encoded.hasPrefix("z"), let bytes = try? Base58.decode(String(encoded.dropFirst())),
      bytes.starts(with: Self.json), let document = try? JSON(parsing: Array(bytes.dropFirst(Self.json.count)))
    else { throw .malformed("did:peer:4") }
    self.init(document, encoded: encoded)
    guard self.long == long else { throw .malformed("the hash in did:peer:4") }
  }

  private init(_ document: JSON, encoded: String) {
    short = Self.prefix + "z" + Base58.encode(Self.sha256 + Sodium.sha256(Array(encoded.utf8)))
    long = short + ":" + encoded
    self.document = document
  }

  /// The document under the short form; the long form is another of its names.
  package func resolved() throws(DIDDocumentError) -> DIDDocument {
    guard var object = document.object else { throw .malformed("not an object") }
    object["id"] = .string(short)
    object["alsoKnownAs"] = [.string(long)]
    return try DIDDocument(.object(object))
  }

  static let prefix = "did:peer:4"
  /// Multicodec `json`, and multihash `sha2-256` with its length.
  private static let json: [UInt8] = [0x80, 0x04]
  private static let sha256: [UInt8] = [0x12, 0x20]
}

extension PeerDID4 {
  /// The DID of an agent with one key and `service`.
  package init(key: VerKey, service: Service) {
    self.init(encoding: .object(DIDDocument.members(key: key, service: service)))
  }
}

extension DIDDocument {
  /// The members of the document of an agent with one key and `service`. Without `did` the document has no `id`, and names
  /// its own parts by `#…`.
  package static func members(id did: String? = nil, key: VerKey, service: Service) -> JSONObject {
    let keyID = JSON.string((did ?? "") + "#key-0")
    var members: JSONObject = [
      "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"]
    ]
    var method: JSON = ["id": keyID, "type": "Multikey", "publicKeyMultibase": .string(key.multibase)]
    if let did {
      members["id"] = .string(did)
      method["controller"] = .string(did)
    }
    members["verificationMethod"] = [method]
    members["authentication"] = [keyID]
    members["keyAgreement"] = [keyID]
    members["service"] = [
      [
        "id": .string((did ?? "") + "#didcomm-0"), "type": "did-communication", "priority": 0,
        "recipientKeys": [keyID], "routingKeys": JSON(service.routingKeys.map(\.didURL)),
        "serviceEndpoint": .string(service.endpoint),
      ]
    ]
    return members
  }
}
