import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// Both sides of each handshake, with each other.
@Suite struct ConversationTests {
  @Test(arguments: Conversation.handshakes) func aHandshakeConnectsBothSides(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    try conversation.finish()
    guard case .completed(let invitee) = conversation.invitee, case .completed(let inviter) = conversation.inviter
    else {
      Issue.record("\(conversation.invitee) \(conversation.inviter)")
      return
    }
    #expect(invitee.peer.service == conversation.faber.own.service)
    #expect(inviter.peer.service == conversation.alice.own.service)
    #expect((invitee.role, inviter.role) == (.invitee, .inviter))
    #expect(invitee.thread.thid == "request-1" && inviter.thread.thid == "request-1")
    #expect(invitee.thread.pthid == "invitation-1" && inviter.thread.pthid == "invitation-1")
  }

  @Test func eachHandshakePresentsItsKindOfDID() throws {
    let faber = Conversation.handshakes.map { handshake -> String in
      var conversation = try? Conversation(by: handshake)
      try? conversation?.finish()
      return conversation?.invitee.peer?.did ?? ""
    }
    #expect(faber.map { $0.hasPrefix("did:peer:4zQm") } == [false, false, true])
    #expect(faber.allSatisfy { !$0.hasPrefix("did:sov:") && !$0.contains(":z6") && !$0.isEmpty })
  }

  @Test func aRequestIsTheSameWhenItIsRepeated() throws {
    for handshake in Conversation.handshakes {
      let conversation = try Conversation(by: handshake)
      var again = try ConnectionMachine(invitation: conversation.faber.invitation(.outOfBand()))
      let action = again.connect(
        label: "Alice", as: conversation.alice.own, requestID: "request-1", by: handshake)
      #expect(action == conversation.request)
    }
  }

  @Test(arguments: Conversation.handshakes) func theSameRequestGetsTheSameResponse(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    try conversation.respond()
    let first = (conversation.response, conversation.inviter)
    try conversation.respond()
    #expect(conversation.response == first.0)
    #expect(conversation.inviter == first.1)
  }

  @Test(arguments: Conversation.handshakes, Conversation.handshakes)
  func anInvitationIsForOne(first: Handshake, second: Handshake) throws {
    var conversation = try Conversation(by: first)
    for step in 0..<2 {
      if step == 0 { try conversation.respond() } else { try conversation.finish() }
      let before = conversation.inviter
      let mallory = Party("mallory")
      var other = try ConnectionMachine(invitation: conversation.faber.invitation(.outOfBand()))
      let request = other.connect(label: "Mallory", as: mallory.own, requestID: "request-2", by: second)
      let answer = try conversation.inviter.receive(
        request.message, from: mallory.sender, reply: conversation.faber.reply())
      guard case .notify(let report, let service) = answer else {
        Issue.record("\(answer)")
        return
      }
      #expect(report["description"]?["code"] == "request_not_accepted")
      #expect(report["~thread"]?["thid"] == "request-2")
      #expect(service == mallory.own.service)
      #expect(conversation.inviter == before)

      // And the one who asked is told.
      _ = try other.receive(
        answer.message, from: conversation.faber.sender, reply: mallory.reply())
      guard case .failed(let failed) = other else {
        Issue.record("not failed")
        return
      }
      #expect(failed.report?.code == "request_not_accepted")
    }
  }

  /// The mailbox may have messages that the peer sent before it hung up.
  @Test func aPeerIsKnownAfterItsHangup() throws {
    var conversation = try Conversation(by: .didExchange(.v1_1))
    try conversation.finish()
    let (peer, sender) = (conversation.invitee.peer, conversation.faber.sender)
    _ = try conversation.invitee.receive(
      .hangup(Hangup(id: "h")), from: sender, reply: conversation.alice.reply())
    guard case .failed = conversation.invitee else { throw Unended() }
    #expect(peer != nil && conversation.invitee.peer == peer && conversation.invitee.isPeer(sender))
    #expect(!conversation.invitee.isPeer(BorrowedIdentityTests.mallory.sender))
  }

  private struct Unended: Error {}

  /// A stranger who knows the id of the request gets no response.
  @Test(arguments: Conversation.handshakes) func theResponseIsRepeatedToNobodyElse(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    try conversation.respond()
    let before = conversation.inviter
    let mallory = Party("mallory")
    var other = try ConnectionMachine(invitation: conversation.faber.invitation(.outOfBand()))
    let request = other.connect(label: "Mallory", as: mallory.own, requestID: "request-1", by: handshake)
    let answer = try conversation.inviter.receive(
      request.message, from: mallory.sender, reply: conversation.faber.reply())
    guard case .notify(let report, let service) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(report["description"]?["code"] == "request_not_accepted" && service == mallory.own.service)
    #expect(conversation.inviter == before)
  }

