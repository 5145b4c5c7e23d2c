import Aries
import DIDComm
import JSON
import Testing

/// Provers that answer an invitation without a handshake, or have no connection.
extension VerifierMachineTests {
  /// A presentation of somebody who names its service.
  private func answer(_ key: VerKey) throws -> JSON {
    try Self.presentation().with(["~service": Service(recipientKeys: [key], endpoint: "http://a.example").decorator])
  }

  private func awaiting() throws -> VerifierMachine {
    var machine = try Self.machine("prepared")
    machine.bind(to: Self.invitation)
    return machine
  }

  @Test func anybodyMayAnswerAnInvitationAndIsAnsweredAtItsService() throws {
    var machine = try awaiting()
    let message = try Message(answer(Scene.key(8)))
    let presentation = try #require(try machine.presentation(in: message, from: .envelope(Scene.key(8))))
    let sent = try #require(machine.conclude(presentation, Self.good, id: "ack").sent)
    #expect(sent.service.endpoint == "http://a.example")
    #expect(sent.service.recipientKeys == [Scene.key(8)])
  }

  /// Older provers answer anonymously where there is no connection.
  @Test func theSenderOfAnAnswerToAnInvitationMayBeUnknown() throws {
    let machine = try awaiting()
    let message = try Message(Self.presentation())
    for sender in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      #expect(try machine.presentation(in: message, from: sender) != nil)
    }
  }

  /// Otherwise the verifier would answer to somebody who has not taken part.
  @Test func aProvenSenderAnswersAnInvitationWithItsOwnService() throws {
    var machine = try awaiting()
    let before = machine
    let message = try Message(answer(Scene.key(8)))
    #expect(throws: ProtocolError.notFromPeer) { try machine.presentation(in: message, from: .envelope(Scene.key(9))) }
    #expect(try machine.presentation(in: message, from: .envelope(nil)) != nil)
    let proposal = try Self.proposal().with([
      "~service": Service(recipientKeys: [Scene.key(8)], endpoint: "http://a.example").decorator
    ])
    for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      #expect(throws: ProtocolError.notFromPeer) { try machine.receive(Message(proposal), from: stranger) }
    }
    #expect(machine == before)
  }

  /// The request went to a peer that knows of no connection.
  @Test func theSenderOfAnAnswerWithoutAConnectionMayBeUnknown() throws {
    var machine = VerifierMachine(requesting: Self.request)
    let route = Route.connection(
      ExchangeConnection(own: Pairwise(key: Scene.ownKey), peer: Scene.peer, isConnectionless: true))
    _ = machine.send(id: "request-1", inVersion: 2, .indy, over: route)
    let message = try Message(Self.presentation())
    for sender in [Sender.envelope(nil), .envelope(Scene.key(9)), Scene.sender] {
      #expect(try machine.presentation(in: message, from: sender) != nil)
    }
  }

  @Test func anAnswerWithoutAServiceIsJudgedAndNotAnswered() throws {
    var machine = try awaiting()
    let message = try Message(Self.presentation())
    let presentation = try #require(try machine.presentation(in: message, from: Scene.sender))
    #expect(machine.conclude(presentation, Self.good, id: "ack") == .nothing)
    guard case .finished(let state) = machine.state else { throw NothingSent(action: .nothing) }
    #expect(state.status == .succeeded)
  }

  @Test func aProposalByInvitationIsAnsweredAtItsService() throws {
    var machine = try awaiting()
    let proposal = try Self.proposal().with([
      "~service": Service(recipientKeys: [Scene.key(8)], endpoint: "http://a.example").decorator
    ])
    #expect(try machine.receive(Message(proposal), from: .envelope(Scene.key(8))) == .nothing)
    let route = try #require(machine.route)
    #expect(route.service.endpoint == "http://a.example")
    let sent = try #require(try machine.answer(with: Self.request, id: "q", over: route).sent)
    #expect(sent.service.recipientKeys == [Scene.key(8)])
  }

  /// Everybody who holds the invitation knows the thread.
  @Test(arguments: [false, true]) func aProverWhoHasProposedIsTheOnlyOne(isAnswered: Bool) throws {
    var machine = try awaiting()
    let service = Service(recipientKeys: [Scene.key(8)], endpoint: "http://a.example").decorator
    let proposal = try Self.proposal().with(["~service": service])
    let before = machine
    for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      #expect(throws: ProtocolError.notFromPeer) { try machine.receive(Message(proposal), from: stranger) }
    }
    #expect(machine == before)
    _ = try machine.receive(Message(proposal), from: .envelope(Scene.key(8)))
    if isAnswered { _ = try machine.answer(with: Self.request, id: "q", over: #require(machine.route)) }
    let known = machine
    let thread = try #require(proposal["~thread"]?["thid"]?.string)
    let report = try Message(Scene.report("present-proof/2.0/problem-report", thread: thread))
    for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      #expect(throws: ProtocolError.notFromPeer) { try machine.receive(report, from: stranger) }
    }
    #expect(machine == known)
    #expect(try machine.receive(report, from: .envelope(Scene.key(8))) == .nothing && machine != known)
  }
}
