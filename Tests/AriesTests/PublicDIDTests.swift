import DIDComm
import JSON
import Testing

@testable import Aries

/// An inviter that presents a public DID, whose keys a ledger has told.
@Suite struct PublicDIDTests {
  /// The invitee's action on a response that presents faber's DID without a document, with `document` from a ledger.
  private func response(
    _ handshake: Handshake, of faber: Party, resolved document: DIDDocument?, from sender: Sender? = nil
  ) throws -> (action: Action, peer: Peer?) {
    var conversation = try Conversation(by: handshake, faber: faber)
    try conversation.respond()
    guard case .send(var json, _) = conversation.response else { throw NothingSent(action: conversation.response) }
    json["did"] = .string(conversation.faber.own.did)
    (json["did_doc~attach"], json["did_rotate~attach"]) = (nil, nil)
    let message = try Message(json)
    #expect(conversation.invitee.publicDID(in: message) == conversation.faber.own.did)
    let ledger = document.map(LedgerAnswer.document) ?? .none
    let action = try conversation.invitee.receive(
      message, from: sender ?? conversation.faber.sender, reply: Reply(id: "last", ledger: ledger))
    return (action, conversation.invitee.peer)
  }

  private func document(of party: Party) -> DIDDocument {
    DIDDocument(id: party.own.did, key: party.own.key.verkey, service: party.own.service)
  }

  @Test(arguments: [Handshake.didExchange(.v1_0), .didExchange(.v1_1)])
  func itIsTakenIfItsKeyIsTheInvitations(handshake: Handshake) throws {
    let faber = Party("faber")
    let (action, peer) = try response(handshake, of: faber, resolved: document(of: faber))
    #expect(peer?.service == faber.own.service)
    guard case .send(_, let service) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(service == faber.own.service)
  }

  @Test func itNeedsALedger() {
    #expect(throws: ProtocolError.needsLedger) { try response(.didExchange(.v1_0), of: Party("faber"), resolved: nil) }
  }

  /// The inviter has signed for the DID, and only a ledger tells where it leads.
  @Test func aSignedPublicDIDWaitsForALedgerToo() throws {
    let faber = Party("faber")
    var conversation = try Conversation(by: .didExchange(.v1_1), faber: faber)
    try conversation.respond()
    guard case .send(var json, _) = conversation.response else { throw NothingSent(action: conversation.response) }
    let did = "did:sov:\(faber.own.did)"
    json["did"] = .string(did)
    json["did_rotate~attach"] =
      SignedAttachment(id: "a", mimeType: "text/string", content: Array(did.utf8), signedWith: faber.own.key).json
    let before = conversation.invitee
    #expect(throws: ProtocolError.needsLedger) {
      try conversation.invitee.receive(Message(json), from: faber.sender, reply: Reply(id: "last"))
    }
    #expect(conversation.invitee == before)
    _ = try conversation.invitee.receive(
      Message(json), from: faber.sender, reply: Reply(id: "last", ledger: .document(document(of: faber))))
    #expect(conversation.invitee.peer?.service == faber.own.service)
  }

  @Test func anotherKeyIsNotTheInvitations() {
    #expect(throws: ProtocolError.wrongSigner) {
      try response(.didExchange(.v1_0), of: Party("faber"), resolved: document(of: Party("mallory")))
    }
  }

  @Test func theEnvelopeMustBeFromThatKey() throws {
    let faber = Party("faber")
    for sender in [Party("mallory").sender, .envelope(nil)] {
      #expect(throws: ProtocolError.notFromPeer) {
        try response(.didExchange(.v1_0), of: faber, resolved: document(of: faber), from: sender)
      }
    }
  }
}

/// A requester that presents a public DID without a document (RFC 0023), whose keys a ledger has told.
@Suite struct PublicRequesterTests {
  private let alice = Party("alice")
  private let faber = Party("faber")

  /// The inviter's action on the request, and the inviter's machine after it.
  private func asked(
    _ version: DIDExchangeVersion, as did: String, ledger: LedgerAnswer, from sender: Sender? = nil
  ) throws -> (action: Action, machine: ConnectionMachine) {
    let conversation = try Conversation(by: .didExchange(version), alice: alice, faber: faber)
    guard case .send(var json, _) = conversation.request else { throw NothingSent(action: conversation.request) }
    (json["did"], json["did_doc~attach"]) = (.string(did), nil)
    let message = try Message(json)
    var inviter = conversation.inviter
    #expect(inviter.publicDID(in: message) == did)
    let reply = Reply(id: "response", as: faber.own, ledger: ledger)
    return (try inviter.receive(message, from: sender ?? alice.sender, reply: reply), inviter)
  }

  private func document(_ did: String, key: VerKey? = nil, endpoint: String? = nil) -> LedgerAnswer {
    let key = key ?? alice.own.key.verkey
    let service = Service(recipientKeys: [key], endpoint: endpoint ?? alice.own.service.endpoint)
    return .document(DIDDocument(id: did, key: key, service: service))
  }

  private static let dids = [
    "WgWxqztrNooG92RXvxSTWv", "did:sov:WgWxqztrNooG92RXvxSTWv", "did:indy:sovrin:WgWxqztrNooG92RXvxSTWv",
  ]

  @Test(arguments: dids, [DIDExchangeVersion.v1_0, .v1_1])
  func theResponseGoesToTheEndpointOnTheLedger(did: String, version: DIDExchangeVersion) throws {
    let (action, inviter) = try asked(version, as: did, ledger: document(did))
    guard case .send(_, let service) = action else { throw NothingSent(action: action) }
    #expect(service.endpoint == alice.own.service.endpoint && service.recipientKeys == [alice.own.key.verkey])
    #expect(inviter.state == .responded && inviter.peer?.key == alice.own.key.verkey)
  }

  @Test func theSenderMustHaveTheKeyOnTheLedger() throws {
    let did = Self.dids[1]
    #expect(throws: ProtocolError.notFromPeer) {
      try asked(.v1_1, as: did, ledger: document(did, key: Party("mallory").own.key.verkey))
    }
    #expect(throws: ProtocolError.notFromPeer) {
      try asked(.v1_1, as: did, ledger: document(did), from: Party("mallory").sender)
    }
  }

  @Test(arguments: [LedgerAnswer.none, .unreachable, .withdrawn])
  func withoutADocumentThereIsNoConnection(ledger: LedgerAnswer) {
    #expect(throws: ProtocolError.needsLedger) { try asked(.v1_0, as: Self.dids[1], ledger: ledger) }
  }

  @Test func withoutAnEndpointThereIsNoWayForTheResponse() {
    let did = Self.dids[0]
    #expect(throws: ProtocolError.needsLedger) { try asked(.v1_1, as: did, ledger: document(did, endpoint: "")) }
  }
}
