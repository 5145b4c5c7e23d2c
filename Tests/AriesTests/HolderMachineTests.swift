import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// The effect of each kind of message in each state of a holder.
@Suite struct HolderMachineTests {
  typealias Scene = ExchangeScene
  static let thread = "0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0001"

  static func messages(_ version: String) throws -> [(kind: String, json: JSON)] {
    let offer = try Scene.message(version, "offer")
    let issue = try Scene.message(version, "issue")
    let type = version == "issue_1_0" ? "1.0" : "2.0"
    return [
      ("offer", offer),
      ("another offer", offer.with(["@id": "o2"]).on(thread: thread)),
      (
        "proposal",
        Scene.bare("issue-credential/\(type)/propose-credential", on: thread)
      ),
      ("request", try Scene.message(version, "request")),
      ("credential", issue),
      ("credential elsewhere", issue.on(thread: "elsewhere")),
      ("ack", try Scene.message(version, "ack")),
      ("report", Scene.report("issue-credential/\(type)/problem-report", thread: thread)),
      ("generic report", Scene.report("notification/1.0/problem-report", thread: thread)),
      ("old report", Scene.report("report-problem/1.0/problem-report", thread: thread)),
      ("report elsewhere", Scene.report("issue-credential/\(type)/problem-report", thread: "elsewhere")),
      ("proof request", try Scene.message("present_2_0", "request").on(thread: thread)),
      ("revocation", try Scene.revocation("1.0")),
      ("other", Scene.bare("x/1.0/y", on: thread)),
    ]
  }

  private static let reports: Set = ["report", "generic report", "old report"]

  static let decisions = [
    ExchangeDecisions(state: "proposing"),
    ExchangeDecisions(state: "proposed", applied: reports.union(["offer", "another offer"])),
    ExchangeDecisions(state: "offered"),
    ExchangeDecisions(state: "proposed instead", applied: reports.union(["another offer"])),
    ExchangeDecisions(state: "offered again", applied: reports),
    ExchangeDecisions(state: "requested", applied: reports, checked: ["credential"]),
    ExchangeDecisions(state: "requested without a connection", applied: reports, checked: ["credential"]),
    ExchangeDecisions(state: "requested with a mailbox", applied: reports, checked: ["credential"]),
    ExchangeDecisions(state: "finished", taken: ["credential"]),
    ExchangeDecisions(state: "rejected"),
    ExchangeDecisions(state: "failed"),
  ]

