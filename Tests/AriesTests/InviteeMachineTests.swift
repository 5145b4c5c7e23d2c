import Aries
import DIDComm
import JSON
import Sodium
import Testing

@Suite struct InviteeMachineTests {
  let inviter = Inviter()
  let me = KeyPair()

  var ownDocument: DIDDocument {
    DIDDocument(
      id: me.verkey.did.text, key: me.verkey,
      service: Service(recipientKeys: [me.verkey], endpoint: "http://agency.example/agency/msg"))
  }

  func invited() throws -> InviteeMachine { InviteeMachine(invitation: try inviter.invitation()) }

  func requested() throws -> InviteeMachine {
    var machine = try invited()
    _ = machine.connect(label: "Alice", document: ownDocument, requestID: "request-1")
    return machine
  }

  func completed() throws -> InviteeMachine {
    var machine = try requested()
    _ = try machine.receive(
      .connectionResponse(inviter.response(thread: "request-1")), from: .envelope(nil), replyID: "reply-1")
    return machine
  }

  func failed() throws -> InviteeMachine {
    var machine = try requested()
    _ = try machine.receive(
      problem(thread: "request-1"), from: .envelope(inviter.invitationKey.verkey), replyID: "reply-1")
    return machine
  }

  func problem(thread: String) -> Message {
    .problemReport(
      ProblemReport(connection: "p", code: "request_not_accepted", explanation: "no", thread: Thread(thid: thread)))
  }

  // MARK: connecting

  @Test func connectingSendsTheRequestToTheInvitation() throws {
    var machine = try invited()
    let action = machine.connect(label: "Alice", document: ownDocument, requestID: "request-1")
    guard case .send(let json, let service) = action else {
      Issue.record("nothing is sent")
      return
    }
    #expect(service == Service(recipientKeys: [inviter.invitationKey.verkey], endpoint: inviter.endpoint))
    #expect(json["@type"] == "https://didcomm.org/connections/1.0/request")
    #expect(json["@id"] == "request-1")
    #expect(json["label"] == "Alice")
    #expect(json["~thread"] == ["thid": "request-1", "pthid": "invitation-1"])
    #expect(json["connection"] == ["DID": .string(me.verkey.did.text), "DIDDoc": ownDocument.json])
  }

  @Test func connectingAgainSendsNothing() throws {
    for machine in [try requested(), try completed(), try failed()] {
      var again = machine
      #expect(again.connect(label: "Alice", document: ownDocument, requestID: "request-2") == .nothing)
      #expect(again == machine)
    }
  }

  // MARK: the response

  @Test func aResponseCompletesTheConnectionAndIsAnsweredByAPing() throws {
    var machine = try requested()
    let action = try machine.receive(
      .connectionResponse(inviter.response(thread: "request-1")), from: .envelope(nil), replyID: "reply-1")
    let ping: JSON = [
      "@type": "https://didcomm.org/trust_ping/1.0/ping", "@id": "reply-1", "response_requested": false,
      "~thread": ["thid": "reply-1", "pthid": "request-1"],
    ]
    #expect(action == .send(ping, to: inviter.document.service))
    guard case .completed(let peer, let thread, _) = machine.state else {
      Issue.record("not completed")
      return
    }
    #expect(peer.document.service == inviter.document.service)
    #expect(peer.did == inviter.pairwiseKey.verkey.did.text)
    #expect(thread.thid == "request-1")
  }

  @Test func aResponseThatAsksForAnAckGetsOne() throws {
    var machine = try requested()
    let response = Message.connectionResponse(inviter.response(thread: "request-1", asksForAck: true))
    let action = try machine.receive(response, from: .envelope(nil), replyID: "reply-1")
    guard case .send(let json, _) = action else {
      Issue.record("nothing is sent")
      return
    }
    #expect(json["@type"] == "https://didcomm.org/notification/1.0/ack")
    #expect(json["status"] == "OK")
    #expect(json["~thread"]?["thid"] == "request-1")
  }

  @Test func aResponseOfAnotherKeyIsRefused() throws {
    try expect(.wrongSigner, of: inviter.response(thread: "request-1", signedBy: KeyPair()))
  }

  @Test func aResponseOnAnotherThreadIsRefused() throws {
    try expect(.wrongThread, of: inviter.response(thread: "request-2"))
  }

  @Test func aChangedResponseIsRefused() throws {
    let response = inviter.response(thread: "request-1")
    var signature = response.signature
    let other = inviter.response(thread: "request-1", document: ["id": "other"]).signature
    signature["sig_data"] = other["sig_data"]
    var json = response.json
    json["connection~sig"] = signature
    guard case .connectionResponse(let changed) = try Message(json) else {
      Issue.record("not a response")
      return
    }
    try expect(.badSignature(.notAuthentic), of: changed)
  }

  @Test func aSignedDocumentThatLeadsNowhereIsRefused() throws {
    let did = JSON.string(inviter.pairwiseKey.verkey.did.text)
    try expect(
      .malformed(.malformedDocument(.noService)), of: inviter.response(thread: "request-1", document: ["id": did]))
  }

  @Test func aSignedDocumentOfAnotherDIDIsRefused() throws {
    let document = DIDDocument(
      id: KeyPair().verkey.did.text, key: inviter.pairwiseKey.verkey, service: inviter.document.service)
    try expect(
      .malformed(.malformedDocument(.malformed("it is of another DID"))),
      of: inviter.response(thread: "request-1", document: document.json))
  }

