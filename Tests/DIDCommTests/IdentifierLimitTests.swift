import DIDComm
import Foundation
import JSON
import Sodium
import TestSupport
import Testing

/// How long identifiers and documents of others may be, and what the worst of them cost.
@Suite struct IdentifierLimitTests {
  let key = KeyPair().verkey

  func document(services: Int = 1, keys: Int = 1, recipients: Int = 1) -> JSON {
    let declared = (0..<keys).map { ["id": "#\($0)", "publicKeyBase58": .string(key.text)] as JSON }
    let service: JSON = [
      "serviceEndpoint": "http://a", "recipientKeys": .array([JSON](repeating: "#0", count: recipients)),
    ]
    return [
      "id": "x", "publicKey": .array(declared), "service": .array([JSON](repeating: service, count: services)),
    ]
  }

  @Test func aDocumentHasAsManyPartsAsReasonable() throws {
    let largest = try DIDDocument(document(services: 16, keys: 64, recipients: 64))
    #expect(largest.service.recipientKeys.count == 64)
    #expect(throws: DIDDocumentError.malformed("too many services")) { try DIDDocument(document(services: 17)) }
    #expect(throws: DIDDocumentError.malformed("too many keys")) { try DIDDocument(document(keys: 65)) }
    #expect(throws: DIDDocumentError.malformed("recipientKeys")) { try DIDDocument(document(recipients: 65)) }
    var split = document(keys: 33)
    split["verificationMethod"] = split["publicKey"]
    #expect(throws: DIDDocumentError.malformed("too many keys")) { try DIDDocument(split) }
  }

  @Test func anErrorNamesTheMalformedMember() {
    #expect(throws: DIDDocumentError.malformed("not an object")) { try DIDDocument([]) }
    #expect(throws: DIDDocumentError.malformed("id")) { try DIDDocument(["id": ""]) }
    #expect(throws: DIDDocumentError.malformed("id")) { try DIDDocument(["id": 1]) }
    var json = document()
    json["service"] = [["serviceEndpoint": "http://a", "recipientKeys": [1]]]
    #expect(throws: DIDDocumentError.malformed("recipientKeys")) { try DIDDocument(json) }
  }

  func peer4(padding: Int) -> String {
    PeerDID4(encoding: [
      "x": .string(String(repeating: "a", count: padding)),
      "verificationMethod": [["id": "#k", "publicKeyMultibase": .string(key.multibase)]],
      "service": [["serviceEndpoint": "http://a", "recipientKeys": ["#k"]]],
    ]).long
  }

  @Test func aDIDOfReasonableLengthIsResolved() throws {
    let long = peer4(padding: 5_600)
    #expect((7_500...DID.maximumLength).contains(long.utf8.count))
    #expect(try DIDDocument(resolving: long).service.recipientKeys == [key])
    #expect(try DID(long).text == long)
  }

  @Test func theLimitItselfIsPermitted() throws {
    let long = "did:example:" + String(repeating: "a", count: DID.maximumLength - 12)
    #expect(try DID(long).text == long)
    #expect(throws: DIDDocumentError.unresolvable("a DID of a kind that msdk cannot resolve (did:example)")) {
      try DIDDocument(resolving: long)
    }
    #expect(throws: IdentifierError.malformedDID) { try DID(long + "a") }
    #expect(throws: DIDDocumentError.malformed("a DID that is too long")) { try DIDDocument(resolving: long + "a") }
  }

  @Test(arguments: [6_500, 11_500, 100_000]) func aLongerOneIsRefused(padding: Int) {
    let long = "did:peer:4zQm:z" + String(repeating: "a", count: padding + 1_700)
    #expect(throws: DIDDocumentError.malformed("a DID that is too long")) { try DIDDocument(resolving: long) }
    #expect(throws: IdentifierError.malformedDID) { try DID(long) }
    #expect(throws: DIDDocumentError.malformed("a DID that is too long")) {
      try DIDDocument(resolving: "did:peer:2." + long)
    }
  }

  @Test func keysOfAnyOtherLengthAreRefused() {
    let short = Base58.encode([UInt8](repeating: 7, count: 31))
    let long = Base58.encode([UInt8](repeating: 7, count: 33))
    for text in [short, long, String(repeating: "z", count: 65), "1" + key.text, key.text + "\u{e9}"] {
      #expect(throws: IdentifierError.malformedVerKey) { try VerKey(text) }
    }
    let multibase = { (bytes: [UInt8]) in "z" + Base58.encode(bytes) }
    for text in [
      multibase([0xed, 0x01] + [UInt8](repeating: 7, count: 31)), String(key.multibase.dropFirst()), "", "z0",
      "z" + String(repeating: "2", count: 129),
    ] {
      #expect(throws: IdentifierError.malformedVerKey) { try VerKey(multibase: text) }
    }
    #expect(throws: IdentifierError.unsupportedKeyType) { try VerKey(multibase: multibase([0xec, 0x01, 1])) }
  }

  @Test func versionsOfTypesAreNaturalNumbers() {
    for text in ["a/-1.0/x", "a/1.-1/x", "a/1./x", "a/.1/x", "a/99999999999999999999.0/x"] {
      #expect(MessageType(text) == nil)
    }
    #expect(MessageType("a/1.2.3/x")?.minor == 2)
    #expect(MessageType("a/0.0/x")?.major == 0)
  }

  /// The processor's time of this thread, which nothing else on the machine lengthens.
  @Test func theWorstIdentifiersCostLittle() throws {
    let did = peer4(padding: 5_600)
    let start = processorTime()
    for _ in 0..<16 { _ = try DIDDocument(resolving: did) }
    _ = try DIDDocument(document(services: 16, keys: 64, recipients: 64))
    _ = try? Base58.decode(String(repeating: "z", count: Base58.maximumLength))
    _ = try? Base58.decode(String(repeating: "z", count: 1 << 20))
    #expect(processorTime() - start < 10_000_000_000)
  }
}

@Suite struct ForwardTests {
  @Test(
    arguments: [
      ([], .wrongType(key: nil, expected: "an object")), (["msg": [:]], .missing(key: "to")),
      (["to": 1, "msg": [:]], .wrongType(key: "to", expected: "a string")), (["to": "x"], .missing(key: "msg")),
      (["to": "x", "msg": 1], .wrongType(key: "msg", expected: "an envelope")),
      (["to": "x", "msg": "[]"], .wrongType(key: nil, expected: "an object")),
    ] as [(JSON, JSONError)])
  func aMalformedForwardIsRefused(json: JSON, error: JSONError) {
    #expect(throws: error) { try Forward(json) }
  }
}
