import Aries
import DIDComm
import JSON
import Testing

/// Holders that answer an invitation without a handshake. Everybody who has the invitation knows the thread of the offer.
extension IssuerMachineTests {
  /// The machine after the request of the first holder. An invitation without a handshake carries the offer.
  private static func taken() throws -> (machine: IssuerMachine, request: JSON) {
    let own = Service(recipientKeys: [Scene.ownKey], endpoint: "http://own.example")
    let invitation = Route.connection(
      ExchangeConnection(
        own: Pairwise(key: Scene.ownKey), peer: Peer(document: own.document(id: "invitation")),
        isInvitation: true))
    var machine = IssuerMachine(offering: terms, of: "definition", name: "Degree", id: thread)
    let messages = try messages("issue_2_0")
    machine.prepare(try IssueCredentialMessage(.offer, messages[0].json))
    _ = machine.sendOffer(over: invitation)
    let request = messages[2].json.with(["~service": Scene.peerService.decorator])
    _ = try machine.receive(Message(request), from: Scene.sender)
    return (machine, request)
  }

  @Test(arguments: [false, true]) func anotherHolderOfTheOfferIsToldThatItIsTaken(isIssued: Bool) throws {
    let (taken, request) = try Self.taken()
    var before = taken
    if isIssued { _ = try before.issue("{}", at: nil, id: "issue-1") }
    let other = Service(recipientKeys: [Scene.key(9)], endpoint: "http://other.example")
    let second = request.with(["@id": "r2", "~service": other.decorator])
    var machine = before
    let action = try machine.receive(Message(second), from: .envelope(Scene.key(9)))
    #expect(machine == before)
    let report = try #require(action.sent)
    #expect(report.service == other)
    #expect(report.message["description"]?["code"] == "issuance-abandoned")
    #expect(report.message["~thread"]?["thid"] == .string(Self.thread))
    for request in [request, request.with(["@id": "r2"]), request.with(["@id": "r2", "~service": nil])] {
      #expect(try machine.receive(Message(request), from: Scene.sender) == .leave)
    }
  }

  /// Everybody who holds the invitation knows the thread of the offer.
  @Test func onlyTheHolderWhoAskedEndsTheExchange() throws {
    let (taken, request) = try Self.taken()
    let report = try Message(Scene.report("issue-credential/2.0/problem-report", thread: Self.thread))
    var machine = taken
    for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      #expect(throws: ProtocolError.notFromPeer) { try machine.receive(report, from: stranger) }
    }
    #expect(machine == taken)
    #expect(try machine.receive(report, from: Scene.sender) == .nothing && machine != taken)
    // A request that names the service of another.
    machine = IssuerMachine(offering: Self.terms, of: "definition", name: "Degree", id: Self.thread)
    machine.prepare(try #require(taken.offer))
    _ = machine.sendOffer(over: VerifierMachineTests.invitation)
    let before = machine
    let both = Service(recipientKeys: [Scene.peerKey, Scene.key(9)], endpoint: "http://a.example")
    for request in [request, request.with(["~service": both.decorator])] {
      for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
        #expect(throws: ProtocolError.notFromPeer) { try machine.receive(Message(request), from: stranger) }
      }
    }
    #expect(machine == before)
  }

  @Test func aProposalByInvitationIsAnsweredAtItsServiceOrNot() throws {
    let service = Service(recipientKeys: [Scene.key(8)], endpoint: "http://a.example")
    for decorator in [service.decorator, .null] {
      var machine = try Self.machine("prepared")
      _ = machine.sendOffer(over: VerifierMachineTests.invitation)
      let before = machine
      let proposal = try Self.proposal(2, on: Self.thread).with(["~service": decorator])
      guard !decorator.isNull else {
        #expect(throws: ProtocolError.noReplyService) {
          try machine.receive(Message(proposal), from: .envelope(Scene.key(8)))
        }
        #expect(machine == before)
        continue
      }
      _ = try machine.receive(Message(proposal), from: .envelope(Scene.key(8)))
      guard case .proposed(let state) = machine.state else { throw Unexpected(machine: machine) }
      #expect(state.route?.service == service)
      // From now on, only this holder is the peer.
      let another = try Self.proposal(2, id: "p2", on: Self.thread)
      try machine.plan(Self.terms, of: "definition", name: "n")
      try Self.offer(&machine, over: try #require(state.route))
      #expect(throws: ProtocolError.notFromPeer) {
        try machine.receive(Message(another), from: .envelope(Scene.key(9)))
      }
    }
  }
}
