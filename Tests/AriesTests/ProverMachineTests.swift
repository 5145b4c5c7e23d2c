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

  /// `x` has an effect, `-` is taken without one, `.` is left.
  static let table = [
    // request, elsewhere, proposal, presentation, ack, elsewhere, pending, failure, report, generic, elsewhere, offer,
    // other
    ("proposing", "............."),
    ("proposed", "x.......xx..."),
    ("proposed instead", "........xx..."),
    ("requested", "............."),
    ("prepared", "............."),
    ("unprepared", "............."),
    ("sent", "....x..xxx..."),
    ("sent without a connection", "....x..xxx..."),
    ("finished", "....-.--....."),
    ("rejected", "....-.--....."),
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

  @Test(arguments: table, ["present_1_0", "present_2_0"])
  func everyMessageIsDecidedInEveryState(row: (state: String, decisions: String), version: String) throws {
    let before = try Self.machine(row.state, version)
    let messages = try Self.messages(version, on: before.thread.thid)
    #expect(row.decisions.count == messages.count)
    for ((kind, json), decision) in zip(messages, row.decisions) {
      var machine = before
      let action = try machine.receive(Message(json), from: Scene.sender, id: "reply")
      let found: Character = machine != before ? "x" : action == .nothing ? "-" : "."
      #expect(found == decision, "\(row.state), \(kind): \(action)")
    }
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

  /// Earlier requests stay in the mailbox, also for a process that restores the state.
  @Test func noEarlierRequestComesBackAfterAProposal() throws {
    var machine = try Self.machine("requested")
    var requests = [try Scene.message("present_2_0", "request").on(thread: Self.thread)]
    for round in 1...3 {
      if round == 2 { try machine.failToPrepare(because: "no such credential", errorKind: nil, id: "report-1") }
      machine = try ProverMachine.restored(from: machine.serialized(sourceID: "s")).machine
      _ = try machine.decline(proposing: Self.preview, comment: nil, id: "proposal-\(round)", over: Scene.connection)
      machine = try ProverMachine.restored(from: machine.serialized(sourceID: "s")).machine
      for request in requests {
        #expect(try machine.receive(Message(request), from: Scene.sender, id: "") == .leave)
      }
      let next = requests[0].with(["@id": .string("request-\(round)")])
      #expect(try machine.receive(Message(next), from: Scene.sender, id: "") == .nothing)
      #expect(machine.request?.id == "request-\(round)")
      requests.append(next)
    }
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
    #expect(throws: ProtocolError.outOfTurn) {
      try machine.decline(because: nil, id: "r", over: Scene.connection)
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

  @Test func anotherPresentationIsProposed() throws {
    for (version, member) in [("present_1_0", "presentation_proposal"), ("present_2_0", "proposals~attach")] {
      var machine = try Self.machine("requested", version)
      let sent = try #require(
        try machine.decline(proposing: Self.preview, comment: "this", id: "p", over: Scene.connection).sent
      ).message
      #expect(sent["~thread"]?["thid"] == .string(Self.thread))
      #expect(sent[member] != nil)
      guard case .proposed(let state) = machine.state else { throw Unexpected(machine: machine) }
      #expect(state.request?.id == Self.thread)
    }
    var prepared = try Self.machine("prepared")
    _ = try prepared.decline(proposing: Self.preview, comment: nil, id: "p", over: Scene.connection)
    guard case .finished(let finished) = prepared.state else { throw Unexpected(machine: prepared) }
    #expect(finished.status == .rejected(nil))
  }

  @Test func aProposalGoesInTheVersionOfThePeer() throws {
    var old = try Self.machine("proposing")
    let first = try #require(try old.propose(inVersion: 1, .indy, over: Scene.connection).sent).message
    #expect(first["@type"] == "https://didcomm.org/present-proof/1.0/propose-presentation")
    #expect(first["comment"] == "my age")
    #expect(
      first["presentation_proposal"] == [
        "@type": "https://didcomm.org/present-proof/1.0/presentation-preview",
        "attributes": [["name": "age", "cred_def_id": "d", "value": "28"]], "predicates": [],
      ])
    #expect(first["~thread"] == ["thid": "proposal-1", "sender_order": 0, "received_orders": [:]])

    var new = try Self.machine("proposing")
    let second = try #require(try new.propose(inVersion: 2, .anonCreds, over: Scene.connection).sent).message
    #expect(second["formats"] == [["attach_id": "anoncreds", "format": "anoncreds/proof-proposal@v1.0"]])
    let content = try PresentProofMessage(.propose, second).content().json()
    #expect(
      content == [
        "name": "my age", "version": "1.0", "requested_predicates": [:],
        "requested_attributes": [
          "attribute_0": ["name": "age", "restrictions": [["cred_def_id": "d", "attr::age::value": "28"]]]
        ],
      ])
  }

  @Test func aRequestAnswersAProposalOnItsThreadOrFromItsInvitation() throws {
    for thread: JSON in [["thid": "proposal-1"], ["thid": "other", "pthid": "none"]] {
      var machine = try Self.machine("proposed")
      let request = try Scene.message("present_2_0", "request").with(["~thread": thread])
      let action = try machine.receive(Message(request), from: Scene.sender, id: "r")
      #expect((action == .nothing) == (thread["thid"] == "proposal-1"))
      guard action == .nothing else { continue }
      guard case .requested(let state) = machine.state else { throw Unexpected(machine: machine) }
      #expect(state.proposal?.id == "proposal-1")
      try machine.prepare("{}", id: "p")
      let sent = try #require(machine.send(over: Scene.connection).sent).message
      #expect(
        sent["~thread"] == [
          "thid": "proposal-1", "sender_order": 1, "received_orders": [Scene.peerKey.did.text: 1],
        ])
    }
  }

  @Test func aRequestWithoutContentIsRefused() throws {
    var machine = try Self.machine("proposed")
    let request = try Scene.message("present_2_0", "request").on(thread: "proposal-1").with(["formats": []])
    let action = try machine.receive(Message(request), from: Scene.sender, id: "r")
    guard case .refuse(.malformed(.unsupportedFormat), let report, Scene.peerService) = action else {
      throw Unexpected(machine: machine)
    }
    #expect(report["~thread"]?["thid"] == "proposal-1")
    #expect(try machine == Self.machine("proposed"))
  }
}
