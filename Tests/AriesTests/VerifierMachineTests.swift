import Aries
import DIDComm
import JSON
import TestSupport
import Testing

/// The effect of each kind of message in each state of a verifier.
@Suite struct VerifierMachineTests {
  typealias Scene = ExchangeScene

  static let request: JSONObject = [
    "nonce": "1001", "name": "Age", "version": "1.0",
    "requested_attributes": [
      "attribute_0": ["name": "name", "restrictions": [["cred_def_id": "d", "attr::age::value": "28"]]],
      "attribute_1": ["names": ["a", "b"], "non_revoked": ["from": 1, "to": 2]],
    ],
    "requested_predicates": ["predicate_0": ["name": "age", "p_type": ">=", "p_value": 18]],
    "non_revoked": ["from": 7],
  ]
  static let good = Assessment(reasons: [], warnings: [Assessment.Remark(code: "withheld", referent: "attribute_0")])
  static let bad = Assessment(reasons: [
    Assessment.Remark(code: "restriction", referent: "attribute_0"), Assessment.Remark(code: "proof", referent: nil),
  ])

  /// Where an inviter awaits the answer to an invitation without a handshake: its own service.
  static let invitation = Route.connection(
    ExchangeConnection(
      own: Scene.own,
      peer: Peer(document: ownService.document(id: "invitation-1")), isInvitation: true))
  static let ownService = Service(recipientKeys: [Scene.ownKey], endpoint: "http://own.example")

  static func presentation(_ major: Int = 2, on thread: String = "request-1") throws -> JSON {
    try Scene.message("present_\(major)_0", "presentation").on(thread: thread)
  }

  static func proposal(_ major: Int = 2, id: String = "proposal-1", on thread: String? = "request-1") throws -> JSON {
    let preview = PresentationPreview(attributes: [.init(name: "age", definitionID: "d")])
    let thread = thread.map { Aries.Thread(thid: $0) }
    return PresentProofMessage(
      proposing: preview, comment: "my age", id: id, thread: thread, in: Dialect(ProofStep.family, major), .indy
    ).json
  }

  /// The messages, on the thread that the state is on.
  static func messages(_ major: Int, on thread: String) throws -> [(kind: String, json: JSON)] {
    let type = "present-proof/\(major).0"
    return [
      ("request", try Scene.message("present_\(major)_0", "request").on(thread: thread)),
      ("proposal", try proposal(major, on: thread)),
      ("proposal elsewhere", try proposal(major, on: "elsewhere")),
      ("presentation", try presentation(major, on: thread)),
      ("presentation elsewhere", try presentation(major, on: "elsewhere")),
      ("ack", try Scene.message("present_1_0", "ack").on(thread: thread)),
      ("report", Scene.report("\(type)/problem-report", thread: thread)),
      ("generic report", Scene.report("notification/1.0/problem-report", thread: thread)),
      ("report elsewhere", Scene.report("\(type)/problem-report", thread: "elsewhere")),
      ("offer", try Scene.message("issue_2_0", "offer").on(thread: thread)),
      ("other", Scene.bare("x/1.0/y", on: thread)),
    ]
  }

  /// `x` has an effect, `v` is to be verified, `-` is taken without an effect, `.` is left.
  static let table = [
    // request, proposal, elsewhere, presentation, elsewhere, ack, report, generic, elsewhere, offer, other
    ("initiated", "..........."), ("prepared", "..........."),
    ("bound", ".x.v..xx..."), ("sent", ".x.v..xx..."),
    ("proposal", "..........."), ("proposed", "......xx..."),
    ("verified", "...-......."), ("not verified", "...-......."), ("rejected", "..........."),
  ]

