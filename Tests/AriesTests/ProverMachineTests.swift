import Aries
import JSON
import Testing

/// The effect of each kind of message in each state of a prover.
@Suite struct ProverMachineTests {
  typealias Scene = ExchangeScene
  static let thread = "0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0002"
  static let preview = PresentationPreview(attributes: [.init(name: "age", definitionID: "d", value: "28")])

  /// The messages, on the thread that the state is on.
  static func messages(_ version: String, on thread: String) throws -> [(kind: String, json: JSON)] {
    let request = try Scene.message(version, "request")
    let type = version == "present_1_0" ? "1.0" : "2.0"
    let ack = try Scene.message("present_1_0", "ack").on(thread: thread)
    return [
      ("request", request.on(thread: thread)),
      ("request elsewhere", request.with(["@id": "q2"])),
      (
        "proposal",
        Scene.bare("present-proof/\(type)/propose-presentation", on: thread)
      ),
      ("presentation", try Scene.message(version, "presentation").on(thread: thread)),
      ("ack", ack),
      ("ack elsewhere", ack.on(thread: "elsewhere")),
      ("pending ack", ack.with(["status": "PENDING"])),
      ("ack of a failure", ack.with(["status": "FAIL"])),
      ("report", Scene.report("present-proof/\(type)/problem-report", thread: thread)),
      ("generic report", Scene.report("notification/1.0/problem-report", thread: thread)),
      ("report elsewhere", Scene.report("present-proof/\(type)/problem-report", thread: "elsewhere")),
      ("offer", try Scene.message("issue_2_0", "offer").on(thread: thread)),
      ("other", Scene.bare("x/1.0/y", on: thread)),
    ]
  }

  private static let reports: Set = ["report", "generic report"]
  private static let acks: Set = ["ack", "pending ack", "ack of a failure"]

  static let decisions = [
    ExchangeDecisions(state: "proposing"),
    ExchangeDecisions(state: "proposed", applied: reports.union(["request"])),
    ExchangeDecisions(state: "proposed instead", applied: reports),
    ExchangeDecisions(state: "requested"),
    ExchangeDecisions(state: "prepared"),
    ExchangeDecisions(state: "unprepared"),
    ExchangeDecisions(state: "sent", applied: reports.union(["ack", "ack of a failure"])),
    ExchangeDecisions(state: "sent without a connection", applied: reports.union(["ack", "ack of a failure"])),
    ExchangeDecisions(state: "finished", taken: acks),
    ExchangeDecisions(state: "rejected", taken: acks),
  ]

  static func machine(_ state: String, _ version: String = "present_2_0") throws -> ProverMachine {
    if state == "proposing" || state == "proposed" {
      var machine = ProverMachine(proposing: preview, comment: "my age", id: "proposal-1")
      if state == "proposed" { _ = try machine.propose(inVersion: 2, .indy, over: Scene.connection) }
      return machine
    }
    var machine = try ProverMachine(request: Scene.message(version, "request"))
    switch state {
    case "requested": break
    case "proposed instead":
      _ = try machine.decline(proposing: preview, comment: "rather this", id: "proposal-2", over: Scene.connection)
    case "unprepared": try machine.failToPrepare(because: "no such credential", errorKind: "kind", id: "report-1")
    case "rejected": _ = try machine.decline(because: "no, thanks", id: "report-1", over: Scene.connection)
    default:
      try machine.prepare(#"{"proof":{}}"#, id: "presentation-1")
      if state == "prepared" { break }
      _ = machine.send(over: state == "sent without a connection" ? Scene.service : Scene.connection)
      if state == "finished" {
        _ = try machine.receive(Message(Scene.message("present_1_0", "ack")), from: Scene.sender, id: "")
      }
    }
    return machine
  }

  @Test(arguments: decisions, ["present_1_0", "present_2_0"])
  func everyMessageIsDecidedInEveryState(decisions: ExchangeDecisions, version: String) throws {
    let before = try Self.machine(decisions.state, version)
    let messages = try Self.messages(version, on: before.thread.thid)
    #expect(decisions.name(only: messages.map(\.kind)))
    for (kind, json) in messages {
      var machine = before
      let action = try machine.receive(Message(json), from: Scene.sender, id: "reply")
      let found: ExchangeDecisions.Decision = machine != before ? .applied : action == .nothing ? .taken : .left
      #expect(found == decisions[kind], "\(decisions.state), \(kind): \(action)")
    }
  }

  @Test(
    arguments: [
      ("proposing", []), ("proposed", [.route]), ("proposed instead", [.route]), ("requested", [.request]),
      ("prepared", [.request, .presentation]), ("unprepared", [.request, .report]),
      ("sent", [.request, .presentation, .route]), ("sent without a connection", [.request, .presentation, .route]),
      ("finished", [.request, .presentation]), ("rejected", [.request, .report]),
    ] as [(String, Set<ExchangeFact>)])
  func eachStateHasItsFacts(state: String, facts: Set<ExchangeFact>) throws {
    let machine = try Self.machine(state)
    let found = ExchangeFact.present([
      .request: machine.request != nil, .presentation: machine.presentation != nil, .report: machine.report != nil,
      .route: machine.route != nil,
    ])
    #expect(found == facts)
    #expect(machine.thread.thid == (["proposing", "proposed"].contains(state) ? "proposal-1" : Self.thread))
  }

  @Test(arguments: ["proposed", "proposed instead", "sent", "sent without a connection"])
  func noMessageOfAStrangerHasAnEffect(state: String) throws {
    let before = try Self.machine(state)
    for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      for (kind, json) in try Self.messages("present_2_0", on: before.thread.thid) {
        var machine = before
        let action = try? machine.receive(Message(json), from: stranger, id: "reply")
        #expect(machine == before, "\(kind)")
        #expect(action == nil || action == .leave, "\(kind)")
      }
    }
  }

