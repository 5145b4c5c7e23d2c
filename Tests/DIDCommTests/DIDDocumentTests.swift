import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@Suite struct DIDDocumentTests {
  let key = KeyPair().verkey

  @Test func anOwnDocumentIsReadBack() throws {
    let service = Service(recipientKeys: [key], routingKeys: [KeyPair().verkey], endpoint: "https://agency/agency/msg")
    let made = DIDDocument(id: key.did.text, key: key, service: service)
    let read = try DIDDocument(made.json.value)
    #expect(read.service == service)
    #expect(read.id == key.did.text)
  }

  /// RFC 0160: other implementations look for each of the members.
  @Test func anOwnDocumentHasTheFormOfConnections() {
    let service = Service(recipientKeys: [key], routingKeys: [key], endpoint: "http://a")
    let (did, text) = (JSON.string("did:x"), JSON.string(key.text))
    let expected: JSON = [
      "@context": "https://w3id.org/did/v1", "id": did,
      "publicKey": [
        ["id": "did:x#1", "type": "Ed25519VerificationKey2018", "controller": did, "publicKeyBase58": text]
      ],
      "authentication": [["type": "Ed25519SignatureAuthentication2018", "publicKey": "did:x#1"]],
      "service": [
        [
          "id": "did:x;indy", "type": "IndyAgent", "priority": 0, "recipientKeys": [text], "routingKeys": [text],
          "serviceEndpoint": "http://a",
        ]
      ],
    ]
    #expect(DIDDocument(id: "did:x", key: key, service: service).json.value == expected)
  }

  @Test func theFirstServiceThatCanBePostedToCounts() throws {
    let document: JSON = [
      "id": "did:sov:x",
      "service": [
        ["serviceEndpoint": "ws://a", "recipientKeys": [.string(key.text)]],
        ["serviceEndpoint": "http://b", "recipientKeys": [.string(key.text)], "priority": 5],
        ["serviceEndpoint": "http://c", "recipientKeys": [.string(key.didKey)], "priority": 1],
      ],
    ]
    #expect(try DIDDocument(document).service == Service(recipientKeys: [key], endpoint: "http://c"))
  }

  /// A missing priority is 0; of equal ones the first counts.
  @Test(
    arguments: [
      (3, 5, "http://a"), (5, 3, "http://b"), (1, nil, "http://b"), (nil, 1, "http://a"), (nil, 0, "http://a"),
      (0, nil, "http://a"), (4, 4, "http://a"), (nil, -1, "http://b"),
    ] as [(JSON?, JSON?, String)])
  func theLowestPriorityComesFirst(first: JSON?, second: JSON?, chosen: String) throws {
    let services = [("http://a", first), ("http://b", second)].map { endpoint, priority -> JSON in
      let service: JSON = ["serviceEndpoint": .string(endpoint), "recipientKeys": [.string(key.text)]]
      return service.with(["priority": priority ?? .null])
    }
    #expect(try DIDDocument(["id": "did:x", "service": .array(services)]).service.endpoint == chosen)
  }

  @Test(arguments: [
    (["ws://a", "didcomm:x"], "ws://a"), (["didcomm:x", "WSS://a", "ws://b"], "WSS://a"),
    (["ws://a", "http://b", "http://c"], "http://b"),
  ])
  func aWebSocketCountsWithoutAnHTTPEndpoint(endpoints: [String], chosen: String) throws {
    let services = endpoints.map { ["serviceEndpoint": .string($0), "recipientKeys": [.string(key.text)]] as JSON }
    #expect(try DIDDocument(["id": "x", "service": .array(services)]).service.endpoint == chosen)
  }

  @Test(arguments: [("did:x#1", "did:x#1"), ("did:x#1", "#1"), ("#1", "did:x#1"), ("1", "#1"), ("1", "1")])
  func servicesMayReferToDeclaredKeys(id: String, reference: String) throws {
    let document: JSON = [
      "id": "did:x",
      "publicKey": [["id": .string(id), "publicKeyBase58": .string(key.text)]],
      "service": [["serviceEndpoint": "http://a", "recipientKeys": [.string(reference)]]],
    ]
    #expect(try DIDDocument(document).service.recipientKeys == [key])
  }

  @Test func ofTwoKeysWithTheSameFragmentTheFirstCounts() throws {
    let document: JSON = [
      "id": "did:x",
      "publicKey": [["id": "did:x#1", "publicKeyBase58": .string(key.text)]],
      "verificationMethod": [["id": "did:y#1", "publicKeyBase58": .string(KeyPair().verkey.text)]],
      "service": [["serviceEndpoint": "http://a", "recipientKeys": ["#1"]]],
    ]
    #expect(try DIDDocument(document).service.recipientKeys == [key])
  }

  /// Earlier versions stored such documents, so that a stored one is read, and nothing is sent to it.
  @Test func onlyAStoredDocumentMayHaveAMalformedRoutingKey() throws {
    let document: JSON = [
      "id": "did:x",
      "service": [
        ["serviceEndpoint": "http://a", "recipientKeys": [.string(key.text)], "routingKeys": ["no key"]]
      ],
    ]
    #expect(throws: DIDDocumentError.malformed("routingKeys")) { try DIDDocument(document) }
    let stored = try DIDDocument(document, isStored: true)
    #expect(throws: EnvelopeError.malformedRoutingKey) { try stored.service.pack([1], from: nil) }
  }

  /// The keys that cannot be read are passed over, and a reference to one of them leads nowhere.
  @Test func aKeyInAnotherFormIsPassedOver() throws {
    let other = KeyPair().verkey
    let document = { (reference: String) -> JSON in
      [
        "id": "did:x",
        "publicKey": [
          1, ["publicKeyBase58": .string(other.text)], ["id": "#bad", "publicKeyBase58": "no key"], ["id": "#none"],
          ["id": "#type", "publicKeyMultibase": "z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc"],
          ["id": "#1", "publicKeyMultibase": .string(key.multibase)],
        ],
        "service": [1, ["serviceEndpoint": "http://a", "recipientKeys": [.string(reference)]]],
      ]
    }
    #expect(try DIDDocument(document("#1")).service.recipientKeys == [key])
    for reference in ["#bad", "#none", "#type", "#", ""] {
      #expect(throws: DIDDocumentError.malformed("recipientKeys")) { try DIDDocument(document(reference)) }
    }
  }

  @Test func theServicesOfTheOtherVersionArePassedOver() throws {
    let services: [JSON] = [
      ["type": "DIDCommMessaging", "serviceEndpoint": "http://v2", "recipientKeys": [.string(key.text)]],
      ["type": "IndyAgent", "serviceEndpoint": "http://v1", "recipientKeys": [.string(key.text)], "priority": 9],
    ]
    #expect(try DIDDocument(["id": "x", "service": .array(services)]).service.endpoint == "http://v1")
    #expect(throws: DIDDocumentError.noService(.unsupported)) {
      try DIDDocument(["id": "x", "service": [services[0]]])
    }
  }

  @Test func aDocumentHas64RoutingKeysAtMost() throws {
    let document = { (count: Int) -> JSON in
      let service: JSON = [
        "serviceEndpoint": "http://a", "recipientKeys": [.string(key.text)],
        "routingKeys": .array([JSON](repeating: .string(key.text), count: count)),
      ]
      return ["id": "x", "service": [service]]
    }
    #expect(try DIDDocument(document(64)).service.routingKeys.count == 64)
    #expect(throws: DIDDocumentError.malformed("routingKeys")) { try DIDDocument(document(65)) }
  }

  @Test func aPartyHasADIDAndAKey() throws {
    let object: JSONObject = ["did": "x", "key": .string(key.text), "other": "no key"]
    #expect(try Party(object, did: "did", verkey: "key") == Party(did: "x", verkey: key))
    #expect(throws: JSONError.wrongType(key: "other", expected: "a verkey")) {
      try Party(object, did: "did", verkey: "other")
    }
    #expect(throws: JSONError.missing(key: "none")) { try Party(object, did: "none", verkey: "key") }
    #expect(throws: JSONError.wrongType(key: "none", expected: "a verkey")) {
      try Party(object, did: "did", verkey: "none")
    }
  }

  @Test func documentsThatLeadNowhereAreRefused() {
    let key = JSON.string(key.text)
    #expect(throws: DIDDocumentError.malformed("id")) { try DIDDocument(["service": []]) }
    #expect(throws: DIDDocumentError.noService(.unsupported)) { try DIDDocument(["id": "x"]) }
    let queue: JSON = ["serviceEndpoint": "didcomm:transport/queue", "recipientKeys": [key]]
    #expect(throws: DIDDocumentError.noService(.unsupported)) { try DIDDocument(["id": "x", "service": [queue]]) }
    #expect(throws: DIDDocumentError.malformed("recipientKeys")) {
      try DIDDocument(["id": "x", "service": [["serviceEndpoint": "http://a"]]])
    }
    #expect(throws: DIDDocumentError.malformed("recipientKeys")) {
      try DIDDocument(["id": "x", "service": [["serviceEndpoint": "http://a", "recipientKeys": ["#9"]]]])
    }
  }
}