  /// A fault that the program learns of ends its wait for the invitee. No ledger is asked either, which may be away.
  @Test(arguments: [
    "did:web:a.example", "did:indy:sovrin:WgWxqztrNooG92RXvxSTWv", "did:example:1", "WgWxqztrNooG92RXvxSTWv",
  ])
  func theBadRequestOfAStrangerIsNoFault(did: String) throws {
    var conversation = try Conversation(by: .didExchange(.v1_1))
    try conversation.respond()
    let before = conversation.inviter
    let (mallory, reply) = (BorrowedIdentityTests.mallory.sender, conversation.faber.reply())
    let request = { (id: String) in
      try BorrowedIdentityTests.request("didexchange/1.1", did, BorrowedIdentityTests.document(did), id: id)
    }
    #expect(try before.publicDID(in: request("r")) == nil)
    // The stranger may know the id of the invitee's request.
    for message in [try request("r"), try request(before.thread.thid)] {
      #expect(throws: ProtocolError.notFromPeer) {
        try conversation.inviter.receive(message, from: mallory, reply: reply)
      }
    }
    #expect(conversation.inviter == before)
  }

  /// The invitee asks again, and does not repeat its request: the response would be to another.
  @Test(arguments: Conversation.handshakes) func anotherRequestGetsNoResponseOfTheFirst(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    try conversation.respond()
    var again = try ConnectionMachine(invitation: conversation.faber.invitation(.outOfBand()))
    let request = again.connect(label: "Alice", as: conversation.alice.own, requestID: "request-2", by: handshake)
    let answer = try conversation.inviter.receive(
      request.message, from: conversation.alice.sender, reply: conversation.faber.reply())
    guard case .notify(let report, _) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(report["~thread"]?["thid"] == "request-2")
  }

  /// The invitee has asked by one protocol: the other has no response to it.
  @Test func anotherProtocolGetsNoResponseOfTheFirst() throws {
    for (first, second) in [(Handshake.connections, Handshake.didExchange(.v1_1)), (.didExchange(.v1_0), .connections)]
    {
      var conversation = try Conversation(by: first)
      try conversation.respond()
      let request = try conversation.translated(to: second).request
      let answer = try conversation.inviter.receive(
        request.message, from: conversation.alice.sender, reply: conversation.faber.reply())
      guard case .notify = answer else {
        Issue.record("\(answer)")
        return
      }
    }
  }

  @Test(arguments: Conversation.handshakes) func aHandshakeThatWasNotOfferedIsRefused(handshake: Handshake) throws {
    let alice = Party("alice")
    let faber = Party("faber")
    let offered: Handshake = handshake == .connections ? .didExchange(.v1_1) : .connections
    let invitation = try faber.invitation(.outOfBand(), handshakes: [offered])
    var inviter = ConnectionMachine.offered(invitation)
    var invitee = try ConnectionMachine(invitation: invitation)
    let request = invitee.connect(label: "", as: alice.own, requestID: "request-1", by: handshake)
    let answer = try inviter.receive(request.message, from: alice.sender, reply: faber.reply())
    guard case .notify(let report, _) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(report["description"]?["code"] == "request_not_accepted")
    #expect(inviter == .offered(invitation))
  }

  @Test(arguments: Conversation.handshakes) func aRequestMustComeFromItsKey(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    let other = try ConversationTests.request("request-2", to: conversation.faber, by: handshake)
    let requests = [try conversation.request.message, try other.message]
    let reply = conversation.faber.reply()
    for step in 0..<3 {
      if step == 1 { try conversation.respond() }
      if step == 2 { try conversation.finish() }
      let before = conversation.inviter
      for sender in [Sender.envelope(nil), .envelope(KeyPair().verkey)] {
        // The one of the handshake itself has no effect any more once that is over.
        for request in step == 2 ? requests.suffix(1) : requests[...] {
          #expect(throws: ProtocolError.notFromPeer) {
            try conversation.inviter.receive(request, from: sender, reply: reply)
          }
        }
      }
      #expect(conversation.inviter == before)
    }
  }

  /// The request of somebody else.
  static func request(_ id: String, to faber: Party, by handshake: Handshake) throws -> Action {
    var machine = try ConnectionMachine(invitation: faber.invitation(.outOfBand()))
    return machine.connect(label: "Mallory", as: Party("mallory").own, requestID: id, by: handshake)
  }

  @Test(arguments: Conversation.handshakes) func aRequestOfAnotherInvitationIsLeft(handshake: Handshake) throws {
    let conversation = try Conversation(by: handshake)
    let other = try InvitationPlan.outOfBand().invitation(
      id: "invitation-2", from: .init(label: "", service: conversation.faber.own.service))
    var inviter = ConnectionMachine.offered(other)
    let request = try conversation.request.message
    #expect(throws: ProtocolError.wrongThread) {
      try inviter.receive(request, from: conversation.alice.sender, reply: conversation.faber.reply())
    }
  }

  @Test(arguments: Conversation.handshakes) func anyMessageOfTheInviteeCompletesTheInviter(handshake: Handshake) throws
  {
    var conversation = try Conversation(by: handshake)
    try conversation.respond()
    let hello = Message.basicMessage(BasicMessage(id: "1", content: "hello"))
    let reply = conversation.faber.reply()
    var stranger = conversation.inviter
    #expect(try stranger.receive(hello, from: .envelope(KeyPair().verkey), reply: reply) == .leave)
    #expect(stranger == conversation.inviter)

    #expect(try conversation.inviter.receive(hello, from: conversation.alice.sender, reply: reply) == .leave)
    guard case .completed = conversation.inviter else {
      Issue.record("\(conversation.inviter)")
      return
    }
  }

  @Test(arguments: Conversation.handshakes) func aPingThatCompletesTheInviterIsAnswered(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    try conversation.respond()
    let ping = Message.ping(TrustPing(id: "ping-1", responseRequested: true))
    let answer = try conversation.inviter.receive(
      ping, from: conversation.alice.sender, reply: conversation.faber.reply())
    guard case .send(let json, _) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(json["@type"] == "https://didcomm.org/trust_ping/1.0/ping_response")
  }

  @Test(arguments: Conversation.handshakes) func aComplaintFailsEitherSideAtItsTime(handshake: Handshake) throws {
    func complaint(_ thread: String) -> Message {
      .problemReport(
        ProblemReport(
          in: .connections, id: "p", code: "response_not_accepted", explanation: "", thread: Thread(thid: thread)))
    }
    var conversation = try Conversation(by: handshake)
    try conversation.respond()
    let (alice, faber) = (conversation.alice, conversation.faber)
    for finished in [false, true] {
      if finished { try conversation.finish() }
      var inviter = conversation.inviter
      #expect(throws: ProtocolError.notFromPeer) {
        try inviter.receive(complaint("request-1"), from: .envelope(KeyPair().verkey), reply: faber.reply())
      }
      #expect(inviter == conversation.inviter)
      #expect(try inviter.receive(complaint("request-1"), from: alice.sender, reply: faber.reply()) == .leave)
      guard case .failed(let failed) = inviter else {
        Issue.record("\(inviter)")
        return
      }
      #expect(failed.role == .inviter && failed.report?.code == "response_not_accepted")
    }
    var invitee = conversation.invitee
    _ = try invitee.receive(complaint("request-1"), from: faber.sender, reply: alice.reply())
    guard case .failed(let failed) = invitee else {
      Issue.record("\(invitee)")
      return
    }
    #expect(failed.role == .invitee)
  }

  /// The invitee is told that the last message was not understood, after the connection is complete.
  @Test(arguments: Conversation.handshakes) func aComplaintInTheWordsOfTheHandshakeEndsAConnection(
    handshake: Handshake
  ) throws {
    var conversation = try Conversation(by: handshake)
    try conversation.finish()
    let report = ProblemReport(
      in: handshake, id: "p", code: "complete_not_accepted", explanation: "", thread: Thread(thid: "request-1"))
    _ = try conversation.invitee.receive(
      Message(report.json), from: conversation.faber.sender, reply: conversation.alice.reply())
    guard case .failed(let failed) = conversation.invitee else {
      Issue.record("\(conversation.invitee)")
      return
    }
    #expect(failed.report?.code == "complete_not_accepted")
  }

  /// A complaint about something done over the connection, on the handshake's thread all the same.
  @Test(arguments: ["present-proof/1.0/problem-report", "notification/1.0/problem-report"])
  func onlyAComplaintAboutTheHandshakeEndsAConnection(type: String) throws {
    var conversation = try Conversation(by: .connections)
    try conversation.finish()
    let before = (conversation.invitee, conversation.inviter)
    let report = try Message([
      "@type": .string("https://didcomm.org/" + type), "@id": "p", "~thread": ["thid": "request-1"],
    ])
    let (alice, faber) = (conversation.alice, conversation.faber)
    #expect(try conversation.inviter.receive(report, from: alice.sender, reply: faber.reply()) == .leave)
    #expect(try conversation.invitee.receive(report, from: faber.sender, reply: alice.reply()) == .leave)
    #expect(conversation.invitee == before.0 && conversation.inviter == before.1)
  }
}
