import Aries
import CloudAgent
import DIDComm
import HTTPServing
import JSON
import Platform
import Sodium
import Threading

/// A Cloud Agent that behaves like a mediator: it holds messages in memory until the library has them, and then deletes
/// them. It does what a test tells it, well or badly.
final class MemoryCloudAgent: StandInCloudAgent, MessageSource, Announcer {
  /// The ways in which servers and networks go wrong.
  struct Habits: Sendable {
    /// Each message comes twice in one answer, the second time with its members in another order.
    var repeatsMessages = false
    /// The server does not get to know that the messages have arrived, and gives them once more.
    var losesAcknowledgements = false
    /// The newest message comes first.
    var reversesOrder = false
    /// So many requests get no message although there are some.
    var delay = 0
    /// The connection is cut after so many messages of an answer.
    var cutAfter: Int?
    /// It tells of new messages.
    var tells = false
    /// Its lines tell of a delivery, but the message waits until the client looks for it.
    var holdsBack = false
    /// Its lines break before they open.
    var refusesLines = false
  }

  struct Cut: Error {}

  private struct State: Sendable {
    var habits = Habits()
    var keys: Set<VerKey> = []
    /// The messages that wait, and how often each may still be given.
    var waiting: [(envelope: JSON, turns: Int)] = []
    var lines: [MemoryLine] = []
    var openedLines = 0
  }

  private let state: Locked<State>
  private let server: HTTPServer
  /// The key to which peers seal a message with its next address.
  private let routingKey: VerKey

  init(_ habits: Habits = Habits()) throws {
    let (state, routing) = (Locked(State(habits: habits)), KeyPair())
    self.state = state
    routingKey = routing.verkey
    server = try HTTPServer { request in
      guard let opened = try? Envelope(parsing: request.body).open(with: routing),
        let envelope = try? JSON(parsing: opened.message)["msg"], let keys = try? Envelope(envelope).recipientKeys
      else { return HTTPServer.Response(status: 400) }
      return state.withLock { state in
        guard keys.contains(where: { (try? VerKey($0)).map(state.keys.contains) ?? false }) else {
          return HTTPServer.Response(status: 404)
        }
        state.waiting.append((envelope, state.habits.losesAcknowledgements ? 2 : 1))
        for line in state.lines { line.announce() }
        return HTTPServer.Response(status: 200)
      }
    }
  }

  deinit { server.stop() }

  /// Runs as soon as messages for a new mailbox may arrive.
  let whenOpened = Locked<(@Sendable (VerKey) throws -> Void)?>(nil)

  var endpoint: String { server.endpoint }
  let hops = 1
  var waitingCount: Int { state.withLock { $0.waiting.count } }
  func change(_ change: (inout Habits) -> Void) { state.withLock { change(&$0.habits) } }

  // MARK: The contract

  func openMailbox(for key: VerKey) throws -> Mailbox {
    state.withLock { _ = $0.keys.insert(key) }
    try whenOpened.withLock { $0 }?(key)
    return mailbox(for: key)
  }

  func mailbox(for key: VerKey) -> Mailbox { Mailbox(key: key, name: "memory") }

  func closeMailbox(_ mailbox: Mailbox) { state.withLock { _ = $0.keys.remove(mailbox.key) } }

  func checkHealth() -> Int64? { nil }

  func service(of mailbox: Mailbox) throws -> Service {
    guard mailbox.name == "memory" else { throw CloudAgentError.unknownMailbox(mailbox.pairwiseDID) }
    return Service(recipientKeys: [mailbox.key], routingKeys: [routingKey], endpoint: server.endpoint)
  }

  var access: MessageAccess { .collected(from: self) }

  func collect(_ keep: ([JSON]) throws -> Void) throws {
    let (answer, habits) = state.withLock { state in
      guard state.habits.delay == 0 else {
        state.habits.delay -= 1
        return ([JSON](), state.habits)
      }
      let envelopes = state.waiting.map(\.envelope)
      return (state.habits.reversesOrder ? envelopes.reversed() : envelopes, state.habits)
    }
    guard !answer.isEmpty else { return }
    if let count = habits.cutAfter, count < answer.count {
      try keep(Array(answer.prefix(count)))
      throw Cut()
    }
    try keep(answer + (habits.repeatsMessages ? answer.map(\.withReversedMembers) : []))
    state.withLock { state in
      state.waiting = state.waiting.compactMap { message in
        guard answer.contains(message.envelope) else { return message }
        return message.turns > 1 ? (message.envelope, message.turns - 1) : nil
      }
    }
  }
}

// MARK: - Telling of messages

extension MemoryCloudAgent {
  var announcer: (any Announcer)? { state.withLock { $0.habits.tells ? self : nil } }

  func line() -> any AnnouncerLine {
    state.withLock { state in
      let line = MemoryLine(isBroken: state.habits.refusesLines, holdsBack: state.habits.holdsBack)
      state.lines.append(line)
      state.openedLines += 1
      return line
    }
  }

  /// The number of lines that were taken so far.
  var openedLines: Int { state.withLock { $0.openedLines } }

  /// Breaks all lines.
  func breakLines() {
    let lines = state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
    for line in lines { line.cancel() }
  }
}

/// A line to the server in memory.
final class MemoryLine: AnnouncerLine {
  private struct State: Sendable {
    var isBroken: Bool
    var isOpen = false
    /// The first call returns when the line is open.
    var news = 1
  }

  struct Broken: Error {}

  private let state: Monitor<State>
  private let holdsBack: Bool
  let isSure = false

  init(isBroken: Bool, holdsBack: Bool) {
    state = Monitor(State(isBroken: isBroken))
    self.holdsBack = holdsBack
  }

  func announce() { state.withLock { $0.news += 1 } }

  func cancel() { state.withLock { $0.isBroken = true } }

  func next(until deadline: MonotonicTime) throws -> Arrival? {
    let news = state.wait(milliseconds: deadline.milliseconds(since: .now)) { state -> Result<Arrival, Broken>? in
      guard !state.isBroken else { return .failure(Broken()) }
      guard state.news > 0 else { return nil }
      defer { (state.news, state.isOpen) = (0, true) }
      return .success(state.isOpen && holdsBack ? .delivered : .waiting)
    }
    return try news?.get()
  }
}

extension JSON {
  fileprivate var withReversedMembers: JSON {
    .object(JSONObject((object ?? [:]).members.reversed().map { ($0.key, $0.value) }))
  }
}
