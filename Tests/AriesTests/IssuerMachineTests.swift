import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// The effect of each kind of message in each state of an issuer.
@Suite struct IssuerMachineTests {
  typealias Scene = ExchangeScene
  static let thread = "0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0001"

  static let terms: IssuerMachine.Terms = {
    // A constant that can be read.
    // swift-format-ignore: NeverUseForceTry
    let values = try! CredentialValues(parsing: #"{"name":"Alice Andersen","age":28}"#)
    return IssuerMachine.Terms(values: values, registryID: "registry", tailsFolder: "tails")
  }()

  /// The messages of both versions, read once: their file is large.
  private static let recorded = try? ["issue_1_0": read("issue_1_0"), "issue_2_0": read("issue_2_0")]

  static func messages(_ version: String) throws -> [(kind: String, json: JSON)] { try #require(recorded?[version]) }

  /// A holder's proposal of another name.
  static func proposal(
    _ major: Int, id: String = "p1", on thread: String?, _ format: ContentFormat = .indy
  ) throws -> JSON {
    let text = #"{"attributes":{"name":"Alice"},"filter":{"cred_def_id":"d","issuer_did":"i"}}"#
    return IssueCredentialMessage(
      proposing: try CredentialProposal(parsing: text), comment: "please", id: id,
      thread: thread.map { Thread(thid: $0) }, in: Dialect(CredentialStep.family, major), format
    ).json
  }

  private static func read(_ version: String) throws -> [(kind: String, json: JSON)] {
    let type = version == "issue_1_0" ? "1.0" : "2.0"
    let request = try Scene.message(version, "request")
    return [
      ("offer", try Scene.message(version, "offer").on(thread: thread)),
      ("proposal", try proposal(type == "1.0" ? 1 : 2, on: thread)),
      ("request", request),
      ("request elsewhere", request.on(thread: "elsewhere")),
      ("another request", request.with(["@id": "r2"])),
      ("credential", try Scene.message(version, "issue")),
      ("ack", try Scene.message(version, "ack")),
      ("failing ack", try Scene.message(version, "ack").with(["status": "FAIL"])),
      ("pending ack", try Scene.message(version, "ack").with(["status": "PENDING"])),
      ("ack elsewhere", try Scene.message(version, "ack").on(thread: "elsewhere")),
      ("report", Scene.report("issue-credential/\(type)/problem-report", thread: thread)),
      ("generic report", Scene.report("notification/1.0/problem-report", thread: thread)),
      ("old report", Scene.report("report-problem/1.0/problem-report", thread: thread)),
      ("report elsewhere", Scene.report("issue-credential/\(type)/problem-report", thread: "elsewhere")),
      ("proof request", try Scene.message("present_2_0", "request").on(thread: thread)),
      ("other", Scene.bare("x/1.0/y", on: thread)),
    ]
  }

  /// The next state, by the kinds of the messages that change the state. The state leaves messages of all other kinds to
  /// other objects. If it took them without an effect, a poll would not find the messages behind them.
  struct Transitions: Sendable {
    let state: String
    var next: [String: String] = [:]

    /// A state in which the holder may also end the exchange.
    static func open(_ state: String, _ next: [String: String] = [:]) -> Self {
      let reports = ["report", "generic report", "old report"].map { ($0, "declined") }
      return Self(state: state, next: next.merging(reports) { $1 })
    }
  }

  static let transitions = [
    Transitions(state: "planned"),
    .open("offered", ["proposal": "proposed", "request": "requested", "another request": "requested"]),
    .open(
      "offered without a connection",
      ["proposal": "proposed", "request": "requested", "another request": "requested"]),
    .open("proposed"),
    Transitions(state: "planned again"),
    .open("offered again", ["request": "requested", "another request": "requested"]),
    .open("requested"),
    .open("issued", ["ack": "accepted", "failing ack": "declined"]),
    Transitions(state: "accepted"),
    Transitions(state: "declined"),
    Transitions(state: "failed"),
  ]

  static func machine(_ state: String, _ version: String = "issue_2_0") throws -> IssuerMachine {
    var machine = IssuerMachine(offering: terms, of: "definition", name: "Degree", id: thread)
    if state == "planned" { return machine }
    let messages = try Self.messages(version)
    machine.prepare(try IssueCredentialMessage(.offer, messages[0].json))
    if state == "prepared" { return machine }
    let route = state == "offered without a connection" ? Scene.service : Scene.connection
    _ = machine.sendOffer(over: route)
    if ["offered", "offered without a connection"].contains(state) { return machine }
    func receive(_ kind: String) throws {
      let message = try #require(messages.first { $0.kind == kind }).json
      _ = try machine.receive(Message(message), from: Scene.sender)
    }
    if state == "declined" { try receive("report") }
    // A state that msdk 0.1.0 has stored: it refused proposals.
    if state == "failed" {
      return try IssuerMachine.restored(from: Fixtures.json("exchanges/issuer-failed.json").text).machine
    }
    if state == "proposed" || state.hasSuffix(" again") {
      try receive("proposal")
      if state != "proposed" { try machine.plan(terms, of: "definition", name: "Degree") }
      if state == "offered again" { try offer(&machine) }
      return machine
    }
    guard ["requested", "issued", "accepted", "revoked"].contains(state) else { return machine }
    try receive("request")
    if state == "requested" { return machine }
    _ = try machine.issue(
      "{}", at: IssuerMachine.Place(registryID: "registry", index: 3, tailsFolder: "tails"), id: "issue-1")
    if state == "issued" { return machine }
    try receive("ack")
    if state == "revoked" { _ = machine.revoke(at: 1_700_000_000, notifying: 2, id: "revoke-1") }
    return machine
  }

  /// Makes the planned offer, which answers a proposal, and sends it.
  @discardableResult
  static func offer(_ machine: inout IssuerMachine, over route: Route = Scene.connection) throws -> JSON? {
    guard case .planned(let plan) = machine.state, let proposal = plan.answering?.proposal else { return nil }
    machine.prepare(
      plan.message(
        AttachedContent(text: "{}", format: .indy), in: proposal.dialect, on: machine.threadOfOffer(over: route)))
    return machine.sendOffer(over: route).sent?.message
  }

  /// The name of the machine's state, without its circumstances.
  static func name(of machine: IssuerMachine) -> String {
    switch machine.state {
    case .proposed: "proposed"
    case .planned: "planned"
    case .offered: "offered"
    case .requested: "requested"
    case .issued: "issued"
    case .finished(let state):
      switch state.status {
      case .succeeded: "accepted"
      case .rejected: "declined"
      case .failed, .undefined: "failed"
      }
    }
  }

  @Test(arguments: transitions, ["issue_1_0", "issue_2_0"])
  func everyMessageIsDecidedInEveryState(transitions: Transitions, version: String) throws {
    let messages = try Self.messages(version)
    #expect(Set(transitions.next.keys).isSubset(of: messages.map(\.kind)))
    for (kind, json) in messages {
      let before = try Self.machine(transitions.state, version)
      var machine = before
      let action = try machine.receive(Message(json), from: Scene.sender)
      let next = machine != before ? Self.name(of: machine) : action == .nothing ? "taken" : nil
      #expect(next == transitions.next[kind], "\(transitions.state), \(kind): \(action)")
    }
  }

  @Test(
    arguments: [
      ("proposed", [.route]), ("planned again", []), ("offered again", [.offer, .route]), ("planned", []),
      ("prepared", [.offer]), ("offered", [.offer, .route]), ("offered without a connection", [.offer, .route]),
      ("requested", [.offer, .route]), ("issued", [.offer, .route, .delivery]), ("accepted", [.offer, .delivery]),
      ("revoked", [.offer, .delivery]), ("declined", [.offer]), ("failed", [.offer]),
    ] as [(String, Set<ExchangeFact>)])
  func eachStateHasItsFacts(state: String, facts: Set<ExchangeFact>) throws {
    let machine = try Self.machine(state)
    let found = ExchangeFact.present([
      .offer: machine.offer != nil, .route: machine.route != nil, .delivery: machine.delivery != nil,
    ])
    #expect(found == facts)
    #expect(machine.thread.thid == Self.thread)
  }

  @Test func theCredentialNamesTheParentThreadOfTheRequest() throws {
    var machine = try Self.machine("offered")
    let thread: JSON = ["thid": .string(Self.thread), "pthid": "invitation"]
    let request = try Scene.message("issue_2_0", "request").with(["~thread": thread])
    _ = try machine.receive(Message(request), from: Scene.sender)
    let sent = try #require(try machine.issue("{}", at: nil, id: "issue-1").sent)
    #expect(sent.message["~thread"]?["thid"] == .string(Self.thread))
    #expect(sent.message["~thread"]?["pthid"] == "invitation")
  }

  @Test(arguments: ["offered", "proposed", "offered again", "requested", "issued"])
  func noMessageOfAStrangerHasAnEffect(state: String) throws {
    for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      for (kind, json) in try Self.messages("issue_2_0") {
        var machine = try Self.machine(state)
        let before = machine
        _ = try? machine.receive(Message(json), from: stranger)
        #expect(machine == before, "\(kind)")
      }
    }
  }

  @Test(arguments: [("1", 1), ("2", 2)]) func theOfferIsWrittenAsPeersExpectIt(version: (name: String, major: Int))
    throws
  {
    let dialect = Dialect(CredentialStep.family, version.major)
    guard case .planned(let planned) = try Self.machine("planned").state else { throw Unexpected(machine: 0) }
    let content = AttachedContent(text: #"{"nonce":"1"}"#, format: .indy)
    let offer = planned.message(content, in: dialect)
    let type = "https://didcomm.org/issue-credential/\(version.name).0"
    #expect(offer.json["@type"] == .string("\(type)/offer-credential"))
    #expect(offer.json["@id"] == .string(Self.thread) && offer.json["comment"] == "Degree")
    #expect(offer.json["~thread"] == nil)
    #expect(
      offer.json["credential_preview"] == [
        "@type": .string("\(type)/credential-preview"),
        "attributes": [["name": "age", "value": "28"], ["name": "name", "value": "Alice Andersen"]],
      ])
    #expect(try offer.content() == content)
    let formats: JSON? = version.major == 1 ? nil : [["attach_id": "indy", "format": "hlindy/cred-abstract@v2.0"]]
    #expect(offer.json["formats"] == formats)
  }

  @Test(arguments: ["issue_1_0", "issue_2_0"]) func theCredentialHasTheFormOfTheRequest(version: String) throws {
    var machine = try Self.machine("requested", version)
    let sent = try #require(try machine.issue("{}", at: nil, id: "issue-1").sent)
    #expect(sent.service == Scene.peerService)
    let expected = try Self.messages(version)[5].json
    #expect(sent.message["@type"] == expected["@type"])
    #expect(sent.message["formats"] == expected["formats"])
    #expect(sent.message["~please_ack"] == [:])
    #expect(
      sent.message["~thread"] == [
        "thid": .string(Self.thread), "sender_order": 1, "received_orders": [Scene.peerKey.did.text: 0],
      ])
    let again = try machine.issue("{}", at: nil, id: "issue-2")
    #expect(again == .nothing)
  }

