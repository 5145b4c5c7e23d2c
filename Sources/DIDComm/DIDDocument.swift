package import JSON

/// A DID document in the form of the Indy world (RFC 0067, `publicKey`) or of today (`verificationMethod`), with the
/// parts that agents need: its subject, and the service that reaches it.
package struct DIDDocument: Equatable, Sendable {
  package let id: String

  /// The first service with keys and with an endpoint that can be posted to.
  package private(set) var service: Service

  /// The document as it was received or created.
  package private(set) var json: JSONText

  /// The document of a pairwise DID, in the form of connections/1.0 (RFC 0160).
  package init(id: String, key: VerKey, service: Service) {
    let keyID = "\(id)#1"
    self.id = id
    self.service = service
    json = JSONText([
      "@context": "https://w3id.org/did/v1",
      "id": .string(id),
      "publicKey": [
        [
          "id": .string(keyID), "type": "Ed25519VerificationKey2018", "controller": .string(id),
          "publicKeyBase58": .string(key.text),
        ]
      ],
      "authentication": [["type": "Ed25519SignatureAuthentication2018", "publicKey": .string(keyID)]],
      "service": [
        [
          "id": "\(id);indy", "type": "IndyAgent", "priority": 0,
          "recipientKeys": JSON(service.recipientKeys.map(\.text)),
          "routingKeys": JSON(service.routingKeys.map(\.text)),
          "serviceEndpoint": .string(service.endpoint),
        ]
      ],
    ])
  }

  /// The highest number of services in a document or an invitation. Real ones have one or two.
  package static let maximumServices = 16

  /// The highest number of keys in a document, and in each list of a service.
  package static let maximumKeys = 64

  /// Reads a document. A stored document, which another library may have stored, may have a malformed routing key and
  /// an empty id: Evernym's library stores the inviter of a connection without a handshake in this form.
  package init(_ json: JSON, isStored: Bool = false) throws(DIDDocumentError) {
    guard let object = json.object else { throw .malformed("not an object") }
    guard let id = object["id"]?.string, isStored || !id.isEmpty else { throw .malformed("id") }
    self.id = id
    self.json = JSONText(json)
    let services = object["service"]?.array ?? []
    guard services.count <= Self.maximumServices else { throw .malformed("too many services") }
    service = try Self.reachable(services, keys: KeyTable(object))
    guard isStored || !service.hasMalformedRoutingKey else { throw .malformed("routingKeys") }
  }

  /// Returns the first service, by priority, that names keys and has an http endpoint. Without one, returns the first with a
  /// WebSocket endpoint.
  private static func reachable(_ services: [JSON], keys: KeyTable) throws(DIDDocumentError) -> Service {
    // DIDComm version 2 has envelopes of its own.
    let candidates = services.compactMap(\.object).filter { $0["type"] != "DIDCommMessaging" }
    let ordered = candidates.enumerated().sorted {
      ($0.element["priority"]?.number ?? 0, $0.offset) < ($1.element["priority"]?.number ?? 0, $1.offset)
    }
    var reason = DIDDocumentError.noService(.unsupported)
    var overWebSocket: Service?
    for object in ordered.map(\.element) {
      let endpoint: String
      do throws(EndpointError) {
        endpoint = try Service.endpoint(among: object["serviceEndpoint"] ?? .null)
      } catch {
        continue
      }
      guard let recipientKeys = keys.resolve(object["recipientKeys"]), !recipientKeys.isEmpty else {
        reason = .malformed("recipientKeys")
        continue
      }
      let service = Service(
        recipientKeys: recipientKeys, routingKeys: keys.resolve(object["routingKeys"]), endpoint: endpoint)
      guard Service.isWebSocket(endpoint) else { return service }
      overWebSocket = overWebSocket ?? service
    }
    guard let overWebSocket else { throw reason }
    return overWebSocket
  }
}

extension DIDDocument {
  /// The document with one recipient key in place of all. A reader of the text counts the first key as the recipient's,
  /// so the text stays as it was received if the key is the first key, and is written anew otherwise.
  package func naming(only key: VerKey) -> DIDDocument {
    var service = service
    service.recipientKeys = [key]
    guard key == self.service.recipientKeys.first else { return DIDDocument(id: id, key: key, service: service) }
    var document = self
    document.service = service
    return document
  }
}

/// The keys of a document, for services that refer to them.
private struct KeyTable {
  private var keys: [String: VerKey] = [:]

  init(_ document: JSONObject) throws(DIDDocumentError) {
    let declared = (document["publicKey"]?.array ?? []) + (document["verificationMethod"]?.array ?? [])
    guard declared.count <= DIDDocument.maximumKeys else { throw .malformed("too many keys") }
    for entry in declared.compactMap(\.object) {
      guard let id = entry["id"]?.string, let key = Self.key(of: entry) else { continue }
      keys[id] = key
      // The document declares the key as `<did>#1`, `#1` or `1`; references may use any of these.
      let fragment = id.firstIndex(of: "#").map { String(id[$0...]) } ?? "#" + id
      keys[fragment] = keys[fragment] ?? key
    }
  }

  /// Each element is a key in any form, or refers to a declared key. Returns nil if an element is neither, or if there
  /// are too many.
  func resolve(_ list: JSON?) -> [VerKey]? {
    let list = list?.array ?? []
    guard list.count <= DIDDocument.maximumKeys else { return nil }
    var resolved: [VerKey] = []
    resolved.reserveCapacity(list.count)
    for element in list {
      guard let text = element.string else { return nil }
      let fragment = text.firstIndex(of: "#").map { String(text[$0...]) }
      guard let key = (try? VerKey(anyForm: text)) ?? keys[text] ?? fragment.flatMap({ keys[$0] }) else { return nil }
      resolved.append(key)
    }
    return resolved
  }

  private static func key(of entry: JSONObject) -> VerKey? {
    if let text = entry["publicKeyBase58"]?.string { return try? VerKey(text) }
    if let text = entry["publicKeyMultibase"]?.string { return try? VerKey(multibase: text) }
    return nil
  }
}

/// The reasons why a DID document cannot be used.
package enum DIDDocumentError: Error, Equatable, Sendable {
  case malformed(String)
  /// msdk can send to none of the services.
  case noService(EndpointError)
  /// A public DID, whose keys and endpoint are on a ledger or on the web.
  case needsLedger(String)
  /// The DID cannot be resolved, for the given reason.
  case unresolvable(String)
}

extension DIDDocumentError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let part): "malformed DID document: \(part)"
    case .noService(.unsupported): "the DID document has no service with an http or WebSocket endpoint"
    case .needsLedger: "the DID cannot be resolved: its document is on a ledger or on the web"
    case .unresolvable(let kind): "the DID cannot be resolved: it is \(kind)"
    }
  }
}
