import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import Aries

/// The members of the messages of a handshake that the other side reads.
@Suite struct HandshakeMessageTests {
  private func json(_ action: Action) throws -> JSON {
    guard let sent = action.sent else { throw NothingSent(action: action) }
    return sent.message
  }

  private func response(by handshake: Handshake) throws -> JSON {
    var conversation = try Conversation(by: handshake)
    try conversation.respond()
    return try json(conversation.response)
  }

  @Test(arguments: Conversation.handshakes) func aRequestNeedsNoParentThread(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    let request = try json(conversation.request).with(["~thread": .null])
    let answer = try conversation.inviter.receive(
      Message(request), from: conversation.alice.sender, reply: conversation.faber.reply())
    #expect(try json(answer)["~thread"] == ["thid": "request-1", "pthid": "invitation-1"])
    #expect(conversation.inviter.state == .responded)
  }

  @Test(arguments: Conversation.handshakes) func aRefusalNamesTheInvitationAndTheReason(handshake: Handshake) throws {
    let (alice, faber) = (Party("alice"), Party("faber"))
    let offered: Handshake = handshake == .connections ? .didExchange(.v1_1) : .connections
    let invitation = try faber.invitation(.outOfBand(), handshakes: [offered])
    var inviter = ConnectionMachine.offered(invitation)
    var invitee = try ConnectionMachine(invitation: invitation)
    let request = invitee.connect(label: "", as: alice.own, requestID: "request-1", by: handshake)
    let report = try json(inviter.receive(request.message, from: alice.sender, reply: faber.reply()))
    #expect(report["~thread"] == ["thid": "request-1", "pthid": "invitation-1"])
    #expect(report["description"]?["en"] == "the invitation does not offer this handshake")

    var conversation = try Conversation(by: handshake)
    try conversation.finish()
    let other = try ConversationTests.request("request-2", to: conversation.faber, by: handshake)
    let mallory = Peer(document: try #require(try other.message.request?.introduced(resolved: nil)).document)
    let late = try conversation.inviter.receive(
      other.message, from: .envelope(mallory.service.recipientKeys[0]), reply: conversation.faber.reply())
    #expect(try json(late)["~thread"] == ["thid": "request-2", "pthid": "invitation-1"])
    #expect(try json(late)["description"]?["en"] == "the invitation is used")
  }

  private static let unresolvable = "did:example:a"

  @Test func aResponseThatPresentsAnUnresolvableDIDIsReportedInItsHandshake() throws {
    var conversation = try Conversation(by: .didExchange(.v1_1))
    try conversation.respond()
    let rotation = SignedAttachment(
      id: "a", mimeType: "text/string", content: Array(Self.unresolvable.utf8), signedWith: conversation.faber.own.key)
    let response = try json(conversation.response).with([
      "did": .string(Self.unresolvable), "did_rotate~attach": rotation.json,
    ])
    let action = try conversation.invitee.receive(
      Message(response), from: conversation.faber.sender, reply: conversation.alice.reply())
    guard case .refuse(.malformed(.malformedDocument(.unresolvable)), let report, _) = action else {
      throw NothingSent(action: action)
    }
    #expect(report["@type"] == "https://didcomm.org/didexchange/1.1/problem_report")
    #expect(conversation.invitee.state == .failed)
  }

  @Test func aRequestThatPresentsAnUnresolvableDIDNeedsNoLedger() throws {
    var conversation = try Conversation(by: .didExchange(.v1_1))
    let request = try Message(json(conversation.request).with(["did": .string(Self.unresolvable)]))
    #expect {
      try conversation.inviter.receive(
        request, from: conversation.alice.sender, reply: conversation.faber.reply())
    } throws: { error in
      if case ProtocolError.malformed(.malformedDocument(.unresolvable)) = error { true } else { false }
    }
  }

