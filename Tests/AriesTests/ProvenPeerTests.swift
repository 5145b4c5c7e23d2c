import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// Only what a peer has proven counts, and nothing that its document lists or its message names besides.
@Suite struct ProvenPeerTests {
  let alice = Party("alice")
  let bob = Party("bob")
  let mallory = Party("mallory")

  /// A document that lists these keys, at Mallory's endpoint.
  func document(_ did: String, _ parties: [Party]) -> DIDDocument {
    let service = Service(
      recipientKeys: parties.map(\.own.key.verkey), routingKeys: mallory.own.service.routingKeys,
      endpoint: mallory.own.service.endpoint)
    return DIDDocument(id: did, key: parties[0].own.key.verkey, service: service)
  }

  func attached(_ document: DIDDocument, signedBy signer: Party) -> JSON {
    SignedAttachment(
      id: "a", mimeType: "application/json", content: document.json.value.bytes, signedWith: signer.own.key
    ).json
  }

  /// A request of connections/1.0, or of a DID exchange if a document is attached.
  func request(
    _ did: String, _ document: DIDDocument, exchanged: Bool, signedBy signer: Party? = nil
  ) throws -> Message {
    guard exchanged else {
      return .connectionRequest(ConnectionRequest(id: "r", label: "M", document: document, pthid: "invitation-1"))
    }
    return try Message([
      "@type": "https://didcomm.org/didexchange/1.1/request", "@id": "r", "label": "M", "did": .string(did),
      "~thread": ["thid": "r", "pthid": "invitation-1"],
      "did_doc~attach": attached(document, signedBy: signer ?? mallory),
    ])
  }

  /// Alice's inviter after a request from Mallory's key.
  func asked(_ message: Message, ledger: LedgerAnswer = .none) throws -> ConnectionMachine {
    var inviter = ConnectionMachine.offered(try alice.invitation(.outOfBand()))
    _ = try inviter.receive(
      message, from: mallory.sender, reply: Reply(id: "response", as: alice.own, ledger: ledger))
    return inviter
  }

  // MARK: keys