  static func machine(_ state: String, _ major: Int = 2) throws -> VerifierMachine {
    if state == "proposal" { return try VerifierMachine(proposal: proposal(major, on: nil)) }
    var machine = VerifierMachine(requesting: request)
    if state == "initiated" { return machine }
    if state == "prepared" || state == "bound" {
      machine.prepare(id: "request-1", inVersion: major, .indy)
      if state == "bound" { machine.bind(to: Scene.connection) }
      return machine
    }
    _ = machine.send(id: "request-1", inVersion: major, .indy, over: Scene.connection)
    switch state {
    case "proposed": _ = try machine.receive(Message(proposal(major)), from: Scene.sender)
    case "verified", "not verified":
      let presentation = try PresentProofMessage(.present, presentation(major))
      _ = machine.conclude(presentation, state == "verified" ? good : bad, id: "answer-1")
    case "rejected":
      _ = try machine.receive(
        Message(Scene.report("present-proof/\(major).0/problem-report", thread: "request-1")), from: Scene.sender)
    default: break
    }
    return machine
  }

  @Test(arguments: table, [1, 2])
  func everyMessageIsDecidedInEveryState(row: (state: String, decisions: String), major: Int) throws {
    let before = try Self.machine(row.state, major)
    let messages = try Self.messages(major, on: row.state == "proposal" ? "proposal-1" : "request-1")
    #expect(row.decisions.count == messages.count)
    for ((kind, json), decision) in zip(messages, row.decisions) {
      var machine = before
      let message = try Message(json)
      let found: Character
      if try machine.presentation(in: message, from: Scene.sender) != nil {
        found = "v"
      } else {
        let action = try machine.receive(message, from: Scene.sender)
        found = machine != before ? "x" : action == .nothing ? "-" : "."
      }
      #expect(found == decision, "\(row.state), \(kind)")
    }
  }

  @Test(arguments: ["bound", "sent", "proposed"]) func onlyThePeerIsHeard(state: String) throws {
    var machine = try Self.machine(state)
    for sender in [Sender.envelope(Scene.key(9)), .envelope(nil)] {
      for (kind, json) in try Self.messages(2, on: "request-1") {
        let before = machine
        let message = try Message(json)
        do {
          #expect(try machine.presentation(in: message, from: sender) == nil, "\(kind)")
          _ = try machine.receive(message, from: sender)
        } catch { #expect("\(error)" == "\(ProtocolError.notFromPeer)") }
        #expect(machine == before, "\(kind)")
      }
    }
  }

  // MARK: Requesting

  @Test(arguments: [1, 2]) func aRequestHasTheFormOfItsVersion(major: Int) throws {
    var machine = VerifierMachine(requesting: Self.request)
    let sent = try #require(
      machine.send(id: "request-1", inVersion: major, .anonCreds, over: Scene.connection).sent)
    #expect(sent.service == Scene.peerService)
    let request = try PresentationRequest(sent.message)
    #expect(request.message.dialect.major == major)
    #expect(request.message.comment == "Age")
    #expect(sent.message["~thread"] == nil)
    #expect(sent.message["will_confirm"] == (major == 2 ? JSON.bool(true) : Optional<JSON>.none))
    // Version 1.0 knows one format, in which the proof request itself says that its ids are qualified.
    #expect(request.request["ver"] == (major == 1 ? JSON.string("2.0") : Optional<JSON>.none))
    var content = request.request
    content["ver"] = nil
    #expect(content == Self.request)
    #expect(machine.send(id: "request-2", inVersion: major, .indy, over: Scene.connection) == .nothing)
  }

  @Test(arguments: [1, 2]) func aRequestForOlderIDsDoesNotSayItsVersion(major: Int) throws {
    var given = Self.request
    given["ver"] = "2.0"
    var machine = VerifierMachine(requesting: given)
    let sent = try #require(machine.send(id: "request-1", inVersion: major, .indy, over: Scene.connection).sent)
    #expect(try PresentationRequest(sent.message).request == Self.request)
  }

  @Test func aRequestThatAnInvitationCarriesIsNotSent() throws {
    var machine = try Self.machine("prepared")
    #expect(machine.requestToPass?.object["~service"] == nil)
    #expect(machine.send(id: "x", inVersion: 2, .indy, over: Self.invitation) == .nothing)
    #expect(machine.route == Self.invitation)
    #expect(machine.requestToPass?.object["~service"] == Self.ownService.decorator)
    #expect(machine.requestToPass?.id == "request-1")
  }

