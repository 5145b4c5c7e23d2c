import Aries
import DIDComm
import JSON
import Sodium
import Testing

/// The effect of each kind of message in each state.
@Suite struct ConnectionMachineTests {
  static let kinds = [
    "connection request", "connection response", "exchange request", "exchange response", "exchange complete", "ack",
    "ping", "ping response", "reuse", "problem", "other problem", "basic message", "other", "query", "queries",
    "disclosure", "hangup",
  ]

  /// The messages that have an effect or an answer in a state, the ones that it takes without either, and the ones that
  /// are errors. A state leaves all others to the application. The messages are the peer's, and belong to the
  /// conversation of the state.
  struct Decisions {
    let state: String
    var applied: Set<String> = []
    var taken: Set<String> = []
    var refused: Set<String> = []
  }

  private static let conversation: Set = ["ping", "reuse", "problem", "query", "queries", "disclosure", "hangup"]
  private static let requests: Set = ["connection request", "exchange request"]
  private static let answers: Set = ["connection response", "exchange response", "exchange complete", "ack"]

  static let table: [Decisions] = [
    Decisions(state: "planning"),
    Decisions(state: "invited", applied: ["hangup"]),
    Decisions(state: "invited to exchange", applied: ["hangup"]),
    Decisions(
      state: "requested", applied: ["connection response", "problem", "hangup"], refused: ["other problem"]),
    Decisions(
      state: "requested exchange", applied: ["exchange response", "problem", "hangup"], refused: ["other problem"]),
    Decisions(state: "inviting", applied: requests),
    Decisions(state: "responded", applied: Set(kinds).subtracting(["other problem"]), refused: ["other problem"]),
    Decisions(
      state: "responded to exchange", applied: Set(kinds).subtracting(["other problem"]), refused: ["other problem"]),
    Decisions(state: "connected invitee", applied: conversation, taken: answers.union(["ping response"])),
    Decisions(state: "exchanged invitee", applied: conversation, taken: answers.union(["ping response"])),
    Decisions(
      state: "connected inviter", applied: conversation, taken: answers.union(requests).union(["ping response"])),
    Decisions(
      state: "exchanged inviter", applied: conversation, taken: answers.union(requests).union(["ping response"])),
    Decisions(
      state: "connectionless", applied: conversation.subtracting(["problem"]), taken: ["ping response"]),
    Decisions(state: "failed"),
  ]

