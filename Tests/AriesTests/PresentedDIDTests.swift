import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// The DIDs that the sides of a handshake present, and what vouches for them.
@Suite struct PresentedDIDTests {
  // MARK: members that somebody has changed

  /// Returns the invitee's action on a response with one member changed.
  func changedResponse(_ handshake: Handshake, _ change: (inout JSON) throws -> Void) throws -> Action {
    var conversation = try Conversation(by: handshake)
    try conversation.respond()
    guard case .send(var json, _) = conversation.response else { throw NothingSent(action: conversation.response) }
    try change(&json)
    return try conversation.invitee.receive(
      Message(json), from: conversation.faber.sender, reply: conversation.alice.reply())
  }

  @Test func aResponseVouchesForTheDIDThatItPresents() throws {
    let other = Party("mallory").own
    let action = try changedResponse(.didExchange(.v1_0)) { $0["did"] = .string(other.did) }
    guard case .refuse(let error, _, _) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(error == .malformed(.malformedDocument(.malformed("it is of another DID"))))
    let peer = PeerDID4(key: other.key.verkey, service: other.service).long
    #expect(throws: ProtocolError.badSignature(.malformed("of another DID"))) {
      try changedResponse(.didExchange(.v1_1)) { $0["did"] = .string(peer) }
    }
  }

  @Test(arguments: [(Handshake.didExchange(.v1_0), "did_doc~attach"), (.didExchange(.v1_1), "did_rotate~attach")])
  func aResponseMustBeSignedByAKeyOfTheInvitation(handshake: Handshake, member: String) throws {
    // Without its document an unqualified DID is a public one, as far as msdk can tell.
    let unsigned = member == "did_doc~attach" ? ProtocolError.needsLedger : .badSignature(.malformed("no signature"))
    #expect(throws: unsigned) { try changedResponse(handshake) { $0[member] = nil } }
    #expect(throws: ProtocolError.badSignature(.malformed("no signature"))) {
      try changedResponse(handshake) { $0[member]?["data"]?["jws"] = nil }
    }
    #expect(throws: ProtocolError.wrongSigner) {
      try changedResponse(handshake) { json in
        let data = try #require(json[member]?["data"]?["base64"]?.string)
        json[member] =
          SignedAttachment(
            id: "a", mimeType: "text/string", content: try Base64.decodeAny(data), signedWith: KeyPair()
          ).json
      }
    }
  }

  @Test func aRequestVouchesForTheDIDThatItPresents() throws {
    var conversation = try Conversation(by: .didExchange(.v1_0))
    guard case .send(var json, _) = conversation.request else { throw NothingSent(action: conversation.request) }
    json["did"] = .string(Party("mallory").own.did)
    let before = conversation.inviter
    #expect(throws: ProtocolError.malformed(.malformedDocument(.malformed("it is of another DID")))) {
      try conversation.inviter.receive(
        Message(json), from: conversation.alice.sender, reply: conversation.faber.reply())
    }
    #expect(conversation.inviter == before)
  }

  // MARK: other kinds of DIDs

  /// A request that presents a DID of the peer's choice.
  func request(_ members: JSONObject) throws -> Message {
    let common: [(String, JSON)] = [
      ("@type", "https://didcomm.org/didexchange/1.1/request"), ("@id", "request-1"), ("label", "Alice"),
      ("~thread", ["thid": "request-1", "pthid": "invitation-1"]),
    ]
    return try Message(.object(JSONObject(common + members.members.map { ($0.key, $0.value) })))
  }

  func attachment(_ document: JSON, signedWith pair: KeyPair) -> JSON {
    SignedAttachment(id: "a", mimeType: "application/json", content: document.bytes, signedWith: pair).json
  }

  /// A `did:peer:1` with its document in today's form.
  func peer1(_ own: OwnSide) -> (did: String, document: JSON) {
    let did = "did:peer:1zQmZMygzYqNwU6Uhmewx5Xepf2VLp5S4HLSwwgf2aiKZuwa"
    return (
      did,
      [
        "@context": "https://www.w3.org/ns/did/v1", "id": .string(did),
        "verificationMethod": [
          [
            "id": "\(did)#1", "type": "Ed25519VerificationKey2018", "controller": .string(did),
            "publicKeyBase58": .string(own.key.verkey.text),
          ]
        ],
        "service": [
          [
            "id": "\(did)#didcomm", "type": "did-communication", "recipientKeys": ["\(did)#1"],
            "serviceEndpoint": .string(own.service.endpoint),
          ]
        ],
      ]
    )
  }

  /// Its document says where it leads, so that no ledger is needed.
  @Test func aDIDOfSovrinWithItsDocumentIsAnsweredByAnUnqualifiedDID() throws {
    var conversation = try Conversation(by: .didExchange(.v1_0))
    guard case .send(var json, _) = conversation.request else { throw NothingSent(action: conversation.request) }
    json["did"] = .string("did:sov:\(conversation.alice.own.did)")
    let answer = try conversation.inviter.receive(
      Message(json), from: conversation.alice.sender, reply: conversation.faber.reply())
    guard case .send(let response, _) = answer else { throw NothingSent(action: answer) }
    #expect(response["did"]?.string == conversation.faber.own.did)
    #expect(response["did_doc~attach"] != nil && response["did_rotate~attach"] == nil)
  }

  @Test func aPeerDIDWithItsDocumentIsAnsweredByAPeerDID() throws {
    let (alice, faber) = (Party("alice"), Party("faber"))
    var inviter = ConnectionMachine.offered(try faber.invitation(.outOfBand()))
    let (did, document) = peer1(alice.own)
    let message = try request([
      "did": .string(did), "did_doc~attach": attachment(document, signedWith: alice.own.key),
    ])
    let action = try inviter.receive(message, from: alice.sender, reply: faber.reply())
    guard case .send(let response, let service) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(service.recipientKeys == [alice.own.key.verkey])
    #expect(response["did"]?.string?.hasPrefix("did:peer:4") == true)
    #expect(response["did_rotate~attach"] != nil)
  }

  @Test func aDocumentMustBeSignedByItsOwnKey() throws {
    let (alice, faber) = (Party("alice"), Party("faber"))
    let (did, document) = peer1(alice.own)
    for (attached, error) in [
      (attachment(document, signedWith: KeyPair()), ProtocolError.wrongSigner),
      (["data": ["base64": "e30="]], .badSignature(.malformed("no signature"))),
    ] {
      var inviter = ConnectionMachine.offered(try faber.invitation(.outOfBand()))
      let before = inviter
      let message = try request(["did": .string(did), "did_doc~attach": attached])
      #expect(throws: error) { try inviter.receive(message, from: alice.sender, reply: faber.reply()) }
      #expect(inviter == before)
    }
  }

  @Test(arguments: ["did:web:a.example", "did:peer:4zQmXjp8MFH8YiSG1fJ6YJhasFb8HnV9CP6J3m2FysRtoe3P", "x"])
  func aDIDThatSaysNothingIsRefused(did: String) throws {
    let (alice, faber) = (Party("alice"), Party("faber"))
    var inviter = ConnectionMachine.offered(try faber.invitation(.outOfBand()))
    let message = try request(["did": .string(did)])
    #expect(throws: ProtocolError.self) { try inviter.receive(message, from: alice.sender, reply: faber.reply()) }
  }
}