  @Test(arguments: ["present_1_0", "present_2_0"]) func theAnswerIsWrittenAsPeersExpectIt(version: String) throws {
    let expected = try PresentProofMessage(.present, Scene.message(version, "presentation"))
    var machine = try ProverMachine(request: Scene.message(version, "request"))
    try machine.prepare(expected.content().text, id: expected.id)
    let sent = try #require(machine.send(over: Scene.connection).sent)
    #expect(sent.service == Scene.peerService)
    let orders: JSON = [
      "thid": .string(Self.thread), "sender_order": 0, "received_orders": [Scene.peerKey.did.text: 0],
    ]
    let comment = try #require(try Scene.message(version, "request")["comment"])
    let own: [String: JSON] = ["~thread": orders, "~please_ack": [:], "comment": comment]
    #expect(sent.message == expected.json.with(own))
    guard case .sent(let state) = machine.state else { throw Unexpected(machine: machine) }
    #expect(state.presentation.json == sent.message)
  }

  @Test func anAckThatSaysFailIsAFailure() throws {
    let ack = try ExchangeScene.message("present_1_0", "ack")
    for (status, isFailure) in [("FAIL", true), ("OK", false)] {
      var machine = try Self.machine("sent")
      _ = try machine.receive(Message(ack.with(["status": .string(status)])), from: Scene.sender, id: "")
      guard case .finished(let finished) = machine.state else { throw Unexpected(machine: machine) }
      if case .failed(let report) = finished.status {
        #expect(isFailure && report.json["status"] == "FAIL")
      } else {
        #expect(!isFailure && finished.status == .succeeded)
      }
    }
  }

  @Test func anUnsentAnswerHasItsThread() throws {
    let presentation = try #require(try Self.machine("prepared").presentation)
    #expect(presentation.thread.thid == Self.thread)
    #expect(try presentation.content() == AttachedContent(text: #"{"proof":{}}"#, format: .indy))
  }

  @Test func withoutAConnectionSilenceIsTheEnd() throws {
    var machine = try Self.machine("prepared")
    let sent = try #require(machine.send(over: Scene.service).sent)
    #expect(sent.message["~transport"] == ["return_route": "all"])
    machine.endWithoutAnswer()
    guard case .finished(let finished) = machine.state else { throw Unexpected(machine: machine) }
    #expect(finished.status == .succeeded)

    var connected = try Self.machine("sent")
    connected.endWithoutAnswer()
    #expect(try connected == Self.machine("sent"))
  }

  @Test func aFailedPreparationIsReportedAndMayBeRepeated() throws {
    var machine = try Self.machine("unprepared")
    let report = try #require(machine.send(over: Scene.connection).sent).message
    #expect(report["@type"] == "https://didcomm.org/present-proof/2.0/problem-report")
    #expect(report["description"]?["code"] == "invalid-request")
    #expect(report["comment"] == "no such credential")
    #expect(try machine == Self.machine("unprepared"))
    #expect(machine.report?.json == report)
    try machine.prepare("{}", id: "p")
    #expect(machine.report == nil)
  }

  @Test(arguments: ["requested", "prepared", "unprepared"]) func aProverDeclines(state: String) throws {
    var machine = try Self.machine(state)
    let report = try #require(try machine.decline(because: "not to you", id: "r", over: Scene.connection).sent).message
    #expect(report["description"] == ["code": "rejection", "en": "Presentation Request was rejected"])
    #expect(report["comment"] == "not to you")
    #expect(machine.report?.json == report)
    guard case .finished(let finished) = machine.state, case .rejected = finished.status else {
      throw Unexpected(machine: machine)
    }
  }

  @Test(arguments: ["proposing", "proposed", "sent", "finished", "rejected"])
  func aRequestCannotBeDeclinedInOtherStates(state: String) throws {
    var machine = try Self.machine(state)
    if state != "proposed" {
      #expect(throws: ProtocolError.outOfTurn) {
        try machine.decline(because: nil, id: "r", over: Scene.connection)
      }
    }
    #expect(throws: ProtocolError.outOfTurn) {
      try machine.decline(proposing: Self.preview, comment: nil, id: "r", over: Scene.connection)
    }
    #expect(throws: ProtocolError.outOfTurn) { try machine.prepare("{}", id: "p") }
    #expect(throws: ProtocolError.outOfTurn) { try machine.failToPrepare(because: "", errorKind: nil, id: "p") }
    #expect(try machine == Self.machine(state))
  }

  @Test(arguments: ["proposing", "requested", "sent", "finished", "rejected"]) func nothingIsSentTwiceOrTooEarly(
    state: String
  ) throws {
    var machine = try Self.machine(state)
    #expect(machine.send(over: Scene.connection) == .nothing)
    #expect(try machine == Self.machine(state))
  }
}
