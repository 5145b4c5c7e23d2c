import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// Messages that somebody other than the peer has sent, in each state of a connection and of an exchange.
@Suite struct StrangerMessageTests {
  static let kinds: [String] = [
    "connections/1.0/request", "connections/1.0/response", "connections/1.0/problem_report",
    "didexchange/1.1/request", "didexchange/1.1/response", "didexchange/1.1/complete",
    "didexchange/1.0/problem_report", "notification/1.0/ack", "report-problem/1.0/problem-report",
    "did-rotate/1.0/hangup", "trust_ping/1.0/ping", "trust_ping/1.0/ping_response",
    "out-of-band/1.1/handshake-reuse", "discover-features/1.0/query", "discover-features/1.0/disclose",
    "discover-features/2.0/queries", "revocation_notification/1.0/revoke", "revocation_notification/2.0/revoke",
    "basicmessage/1.0/message", "issue-credential/2.0/ack", "present-proof/2.0/problem-report",
    "did-rotate/1.0/rotate", "did-rotate/1.0/ack", "connecting/0.6/ACCEPT_CONN_REQ",
  ]

  /// A message of a type with the members of many, on the thread of the handshake.
  static func message(_ kind: String, on thread: String) throws -> Message {
    try Message([
      "@type": .string("https://didcomm.org/\(kind)"), "@id": "request-1",
      "~thread": ["thid": .string(thread), "pthid": "invitation-1"], "~please_ack": [:], "response_requested": true,
      "query": "*", "queries": [["feature-type": "protocol", "match": "*"]],
      "protocols": [["pid": "https://didcomm.org/x/1.0"]], "thread_id": "t", "credential_id": "r::1",
      "revocation_format": "indy-anoncreds", "content": "x", "status": "OK", "did": "did:example:x", "to_did": "x",
      "description": ["code": "x", "en": "x"], "connection~sig": [:],
    ])
  }

  /// Both sides in each state, with the keys that are not their peer's.
  static func states() throws -> [(name: String, machine: ConnectionMachine, own: Party, strangers: [VerKey?])] {
    var states: [(String, ConnectionMachine, Party, [VerKey?])] = []
    for handshake in Conversation.handshakes {
      var talk = try Conversation(by: handshake)
      let (alice, faber) = (talk.alice, talk.faber)
      let others = [
        nil, KeyPair().verkey, BorrowedIdentityTests.flipped(alice), BorrowedIdentityTests.flipped(faber),
        try VerKey(PublicKey([UInt8](repeating: 0, count: 32))),
        try VerKey(PublicKey([1] + [UInt8](repeating: 0, count: 31))),
      ]
      // A side has no messages of its own key.
      let (toAlice, toFaber) = (others + [alice.own.key.verkey], others + [faber.own.key.verkey])
      states.append(("requested", talk.invitee, alice, toAlice))
      try talk.respond()
      states.append(("responded", talk.inviter, faber, toFaber))
      try talk.finish()
      states.append(("completed invitee", talk.invitee, alice, toAlice))
      states.append(("completed inviter", talk.inviter, faber, toFaber))
    }
    return states
  }

  @Test(arguments: kinds) func aStrangersMessageChangesNoConnection(kind: String) throws {
    for (name, machine, own, strangers) in try Self.states() {
      for thread in [machine.thread.thid, "elsewhere", "invitation-1"] {
        guard let message = try? Self.message(kind, on: thread) else { continue }
        for stranger in strangers {
          var after = machine
          let action = try? after.receive(message, from: .envelope(stranger), reply: own.reply())
          #expect(after == machine, "\(name)")
          switch action ?? .nothing {
          case .nothing, .leave: break
          case .send, .sendAll, .sendAndLeave, .notify, .refuse: Issue.record("\(name): \(String(describing: action))")
          }
        }
      }
    }
  }

  /// A sign of life is a message from the peer: the keys of an own invitation's readers are not known.
  @Test func onlyThePeersKeyIsThePeer() throws {
    for (_, machine, _, strangers) in try Self.states() {
      for stranger in strangers { #expect(!machine.isPeer(.envelope(stranger))) }
      if let peer = machine.peer { #expect(machine.isPeer(.envelope(peer.key))) }
    }
    let faber = Party("faber")
    let open = ConnectionMachine.offered(try faber.invitation(.outOfBand(handshake: false, request: ["@id": "1"])))
    #expect(open.isPeer(.envelope(nil)), "anybody may answer it")
    #expect(!ConnectionMachine.offered(try faber.invitation(.outOfBand())).isPeer(.envelope(KeyPair().verkey)))
  }

  // MARK: exchanges

  /// All recorded messages, on the thread of the state.
  static func answers(_ thread: String) throws -> [Message] {
    let issuing = try IssuerMachineTests.messages("issue_2_0") + HolderMachineTests.messages("issue_2_0")
    let proving =
      try VerifierMachineTests.messages(2, on: thread) + ProverMachineTests.messages("present_2_0", on: thread)
    return (issuing + proving).compactMap { try? Message($0.json.on(thread: thread)) }
  }

  static var strangers: [Sender] {
    [
      .envelope(nil), .envelope(KeyPair().verkey), .envelope(ExchangeScene.ownKey), .envelope(ExchangeScene.key(3)),
      .envelope(ExchangeScene.key(4)),
    ]
  }

  /// A repeated message that was applied before has no effect, and needs no sender.
  private func check<Machine: Equatable>(_ machine: Machine, _ action: Action?, _ before: Machine) {
    #expect(machine == before)
    guard case .send? = action else { return }
    Issue.record("\(String(describing: action))")
  }

  @Test(arguments: ["offered", "requested", "issued"]) func noStrangerIsAHolder(state: String) throws {
    let machine = try IssuerMachineTests.machine(state)
    for sender in Self.strangers {
      for message in try Self.answers(machine.thread.thid) {
        var after = machine
        let action = try? after.receive(message, from: sender)
        check(after, action, machine)
      }
    }
  }

  @Test(arguments: ["proposed", "offered again", "requested", "finished"]) func noStrangerIsAnIssuer(state: String)
    throws
  {
    let machine = try HolderMachineTests.machine(state)
    for sender in Self.strangers {
      for message in try Self.answers(machine.thread.thid) {
        #expect(((try? machine.credential(in: message, from: sender)) ?? nil) == nil)
        var after = machine
        let action = try? after.receive(message, from: sender, id: "r")
        check(after, action, machine)
      }
    }
  }

  @Test(arguments: ["proposed", "sent"]) func noStrangerIsAVerifier(state: String) throws {
    let machine = try ProverMachineTests.machine(state)
    for sender in Self.strangers {
      for message in try Self.answers(machine.thread.thid) {
        var after = machine
        let action = try? after.receive(message, from: sender, id: "i")
        check(after, action, machine)
      }
    }
  }

  @Test(arguments: ["sent", "proposed"]) func noStrangerIsAProver(state: String) throws {
    let machine = try VerifierMachineTests.machine(state)
    for sender in Self.strangers {
      for message in try Self.answers(machine.request?.thread.thid ?? "request-1") {
        #expect(((try? machine.presentation(in: message, from: sender)) ?? nil) == nil)
        var after = machine
        let action = try? after.receive(message, from: sender)
        check(after, action, machine)
      }
    }
  }
}
