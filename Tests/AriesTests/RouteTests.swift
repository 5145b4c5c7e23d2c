import DIDComm
import JSON
import TestSupport
import Testing

@testable import Aries

/// The way of the messages of an exchange, with a connection and without.
@Suite struct RouteTests {
  typealias Scene = ExchangeScene

  static let connectionless = Route.connection(
    ExchangeConnection(own: Pairwise(key: Scene.ownKey), peer: Scene.peer, isConnectionless: true))

  private func requesting(over route: Route) -> VerifierMachine {
    var machine = VerifierMachine(requesting: VerifierMachineTests.request)
    _ = machine.send(id: "request-1", inVersion: 2, .indy, over: route)
    return machine
  }

  @Test func anAnswerOverAConnectionLeadsNowhereElse() throws {
    let service = Service(recipientKeys: [Scene.key(8)], endpoint: "http://a.example")
    let answer = try PresentProofMessage(
      .present, VerifierMachineTests.presentation().with(["~service": service.decorator]))
    #expect(Scene.connection.answering(answer) == Scene.connection)
    #expect(Self.connectionless.answering(answer)?.service == service)
    #expect(VerifierMachineTests.invitation.answering(answer)?.service == service)
    let bare = try PresentProofMessage(.present, VerifierMachineTests.presentation())
    #expect(Self.connectionless.answering(bare) == Self.connectionless)
    #expect(VerifierMachineTests.invitation.answering(bare) == nil)
  }

  @Test func messagesAreCountedUnderTheDIDOfAKnownPeerOnly() {
    #expect(Scene.connection.peerDID == Scene.peer.did)
    #expect(Self.connectionless.peerDID == Scene.peer.did)
    #expect(VerifierMachineTests.invitation.peerDID == nil && Scene.service.peerDID == nil)
  }

  @Test(arguments: [connectionless, Scene.connection, Scene.service, VerifierMachineTests.invitation])
  func everyRouteIsRestored(route: Route) throws {
    let machine = requesting(over: route)
    #expect(machine.route == route)
    #expect(try VerifierMachine.restored(from: machine.serialized(sourceID: "s")).machine == machine)
  }

  @Test func anOfferIsSentUnlessTheInvitationCarriesIt() throws {
    for (route, isSent) in [(Scene.connection, true), (VerifierMachineTests.invitation, false)] {
      var machine = try IssuerMachineTests.machine("prepared")
      #expect((machine.sendOffer(over: route) != .nothing) == isSent)
    }
  }

  @Test(arguments: [nil, "none"] as [JSON?])
  func aRequestWithoutAConnectionThatNamesNoServiceIsRefused(service: JSON?) throws {
    var machine = try IssuerMachineTests.machine("prepared")
    _ = machine.sendOffer(over: VerifierMachineTests.invitation)
    let before = machine
    var request = try Scene.message("issue_2_0", "request")
    request["~service"] = service
    #expect(throws: ProtocolError.noReplyService) { try machine.receive(Message(request), from: Scene.sender) }
    #expect(machine == before)
  }

  @Test func theParentThreadOfTheOfferStays() throws {
    var machine = try IssuerMachineTests.machine("planned")
    let thread: JSON = ["thid": .string(IssuerMachineTests.thread), "pthid": "own"]
    let offer = try Scene.message("issue_2_0", "offer").with(["~thread": thread])
    machine.prepare(try IssueCredentialMessage(.offer, offer))
    _ = machine.sendOffer(over: Scene.connection)
    let request = try Scene.message("issue_2_0", "request").with(["~thread": thread.with(["pthid": "other"])])
    _ = try machine.receive(Message(request), from: Scene.sender)
    let sent = try #require(try machine.issue("{}", at: nil, id: "issue-1").sent)
    #expect(sent.message["~thread"]?["pthid"] == "own")
  }

  @Test func aRequestBoundToAConnectionNamesNoService() throws {
    #expect(try VerifierMachineTests.machine("bound").requestToPass?.object["~service"] == nil)
  }