  @Test(arguments: table) func everyMessageIsDecidedInEveryState(decisions: Decisions) throws {
    for kind in Self.kinds {
      let scene = try Scene(decisions.state)
      var next = scene.machine
      let result = Result {
        try next.receive(scene.message(kind), from: scene.peer.sender, reply: scene.me.reply())
      }
      let changed = next != scene.machine
      let isRefused = if case .failure = result { true } else { false }
      let isLeft = if case .success(.leave) = result { !changed } else { false }
      let isTaken = if case .success(.nothing) = result { !changed } else { false }
      let found: Comment = "\(decisions.state), \(kind): \(result)"
      #expect(isRefused == decisions.refused.contains(kind), found)
      #expect(isTaken == decisions.taken.contains(kind), found)
      #expect((!isRefused && !isTaken && !isLeft) == decisions.applied.contains(kind), found)
      if isRefused { #expect(!changed, found) }
    }
  }

  /// Somebody who knows everything about the conversation and has none of the peer's keys.
  @Test(arguments: table.map(\.state)) func noMessageOfAStrangerHasAnEffect(state: String) throws {
    for stranger in [Sender.envelope(nil), .envelope(KeyPair().verkey)] {
      for kind in Self.kinds {
        let scene = try Scene(state)
        // A response proves by its signature whose it is.
        let isSigned =
          (state, kind) == ("requested", "connection response")
          || (state, kind) == ("requested exchange", "exchange response")
        var next = scene.machine
        let action = try? next.receive(scene.message(kind), from: stranger, reply: scene.me.reply())
        #expect((next != scene.machine) == isSigned, "\(state), \(kind)")
        if !isSigned { #expect([nil, .leave, .nothing].contains(action), "\(state), \(kind): \(action as Any)") }
      }
    }
  }

  @Test func messagesOfThePeerAreRefusedFromOthers() throws {
    let kinds = [
      "responded": ["ack", "exchange complete", "ping", "ping response", "problem", "hangup"],
      "connected invitee": ["ping", "ping response", "reuse", "problem", "query", "queries", "disclosure", "hangup"],
      "connected inviter": ["ping", "ping response", "reuse", "problem", "query", "queries", "disclosure", "hangup"],
      "requested": ["problem"], "invited": [],
    ]
    for (state, kinds) in kinds {
      for kind in kinds {
        for stranger in [Sender.envelope(nil), .envelope(KeyPair().verkey)] {
          var scene = try Scene(state).machine
          let message = try Scene(state).message(kind)
          #expect(throws: ProtocolError.notFromPeer, "\(state), \(kind)") {
            try scene.receive(message, from: stranger, reply: Party("me").reply())
          }
        }
      }
    }
  }

  @Test(arguments: ["connected invitee", "connected inviter"]) func onlyAnOwnInvitationIsReused(state: String) throws {
    let scene = try Scene(state)
    for accepts in [false, true] {
      var machine = scene.machine
      let action = try machine.receive(
        scene.message("reuse"), from: scene.peer.sender, reply: scene.me.reply(answersOnce: accepts))
      #expect(machine == scene.machine)
      guard accepts else {
        #expect(action == .leave)
        continue
      }
      guard case .sendAndLeave(let answer, let service) = action else {
        Issue.record("\(action)")
        return
      }
      #expect(answer["@type"] == "https://didcomm.org/out-of-band/1.1/handshake-reuse-accepted")
      #expect(answer["~thread"] == ["thid": "u", "pthid": "invitation-2"])
      #expect(service == scene.peer.own.service)
    }
  }

  @Test(arguments: ["invited", "requested", "responded", "connected invitee", "connected inviter", "connectionless"])
  func aHangupIsTheReportThatIsKept(state: String) throws {
    let scene = try Scene(state)
    var machine = scene.machine
    #expect(try machine.receive(scene.message("hangup"), from: scene.peer.sender, reply: scene.me.reply()) == .leave)
    guard case .failed(let failed) = machine else {
      Issue.record("\(machine)")
      return
    }
    #expect(failed.report?.json == ["@type": "https://didcomm.org/did-rotate/1.0/hangup", "@id": "h"])
    #expect(failed.role == scene.machine.role && failed.invitation == scene.machine.invitation)
    #expect(failed.thread == scene.machine.thread)
  }

  /// An ack or a response on another thread is not that of the handshake, and may be the application's.
  @Test(arguments: ["connected invitee", "connected inviter"])
  func aMessageOnAnotherThreadStaysForTheApplication(state: String) throws {
    let scene = try Scene(state)
    for message in [Message.ack(Ack(id: "a", thread: Thread(thid: "another")))] {
      var machine = scene.machine
      #expect(try machine.receive(message, from: scene.peer.sender, reply: scene.me.reply()) == .leave)
    }
  }

  /// A machine in a state, and the messages that its peer may send it.
  struct Scene {
    let machine: ConnectionMachine
    let me: Party
    let peer: Party
    private let connection: Conversation
    private let exchange: Conversation

    init(_ state: String) throws {
      let isExchange = state.contains("exchange")
      var conversation = try Conversation(by: isExchange ? .didExchange(.v1_0) : .connections)
      let invitation = try conversation.faber.invitation(.outOfBand())
      let isInviter =
        ["planning", "inviting", "responded"].contains { state.hasPrefix($0) } || state.hasSuffix("inviter")
      switch state {
      case "planning": machine = .planned(.connection)
      case "invited": machine = .invited(invitation, .connections)
      case "invited to exchange": machine = .invited(invitation, .didExchange(.v1_0))
      case "requested", "requested exchange": machine = conversation.invitee
      case "inviting": machine = .offered(invitation)
      case "responded", "responded to exchange":
        try conversation.respond()
        machine = conversation.inviter
      case "connectionless":
        let request: JSON = ["@type": "https://didcomm.org/x/1.0/y", "@id": "1"]
        machine = try ConnectionMachine(
          invitation: conversation.faber.invitation(.outOfBand(handshake: false, request: request)))
      case "failed":
        machine = .failed(
          FailedHandshake(role: .invitee, report: nil, thread: Thread(thid: "request-1"), invitation: invitation))
      default:
        try conversation.finish()
        machine = isInviter ? conversation.inviter : conversation.invitee
      }
      (me, peer) = isInviter ? (conversation.faber, conversation.alice) : (conversation.alice, conversation.faber)
      // The other protocol's messages are of the same two parties.
      if case .nothing = conversation.response { try conversation.respond() }
      var other = try conversation.translated(to: isExchange ? .connections : .didExchange(.v1_0))
      try other.respond()
      (connection, exchange) = isExchange ? (other, conversation) : (conversation, other)
    }

    func message(_ kind: String) throws -> Message {
      let thread = Thread(thid: "request-1", pthid: "invitation-1")
      let ping = TrustPing(id: "ping-1", responseRequested: true)
      return switch kind {
      case "connection request": try connection.request.message
      case "connection response": try connection.response.message
      case "exchange request": try exchange.request.message
      case "exchange response": try exchange.response.message
      case "exchange complete": try completeMessage()
      case "ack": .ack(Ack(id: "a", thread: thread))
      case "ping": .ping(ping)
      case "ping response": .pingResponse(TrustPingResponse(id: "x", to: ping))
      case "reuse": .handshakeReuse(HandshakeReuse(id: "u", invitation: "invitation-2", minor: 1))
      case "problem": problem(on: "request-1")
      case "other problem": problem(on: "another")
      case "query": .featureQuery(FeatureQuery(id: "q", query: "*", comment: nil))
      case "queries": try discovery("2.0/queries", ["queries": [["feature-type": "protocol", "match": "*"]]])
      case "hangup": .hangup(Hangup(id: "h"))
      case "disclosure": try discovery("1.0/disclose", ["protocols": [["pid": "https://didcomm.org/x/1.0"]]])
      case "basic message": .basicMessage(BasicMessage(id: "b", content: "hello"))
      default: .other(type: "x")
      }
    }

    private func discovery(_ type: String, _ members: JSONObject) throws -> Message {
      var object = members
      object["@type"] = .string("https://didcomm.org/discover-features/" + type)
      object["@id"] = "d"
      return try Message(.object(object))
    }

    private func completeMessage() throws -> Message {
      try Message([
        "@type": "https://didcomm.org/didexchange/1.0/complete", "@id": "c", "~thread": ["thid": "request-1"],
      ])
    }

    private func problem(on thread: String) -> Message {
      .problemReport(
        ProblemReport(
          in: .connections, id: "p", code: "request_not_accepted", explanation: "no", thread: Thread(thid: thread)))
    }
  }

  /// A second call must not end the handshake that has begun.
  @Test func onlyAPlannedConnectionTakesAnInvitation() throws {
    var conversation = try Conversation(by: .connections)
    let other = try InvitationPlan.connection.invitation(
      id: "invitation-2", from: .init(label: "Faber", service: conversation.faber.own.service))
    for _ in 0..<2 {
      let before = conversation.inviter
      conversation.inviter.invite(other)
      #expect(conversation.inviter == before)
      try conversation.respond()
    }
  }
}