  func expect(_ error: ProtocolError, of response: ConnectionResponse) throws {
    var machine = try requested()
    #expect(throws: error) {
      try machine.receive(.connectionResponse(response), from: .envelope(nil), replyID: "reply-1")
    }
    #expect(machine == (try requested()))
  }

  @Test func aResponseThatComesAgainHasNoEffect() throws {
    var machine = try completed()
    let before = machine
    let again = Message.connectionResponse(inviter.response(thread: "request-1"))
    #expect(try machine.receive(again, from: .envelope(nil), replyID: "r") == .nothing)
    let foreign = Message.connectionResponse(inviter.response(thread: "request-2"))
    #expect(try machine.receive(foreign, from: .envelope(nil), replyID: "r") == .leave)
    #expect(machine == before)
  }

  // MARK: problems

  @Test func aProblemWithTheRequestFailsTheConnection() throws {
    guard case .failed(let report, _, _) = try failed().state else {
      Issue.record("not failed")
      return
    }
    #expect(report?.code == "request_not_accepted")
  }

  @Test func aProblemOfSomebodyElseOrWithSomethingElseIsRefused() throws {
    var machine = try requested()
    let inviterKey = inviter.invitationKey.verkey
    #expect(throws: ProtocolError.wrongThread) {
      try machine.receive(problem(thread: "guess"), from: .envelope(inviterKey), replyID: "r")
    }
    for stranger in [nil, KeyPair().verkey] {
      #expect(throws: ProtocolError.notFromPeer) {
        try machine.receive(problem(thread: "request-1"), from: .envelope(stranger), replyID: "r")
      }
    }
    #expect(machine == (try requested()))
  }

  @Test func aResponseWithoutASignatureIsRefused() throws {
    var json = inviter.response(thread: "request-1").json
    json["connection~sig"] = nil
    guard case .connectionResponse(let unsigned) = try Message(json) else {
      Issue.record("not a response")
      return
    }
    try expect(.badSignature(.malformed("@type")), of: unsigned)
  }

  // MARK: a completed connection

  @Test func aPingOfThePeerIsAnswered() throws {
    var machine = try completed()
    let ping = Message.ping(TrustPing(id: "ping-1", responseRequested: true))
    let action = try machine.receive(ping, from: .envelope(inviter.pairwiseKey.verkey), replyID: "reply-1")
    let answer: JSON = [
      "@type": "https://didcomm.org/trust_ping/1.0/ping_response", "@id": "reply-1", "~thread": ["thid": "ping-1"],
    ]
    #expect(action == .send(answer, to: inviter.document.service))
    #expect(machine == (try completed()))
  }

  @Test func aPingThatAsksForNothingGetsNothing() throws {
    var machine = try completed()
    let ping = Message.ping(TrustPing(id: "ping-1", responseRequested: false))
    #expect(
      try machine.receive(ping, from: .envelope(inviter.pairwiseKey.verkey), replyID: "r") == .nothing)
  }

  @Test func pingsOfStrangersAreRefusedAndThoseOfTheApplicationTrusted() throws {
    var machine = try completed()
    let ping = Message.ping(TrustPing(id: "ping-1", responseRequested: true))
    for sender in [nil, KeyPair().verkey, inviter.invitationKey.verkey] {
      #expect(throws: ProtocolError.notFromPeer) {
        try machine.receive(ping, from: .envelope(sender), replyID: "r")
      }
    }
    #expect(try machine.receive(ping, from: .application, replyID: "r") != .leave)
  }

  // MARK: every state and message

  /// What each state does with each kind of message of the peer: `x` has an effect or an answer, `-` is taken without
  /// one, `.` is left to the application.
  @Test(arguments: [
    ("response", ".x-."), ("problem", ".x.."), ("ping", "..x."), ("ping response", "..-."), ("ack", "...."),
    ("request", "...."), ("basic message", "...."), ("other", "...."),
  ])
  func everyMessageIsDecidedInEveryState(kind: String, decisions: String) throws {
    let machines = [try invited(), try requested(), try completed(), try failed()]
    for (machine, decision) in zip(machines, decisions) {
      var next = machine
      let key = kind == "problem" ? inviter.invitationKey : inviter.pairwiseKey
      let action = try next.receive(message(kind), from: .envelope(key.verkey), replyID: "r")
      switch decision {
      case "x": #expect(action != .leave && (next != machine || action != .nothing), "\(kind)")
      case "-": #expect(action == .nothing && next == machine, "\(kind)")
      default: #expect(action == .leave && next == machine, "\(kind)")
      }
    }
  }

  func message(_ kind: String) -> Message {
    let ping = TrustPing(id: "ping-1", responseRequested: true)
    return switch kind {
    case "response": .connectionResponse(inviter.response(thread: "request-1"))
    case "problem": problem(thread: "request-1")
    case "ping": .ping(ping)
    case "ping response": .pingResponse(TrustPingResponse(id: "x", to: ping))
    case "ack": .ack(Ack(id: "a", thread: Thread(thid: "request-1")))
    case "request":
      .connectionRequest(ConnectionRequest(id: "x", label: "", document: ownDocument, pthid: "invitation-1"))
    case "basic message": .basicMessage(BasicMessage(id: "b", content: "hello"))
    default: .other(type: "x")
    }
  }
}