  /// The invitation's public DID is the organisation's: nobody resolves the keys of one connection by it.
  @Test(arguments: [DIDExchangeVersion.v1_0, .v1_1]) func anInviterWithAPublicDIDPresentsAPairwiseOne(
    version: DIDExchangeVersion
  ) throws {
    let (alice, faber) = (Party("alice"), Party("faber"))
    let did = "did:sov:WgWxqztrNooG92RXvxSTWv"
    let invitation = try InvitationPlan.outOfBand().invitation(
      id: "invitation-1", from: .init(label: "Faber", service: faber.own.service, did: did))
    var inviter = ConnectionMachine.offered(invitation)
    var invitee = try ConnectionMachine(invitation: invitation)
    let request = invitee.connect(
      label: "Alice", as: alice.own, requestID: "request-1", by: .didExchange(version), at: faber.own.service)
    let response = try json(inviter.receive(request.message, from: alice.sender, reply: faber.reply()))
    let presented = try #require(response["did"]?.string)
    #expect(version == .v1_0 ? presented == faber.own.did : presented.hasPrefix("did:peer:4"))
  }

  @Test func whatIsSignedHasItsMediaType() throws {
    #expect(try response(by: .didExchange(.v1_0))["did_doc~attach"]?["mime-type"] == "application/json")
    #expect(try response(by: .didExchange(.v1_1))["did_rotate~attach"]?["mime-type"] == "text/string")
  }

  @Test func anAttachedDocumentHasAQualifiedID() throws {
    let request = try json(Conversation(by: .didExchange(.v1_0)).request)
    for message in [request, try response(by: .didExchange(.v1_0))] {
      let did = try #require(message["did"]?.string)
      let attachment = SignedAttachment(try #require(message["did_doc~attach"]))
      #expect(try JSON(parsing: attachment.verified().content)["id"] == .string("did:sov:\(did)"))
    }
  }

  @Test func aResponseIsSignedWithItsTime() throws {
    let signature = try #require(try response(by: .connections)["connection~sig"])
    let data = try Base64.decodeAny(try #require(signature["sig_data"]?.string))
    #expect(data.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == Party("faber").reply().time)
  }

  @Test func aLaterMinorVersionIsAnsweredInTheLatestKnown() throws {
    var conversation = try Conversation(by: .didExchange(.v1_1))
    let request = try json(conversation.request).with(["@type": "https://didcomm.org/didexchange/1.7/request"])
    let answer = try conversation.inviter.receive(
      Message(request), from: conversation.alice.sender, reply: conversation.faber.reply())
    #expect(try json(answer)["@type"] == "https://didcomm.org/didexchange/1.1/response")
  }

  @Test(arguments: Conversation.handshakes) func aRequestNamesTheInvitee(handshake: Handshake) throws {
    let sent = try #require(try Conversation(by: handshake).request.sent)
    #expect(sent.message["label"] == "Alice")
  }

  /// Peers answer in any minor version of the protocol.
  @Test func theMinorVersionsOfBothSidesMayDiffer() throws {
    let (alice, faber) = (Party("alice"), Party("faber"))
    let invitation = try faber.invitation(.outOfBand(), handshakes: [.didExchange(.v1_0)])
    var invitee = try ConnectionMachine(invitation: invitation)
    var inviter = ConnectionMachine.offered(invitation)
    let request = invitee.connect(label: "Alice", as: alice.own, requestID: "request-1", by: .didExchange(.v1_1))
    let response = try inviter.receive(request.message, from: alice.sender, reply: faber.reply())
    let older = try #require(response.sent).message.with(["@type": "https://didcomm.org/didexchange/1.0/response"])
    _ = try invitee.receive(Message(older), from: faber.sender, reply: alice.reply())
    #expect(invitee.state == .completed && invitee.peer?.service == faber.own.service)
  }

  /// Some inviters find their connection by the invitation.
  @Test(arguments: Conversation.handshakes) func everyMessageOfAHandshakeNamesTheInvitation(handshake: Handshake) throws
  {
    var conversation = try Conversation(by: handshake)
    try conversation.finish()
    for action in [conversation.request, conversation.response, conversation.last] {
      #expect(try #require(action.sent).message["~thread"] == ["thid": "request-1", "pthid": "invitation-1"])
    }
  }
}
