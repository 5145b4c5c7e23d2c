import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import Aries

/// The limits, threads and ways of the messages of an exchange.
@Suite struct ExchangeDetailTests {
  typealias Scene = ExchangeScene

  // MARK: Limits

  @Test func aMessageHasAsManyFormatsAsReasonable() throws {
    let offer = try Scene.message("issue_2_0", "offer")
    let format = try #require(offer["formats"]?.array?.first)
    func content(_ count: Int) throws -> AttachedContent {
      try IssueCredentialMessage(.offer, offer.with(["formats": .array([JSON](repeating: format, count: count))]))
        .content()
    }
    #expect(try content(16) == content(1))
    #expect(throws: MessageError.tooLarge("formats")) { try content(17) }
  }

  @Test func aMessageIsNestedAsDeeplyAsReasonable() throws {
    func offer(_ depth: Int) throws -> JSON {
      // The message itself is the first level.
      let inner = (1..<depth).reduce(JSON.bool(true)) { inner, level in level % 2 == 0 ? [inner] : ["a": inner] }
      return try Scene.message("issue_2_0", "offer").with(["more": inner])
    }
    #expect(throws: Never.self) { try Message(offer(80)) }
    #expect(throws: MessageError.malformed(.tooDeep(limit: 80))) { try Message(offer(81)) }
  }

  @Test(arguments: ["0.1", "3.0"]) func otherVersionsOfAProtocolAreUnknown(version: String) throws {
    let type = "https://didcomm.org/issue-credential/\(version)/offer-credential"
    let offer = try Scene.message("issue_1_0", "offer").with(["@type": .string(type)])
    #expect(try Message(offer) == .other(type: type))
    #expect(throws: MessageError.otherType(expected: "issue-credential offer-credential")) {
      try CredentialOffer(offer)
    }
  }

  // MARK: Threads

  /// A peer finds the exchange that a report is about by its thread.
  @Test func aRefusalIsOnTheThreadOfItsExchange() throws {
    let peer = Scene.peer.did
    let issuer = try IssuerMachineTests.machine("requested")
    let request = try #require(issuer.refusalOfRequest(because: "x", id: "r").sent).message
    #expect(
      request["~thread"] == [
        "thid": .string(IssuerMachineTests.thread), "sender_order": 1, "received_orders": [peer: 0],
      ])

    let holder = try HolderMachineTests.machine("requested")
    let issue = try Message(Scene.message("issue_2_0", "issue"))
    let credential = try #require(try holder.credential(in: issue, from: Scene.sender))
    let report = try #require(holder.refuse(credential, because: "x", id: "r").sent).message
    #expect(
      report["~thread"] == [
        "thid": .string(HolderMachineTests.thread), "sender_order": 1, "received_orders": [peer: 1],
      ])
  }

  @Test(arguments: [("offered", 0), ("requested", 1)]) func aRejectionCountsTheMessagesBeforeIt(
    state: String, order: Int64
  ) throws {
    var machine = try HolderMachineTests.machine(state)
    let report = try #require(machine.reject("no", id: "r", over: Scene.connection).sent).message
    #expect(report["~thread"]?["sender_order"] == .integer(order))
  }

  // MARK: Ways

  @Test func theRefusalOfARequestAsksForAnAnswerInTheResponse() throws {
    var machine = try ProverMachineTests.machine("proposing")
    _ = try machine.propose(inVersion: 2, .indy, over: Scene.service)
    let request = try Scene.message("present_2_0", "request").on(thread: "proposal-1").with(["formats": []])
    let action = try machine.receive(Message(request), from: Scene.sender, id: "r")
    guard case .refuse(_, let report, Scene.peerService) = action else { throw Unexpected(machine: machine) }
    #expect(report["~transport"] == ["return_route": "all"])
  }

  @Test(arguments: [(Scene.connection, false), (Scene.mailbox, true), (Scene.service, true)])
  func anAnswerIsAskedForInTheResponseIfNoMailboxStays(route: Route, asks: Bool) throws {
    var machine = try HolderMachineTests.machine("offered")
    let action = try machine.request("{}", metadata: "", definition: "", id: "r", over: route)
    #expect((try #require(action.sent).message["~transport"] != nil) == asks)
  }

  @Test func aProposalByInvitationIsAnsweredAtItsServiceOrNot() throws {
    let service = Service(recipientKeys: [Scene.key(8)], endpoint: "http://a.example")
    for decorator in [service.decorator, .null] {
      var machine = try IssuerMachineTests.machine("prepared")
      _ = machine.sendOffer(over: VerifierMachineTests.invitation)
      let before = machine
      let proposal = try IssuerMachineTests.proposal(2, on: IssuerMachineTests.thread).with(["~service": decorator])
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
      let another = try IssuerMachineTests.proposal(2, id: "p2", on: IssuerMachineTests.thread)
      try machine.plan(IssuerMachineTests.terms, of: "definition", name: "n")
      try IssuerMachineTests.offer(&machine, over: try #require(state.route))
      #expect(throws: ProtocolError.notFromPeer) {
        try machine.receive(Message(another), from: .envelope(Scene.key(9)))
      }
    }
  }

  // MARK: Attributes

  @Test func theFirstDefinitionOfAGroupCounts() throws {
    let preview = PresentationPreview(attributes: [
      .init(name: "a", referent: "r"), .init(name: "b", definitionID: "first", referent: "r"),
      .init(name: "c", definitionID: "second", referent: "r"),
    ])
    #expect(
      preview.request(name: nil)["requested_attributes"] == [
        "r": ["names": ["a", "b", "c"], "restrictions": [["cred_def_id": "first"]]]
      ])
  }

  @Test(arguments: [">=", ">", "<=", "<"]) func eachComparisonIsProposed(comparison: String) throws {
    let predicate: JSON = ["name": "age", "predicate": .string(comparison), "threshold": 18]
    let request = try PresentationPreview(["predicates": [predicate]]).request(name: nil)
    let expected: JSON = ["name": "age", "p_type": .string(comparison), "p_value": 18]
    #expect(request["requested_predicates"] == ["predicate_0": expected])
  }

  @Test func ofTwoValuesOfOneNameTheFirstCounts() throws {
    let values = try CredentialValues(parsing: #"[{"name":"a","value":"1"},{"name":"a","value":"2"}]"#)
    #expect(values.raw == ["a": "1"])
  }

  @Test func aValueThatIsNoTextIsComparedAsItsJSON() throws {
    let attributes: JSON = [["name": "age", "value": 28], ["name": "degree", "value": "Physics"]]
    let offer = try Scene.message("issue_2_0", "offer").with(["credential_preview": ["attributes": attributes]])
    let read = try CredentialOffer(offer)
    #expect(read.preview?.map(\.raw) == ["28", "Physics"])
    #expect(read.summary["attributes"] == attributes)
  }
}
