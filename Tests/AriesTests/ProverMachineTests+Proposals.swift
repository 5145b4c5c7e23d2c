import Aries
import JSON
import Testing

/// A prover that proposes a presentation, and the requests that answer it.
extension ProverMachineTests {
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

  @Test func theRefusalOfARequestAsksForAnAnswerInTheResponse() throws {
    var machine = try Self.machine("proposing")
    _ = try machine.propose(inVersion: 2, .indy, over: Scene.service)
    let request = try Scene.message("present_2_0", "request").on(thread: "proposal-1").with(["formats": []])
    let action = try machine.receive(Message(request), from: Scene.sender, id: "r")
    guard case .refuse(_, let report, Scene.peerService) = action else { throw Unexpected(machine: machine) }
    #expect(report["~transport"] == ["return_route": "all"])
  }
}
