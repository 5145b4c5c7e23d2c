import Aries
import DIDComm
import IndyVDR
import JSON
import Registry
import Sodium
import Testing

@testable import MSDK

@Suite struct PublicDIDTests {
  /// A ledger with one DID.
  private struct StubLedger: Ledger {
    var nym: JSON = nil
    var endpoint: JSON = nil

    func submit(_ request: LedgerRequest) throws(LedgerError) -> JSON {
      switch request {
      case .nym("WgWxqztrNooG92RXvxSTWv"): ["data": nym]
      case .attribute("endpoint", of: "WgWxqztrNooG92RXvxSTWv"): ["data": endpoint]
      default: ["data": nil]
      }
    }
  }

  private let did = "did:sov:WgWxqztrNooG92RXvxSTWv"
  private let key = "H3C2AVvLMv6gmMNam3uVAjZpfkcJCwDwnZn6z3wXmqPV"

  private func ledger(_ endpoint: JSON?) -> StubLedger {
    StubLedger(
      nym: .string((["dest": "WgWxqztrNooG92RXvxSTWv", "verkey": .string(key)] as JSON).text),
      endpoint: endpoint.map { JSON.string($0.text) } ?? .null)
  }

  @Test(arguments: [
    "did:sov:WgWxqztrNooG92RXvxSTWv", "did:indy:sovrin:WgWxqztrNooG92RXvxSTWv", "WgWxqztrNooG92RXvxSTWv",
  ])
  func theLedgerTellsKeyAndEndpoint(did: String) throws {
    let ledger = ledger(["endpoint": ["endpoint": "http://127.0.0.1:1/x", "routingKeys": [.string(key)]]])
    let service = try #require(try PublicDID(did)?.service(on: ledger))
    #expect(service.recipientKeys.map(\.text) == [key])
    #expect(service.routingKeys.map(\.text) == [key])
    #expect(service.endpoint == "http://127.0.0.1:1/x")
  }

  @Test func olderAgentsNameTheirEndpointAgent() throws {
    let ledger = ledger(["endpoint": ["agent": "http://127.0.0.1:1/x"]])
    #expect(try PublicDID(did)?.service(on: ledger)?.endpoint == "http://127.0.0.1:1/x")
  }

  @Test func theNewerNameOfTheEndpointComesFirst() throws {
    let ledger = ledger(["endpoint": ["agent": "http://127.0.0.1:1/old", "endpoint": "http://127.0.0.1:1/new"]])
    #expect(try PublicDID(did)?.service(on: ledger)?.endpoint == "http://127.0.0.1:1/new")
  }

  @Test func routingKeysHaveEitherForm() throws {
    let keys: JSON = [.string(key), "did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH"]
    let ledger = ledger(["endpoint": ["endpoint": "http://127.0.0.1:1", "routingKeys": keys]])
    let routing = try PublicDID(did)?.service(on: ledger)?.routingKeys.map(\.text)
    #expect(routing == [key, "B12NYF8RrR3h41TDCTJojY59usg3mbtbjnFs7Eud1Y6u"])
  }

  @Test func aShortenedKeyContinuesTheBytesOfTheDID() throws {
    var ledger = ledger(["endpoint": ["endpoint": "http://127.0.0.1:1"]])
    let whole = try VerKey(key)
    ledger.nym = .string(
      (["verkey": .string("~" + Base58.encode(Array(whole.publicKey.bytes.suffix(16))))] as JSON).text)
    let service = try #require(try PublicDID(did)?.service(on: ledger))
    let first = try Base58.decode("WgWxqztrNooG92RXvxSTWv")
    #expect(service.recipientKeys.first?.publicKey.bytes == first + whole.publicKey.bytes.suffix(16))
  }

  @Test func aDIDThatTheLedgerDoesNotHaveHasNoService() throws {
    #expect(try PublicDID(did)?.service(on: StubLedger()) == nil)
    #expect(try PublicDID("did:sov:V4SGRU86Z58d6TV7PBUe6f")?.service(on: ledger(["endpoint": [:]])) == nil)
  }

  @Test(
    arguments: [
      nil, ["endpoint": [:]], ["endpoint": ["endpoint": "didcomm:transport/queue"]],
      ["endpoint": ["endpoint": "http://127.0.0.1", "routingKeys": ["no key"]]],
    ] as [JSON?])
  func aDIDWithoutAnEndpointIsRefused(endpoint: JSON?) {
    #expect(throws: PublicDIDError.noEndpoint(did)) { try PublicDID(did)?.service(on: ledger(endpoint)) }
  }

