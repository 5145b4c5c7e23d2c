import Aries
import DIDComm
import JSON
import Sodium
import Testing

@Suite struct RequestedTests {
  let inviter = Inviter()
  let me = KeyPair()

  var own: OwnSide {
    OwnSide(
      key: me, service: Service(recipientKeys: [me.verkey], endpoint: "http://agency.example/agency/msg"))
  }

  func invited() throws -> ConnectionMachine { try ConnectionMachine(invitation: inviter.invitation()) }

  func requested() throws -> ConnectionMachine {
    var machine = try invited()
    _ = machine.connect(label: "Alice", as: own, requestID: "request-1")
    return machine
  }

  func completed() throws -> ConnectionMachine {
    var machine = try requested()
    _ = try machine.receive(
      .connectionResponse(inviter.response(thread: "request-1")), from: .envelope(inviter.pairwiseKey.verkey),
      reply: Reply(id: "reply-1"))
    return machine
  }

  func failed() throws -> ConnectionMachine {
    var machine = try requested()
    _ = try machine.receive(
      problem(thread: "request-1"), from: .envelope(inviter.invitationKey.verkey), reply: Reply(id: "reply-1"))
    return machine
  }

  func problem(thread: String) -> Message {
    .problemReport(
      ProblemReport(
        in: .connections, id: "p", code: "request_not_accepted", explanation: "no", thread: Thread(thid: thread)))
  }

  // MARK: connecting

  @Test(arguments: ["did:sov:WgWxqztrNooG92RXvxSTWv", "WgWxqztrNooG92RXvxSTWv"])
  func aPublicDIDImpliesAnInvitation(did: String) throws {
    let invitation = try OutOfBandInvitation(impliedBy: did)
    var machine = try ConnectionMachine(invitation: .outOfBand(invitation))
    let action = machine.connect(label: "Alice", as: own, requestID: "request-1", at: own.service)
    guard case .send(let request, let service) = action else {
      Issue.record("nothing is sent")
      return
    }
    #expect(service == own.service)
    #expect(request["@type"] == "https://didcomm.org/didexchange/1.0/request")
    #expect(request["~thread"] == ["thid": "request-1", "pthid": "did:sov:WgWxqztrNooG92RXvxSTWv"])
  }

  @Test func withoutAHandshakeTheLedgersServiceCompletesTheConnection() throws {
    let json: JSON = [
      "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "i",
      "services": ["did:sov:WgWxqztrNooG92RXvxSTWv"], "requests~attach": [["data": ["json": ["@id": "q"]]]],
    ]
    var machine = try ConnectionMachine(invitation: .outOfBand(OutOfBandInvitation(json)))
    #expect(machine.connect(label: "Alice", as: own, requestID: "request-1") == .nothing)
    #expect(machine.peer == nil)
    #expect(machine.connect(label: "Alice", as: own, requestID: "request-1", at: own.service) == .nothing)
    guard case .completed(let completed) = machine else {
      Issue.record("\(machine)")
      return
    }
    #expect(completed.isConnectionless && completed.peer.service == own.service)
  }

  /// Anybody can write another's DID as the id of an invitation.
  @Test(arguments: [
    ("invitation-1", true), ("1c3d2e64-0b1c-4f5e-8d5a-2f1f0c0a9b77", true), ("did:sov:WgWxqztrNooG92RXvxSTWv", false),
    ("WgWxqztrNooG92RXvxSTWv", false), ("did:web:faber.example", false),
    ("8HH5gYEeNc3z7PYXmd54d4x6qAfCNrqQqEB3nS7Zfu7K", false), ("1C3D2E64-0B1C-4F5E-8D5A-2F1F0C0A9B77", true),
    ("DID:sov:WgWxqztrNooG92RXvxSTWv", false), (" did:sov:WgWxqztrNooG92RXvxSTWv", false),
    ("WgWxqztrNooG92RXvxSTWv ", false), ("WgWxqztrNooG92RXvxSTWv-", false), ("WgWxqztrNooG92RXvx\u{200b}STWv", false),
    ("\u{212a}gWxqztrNooG92RXvxSTWv", false), ("d\u{456}d:sov:WgWxqztrNooG92RXvxSTWv", false),
    ("did\u{ff1a}web\u{ff1a}a", false),
  ])
  func theIDOfAnInvitationIsNotTheInvitersDID(id: String, isShown: Bool) throws {
    let json: JSON = [
      "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": .string(id),
      "services": [["id": "#s", "recipientKeys": [.string(me.verkey.text)], "serviceEndpoint": "http://a.example"]],
      "requests~attach": [["data": ["json": ["@id": "q"]]]],
    ]
    let machine = try ConnectionMachine(invitation: .outOfBand(OutOfBandInvitation(json)))
    #expect(machine.state == .completed && machine.peer?.did == (isShown ? id : me.verkey.did.text))
    #expect(machine.thread.pthid == id)
  }