  @Test func aRequestInAnotherFormatIsAnsweredInIt() throws {
    var machine = try Self.machine("offered")
    let request = try Self.messages("issue_2_0")[2].json.with([
      "formats": [["attach_id": "indy", "format": "anoncreds/credential-request@v1.0"]]
    ])
    _ = try machine.receive(Message(request), from: Scene.sender)
    let sent = try #require(try machine.issue("{}", at: nil, id: "i").sent).message
    #expect(sent["formats"] == [["attach_id": "anoncreds", "format": "anoncreds/credential@v1.0"]])
  }

  @Test func anUnusableRequestEndsTheExchange() throws {
    var machine = try Self.machine("requested")
    guard case .notify(let report, _) = machine.refuseRequest(because: "error occurred: x", id: "r"),
      case .finished(let finished) = machine.state, case .failed = finished.status
    else { throw Unexpected(machine: machine) }
    #expect(report["description"]?["code"] == "invalid-credential-request")
    #expect(report["comment"] == "error occurred: x" && finished.status.report?.json == report)
    #expect(machine.refuseRequest(because: "again", id: "s") == .nothing)
  }

  @Test(arguments: [("issued", 1), ("accepted", 2)])
  func aRevocationIsToldOnce(row: (state: String, version: Int)) throws {
    var machine = try Self.machine(row.state)
    let sent = try #require(machine.revoke(at: 7, notifying: row.version, id: "n").sent).message
    let type = "https://didcomm.org/revocation_notification/\(row.version).0/revoke"
    #expect(
      sent
        == (row.version == 1
          ? ["@type": .string(type), "@id": "n", "thread_id": .string(Self.thread)]
          : [
            "@type": .string(type), "@id": "n", "revocation_format": "indy-anoncreds", "credential_id": "registry::3",
          ]))
    guard case .revocation = try Message(sent) else { throw Unexpected(machine: machine) }
    #expect(machine.delivery?.revoked == 7)
    #expect(machine.revoke(at: 8, notifying: 1, id: "again") == .nothing)
    #expect(machine.delivery?.revoked == 7)
    var quiet = try Self.machine(row.state)
    #expect(quiet.revoke(at: 7, notifying: nil, id: "n") == .nothing && quiet.delivery?.revoked == 7)
  }

  @Test(arguments: ["planned", "offered", "requested", "declined"]) func onlyAnIssuedCredentialIsRevoked(
    state: String
  ) throws {
    var machine = try Self.machine(state)
    let before = machine
    #expect(machine.revoke(at: 7, notifying: 2, id: "n") == .nothing && machine == before)
  }

  /// A peer finds the exchange that a report is about by its thread.
  @Test func aRefusalIsOnTheThreadOfItsExchange() throws {
    var issuer = try Self.machine("requested")
    let request = try #require(issuer.refuseRequest(because: "x", id: "r").sent).message
    #expect(
      request["~thread"] == [
        "thid": .string(Self.thread), "sender_order": 1, "received_orders": [Scene.peer.did: 0],
      ])
  }
}
