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

  private static let reports: Set = ["report", "generic report"]

  static let decisions = [
    ExchangeDecisions(state: "initiated"),
    ExchangeDecisions(state: "prepared"),
    ExchangeDecisions(state: "bound", applied: reports.union(["proposal"]), checked: ["presentation"]),
    ExchangeDecisions(state: "sent", applied: reports.union(["proposal"]), checked: ["presentation"]),
    ExchangeDecisions(state: "proposal"),
    ExchangeDecisions(state: "proposed", applied: reports),
    ExchangeDecisions(state: "verified", taken: ["presentation"]),
    ExchangeDecisions(state: "not verified", taken: ["presentation"]),
    ExchangeDecisions(state: "rejected"),
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

  @Test(arguments: decisions, [1, 2])
  func everyMessageIsDecidedInEveryState(decisions: ExchangeDecisions, major: Int) throws {
    let before = try Self.machine(decisions.state, major)
    let messages = try Self.messages(major, on: decisions.state == "proposal" ? "proposal-1" : "request-1")
    #expect(decisions.name(only: messages.map(\.kind)))
    for (kind, json) in messages {
      var machine = before
      let message = try Message(json)
      let found: ExchangeDecisions.Decision
      if try machine.presentation(in: message, from: Scene.sender) != nil {
        found = .checked
      } else {
        let action = try machine.receive(message, from: Scene.sender)
        found = machine != before ? .applied : action == .nothing ? .taken : .left
      }
      #expect(found == decisions[kind], "\(decisions.state), \(kind)")
    }
  }

  @Test(
    arguments: [
      ("initiated", []), ("prepared", [.request]), ("bound", [.request, .route]), ("sent", [.request, .route]),
      ("proposal", []), ("proposed", [.route]), ("verified", [.request, .presentation]),
      ("not verified", [.request, .presentation, .report]), ("rejected", [.request, .report]),
    ] as [(String, Set<ExchangeFact>)])
  func eachStateHasItsFacts(state: String, facts: Set<ExchangeFact>) throws {
    let machine = try Self.machine(state)
    let found = ExchangeFact.present([
      .request: machine.request != nil, .presentation: machine.presentation != nil, .report: machine.report != nil,
      .route: machine.route != nil,
    ])
    #expect(found == facts)
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
}