  @Test func connectingSendsTheRequestToTheInvitation() throws {
    var machine = try invited()
    let action = machine.connect(label: "Alice", as: own, requestID: "request-1")
    guard case .send(let json, let service) = action else {
      Issue.record("nothing is sent")
      return
    }
    #expect(service == Service(recipientKeys: [inviter.invitationKey.verkey], endpoint: inviter.endpoint))
    #expect(json["@type"] == "https://didcomm.org/connections/1.0/request")
    #expect(json["@id"] == "request-1")
    #expect(json["label"] == "Alice")
    #expect(json["~thread"] == ["thid": "request-1", "pthid": "invitation-1"])
    #expect(json["connection"] == ["DID": .string(me.verkey.did.text), "DIDDoc": own.document.json.value])
  }

  @Test func connectingAgainSendsNothing() throws {
    for machine in [try requested(), try completed(), try failed()] {
      var again = machine
      #expect(again.connect(label: "Alice", as: own, requestID: "request-2") == .nothing)
      #expect(again == machine)
    }
  }

  // MARK: the response

  @Test func aResponseCompletesTheConnectionAndIsAnsweredByAPing() throws {
    var machine = try requested()
    let action = try machine.receive(
      .connectionResponse(inviter.response(thread: "request-1")), from: .envelope(inviter.pairwiseKey.verkey),
      reply: Reply(id: "reply-1"))
    let ping: JSON = [
      "@type": "https://didcomm.org/trust_ping/1.0/ping", "@id": "reply-1", "response_requested": false,
      "~thread": ["thid": "reply-1", "pthid": "request-1"],
    ]
    #expect(action == .send(ping, to: inviter.document.service))
    guard case .completed(let established) = machine else {
      Issue.record("not completed")
      return
    }
    #expect(established.peer.document.service == inviter.document.service)
    #expect(established.peer.did == inviter.pairwiseKey.verkey.did.text)
    #expect(established.thread.thid == "request-1")
  }

  @Test func aResponseThatAsksForAnAckGetsOne() throws {
    var machine = try requested()
    let response = Message.connectionResponse(inviter.response(thread: "request-1", asksForAck: true))
    let action = try machine.receive(
      response, from: .envelope(inviter.pairwiseKey.verkey), reply: Reply(id: "reply-1"))
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
    try expectComplaint(
      .malformed(.malformedDocument(.noService(.unsupported))),
      of: inviter.response(thread: "request-1", document: ["id": did]))
  }

  @Test func aSignedDocumentOfAnotherDIDIsRefused() throws {
    let document = DIDDocument(
      id: KeyPair().verkey.did.text, key: inviter.pairwiseKey.verkey, service: inviter.document.service)
    try expectComplaint(
      .malformed(.malformedDocument(.malformed("it is of another DID"))),
      of: inviter.response(thread: "request-1", document: document.json.value))
  }

