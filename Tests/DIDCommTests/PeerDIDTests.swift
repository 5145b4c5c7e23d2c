import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@Suite struct PeerDIDTests {
  let key = KeyPair().verkey
  var service: Service {
    Service(recipientKeys: [key], routingKeys: [KeyPair().verkey], endpoint: "http://agency.example/agency/msg")
  }

  /// DIDs that ACA-Py has made, each with the endpoint that it answers at.
  static let foreign: [(file: String, member: String)] = [
    ("0.12-oob-did-service-did-peer-2", "services"), ("1.7-oob-did-service-did-peer-2", "services"),
    ("0.12-oob-did-service-did-peer-4", "services"), ("1.7-oob-did-service-did-peer-4", "services"),
    ("0.12-oob-didexchange-1.1", "did"), ("1.7-oob-didexchange-1.1", "did"),
  ]

  @Test(arguments: foreign) func foreignDIDsAreResolved(file: String, member: String) throws {
    let json = try Fixtures.json("handshakes/\(file).json")
    let did = member == "did" ? json["response"]?["did"]?.string : json["invitation"]?["services"]?.array?[0].string
    let document = try DIDDocument(resolving: try #require(did))
    #expect(document.service.endpoint.hasPrefix("http://127.0.0.1:"))
    #expect(document.service.recipientKeys.count == 1)
    #expect(try #require(did).hasPrefix(document.id))
  }

  @Test func aDocumentIsTheDID() throws {
    let service = service
    let did = PeerDID4(key: key, service: service)
    #expect(did.short.hasPrefix("did:peer:4zQm") && did.long.hasPrefix(did.short + ":z"))
    #expect(try PeerDID4(did.long) == did)
    let document = try DIDDocument(resolving: did.long)
    #expect(document.service == service)
    #expect(document.id == did.short)
    #expect(document.json.value["alsoKnownAs"] == [.string(did.long)])
  }

  /// Peers look for the key to encrypt with among the keys for that use.
  @Test func aDocumentNamesItsKeyForEachUse() throws {
    let json = try DIDDocument(resolving: PeerDID4(key: key, service: service).long).json.value
    let id = try #require(json["verificationMethod"]?.array?.first?["id"])
    #expect(json["authentication"] == [id] && json["keyAgreement"] == [id])
    #expect(json["service"]?.array?.first?["recipientKeys"] == [id])
  }

  @Test func theDIDIsHashedAndEncodedAsTheMethodDemands() throws {
    let did = PeerDID4(encoding: ["a": 1])
    let encoded = "z" + Base58.encode([0x80, 0x04] + Array(#"{"a":1}"#.utf8))
    let hash = "z" + Base58.encode([0x12, 0x20] + sha256(Array(encoded.utf8)))
    #expect(did.long == "did:peer:4\(hash):\(encoded)")
  }

  @Test func aChangedDocumentIsNoticed() throws {
    let long = PeerDID4(key: key, service: service).long
    let other = PeerDID4(key: KeyPair().verkey, service: service)
    let mixed = other.short + ":" + (long.split(separator: ":").last ?? "")
    #expect(throws: DIDDocumentError.malformed("the hash in did:peer:4")) { try PeerDID4(mixed) }
    for text in [long + ":x", "did:peer:4:", "did:peer:4z1:z1", "", "did:peer:2z1:z1", "did:peer:4z1:m1"] {
      #expect(throws: DIDDocumentError.malformed("did:peer:4")) { try PeerDID4(text) }
    }
    let short = "did:peer:4:z" + Base58.encode([0x80, 0x04] + Array("{}".utf8))
    #expect(throws: DIDDocumentError.malformed("the hash in did:peer:4")) { try PeerDID4(short) }
    let otherMethod = "did:peer:3" + long.dropFirst(10)
    #expect(throws: DIDDocumentError.malformed("did:peer:4")) { try PeerDID4(otherMethod) }
    let otherBase = "m" + Base58.encode([0x80, 0x04] + Array("{}".utf8))
    let hash = "z" + Base58.encode([0x12, 0x20] + sha256(Array(otherBase.utf8)))
    #expect(throws: DIDDocumentError.malformed("did:peer:4")) { try PeerDID4("did:peer:4\(hash):\(otherBase)") }
    let otherCodec = "did:peer:4:z" + Base58.encode([0x81, 0x04] + Array("{}".utf8))
    #expect(throws: DIDDocumentError.malformed("did:peer:4")) { try PeerDID4(otherCodec) }
    #expect(throws: DIDDocumentError.malformed("not an object")) { try PeerDID4(encoding: [1]).resolved() }
  }

  @Test(arguments: [
    ("did:peer:4zQmXjp8MFH8YiSG1fJ6YJhasFb8HnV9CP6J3m2FysRtoe3P", "short form"), ("did:key:z6Mkx", "no endpoint"),
    ("did:example:a", "did:example"), ("did:peer:0z6Mkx", "did:peer"), ("x", "cannot resolve"),
  ])
  func aDIDThatNeedsAnotherPartyIsRefusedWithTheReason(did: String, reason: String) {
    do {
      _ = try DIDDocument(resolving: did)
      Issue.record("resolved")
    } catch {
      guard case .unresolvable(let kind) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(kind.contains(reason))
    }
  }

  @Test(arguments: [
    "did:sov:WgWxqztrNooG92RXvxSTWv", "did:indy:sovrin:WgWxqztrNooG92RXvxSTWv", "WgWxqztrNooG92RXvxSTWv",
  ])
  func aPublicDIDNeedsALedger(did: String) {
    #expect(throws: DIDDocumentError.needsLedger(did)) { try DIDDocument(resolving: did) }
  }

  @Test func theNameOfADIDIsTheSameForBothSides() throws {
    let peer = PeerDID4(key: key, service: Service(recipientKeys: [key], endpoint: "http://a"))
    #expect(DID.name(of: peer.long) == peer.short)
    #expect(DID.name(of: peer.short) == peer.short)
    #expect(DID.name(of: "did:sov:WgWxqztrNooG92RXvxSTWv") == "WgWxqztrNooG92RXvxSTWv")
    #expect(DID.name(of: "did:peer:2.Vz6Mk") == "did:peer:2.Vz6Mk")
    #expect(DID.name(of: "no DID") == "no DID")
  }

  @Test func aMadePeerDID2ContainsItsService() throws {
    let service = Service(recipientKeys: [key], routingKeys: [KeyPair().verkey], endpoint: "http://a.example")
    let document = try DIDDocument(resolving: PeerDID2.encoding(key: key, service: service))
    #expect(document.service == service)
  }

  /// The method has short names for some members, and other implementations know no others.
  @Test func theServiceOfAPeerDID2HasShortNames() throws {
    let service = Service(recipientKeys: [key], routingKeys: [key], endpoint: "http://a")
    let parts = PeerDID2.encoding(key: key, service: service).split(separator: ".")
    #expect(parts.count == 3 && parts[0] == "did:peer:2" && parts[1] == "V\(key.multibase)")
    let block = try JSON(parsing: Base64.decode(String(parts[2].dropFirst()), .url))
    let expected: JSON = [
      "id": "#didcomm-0", "t": "did-communication", "priority": 0, "recipientKeys": ["#key-1"],
      "r": [.string(key.didURL)], "s": "http://a",
    ]
    #expect(parts[2].hasPrefix("S") && block == expected)
  }

  @Test func ofSeveralEndpointsTheHTTPOneCounts() throws {
    for offered: JSON in [
      ["ws://a", "http://b"], [["uri": "wss://a"], ["uri": "http://b"]], ["uri": "http://b"], "http://b",
    ] {
      #expect(try Service.endpoint(among: offered) == "http://b")
    }
    #expect(try Service.endpoint(among: ["didcomm:x", "WSS://a", "ws://b"]) == "WSS://a")
    #expect(throws: EndpointError.unsupported) { try Service.endpoint(among: [1, "didcomm:x", ["uri": true]]) }
    for text in ["HTTPS://a", "https://a", "http://a"] { #expect(try Service.endpoint(among: .string(text)) == text) }
    for text in ["http:a", "httpx://a", "a http://b", "wsx://a", "w://a"] {
      #expect(throws: EndpointError.unsupported) { try Service.endpoint(among: .string(text)) }
    }
  }

  /// It may end in a log, where it could pass for a line of its own.
  @Test(arguments: [
    "did:x\nWARN y:z", "did:" + String(repeating: "x", count: 100) + ":z",
    "did:" + String(repeating: "x", count: 29) + ":z", "did:X:z", "did:a{b:z", "did:a`b:z", "did:a/b:z", "did:a;b:z",
  ])
  func anErrorRepeatsNoMalformedMethod(did: String) {
    #expect(throws: DIDDocumentError.unresolvable("a DID of a kind that msdk cannot resolve")) {
      try DIDDocument(resolving: did)
    }
  }

  @Test func anErrorNamesAMethodOfReasonableLength() {
    for method in ["did:" + String(repeating: "x", count: 28), "did:a0z9"] {
      #expect(throws: DIDDocumentError.unresolvable("a DID of a kind that msdk cannot resolve (\(method))")) {
        try DIDDocument(resolving: method + ":z")
      }
    }
  }

  // MARK: did:peer:2

  func service2(_ json: JSON) -> String { ".S" + Base64.encode(json.bytes, .url, padded: false) }

  @Test func servicesAndKeysStandInARow() throws {
    let second = KeyPair().verkey
    let did =
      "did:peer:2.Ez6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc.V\(key.multibase)"
      + service2(["t": "dm", "s": "http://v2.example", "recipientKeys": ["#key-2"]])
      + service2([
        ["t": "did-communication", "s": "ws://x", "recipientKeys": ["#key-2"], "priority": 0],
        [
          "t": "did-communication", "s": "http://a.example", "recipientKeys": ["#key-2"], "priority": 1,
          "r": [.string(second.didURL)],
        ],
      ])
    let document = try DIDDocument(resolving: did)
    #expect(document.service == Service(recipientKeys: [key], routingKeys: [second], endpoint: "http://a.example"))
    #expect(document.id == did)
  }

  @Test(
    arguments: [
      ("did:peer:2", .malformed("did:peer:2")), ("did:peer:2.V", .malformed("a key in did:peer:2")),
      ("did:peer:2.S", .malformed("service")),
      ("did:peer:2.Se30", .noService(.unsupported)), ("did:peer:2.SWzFd", .malformed("service")),
      ("did:peer:2.S!", .malformed("service")),
    ] as [(String, DIDDocumentError)])
  func aPeerDIDThatLeadsNowhereIsRefused(did: String, error: DIDDocumentError) {
    #expect(throws: error) { try DIDDocument(resolving: did) }
  }

  @Test func aMalformedElementOrAnUnknownPurposeIsRefused() {
    let (own, other) = (key.multibase, KeyPair().verkey.multibase)
    let service = service2(["t": "did-communication", "s": "http://a.example", "recipientKeys": ["#key-1"]])
    #expect(throws: Never.self) { try DIDDocument(resolving: "did:peer:2.V\(own).E\(other)\(service)") }
    for elements in [
      ".Q\(own)", ".v\(own)", ".D\(own)", ".A\(own)", ".E\(own)", "V\(own)", "..V\(own)", ".V\(own).", ".V", ".Vz6Mk",
      ".V\(own).Em",
    ] {
      #expect(throws: DIDDocumentError.self, "\(elements)") {
        try DIDDocument(resolving: "did:peer:2\(elements)\(service)")
      }
    }
  }

  @Test func aServiceOfAPeerDIDNamesOnlyKeysOfTheDID() {
    let stranger = KeyPair().verkey.didKey
    let service = service2(["t": "did-communication", "s": "http://a.example", "recipientKeys": [.string(stranger)]])
    #expect(throws: DIDDocumentError.malformed("recipientKeys")) {
      try DIDDocument(resolving: "did:peer:2.V\(key.multibase)\(service)")
    }
  }

  @Test(arguments: UInt64(0)..<200) func everyDamageIsNoticed(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let did = PeerDID4(key: key, service: service).long
    var bytes = Array(did.utf8)
    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 33...126, using: &random)
    let damaged = String(decoding: bytes, as: UTF8.self)
    guard damaged != did else { return }
    #expect(throws: DIDDocumentError.self) { try DIDDocument(resolving: damaged) }
  }
}
