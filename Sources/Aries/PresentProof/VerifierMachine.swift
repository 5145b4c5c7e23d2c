package import JSON
internal import Sodium

/// The verifier's side of present-proof, from its own request or from a prover's proposal on.
///
/// It decides and does nothing: the caller verifies presentations and sends.
package struct VerifierMachine: Equatable, Sendable {
  /// The thread of the exchange. Nil until there is a message.
  private(set) var thread: Thread?
  package private(set) var state: State
  /// The form in which the program wants to begin the exchange.
  package private(set) var form = ExchangeForm.undecided

  package enum State: Equatable, Sendable {
    /// A proof request without its message: the peer decides the version on the wire.
    case initiated(JSONObject)
    case prepared(Prepared)
    case sent(Sent)
    case proposed(Proposed)
    case finished(Finished)
  }

  /// The program sends the message by itself. Answers are awaited once there is a route.
  package struct Prepared: Equatable, Sendable {
    package let request: PresentProofMessage
    package let route: Route?
  }

  /// The request is sent, and a presentation awaited.
  package struct Sent: Equatable, Sendable {
    package let request: PresentProofMessage
    package let route: Route
    /// The ids of the proposals that came before. They stay in the mailbox, and must not be taken for new ones.
    let answered: [String]
  }

  /// The prover proposes a presentation, perhaps in answer to a request.
  package struct Proposed: Equatable, Sendable {
    package let proposal: PresentProofMessage
    package let route: Route?
    /// The ids of earlier proposals.
    let answered: [String]
  }

  package struct Finished: Equatable, Sendable {
    package let request: PresentProofMessage?
    package let presentation: PresentProofMessage?
    package let status: ExchangeStatus
    /// Nil if no presentation was judged.
    package let assessment: Assessment?
  }

  init(_ state: State, on thread: Thread?) {
    self.thread = thread
    self.state = state
  }

  /// A request of this side. `request` is the proof request.
  package init(requesting request: JSONObject, in form: ExchangeForm = .undecided) {
    self.init(.initiated(request), on: nil)
    self.form = form
  }

  /// A proposal that the application received.
  package init(proposal json: JSON) throws(MessageError) {
    let proposal = try PresentProofMessage(.propose, json)
    self.init(.proposed(Proposed(proposal: proposal, route: nil, answered: [])), on: proposal.thread.begun())
  }
}

// MARK: - Facts

extension VerifierMachine {
  /// The request's message, once it exists. A proposal makes it obsolete.
  package var request: PresentProofMessage? {
    switch state {
    case .initiated, .proposed: nil
    case .prepared(let state): state.request
    case .sent(let state): state.request
    case .finished(let state): state.request
    }
  }

  /// The presentation, once it was judged.
  package var presentation: PresentProofMessage? {
    if case .finished(let state) = state { state.presentation } else { nil }
  }

  /// The way of the prover's next message. Nil if none is awaited, or the program has not said where it will come.
  package var route: Route? {
    switch state {
    case .prepared(let state): state.route
    case .sent(let state): state.route
    case .proposed(let state): state.route
    case .initiated, .finished: nil
    }
  }

  /// The report that ended the exchange, of either side.
  package var report: ProblemReport? {
    if case .finished(let state) = state { state.status.report } else { nil }
  }
}

// MARK: - The prover's messages

extension VerifierMachine {
  /// Returns the presentation in a message. The caller verifies it, and then calls `conclude`. Returns nil for every
  /// other message, which goes to `receive`.
  ///
  /// Only the first presentation of the thread is judged, so that the nonce of a request serves once.
  package func presentation(
    in message: Message, from sender: Sender
  ) throws(ProtocolError) -> PresentProofMessage? {
    guard case .presentProof(let presentation) = message, presentation.step == .present,
      let route = awaited(presentation.thread)
    else { return nil }
    // Without a handshake, provers may send the presentation from a fresh key: `vcx_disclosed_proof_send_proof` without a
    // connection does. Its proof answers our nonce, which only the prover has read. Older provers send it anonymously.
    try sender.key == nil ? route.requireAnswer(from: sender) : route.requireAnswer(presentation, from: sender)
    return presentation
  }

