import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import Aries

/// A connection after its handshake.
@Suite struct CompletedTests {
  typealias Scene = ConnectionMachineTests.Scene

  private func completed(_ state: String) throws -> (scene: Scene, machine: Completed) {
    let scene = try Scene(state)
    guard case .completed(let machine) = scene.machine else { throw Unexpected(machine: scene.machine) }
    return (scene, machine)
  }

  @Test func aPingThatAsksForNoAnswerGetsNone() throws {
    var (scene, machine) = try completed("connected inviter")
    let ping = Message.ping(TrustPing(id: "p", responseRequested: false))
    #expect(try machine.receive(ping, from: scene.peer.sender, reply: scene.me.reply()) == .nothing)
  }

  /// The program applies the notification itself, so that it always stays in the mailbox.
  @Test func aRevocationIsConfirmedToTheIssuerOnceIfItAsks() throws {
    var (scene, machine) = try completed("connected invitee")
    let json = try ExchangeScene.revocation("2.0")
    let asking = try Message(json.with(["~please_ack": [:]]))
    let sent = try #require(machine.receive(asking, from: scene.peer.sender, reply: scene.me.reply()).sent)
    #expect(sent.message["@type"] == "https://didcomm.org/revocation_notification/2.0/ack")
    #expect(sent.service == scene.peer.own.service)
    let again = scene.me.reply(answersOnce: false)
    #expect(try machine.receive(asking, from: scene.peer.sender, reply: again) == .leave)
    let quiet = try Message(json.with(["~please_ack": .null]))
    #expect(try machine.receive(quiet, from: scene.peer.sender, reply: scene.me.reply()) == .leave)
    for stranger in [Sender.envelope(nil), .envelope(KeyPair().verkey)] {
      #expect(try machine.receive(asking, from: stranger, reply: scene.me.reply()) == .leave)
    }
  }

  @Test func onlyTheInviteeWithoutAHandshakeIsConnectionless() throws {
    let (_, machine) = try completed("connectionless")
    #expect(machine.isConnectionless)
    let inviter = Completed(
      role: .inviter, peer: machine.peer, thread: machine.thread, invitation: machine.invitation)
    #expect(!inviter.isConnectionless)
    #expect(try !completed("connected invitee").machine.isConnectionless)
  }

  @Test func ofAnotherThreadNoPublicDIDIsResolved() throws {
    var conversation = try Conversation(by: .didExchange(.v1_1))
    try conversation.respond()
    guard case .send(let response, _) = conversation.response else { throw NothingSent(action: conversation.response) }
    func publicDID(_ members: [String: JSON]) throws -> String? {
      try conversation.invitee.publicDID(in: Message(response.with(members)))
    }
    let bare: [String: JSON] = ["did_doc~attach": .null, "did_rotate~attach": .null]
    let did = JSON.string(conversation.faber.own.did)
    #expect(try publicDID(bare.merging(["did": did]) { $1 }) == conversation.faber.own.did)
    #expect(try publicDID(bare.merging(["did": did, "~thread": ["thid": "another"]]) { $1 }) == nil)
    // A DID with its document, within it or beside it, needs no ledger.
    let own = conversation.faber.own
    let peer = PeerDID4(key: own.key.verkey, service: own.service).long
    #expect(try publicDID(bare.merging(["did": .string(peer)]) { $1 }) == nil)
    #expect(try publicDID(["did": did, "did_doc~attach": ["data": [:]]]) == nil)
  }

  @Test func aRequestByAnotherHandshakeIsRefused() throws {
    for (state, request) in [("responded", "exchange request"), ("responded to exchange", "connection request")] {
      let scene = try Scene(state)
      var machine = scene.machine
      let action = try machine.receive(scene.message(request), from: scene.peer.sender, reply: scene.me.reply())
      guard case .problemReport = try action.message else { throw NothingSent(action: action) }
    }
  }

  /// It repeats the id of the first request, and presents the same document.
  @Test func aRequestByAnotherHandshakeDoesNotGetTheResponseAgain() throws {
    var conversation = try Conversation(by: .connections)
    try conversation.respond()
    guard case .responded(let state) = conversation.inviter else { throw Unexpected(machine: conversation.inviter) }
    let own = conversation.alice.own
    let attachment = SignedAttachment(
      id: "d", mimeType: "application/json", content: own.document.json.value.bytes, signedWith: own.key)
    let message = try Message([
      "@type": "https://didcomm.org/didexchange/1.0/request", "@id": "request-1", "label": "Alice",
      "~thread": ["thid": "request-1", "pthid": "invitation-1"], "did": .string(own.did),
      "did_doc~attach": attachment.json,
    ])
    #expect(try message.request?.introduced(resolved: nil).document == state.invitee.document)
    let action = try conversation.inviter.receive(
      message, from: conversation.alice.sender, reply: conversation.faber.reply())
    guard case .problemReport = try action.message else { throw NothingSent(action: action) }
  }

  @Test func statesOfAHandshakeDifferIfOnePartDiffers() throws {
    var (one, other) = (try Conversation(by: .connections), try Conversation(by: .didExchange(.v1_0)))
    guard case .requested(let first) = one.invitee, case .requested(let second) = other.invitee else {
      throw Unexpected(machine: one.invitee)
    }
    #expect(first == Requested(invitation: first.invitation, inviter: first.inviter, request: first.request))
    #expect(first != Requested(invitation: second.invitation, inviter: first.inviter, request: first.request))
    #expect(first != Requested(invitation: first.invitation, inviter: second.inviter, request: first.request))
    #expect(first != Requested(invitation: first.invitation, inviter: first.inviter, request: second.request))
    try one.respond()
    try other.respond()
    guard case .responded(let third) = one.inviter, case .responded(let fourth) = other.inviter else {
      throw Unexpected(machine: one.inviter)
    }
    func responded(_ invitation: Invitation, _ invitee: Peer, _ response: any HandshakeResponse) -> Responded {
      Responded(invitation: invitation, invitee: invitee, response: response, inviteeLabel: third.inviteeLabel)
    }
    #expect(third == responded(third.invitation, third.invitee, third.response))
    #expect(third != responded(fourth.invitation, third.invitee, third.response))
    #expect(third != responded(third.invitation, fourth.invitee, third.response))
    #expect(third != responded(third.invitation, third.invitee, fourth.response))
    #expect(
      third
        != Responded(
          invitation: third.invitation, invitee: third.invitee, response: third.response, inviteeLabel: "Mallory"))
  }

  @Test func theResponseAsksForAnAckIfItSaysSo() throws {
    let inviter = Inviter()
    let plain = inviter.response(thread: "t")
    #expect(plain.json["~please_ack"] == nil && plain.did == inviter.pairwiseKey.verkey.did.text)
    for (member, asks) in [(nil, false), (JSON.null, false), ([:], true)] as [(JSON?, Bool)] {
      var json = plain.json
      json["~please_ack"] = member
      let read = try ConnectionResponse(json.requireObject())
      #expect(read.asksForAck == asks)
      #expect((read.json["~please_ack"] != nil) == asks)
    }
  }
}