  /// A response that is signed by the inviter and yet unusable is answered by a problem report, which ends the handshake
  /// on both sides.
  func expectComplaint(_ error: ProtocolError, of response: ConnectionResponse) throws {
    var machine = try requested()
    let action = try machine.receive(
      .connectionResponse(response), from: .envelope(nil), reply: Reply(id: "reply-1"))
    guard case .refuse(error, let report, let service) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(report["@type"] == "https://didcomm.org/connections/1.0/problem_report")
    #expect(report["description"]?["code"] == "response_processing_error")
    #expect(report["~thread"]?["thid"] == "request-1")
    #expect(service.recipientKeys == [inviter.invitationKey.verkey])
    guard case .failed(let failed) = machine else {
      Issue.record("\(machine)")
      return
    }
    #expect(failed.report?.json == report && failed.role == .invitee && failed.thread.thid == "request-1")
  }

  func expect(_ error: ProtocolError, of response: ConnectionResponse) throws {
    var machine = try requested()
    #expect(throws: error) {
      try machine.receive(.connectionResponse(response), from: .envelope(nil), reply: Reply(id: "reply-1"))
    }
    #expect(machine == (try requested()))
  }

  // MARK: problems

  @Test func aProblemWithTheRequestFailsTheConnection() throws {
    guard case .failed(let failed) = try failed() else {
      Issue.record("not failed")
      return
    }
    #expect(failed.report?.code == "request_not_accepted")
    #expect(failed.thread.thid == "request-1")
  }

  @Test func anInvitationCanBeTakenBackOnAThreadBelowIt() throws {
    let report = { (parent: String) in
      Message.problemReport(
        ProblemReport(
          in: .connections, id: "p", code: "request_not_accepted", explanation: "no",
          thread: Thread(thid: "p", pthid: parent)))
    }
    let sender = Sender.envelope(inviter.invitationKey.verkey)
    var machine = try invited()
    #expect(try machine.receive(report("invitation-2"), from: sender, reply: Reply(id: "r")) == .leave)
    #expect(machine == (try invited()))
    #expect(try machine.receive(report("invitation-1"), from: sender, reply: Reply(id: "r")) == .leave)
    guard case .failed = machine else {
      Issue.record("not failed")
      return
    }
  }

  @Test func anInvitationCanBeTakenBack() throws {
    var machine = try invited()
    #expect(throws: ProtocolError.notFromPeer) {
      try machine.receive(problem(thread: "invitation-1"), from: .envelope(me.verkey), reply: Reply(id: "r"))
    }
    #expect(machine == (try invited()))
    let sender = Sender.envelope(inviter.invitationKey.verkey)
    #expect(try machine.receive(problem(thread: "invitation-1"), from: sender, reply: Reply(id: "r")) == .leave)
    guard case .failed(let failed) = machine else {
      Issue.record("not failed")
      return
    }
    #expect(failed.role == .invitee && failed.thread.thid == "invitation-1")
  }

  /// The inviter may use another key by then, which the response will show.
  @Test func aHangupOfAnUnknownKeyWaitsForTheResponse() throws {
    for before in [try invited(), try requested()] {
      for sender in [nil, inviter.pairwiseKey.verkey] {
        var machine = before
        #expect(try machine.receive(.hangup(Hangup(id: "h")), from: .envelope(sender), reply: Reply(id: "r")) == .leave)
        #expect(machine == before)
      }
    }
    var machine = try completed()
    let sender = Sender.envelope(inviter.pairwiseKey.verkey)
    #expect(try machine.receive(.hangup(Hangup(id: "h")), from: sender, reply: Reply(id: "r")) == .leave)
    guard case .failed = machine else {
      Issue.record("\(machine)")
      return
    }
  }

  @Test func aProblemOfSomebodyElseOrWithSomethingElseIsRefused() throws {
    var machine = try requested()
    let inviterKey = inviter.invitationKey.verkey
    #expect(throws: ProtocolError.wrongThread) {
      try machine.receive(problem(thread: "guess"), from: .envelope(inviterKey), reply: Reply(id: "r"))
    }
    for stranger in [nil, KeyPair().verkey] {
      #expect(throws: ProtocolError.notFromPeer) {
        try machine.receive(problem(thread: "request-1"), from: .envelope(stranger), reply: Reply(id: "r"))
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
}