  @Test func aProposalIsAnsweredInItsFormat() throws {
    let preview = PresentationPreview(attributes: [.init(name: "age")])
    for (format, name) in [(ContentFormat.indy, "hlindy/proof-req@v2.0"), (.anonCreds, "anoncreds/proof-request@v1.0")]
    {
      let proposal = PresentProofMessage(
        proposing: preview, comment: nil, id: "p", thread: nil, in: Dialect(ProofStep.family, 2), format)
      var machine = try VerifierMachine(proposal: proposal.json)
      let sent = try #require(
        try machine.answer(with: VerifierMachineTests.request, id: "q", over: Scene.connection).sent)
      #expect(sent.message["formats"]?.array?.first?["format"]?.string == name)
    }
  }

  @Test func aStoredRequestKeepsItsPredicatesAndItsVersion() throws {
    var request = VerifierMachineTests.request
    request["requested_predicates"] = [
      "p": [
        "name": "age", "p_type": ">=", "p_value": 18, "restrictions": [["cred_def_id": "d"]],
        "non_revoked": ["from": 1, "to": 2],
      ]
    ]
    request["ver"] = "2.0"
    let machine = VerifierMachine(requesting: request)
    let restored = try VerifierMachine.restored(from: machine.serialized(sourceID: "s")).machine
    #expect(restored == machine)
    var sending = restored
    let sent = try #require(sending.send(id: "q", inVersion: 1, .anonCreds, over: Scene.connection).sent)
    #expect(try PresentationRequest(sent.message).request == request)
  }

  @Test func aRequestThatAnswersAProposalIsStoredWithIt() throws {
    var machine = try ProverMachineTests.machine("proposed")
    let request = try Scene.message("present_2_0", "request").on(thread: machine.thread.thid)
    _ = try machine.receive(Message(request), from: Scene.sender, id: "r")
    guard case .requested(let state) = machine.state, state.proposal != nil else { throw Unexpected(machine: machine) }
    #expect(try ProverMachine.restored(from: machine.serialized(sourceID: "s")).machine == machine)
  }

  @Test func aMessageIsStoredInItsOwnDialect() throws {
    let offer = try Scene.message("issue_1_0", "offer")
    let older = "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/"
    let typed = offer.with(["@type": .string(older + "issue-credential/1.0/offer-credential")])
    #expect(try IssueCredentialMessage(stored: typed, .offer).dialect.prefix == older)
    for (version, major) in [("issue_1_0", 1), ("issue_2_0", 2)] {
      let untyped = try Scene.message(version, "offer").with(["@type": .null])
      #expect(try IssueCredentialMessage(stored: untyped, .offer).dialect == Dialect("issue-credential", major))
    }
  }

  @Test(arguments: ["0", "-1", "x"]) func aPlaceInARegistryIsAPositiveNumber(index: String) throws {
    let text = try IssuerMachineTests.machine("issued").serialized(sourceID: "s")
    #expect(throws: Never.self) { try IssuerMachine.restored(from: text) }
    let changed = text.replacing(#""cred_rev_id":"3""#, with: #""cred_rev_id":"\#(index)""#)
    #expect(changed != text)
    #expect(throws: StateError.self) { try IssuerMachine.restored(from: changed) }
  }

  /// Answers of a peer that came by an invitation may name nothing else.
  @Test func aStoredThreadKeepsItsParent() throws {
    let request = try Scene.message("present_2_0", "request").with(["~thread": ["thid": "t", "pthid": "invitation"]])
    let machine = try ProverMachine(request: request)
    let restored = try ProverMachine.restored(from: machine.serialized(sourceID: "s")).machine
    #expect(restored == machine && restored.thread.pthid == "invitation")
  }

  @Test func theOrdersOfAMessageAreRead() {
    let orders: JSON = ["thid": "t", "pthid": "p", "sender_order": 3, "received_orders": ["did": 2]]
    let thread = Thread(of: ["@id": "1", "~thread": orders])
    #expect(thread.senderOrder == 3 && thread.receivedOrders == ["did": 2] && thread.json == orders)
  }

  /// Such a peer was connected with an earlier version. The state is shown and kept, and nothing can be sent.
  @Test func aPeerWithAMalformedRoutingKeyIsRestored() throws {
    let text = try HolderMachineTests.machine("requested").serialized(sourceID: "s")
    let broken = text.replacing(#""routingKeys":["#, with: #""routingKeys":["no key","#)
    try #require(broken != text)
    let service = try #require(HolderMachine.restored(from: broken).machine.route).service
    #expect(throws: EnvelopeError.malformedRoutingKey) { try service.pack([1], from: nil) }
  }

  @Test(arguments: ["agent_did", "agent_vk"]) func aStoredConnectionNeedsNoAgent(member: String) throws {
    var json = try JSON(parsing: HolderMachineTests.machine("requested").serialized(sourceID: "s"))
    json["data"]?["holder_sm"]?["state"]?["RequestSent"]?["connection"]?["agent"]?[member] = Optional<JSON>.none
    guard case .connection(let connection)? = try HolderMachine.restored(from: json.text).machine.route else {
      throw NothingSent(action: .nothing)
    }
    let mailbox = Mailbox(key: Scene.ownKey, keeper: DIDComm.Party(did: "", verkey: Scene.key(4)))
    #expect(connection.own.mailbox == (member == "agent_did" ? mailbox : nil) && connection.own.key == Scene.ownKey)
  }

  /// The prover has proposed another presentation in place of the one that it had made.
  @Test func anEndWithoutAReportIsRestored() throws {
    var machine = try ProverMachineTests.machine("prepared")
    _ = try machine.decline(
      proposing: ProverMachineTests.preview, comment: nil, id: "p", over: ExchangeScene.connection)
    #expect(try ProverMachine.restored(from: machine.serialized(sourceID: "s")).machine == machine)
  }

  @Test func theOrdersOfAThreadCountFromNought() {
    let bare = Thread(thid: "t")
    #expect(bare.next().senderOrder == 1)
    #expect(bare.begun().next().next().senderOrder == 2)
    #expect(bare.received(from: "did").received(from: "did").receivedOrders == ["did": 1])
    #expect(bare.received(from: nil) == bare)
  }

  @Test func aRequestIsRestoredAsItWasBound() throws {
    for route in [nil, Scene.service, Scene.connection] {
      var machine = try VerifierMachineTests.machine("prepared")
      if let route { machine.bind(to: route) }
      let text = machine.serialized(sourceID: "s")
      #expect(try VerifierMachine.restored(from: text).machine == machine)
      guard route == nil else { continue }
      var json = try JSON(parsing: text)
      json["data"]?["verifier_sm"]?["state"]?["PresentationRequestPrepared"]?["connection"] = Optional<JSON>.none
      #expect(try VerifierMachine.restored(from: json.text).machine == machine)
    }
  }

  @Test func aStoredThreadWithoutOrdersBeginsAtNought() throws {
    let machine = try HolderMachineTests.machine("requested")
    var json = try JSON(parsing: machine.serialized(sourceID: "s"))
    #expect(json["data"]?["holder_sm"]?["state"]?["RequestSent"]?["thread"]?["sender_order"] == 0)
    json["data"]?["holder_sm"]?["state"]?["RequestSent"]?["thread"]?["sender_order"] = Optional<JSON>.none
    #expect(try HolderMachine.restored(from: json.text).machine == machine)
  }

  /// The verifier need not answer on the thread of the proposal.
  @Test func aRequestOfTheSameInvitationAnswersAProposal() throws {
    let request = try Scene.message("present_2_0", "request")
    var machine = try ProverMachine(request: request.with(["~thread": ["thid": "t1", "pthid": "invitation"]]))
    _ = try machine.decline(
      proposing: ProverMachineTests.preview, comment: "this", id: "proposal-1", over: Scene.connection)
    let before = machine
    let other = try Message(request.with(["@id": "q2", "~thread": ["thid": "t2", "pthid": "other"]]))
    #expect(try machine.receive(other, from: Scene.sender, id: "r") == .leave && machine == before)
    let next = try Message(request.with(["@id": "q2", "~thread": ["thid": "t2", "pthid": "invitation"]]))
    #expect(try machine.receive(next, from: Scene.sender, id: "r") == .nothing)
    guard case .requested(let state) = machine.state else { throw Unexpected(machine: machine) }
    #expect(state.request.id == "q2" && machine.thread.thid == "t2")
  }

  @Test func onlyAPresentationIsARepeatedPresentation() throws {
    var machine = try VerifierMachineTests.machine("verified")
    let id = try JSON.string(#require(machine.presentation).id)
    let request = try Scene.message("present_2_0", "request").on(thread: "request-1").with(["@id": id])
    #expect(try machine.receive(Message(request), from: Scene.sender) == .leave)
  }
}