  @Test(arguments: [false, true]) func onlyTheKeyThatSentTheRequestIsThePeers(exchanged: Bool) throws {
    let did = exchanged ? "did:sov:\(mallory.own.did)" : mallory.own.did
    let lying = document(did, [bob, mallory])
    var inviter = try asked(request(did, lying, exchanged: exchanged))
    #expect(inviter.peer?.key == mallory.own.key.verkey)
    #expect(inviter.peer?.service.recipientKeys == [mallory.own.key.verkey])
    let stored = try #require(inviter.peer?.document.json.value)
    #expect(Peer(document: try DIDDocument(stored)).key == mallory.own.key.verkey, "also once it is restored")
    let ping = Message.ping(TrustPing(id: "p", responseRequested: false))
    #expect(throws: ProtocolError.notFromPeer) {
      try inviter.receive(ping, from: bob.sender, reply: alice.reply())
    }
    #expect(throws: ProtocolError.notFromPeer) {
      try inviter.receive(.hangup(Hangup(id: "h")), from: bob.sender, reply: alice.reply())
    }
    _ = try inviter.receive(ping, from: mallory.sender, reply: alice.reply())
    #expect(inviter.state == .completed)
  }

  @Test func aRestoredDocumentOfSeveralKeysIsOfTheFirst() {
    let peer = Peer(document: document(mallory.own.did, [mallory, bob]))
    #expect(peer.service.recipientKeys == [mallory.own.key.verkey])
  }

  // MARK: DIDs

  @Test(arguments: [false, true]) func anUnqualifiedDIDIsDerivedFromItsKey(exchanged: Bool) throws {
    for listed in [[mallory], [bob, mallory]] {
      let lie = document(bob.own.did, listed)
      #expect(throws: ProtocolError.otherKeys) { try asked(request(bob.own.did, lie, exchanged: exchanged)) }
    }
  }

  @Test func aDIDThatCarriesItsKeysIsComparedWithTheAttachedDocument() throws {
    let peer4 = PeerDID4(key: bob.own.key.verkey, service: bob.own.service)
    let dids = [
      PeerDID2.encoding(key: bob.own.key.verkey, service: bob.own.service), peer4.long, bob.own.key.verkey.didKey,
    ]
    for did in dids {
      #expect(throws: ProtocolError.otherKeys) { try asked(request(did, document(did, [mallory]), exchanged: true)) }
    }
    #expect(throws: ProtocolError.self) {
      try asked(request(peer4.short, document(peer4.short, [mallory]), exchanged: true))
    }
    let own = PeerDID2.encoding(key: mallory.own.key.verkey, service: mallory.own.service)
    #expect(try asked(request(own, document(own, [mallory]), exchanged: true)).peer?.did == own)
    let more = document(own, [mallory, bob])
    #expect(throws: ProtocolError.otherKeys) { try asked(request(own, more, exchanged: true)) }
  }

  @Test(arguments: ["did:sov:", "did:indy:sovrin:"]) func aPublicDIDIsAskedOfItsLedger(method: String) throws {
    let did = method + bob.own.did
    let message = try request(did, document(did, [mallory]), exchanged: true)
    let inviter = ConnectionMachine.offered(try alice.invitation(.outOfBand()))
    #expect(inviter.publicDID(in: message) == did)
    #expect(throws: ProtocolError.self) { try asked(message) }
    #expect(throws: ProtocolError.otherKeys) { try asked(message, ledger: .document(document(did, [bob]))) }
    // The ledger has given the DID this key, so that it is not derived from it.
    #expect(try asked(message, ledger: .document(document(did, [mallory]))).peer?.key == mallory.own.key.verkey)
  }

  /// The owner has replaced the key from which the DID is derived, or has withdrawn the DID.
  @Test(arguments: ["did:sov:", ""], [false, true])
  func theLedgersKeyReplacesTheDerivedOne(method: String, exchanged: Bool) throws {
    let did = method + mallory.own.did
    let message = try request(did, document(did, [mallory]), exchanged: exchanged)
    let inviter = ConnectionMachine.offered(try alice.invitation(.outOfBand()))
    #expect(inviter.publicDID(in: message) == did)
    let known = try asked(message)
    #expect(known.peer?.key == mallory.own.key.verkey && known.peer?.isConfirmed == false, "no ledger has the DID")
    #expect(try asked(message, ledger: .document(document(did, [mallory]))).peer?.isConfirmed == true)
    for ledger in [LedgerAnswer.document(document(did, [bob])), .withdrawn] {
      #expect(throws: ProtocolError.otherKeys) { try asked(message, ledger: ledger) }
    }
  }

  /// Most unqualified DIDs are pairwise, and on no ledger.
  @Test(arguments: [false, true]) func aLedgerOutOfReachDelaysNoPairwiseDID(exchanged: Bool) throws {
    let pairwise = try request(mallory.own.did, document(mallory.own.did, [mallory]), exchanged: exchanged)
    let inviter = try asked(pairwise, ledger: .unreachable)
    #expect(inviter.peer?.key == mallory.own.key.verkey && inviter.peer?.isConfirmed == false)
    for did in ["did:sov:\(mallory.own.did)", "did:indy:sovrin:\(mallory.own.did)", bob.own.did] {
      #expect(throws: ProtocolError.needsLedger) {
        try asked(request(did, document(did, [mallory]), exchanged: exchanged), ledger: .unreachable)
      }
    }
  }

  @Test(arguments: ["did:web:faber.example", "did:example:faber", "did:ion:x"])
  func aDIDOfAMethodThatCannotBeResolvedIsRefused(did: String) {
    #expect(throws: ProtocolError.self) { try asked(request(did, document(did, [mallory]), exchanged: true)) }
  }

  // MARK: the peer in an inviter's response

  /// An invitee that waits for Mallory's response, and the thread of its request.
  func waiting(_ keys: [Party]? = nil) throws -> ConnectionMachine {
    let service = Service(
      recipientKeys: (keys ?? [mallory]).map(\.own.key.verkey), endpoint: mallory.own.service.endpoint)
    let invitation = try InvitationPlan.connection.invitation(
      id: "invitation-1", from: .init(label: "M", service: service))
    var invitee = try ConnectionMachine(invitation: invitation)
    _ = invitee.connect(label: "Alice", as: alice.own, requestID: "r")
    return invitee
  }

  func response(_ document: DIDDocument, signedBy signer: Party) -> Message {
    let connection: JSON = ["DID": .string(document.id), "DIDDoc": document.json.value]
    let signature = SignatureDecorator(signing: connection, with: signer.own.key, time: 1)
    return .connectionResponse(
      ConnectionResponse(id: "s", thread: Thread(thid: "r"), signature: signature, asksForAck: true))
  }

  @Test func aNewKeyCountsOnceItAnswersThePing() throws {
    let bobs = DIDDocument(id: bob.own.did, key: bob.own.key.verkey, service: bob.own.service)
    for sender in [mallory.sender, .envelope(nil), .envelope(KeyPair().verkey)] {
      var invitee = try waiting()
      let action = try invitee.receive(response(bobs, signedBy: mallory), from: sender, reply: alice.reply())
      #expect(invitee.state == .requested && invitee.peer == nil)
      guard case .sendAll(let messages, let service) = action else {
        Issue.record("\(action)")
        continue
      }
      #expect(service == bob.own.service && messages.count == 2)
      guard case .ping(let ping) = try Message(#require(messages.last)), ping.responseRequested else {
        Issue.record("the new key is not asked for a sign of life")
        continue
      }
      let pong = Message.pingResponse(TrustPingResponse(id: "p", to: ping))
      // Anybody can write to the new connection in an envelope without a sender.
      for other in [mallory.sender, .envelope(nil)] {
        _ = try invitee.receive(pong, from: other, reply: alice.reply())
        #expect(invitee.state == .requested && invitee.peer == nil)
      }
      _ = try invitee.receive(pong, from: bob.sender, reply: alice.reply())
      #expect(invitee.state == .completed && invitee.peer?.key == bob.own.key.verkey)
    }
  }

  /// A stranger can make Bob write to us, by a service that names our mailbox in an answer to Bob's own invitation.
  @Test(
    arguments: [
      ["@type": "https://didcomm.org/trust_ping/1.0/ping_response", "~thread": ["thid": "another"]],
      ["@type": "https://didcomm.org/trust_ping/1.0/ping", "@id": "q"],
      ["@type": "https://didcomm.org/notification/1.0/ack", "@id": "q", "status": "OK", "~thread": ["thid": "r"]],
      ["@type": "https://didcomm.org/discover-features/1.0/query", "@id": "q", "query": "*"],
      ["@type": "https://didcomm.org/basicmessage/1.0/message", "@id": "q", "content": "Hello"],
      ["@type": "https://didcomm.org/present-proof/1.0/ack", "@id": "q", "status": "OK", "~thread": ["thid": "q"]],
      ["@type": "https://didcomm.org/notification/1.0/problem-report", "@id": "q", "~thread": ["thid": "q"]],
    ] as [JSON])
  func noOtherMessageOfANewKeyProvesIt(json: JSON) throws {
    var invitee = try waiting()
    let bobs = DIDDocument(id: bob.own.did, key: bob.own.key.verkey, service: bob.own.service)
    _ = try invitee.receive(response(bobs, signedBy: mallory), from: mallory.sender, reply: alice.reply())
    let before = invitee
    _ = try? invitee.receive(Message(json), from: bob.sender, reply: alice.reply("again"))
    #expect(invitee == before)
  }

  @Test func aResponseFromItsNewKeyCompletesTheHandshake() throws {
    var invitee = try waiting()
    let own = DIDDocument(id: bob.own.did, key: bob.own.key.verkey, service: bob.own.service)
    _ = try invitee.receive(response(own, signedBy: mallory), from: bob.sender, reply: alice.reply())
    #expect(invitee.state == .completed && invitee.peer?.key == bob.own.key.verkey)
  }

  @Test func aResponseThatListsAStrangersKeyIsOfItsOwnKey() throws {
    var invitee = try waiting()
    _ = try invitee.receive(
      response(document(mallory.own.did, [bob, mallory]), signedBy: mallory), from: mallory.sender,
      reply: alice.reply())
    #expect(invitee.peer?.service.recipientKeys == [mallory.own.key.verkey])
  }

  @Test(arguments: Conversation.handshakes) func aRequestIsForTheFirstKeyOfAnInvitation(handshake: Handshake) throws {
    let service = Service(
      recipientKeys: [bob, mallory].map(\.own.key.verkey), endpoint: mallory.own.service.endpoint)
    let invitation = try InvitationPlan.outOfBand().invitation(
      id: "invitation-1", from: .init(label: "M", service: service), handshakes: [handshake])
    var invitee = try ConnectionMachine(invitation: invitation)
    _ = invitee.connect(label: "Alice", as: alice.own, requestID: "r")
    guard case .requested(let machine) = invitee else {
      Issue.record("\(invitee)")
      return
    }
    #expect(machine.inviter.recipientKeys == [bob.own.key.verkey])
  }

  @Test func theFirstKeyOfAnInvitationSignsTheResponse() throws {
    var invitee = try waiting([bob, mallory])
    let own = document(mallory.own.did, [mallory])
    #expect(throws: ProtocolError.wrongSigner) {
      try invitee.receive(response(own, signedBy: mallory), from: mallory.sender, reply: alice.reply())
    }
    let report = ProblemReport(in: .connections, id: "p", code: "x", explanation: "", thread: Thread(thid: "r"))
    #expect(throws: ProtocolError.notFromPeer) {
      try invitee.receive(.problemReport(report), from: mallory.sender, reply: alice.reply())
    }
    #expect(try invitee.receive(.hangup(Hangup(id: "h")), from: mallory.sender, reply: alice.reply()) == .leave)
    #expect(invitee.state == .requested)
  }

  // MARK: our own key

  @Test func aPeerThatPresentsOurKeyOrOurMailboxIsRefused() throws {
    let ours = alice.own.service
    let reflected = Service(
      recipientKeys: [mallory.own.key.verkey], routingKeys: ours.routingKeys, endpoint: ours.endpoint)
    let mailbox = DIDDocument(id: mallory.own.did, key: mallory.own.key.verkey, service: reflected)
    for lie in [document(mallory.own.did, [alice, mallory]), mailbox] {
      #expect(throws: ProtocolError.ownKey) { try asked(request(lie.id, lie, exchanged: false)) }
      var invitee = try waiting()
      let action = try invitee.receive(response(lie, signedBy: mallory), from: mallory.sender, reply: alice.reply())
      guard case .refuse(.ownKey, _, _) = action else {
        Issue.record("\(action)")
        continue
      }
      #expect(invitee.state == .failed)
    }
  }

  @Test(arguments: Conversation.handshakes) func twoClientsOfOneMediatorConnect(handshake: Handshake) throws {
    let routing = KeyPair().verkey
    let sides = [KeyPair(), KeyPair()].map { key in
      OwnSide(
        key: key,
        service: Service(recipientKeys: [key.verkey], routingKeys: [routing], endpoint: "http://mediator.example"))
    }
    let invitation = try InvitationPlan.outOfBand().invitation(
      id: "invitation-1", from: .init(label: "A", service: sides[0].service), handshakes: [handshake])
    var inviter = ConnectionMachine.offered(invitation)
    var invitee = try ConnectionMachine(invitation: invitation)
    let request = invitee.connect(label: "B", as: sides[1], requestID: "r")
    let response = try inviter.receive(
      request.message, from: .envelope(sides[1].key.verkey), reply: Reply(id: "1", as: sides[0]))
    _ = try invitee.receive(
      response.message, from: .envelope(sides[0].key.verkey), reply: Reply(id: "2", as: sides[1]))
    #expect(invitee.state == .completed)
  }
}