  /// Ends the exchange with the judgement of a presentation, and tells the prover. A prover gets an ack even if it did
  /// not ask, because many wait for one. `id` is the id of the message to the prover.
  package mutating func conclude(_ presentation: PresentProofMessage, _ assessment: Assessment, id: String) -> Action {
    guard let route = awaited(presentation.thread), let thread else { return .leave }
    let next = thread.received(from: route.peerDID).next()
    let (status, answer): (ExchangeStatus, JSON)
    if assessment.isVerified {
      (status, answer) = (.succeeded, Ack(id: id, thread: next).json(in: presentation.dialect))
    } else {
      let report = ProblemReport(
        in: presentation.dialect, id: id, code: "invalid-presentation",
        explanation: "The presentation is not verified.", comment: assessment.comment.map { "error occurred: \($0)" },
        thread: next)
      (status, answer) = (.failed(report), report.json)
    }
    enter(
      .finished(Finished(request: request, presentation: presentation, status: status, assessment: assessment)),
      on: next)
    // A prover that named no service for the answer gets none.
    guard let reply = route.answering(presentation) else { return .nothing }
    return reply.send(answer)
  }

  /// Applies a message other than a presentation. Messages of other threads are left alone.
  package mutating func receive(_ message: Message, from sender: Sender) throws(ProtocolError) -> Action {
    guard let received = message.thread else { return .leave }
    switch message {
    case .presentProof(let proposal) where proposal.step == .propose:
      guard let route = awaited(received), let thread else { return .leave }
      try requireProver(sender, over: route)
      try route.requireAnswer(proposal, from: sender)
      let answered: [String] = if case .sent(let state) = state { state.answered } else { [] }
      guard !answered.contains(proposal.id) else { return .leave }
      guard answered.count < mostRounds else { return abandon(proposal, over: route, on: thread) }
      enter(
        .proposed(Proposed(proposal: proposal, route: route.answering(proposal) ?? route, answered: answered)),
        on: thread.received(from: route.peerDID))
      return .nothing
    case .presentProof(let presentation) where presentation.step == .present:
      guard case .finished(let state) = state, received.thid == thread?.thid else { return .leave }
      return presentation.id == state.presentation?.id ? .nothing : .leave
    case .problemReport(let report):
      guard let route, let thread, received.thid == thread.thid else { return .leave }
      try requireProver(sender, over: route)
      enter(
        .finished(Finished(request: request, presentation: nil, status: .rejected(report), assessment: nil)),
        on: thread.received(from: route.peerDID))
      return .nothing
    default: return .leave
    }
  }

  /// Ends an exchange that has had too many proposals.
  private mutating func abandon(_ proposal: PresentProofMessage, over route: Route, on thread: Thread) -> Action {
    let thread = thread.received(from: route.peerDID).next()
    let report = ProblemReport(
      in: proposal.dialect, id: .uuid(derivedFrom: proposal.id + thread.thid), code: "abandoned",
      explanation: "The proposal cannot be used.", comment: "there were \(mostRounds) proposals before", thread: thread)
    enter(
      .finished(Finished(request: request, presentation: nil, status: .failed(report), assessment: nil)), on: thread)
    return (route.answering(proposal) ?? route).send(report.json)
  }

  /// Throws if the prover cannot have sent a message. A prover is known by its proposal, also without a handshake.
  private func requireProver(_ sender: Sender, over route: Route) throws(ProtocolError) {
    let hasProposed =
      switch state {
      case .proposed: true
      case .sent(let state): !state.answered.isEmpty
      case .initiated, .prepared, .finished: false
      }
    if hasProposed, !route.isInvitation { try route.require(sender) } else { try route.requireAnswer(from: sender) }
  }

  /// The way of an answer to the request on this thread; nil if none is awaited there.
  private func awaited(_ received: Thread) -> Route? {
    guard received.thid == thread?.thid else { return nil }
    switch state {
    case .prepared(let state): return state.route
    case .sent(let state): return state.route
    case .initiated, .proposed, .finished: return nil
    }
  }

  mutating func enter(_ state: State, on thread: Thread?) { self = VerifierMachine(state, on: thread) }
}