  /// It stays in the mailbox among the read messages, and is found again at every look.
  @Test func anAnsweredProposalIsNotANewOne() throws {
    var machine = try Self.machine("proposed")
    _ = try machine.answer(with: Self.request, id: "request-2", over: Scene.connection)
    machine = try VerifierMachine.restored(from: machine.serialized(sourceID: "s")).machine
    let before = machine
    #expect(try machine.receive(Message(Self.proposal()), from: Scene.sender) == .leave)
    #expect(machine == before)
    _ = try machine.receive(Message(Self.proposal(id: "proposal-2")), from: Scene.sender)
    _ = try machine.answer(with: Self.request, id: "request-3", over: Scene.connection)
    for id in ["proposal-1", "proposal-2"] {
      #expect(try machine.receive(Message(Self.proposal(id: id)), from: Scene.sender) == .leave)
    }
    let answer = try Message(Self.presentation())
    #expect(try machine.presentation(in: answer, from: Scene.sender) != nil)
  }

  @Test(arguments: [1, 2]) func aProposalIsAnsweredOnItsThread(major: Int) throws {
    for state in ["proposed", "proposal"] {
      var machine = try Self.machine(state, major)
      let action = try machine.answer(with: Self.request, id: "request-2", over: Scene.connection)
      let sent = try #require(action.sent).message
      #expect(sent["~thread"]?["thid"]?.string == (state == "proposed" ? "request-1" : "proposal-1"))
      #expect(try PresentationRequest(sent).message.dialect.major == major)
      let thread = try #require(sent["~thread"]?["thid"]?.string)
      let answer = try Message(Self.presentation(major, on: thread))
      #expect(try machine.presentation(in: answer, from: Scene.sender) != nil)
      #expect(throws: ProtocolError.outOfTurn) {
        try machine.answer(with: Self.request, id: "x", over: Scene.connection)
      }
    }
  }

  // MARK: The judgement

  @Test(arguments: [1, 2]) func aVerifiedPresentationIsAcknowledged(major: Int) throws {
    var machine = try Self.machine("sent", major)
    let presentation = try PresentProofMessage(.present, Self.presentation(major))
    let sent = try #require(machine.conclude(presentation, Self.good, id: "ack-1").sent)
    #expect(sent.message["@type"]?.string == presentation.dialect.type("ack"))
    #expect(sent.message["status"] == "OK")
    #expect(sent.message["~thread"]?["thid"] == "request-1")
    #expect(machine.presentation == presentation)
    #expect(machine.conclude(presentation, Self.bad, id: "x") == .leave)
  }

  @Test func aPresentationThatIsNotVerifiedIsReportedWithoutValues() throws {
    var machine = try Self.machine("sent")
    let presentation = try PresentProofMessage(.present, Self.presentation())
    let sent = try #require(machine.conclude(presentation, Self.bad, id: "report-1").sent).message
    #expect(sent["description"]?["code"] == "invalid-presentation")
    #expect(
      sent["comment"] == "error occurred: the presentation is not verified: restriction (attribute_0), proof")
    #expect(machine.presentation == presentation)
    #expect(machine.report?.json == sent)
  }

  // MARK: By invitation

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
    #expect(throws: ProtocolError.notFromPeer) {
      try machine.receive(Message(proposal), from: .envelope(Scene.key(9)))
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
    _ = try machine.receive(Message(proposal), from: .envelope(Scene.key(8)))
    if isAnswered { _ = try machine.answer(with: Self.request, id: "q", over: #require(machine.route)) }
    let before = machine
    let thread = try #require(proposal["~thread"]?["thid"]?.string)
    let report = try Message(Scene.report("present-proof/2.0/problem-report", thread: thread))
    for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      #expect(throws: ProtocolError.notFromPeer) { try machine.receive(report, from: stranger) }
    }
    #expect(machine == before)
    #expect(try machine.receive(report, from: .envelope(Scene.key(8))) == .nothing && machine != before)
  }
}
