import JSON
import Testing

@testable import DIDComm

/// The choice among the services of a document, and documents of other libraries.
@Suite struct DIDDocumentServiceTests {
  private static let key = "EJTbBYPHHEQaYk5w5i5wcx78xKRhdH1PrCyRscwot9pf"

  private func document(id: JSON = "did:sov:x", _ services: JSON...) -> JSON {
    ["id": id, "service": .array(services)]
  }

  private func service(_ endpoint: String, keys: JSON?) -> JSON {
    var service: JSONObject = ["id": "s", "type": "did-communication", "serviceEndpoint": .string(endpoint)]
    service["recipientKeys"] = keys
    return .object(service)
  }

  @Test(arguments: [nil, [], ["no key"], ["#unknown"], 7] as [JSON?])
  func aServiceWithoutUsableKeysLeavesTheNext(keys: JSON?) throws {
    let json = document(service("http://first", keys: keys), service("http://second", keys: [.string(Self.key)]))
    #expect(try DIDDocument(json).service.endpoint == "http://second")
    #expect(throws: DIDDocumentError.malformed("recipientKeys")) {
      try DIDDocument(document(service("http://first", keys: keys), service("ws://second", keys: keys)))
    }
  }

  /// Evernym's library stores the inviter of a connection without a handshake so.
  @Test func onlyAStoredDocumentMayHaveAnEmptyID() throws {
    let json = document(id: "", service("http://first", keys: [.string(Self.key)]))
    #expect(try DIDDocument(json, isStored: true).service.endpoint == "http://first")
    #expect(throws: DIDDocumentError.malformed("id")) { try DIDDocument(json) }
    let absent = document(id: .null, service("http://first", keys: [.string(Self.key)]))
    #expect(throws: DIDDocumentError.malformed("id")) { try DIDDocument(absent, isStored: true) }
  }
}