  static func machine(_ state: String, _ version: String = "issue_2_0") throws -> HolderMachine {
    if ["proposing", "proposed"].contains(state) {
      let form = ExchangeForm(version: 2, format: .anonCreds)
      var machine = HolderMachine(proposing: try proposal(), comment: "please", in: form, id: thread)
      if state == "proposed" { _ = try machine.propose(inVersion: 2, .indy, over: Scene.connection) }
      return machine
    }
    var machine = try HolderMachine(offer: Scene.message(version, "offer"))
    let routes = ["requested without a connection": Scene.service, "requested with a mailbox": Scene.mailbox]
    let route = routes[state] ?? Scene.connection
    if state == "offered" { return machine }
    if ["proposed instead", "offered again"].contains(state) {
      _ = try machine.propose(instead: proposal(), comment: "no", id: "p2", over: route)
      let offer = try Scene.message(version, "offer").with(["@id": "o2"]).on(thread: thread)
      if state == "offered again" { _ = try machine.receive(Message(offer), from: Scene.sender, id: "r") }
      return machine
    }
    if state == "rejected" {
      _ = machine.reject("no, thanks", id: "reject-1", over: route)
      return machine
    }
    _ = try machine.request(
      "{}", metadata: #"{"nonce":"1"}"#, definition: #"{"tag":"default"}"#, id: "request-1", over: route)
    if state == "finished" {
      let credential = try machine.credential(in: Message(Scene.message(version, "issue")), from: Scene.sender)
      _ = machine.accept(try #require(credential), storedAs: Self.thread, ackID: "ack-1")
    }
    if state == "failed" {
      let report = Scene.report("issue-credential/2.0/problem-report", thread: thread)
      _ = try machine.receive(Message(report), from: Scene.sender, id: "r")
    }
    return machine
  }

  static func proposal() throws -> CredentialProposal {
    try CredentialProposal(parsing: #"{"attributes":{"name":"Alice","age":28},"filter":{"cred_def_id":"d"}}"#)
  }

  @Test(arguments: decisions, ["issue_1_0", "issue_2_0"])
  func everyMessageIsDecidedInEveryState(decisions: ExchangeDecisions, version: String) throws {
    let messages = try Self.messages(version)
    #expect(decisions.name(only: messages.map(\.kind)))
    for (kind, json) in messages {
      let before = try Self.machine(decisions.state, version)
      var machine = before
      let message = try Message(json)
      let credential = try machine.credential(in: message, from: Scene.sender)
      let action = try machine.receive(message, from: Scene.sender, id: "r")
      let found: ExchangeDecisions.Decision =
        credential != nil ? .checked : machine != before ? .applied : action == .nothing ? .taken : .left
      #expect(found == decisions[kind], "\(decisions.state), \(kind): \(action)")
      if credential != nil { #expect(action == .leave) }
    }
  }

  @Test(
    arguments: [
      ("proposing", []), ("proposed", [.route]), ("proposed instead", [.route]), ("offered again", [.offer, .route]),
      ("offered", [.offer]), ("requested", [.offer, .route]), ("requested without a connection", [.offer, .route]),
      ("finished", [.offer]), ("rejected", [.offer]), ("failed", [.offer]),
    ] as [(String, Set<ExchangeFact>)])
  func eachStateHasItsFacts(state: String, facts: Set<ExchangeFact>) throws {
    let machine = try Self.machine(state)
    #expect(ExchangeFact.present([.offer: machine.offer != nil, .route: machine.route != nil]) == facts)
    #expect(machine.thread.thid == Self.thread)
  }

  @Test(arguments: [
    "proposed", "proposed instead", "offered again", "requested", "requested without a connection",
  ])
  func noMessageOfAStrangerHasAnEffect(state: String) throws {
    for stranger in [Sender.envelope(nil), .envelope(Scene.key(9))] {
      for (kind, json) in try Self.messages("issue_2_0") {
        var machine = try Self.machine(state)
        let before = machine
        #expect((try? machine.credential(in: Message(json), from: stranger)) == .none, "\(kind)")
        _ = try? machine.receive(Message(json), from: stranger, id: "r")
        #expect(machine == before, "\(kind)")
      }
    }
  }

  @Test func aForgedCredentialIsAnError() throws {
    let message = try Message(Scene.message("issue_2_0", "issue"))
    #expect(throws: ProtocolError.notFromPeer) {
      try Self.machine("requested").credential(in: message, from: .envelope(nil))
    }
  }

  @Test(arguments: ["issue_1_0", "issue_2_0"]) func theWholeExchangeIsWrittenAsPeersExpectIt(version: String) throws {
    var machine = try HolderMachine(offer: Scene.message(version, "offer"))
    let expected = try IssueCredentialMessage(.request, Scene.message(version, "request"))
    let request = try #require(
      try machine.request(
        expected.content().text, metadata: "{}", definition: "{}", id: expected.id, over: Scene.connection
      ).sent)
    #expect(request.service == Scene.peerService)
    let orders: JSON = [
      "thid": .string(Self.thread), "sender_order": 0, "received_orders": [Scene.peerKey.did.text: 0],
    ]
    let content = version == "issue_1_0" ? [:] : ["formats": expected.object["formats"] ?? .null]
    let attachments = try #require(expected.object["requests~attach"])
    #expect(
      request.message
        == expected.json.with(["~thread": orders, "requests~attach": attachments]).with(content))

    let issue = try Message(Scene.message(version, "issue"))
    let credential = try #require(try machine.credential(in: issue, from: Scene.sender))
    #expect(try credential.content().json()["values"]?["name"]?["raw"] == "Alice Andersen")
    let ack = try #require(machine.accept(credential, storedAs: "c", ackID: "a").sent)
    let ackThread: JSON = [
      "thid": .string(Self.thread), "sender_order": 1, "received_orders": [Scene.peerKey.did.text: 1],
    ]
    #expect(try ack.message == Scene.message(version, "ack").with(["@id": "a", "~thread": ackThread]))
  }

  @Test func theAnswerHasTheFormatAndThePrefixOfTheOffer() throws {
    let offer = try Scene.message("issue_2_0", "offer").with([
      "@type": "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/issue-credential/2.0/offer-credential",
      "formats": [["attach_id": "indy", "format": "anoncreds/credential-offer@v1.0"]],
      "~thread": ["pthid": "invitation"],
    ])
    var machine = try HolderMachine(offer: offer)
    let action = try machine.request("{}", metadata: "", definition: "", id: "r", over: Scene.connection)
    let request = try #require(action.sent).message
    #expect(request["@type"] == "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/issue-credential/2.0/request-credential")
    #expect(request["formats"] == [["attach_id": "anoncreds", "format": "anoncreds/credential-request@v1.0"]])
    #expect(request["requests~attach"]?.array?.first?["@id"] == "anoncreds")
    #expect(request["~thread"]?["pthid"] == "invitation")
  }

  @Test func aFormatNamesItsAttachmentWhereverThatStands() throws {
    let offer = try Scene.message("issue_2_0", "offer")
    let indy = try #require(offer["offers~attach"]?.array?.first)
    var other = indy
    (other["@id"], other["data"]) = ("other", ["json": [:]])
    #expect(
      try CredentialOffer(offer.with(["offers~attach": [other, indy]])).content == CredentialOffer(offer).content)
    #expect(throws: MessageError.malformed(.missing(key: "the attachment of the format hlindy/cred-abstract@v2.0"))) {
      try CredentialOffer(offer.with(["offers~attach": [other]]))
    }
  }

  @Test func withoutAConnectionTheAnswerIsAskedForInTheResponse() throws {
    var machine = try HolderMachine(offer: Scene.message("issue_2_0", "offer"))
    let action = try machine.request("{}", metadata: "", definition: "", id: "r", over: Scene.service)
    let request = try #require(action.sent)
    #expect(request.service == Scene.peerService)
    #expect(request.message["~transport"] == ["return_route": "all"])
    let issue = try Message(Scene.message("issue_2_0", "issue"))
    let credential = try #require(try machine.credential(in: issue, from: Scene.sender))
    let ack = try #require(machine.accept(credential, storedAs: "c", ackID: "a").sent)
    #expect(ack.message["~transport"] == ["return_route": "all"])
  }

  @Test(arguments: ["offered", "requested"]) func aHolderDeclines(state: String) throws {
    var machine = try Self.machine(state)
    let report = try #require(machine.reject("no, thanks", id: "r", over: Scene.connection).sent).message
    #expect(report["@type"] == "https://didcomm.org/issue-credential/2.0/problem-report")
    #expect(report["description"] == ["code": "rejection", "en": "credential-offer was rejected."])
    #expect(report["comment"] == "no, thanks")
    #expect(report["~thread"]?["thid"] == .string(Self.thread))
    guard case .finished(let finished) = machine.state else { throw Unexpected(machine: machine) }
    #expect(finished.status.report?.json == report)
    #expect(machine.reject(nil, id: "again", over: Scene.connection) == .nothing)
  }

  @Test func aRefusedCredentialLeavesTheRequestOpen() throws {
    let machine = try Self.machine("requested")
    let issue = try Message(Scene.message("issue_2_0", "issue"))
    let credential = try #require(try machine.credential(in: issue, from: Scene.sender))
    guard case .notify(let report, _) = machine.refuse(credential, because: "another value", id: "r") else {
      throw Unexpected(machine: machine)
    }
    #expect(report["description"]?["code"] == "invalid-credential")
    #expect(report["comment"] == "another value")
    #expect(report["description"]?["en"]?.string?.isEmpty == false)
  }

  @Test func acceptingTwiceSendsNothing() throws {
    var machine = try Self.machine("requested")
    let again = try machine.request("{}", metadata: "", definition: "", id: "r2", over: Scene.connection)
    #expect(again == .nothing)
    #expect(try machine == Self.machine("requested"))
  }

  /// A peer finds the exchange that a report is about by its thread.
  @Test func aRefusalIsOnTheThreadOfItsExchange() throws {
    let holder = try Self.machine("requested")
    let issue = try Message(Scene.message("issue_2_0", "issue"))
    let credential = try #require(try holder.credential(in: issue, from: Scene.sender))
    let report = try #require(holder.refuse(credential, because: "x", id: "r").sent).message
    #expect(
      report["~thread"] == [
        "thid": .string(Self.thread), "sender_order": 1, "received_orders": [Scene.peer.did: 1],
      ])
  }

  @Test(arguments: [("offered", 0), ("requested", 1)]) func aRejectionCountsTheMessagesBeforeIt(
    state: String, order: Int64
  ) throws {
    var machine = try Self.machine(state)
    let report = try #require(machine.reject("no", id: "r", over: Scene.connection).sent).message
    #expect(report["~thread"]?["sender_order"] == .integer(order))
  }

  @Test(arguments: [(Scene.connection, false), (Scene.mailbox, true), (Scene.service, true)])
  func anAnswerIsAskedForInTheResponseIfNoMailboxStays(route: Route, asks: Bool) throws {
    var machine = try Self.machine("offered")
    let action = try machine.request("{}", metadata: "", definition: "", id: "r", over: route)
    #expect((try #require(action.sent).message["~transport"] != nil) == asks)
  }
}
