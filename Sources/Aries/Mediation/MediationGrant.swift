package import DIDComm
package import JSON

/// `coordinate-mediation/1.0/mediate-request` (RFC 0211): asks a mediator to pass messages on. A connection asks once.
package struct MediationRequest: Equatable, Sendable {
  package static let type = MessageType("coordinate-mediation", 1, 0, "mediate-request")
  package let id: String

  package init(id: String) { self.id = id }

  package var json: JSON { ["@type": .string(Self.type.text), "@id": .string(id)] }
}

/// `coordinate-mediation/1.0/mediate-grant`: the address that the client publishes from now on.
package struct MediationGrant: Equatable, Sendable {
  package static let type = MessageType("coordinate-mediation", 1, 0, "mediate-grant")
  package let endpoint: String
  package let routingKeys: [VerKey]

  /// Reads a grant, or its stored form. Keys may have any form. Throws for an address that no peer can post to.
  package init(_ object: JSONObject) throws(MessageError) {
    let keys: [String]
    do { keys = try object.strings("routing_keys") } catch { throw .malformed(error) }
    do { endpoint = try Service.endpoint(among: object["endpoint"] ?? .null) } catch {
      throw .malformedDocument(.noService(error))
    }
    guard (1...Service.maximumRoutingKeys).contains(keys.count) else { throw .tooLarge("routing_keys") }
    routingKeys = try keys.map { text throws(MessageError) in
      guard let key = try? VerKey(anyForm: text) else {
        throw .malformed(.wrongType(key: "routing_keys", expected: "keys"))
      }
      return key
    }
  }

  /// The members that the initializer reads, with the keys in base58.
  package var stored: JSONObject {
    ["endpoint": .string(endpoint), "routing_keys": JSON(routingKeys.map(\.text))]
  }
}
