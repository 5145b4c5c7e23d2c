internal import JSON
internal import Sodium

/// A `did:peer:2` (did:peer method, numalgo 2): a sequence of keys and services.
///
/// `.V`, `.E` and a few more letters introduce a multibase key, `.S` a service, base64url of JSON with shortened names.
package enum PeerDID2 {
  static let prefix = "did:peer:2"

  /// Creates the DID of an agent with one key and `service`.
  package static func encoding(key: VerKey, service: Service) -> String {
    let block: JSON = [
      "id": "#didcomm-0", "t": "did-communication", "priority": 0, "recipientKeys": ["#key-1"],
      "r": JSON(service.routingKeys.map(\.didURL)), "s": .string(service.endpoint),
    ]
    return "\(prefix).V\(key.multibase).S\(Base64.encode(block.bytes, .url, padded: false))"
  }

  /// The document in the DID: its Ed25519 keys, numbered with all others from `#key-1`, and its services.
  static func document(of did: String) throws(DIDDocumentError) -> DIDDocument {
    var keys: [JSON] = []
    var services: [JSON] = []
    var count = 0
    for element in did.dropFirst(prefix.count).split(separator: ".") {
      if element.first == "S" {
        services += try service(element.dropFirst())
      } else {
        count += 1
        keys.append(key(element.dropFirst(), number: count))
      }
    }
    return try DIDDocument([
      "@context": "https://www.w3.org/ns/did/v1", "id": .string(did), "verificationMethod": .array(keys),
      "service": .array(services),
    ])
  }

  private static func key(_ multibase: Substring, number: Int) -> JSON {
    ["id": "#key-\(number)", "type": "Multikey", "publicKeyMultibase": .string(String(multibase))]
  }

  /// One service, or an array of them.
  private static func service(_ encoded: Substring) throws(DIDDocumentError) -> [JSON] {
    guard let bytes = try? Base64.decodeAny(String(encoded)), let json = try? JSON(parsing: bytes) else {
      throw .malformed("service")
    }
    var services: [JSON] = []
    for service in json.array ?? [json] {
      guard let object = service.object else { throw .malformed("service") }
      var full = JSONObject(object.members.map { (fullNames[$0.key] ?? $0.key, $0.value) })
      if full["type"] == "dm" { full["type"] = "DIDCommMessaging" }
      services.append(.object(full))
    }
    return services
  }

  private static let fullNames = ["t": "type", "s": "serviceEndpoint", "r": "routingKeys", "a": "accept"]
}
