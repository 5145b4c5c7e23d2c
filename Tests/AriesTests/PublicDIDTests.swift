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
