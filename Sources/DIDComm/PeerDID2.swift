internal import JSON
internal import Sodium

/// A `did:peer:2` (did:peer method, numalgo 2): a sequence of keys and services.
///
/// A letter for the purpose introduces a multibase key, `.S` a service, base64url of JSON with shortened names.
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

  /// The document in the DID: its keys, numbered from `#key-1`, and its services. Throws if an element is malformed, or
  /// if a recipient key of the service is not one of the keys for authentication.
  static func document(of did: String) throws(DIDDocumentError) -> DIDDocument {
    let elements = did.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    guard elements.count > 1, elements[0].isEmpty else { throw .malformed("did:peer:2") }
    var keys: [JSON] = []
    var authentication: [VerKey] = []
    var services: [JSON] = []
    for element in elements.dropFirst() {
      guard let letter = element.first else { throw .malformed("an empty element of did:peer:2") }
      let content = String(element.dropFirst())
      if letter == "S" {
        services += try service(content)
      } else {
        guard let purpose = Purpose(rawValue: letter) else { throw .malformed("a purpose in did:peer:2") }
        if let key = try verkey(content), purpose == .authentication { authentication.append(key) }
        keys.append(Self.method(content, number: keys.count + 1))
      }
    }
    let document = try DIDDocument([
      "@context": "https://www.w3.org/ns/did/v1", "id": .string(did), "verificationMethod": .array(keys),
      "service": .array(services),
    ])
    guard document.service.recipientKeys.allSatisfy(authentication.contains) else { throw .malformed("recipientKeys") }
    return document
  }

  /// The purposes of keys in the method's specification.
  private enum Purpose: Character {
    case assertion = "A"
    case delegation = "D"
    case agreement = "E"
    case invocation = "I"
    case authentication = "V"
  }

  private static func method(_ multibase: String, number: Int) -> JSON {
    ["id": "#key-\(number)", "type": "Multikey", "publicKeyMultibase": .string(multibase)]
  }

  /// Returns nil for a well-formed key of another type than Ed25519, such as X25519.
  private static func verkey(_ multibase: String) throws(DIDDocumentError) -> VerKey? {
    do { return try VerKey(multibase: multibase) } catch .unsupportedKeyType { return nil } catch {
      throw .malformed("a key in did:peer:2")
    }
  }

  /// One service, or an array of them.
  private static func service(_ encoded: String) throws(DIDDocumentError) -> [JSON] {
    guard let bytes = try? Base64.decodeAny(encoded), let json = try? JSON(parsing: bytes) else {
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