  /// The key is enough to judge a document that a peer has attached.
  @Test func theLedgersKeyCountsWithoutAnEndpointToo() throws {
    let key = try VerKey(key)
    for (endpoint, url) in [(nil, ""), (["endpoint": ["endpoint": "http://127.0.0.1:1"]], "http://127.0.0.1:1")]
      as [(JSON?, String)]
    {
      let document = try #require(try PublicDID(did)?.document(on: ledger(endpoint)))
      #expect(document.id == did && document.service == Service(recipientKeys: [key], endpoint: url))
    }
    #expect(try PublicDID(did)?.document(on: StubLedger()) == nil)
  }

  /// The ledger has the DID, so that no other ledger may tell another key.
  @Test func aDIDWithoutAKeyIsNotOneThatTheLedgerDoesNotHave() {
    let ledger = StubLedger(nym: .string(#"{"dest":"WgWxqztrNooG92RXvxSTWv"}"#))
    #expect(throws: PublicDIDError.noEndpoint(did)) { try PublicDID(did)?.document(on: ledger) }
  }

  @Test func theMachineLearnsWhyThereIsNoDocument() throws {
    let document = try #require(try PublicDID(did)?.document(on: ledger(nil)))
    let answers: [(Result<DIDDocument?, any Error>, LedgerAnswer)] = [
      (.success(nil), .none), (.success(document), .document(document)),
      (.failure(PublicDIDError.notFound(did)), .none), (.failure(ConnectionError.needsLedger(did)), .none),
      (.failure(PublicDIDError.noEndpoint(did)), .withdrawn),
      (.failure(PublicDIDError.unreachable(did, "silent")), .unreachable),
      (.failure(ConnectionError.notReady), .unreachable),
    ]
    for (result, answer) in answers { #expect(LedgerAnswer(result) == answer) }
  }

  @Test func withoutALedgerOneIsNeeded() {
    #expect(throws: ConnectionError.needsLedger(did)) { try PublicDID(did)?.service(on: [LedgerConnection]()) }
  }

  private func unusableLedger(of network: String) throws -> LedgerConnection {
    let node: JSON = ["alias": "Node1", "client_ip": "127.0.0.1", "client_port": 1]
    let genesis: JSON = ["txn": ["data": ["dest": "Gw6pDLhcBcoQesN72qfotTgFa7cbuqZpkX3Xo6pLhPhv", "data": node]]]
    return LedgerConnection(try Genesis(genesis.text), names: [network], library: "/nowhere/libindy_vdr.so")
  }

  @Test func aLedgerThatCannotBeAskedIsNotOneWithoutTheDID() throws {
    let ledger = try unusableLedger(of: "sovrin")
    for did in [did, "did:indy:sovrin:WgWxqztrNooG92RXvxSTWv"] {
      #expect {
        try PublicDID(did)?.service(on: [ledger])
      } throws: { error in
        if case .unreachable(did, _)? = error as? PublicDIDError { true } else { false }
      }
    }
  }

  @Test func aDIDOfAnotherNetworkNeedsTheLedgerOfThatNetwork() throws {
    let ledger = try unusableLedger(of: "sovrin:staging")
    #expect(throws: ConnectionError.needsLedger("did:indy:sovrin:WgWxqztrNooG92RXvxSTWv")) {
      try PublicDID("did:indy:sovrin:WgWxqztrNooG92RXvxSTWv")?.service(on: [ledger])
    }
  }

  @Test func anErrorShowsTheBeginningOfAStrangersDIDWithoutControlCharacters() {
    let rest = String(repeating: "x", count: 54)
    let text = "\(ConnectionError.needsLedger("did:a b\u{1f}\u{7f}~\(rest)xx"))"
    #expect(text.contains("did:a b~\(rest),"))
  }

  @Test(arguments: [
    "", "did:web:example.com", "did:sov:", "did:sov:short", "did:indy:WgWxqztrNooG92RXvxSTWv", "did:peer:2x",
  ])
  func otherTextsAreNoPublicDIDs(text: String) { #expect(PublicDID(text) == nil) }
}
