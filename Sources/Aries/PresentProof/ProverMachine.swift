package import JSON

/// The prover's side of present-proof, from a request or from its own proposal on.
///
/// It decides and does nothing: the caller selects credentials, creates the presentation and sends.
package struct ProverMachine: Equatable, Sendable {
  /// The thread of the exchange.
  package private(set) var thread: Thread
  package private(set) var state: State
  /// The form in which the program wants to propose.
  package private(set) var form = ExchangeForm.undecided

  package enum State: Equatable, Sendable {
    /// A proposal of this side that is not sent yet. It is kept in version 1.0; the peer decides its version on the
    /// wire.
    case proposing(PresentProofMessage)
    case proposed(Proposed)
    case requested(Requested)
    case prepared(Prepared)
    case unprepared(Unprepared)
    case sent(Sent)
    case finished(Finished)
  }

  /// The prover has sent the proposal, perhaps in answer to a request.
  package struct Proposed: Equatable, Sendable {
    package let proposal: PresentProofMessage
    package let request: PresentProofMessage?
    package let route: Route
    /// The ids of the requests before `request`. They stay in the mailbox, and must not be taken for new ones.
    let answered: [String]
  }

  /// A request, perhaps in answer to this side's proposal.
  package struct Requested: Equatable, Sendable {
    package let request: PresentProofMessage
    package let proposal: PresentProofMessage?
    /// The ids of earlier requests, which this side has answered with proposals.
    let answered: [String]
  }

  /// The presentation is created and not sent, as far as this side knows.
  package struct Prepared: Equatable, Sendable {
    package let request: PresentProofMessage
    package let presentation: PresentProofMessage
    /// Whether the sending has begun. A process that finds this in a record does not know whether the verifier has it.
    package let mayBeSent: Bool
  }

  /// No presentation could be created. The caller gets its error again when it sends.
  package struct Unprepared: Equatable, Sendable {
    package let request: PresentProofMessage
    package let report: ProblemReport
    /// The caller's name for the error.
    package let errorKind: String?
    /// The ids of earlier requests.
    let answered: [String]
  }

  /// The prover has sent the presentation.
  package struct Sent: Equatable, Sendable {
    package let request: PresentProofMessage
    package let presentation: PresentProofMessage
    package let route: Route
  }

  package struct Finished: Equatable, Sendable {
    package let request: PresentProofMessage?
    package let presentation: PresentProofMessage?
    package let status: ExchangeStatus
  }

  init(_ state: State, on thread: Thread) {
    self.thread = thread
    self.state = state
  }

  /// A request. Throws if no presentation can be made for it.
  package init(request json: JSON) throws(MessageError) {
    let request = try PresentationRequest(json).message
    self.init(.requested(Requested(request: request, proposal: nil, answered: [])), on: request.thread.begun())
  }

  /// A proposal of this side, which `propose` sends.
  package init(
    proposing preview: PresentationPreview, comment: String, in form: ExchangeForm = .undecided, id: String
  ) {
    let proposal = PresentProofMessage(
      proposing: preview, comment: comment, id: id, thread: nil, in: Dialect(ProofStep.family, 1), .indy)
    self.init(proposing: proposal, in: form, on: Thread(thid: id).begun())
  }

  init(proposing proposal: PresentProofMessage, in form: ExchangeForm, on thread: Thread) {
    self.init(.proposing(proposal), on: thread)
    self.form = form
  }
}

extension PresentProofMessage {
  /// A proposal. Version 1.0 carries the preview itself, version 2.0 attaches a proof request made from it.
  package init(
    proposing preview: PresentationPreview, comment: String?, id: String, thread: Thread?, in dialect: Dialect,
    _ format: ContentFormat
  ) {
    if dialect.major == 1 {
      let members = [("presentation_proposal", preview.json(in: dialect))]
      self.init(.propose, in: dialect, id: id, thread: thread, comment: comment, members: members)
    } else {
      let content = AttachedContent(text: preview.request(name: comment).text, format: format)
      self.init(.propose, in: dialect, id: id, thread: thread, content: content, comment: comment)
    }
  }
}

// MARK: - Facts

extension ProverMachine {
  /// The request to answer, also after the answer.
  package var request: PresentProofMessage? {
    switch state {
    case .proposing, .proposed: nil
    case .requested(let state): state.request
    case .prepared(let state): state.request
    case .unprepared(let state): state.request
    case .sent(let state): state.request
    case .finished(let state): state.request
    }
  }

  /// The presentation, once it exists.
  package var presentation: PresentProofMessage? {
    switch state {
    case .proposing, .proposed, .requested, .unprepared: nil
    case .prepared(let state): state.presentation
    case .sent(let state): state.presentation
    case .finished(let state): state.presentation
    }
  }

  /// The report of the problem that ended the exchange, or that prevents the presentation.
  package var report: ProblemReport? {
    switch state {
    case .unprepared(let state): state.report
    case .finished(let state): state.status.report
    case .proposing, .proposed, .requested, .prepared, .sent: nil
    }
  }

  /// The way of the answer. Nil if none is awaited.
  package var route: Route? {
    switch state {
    case .proposed(let state): state.route
    case .sent(let state): state.route
    case .proposing, .requested, .prepared, .unprepared, .finished: nil
    }
  }
}

// MARK: - The verifier's messages

extension ProverMachine {
  /// Applies a message. Until this side has sent a message, the verifier's key is unknown, and no message has an
  /// effect. A repeated message has no further effect. `id` is the id of the report, if a message must be refused.
  package mutating func receive(
    _ message: Message, from sender: Sender, id: String
  ) throws(ProtocolError) -> Action {
    guard let received = message.thread else { return .leave }
    let isOwn = received.thid == thread.thid
    switch state {
    case .proposed(let state) where isOwn || isSibling(received):
      return try receive(message, from: sender, after: state, id)
    case .sent(let state) where isOwn: return try receive(message, from: sender, after: state)
    case .finished where isOwn:
      guard case .ack = message else { return .leave }
      return .nothing
    case .proposing, .proposed, .requested, .prepared, .unprepared, .sent, .finished: return .leave
    }
  }

  private mutating func receive(
    _ message: Message, from sender: Sender, after state: Proposed, _ id: String
  ) throws(ProtocolError) -> Action {
    switch message {
    case .presentProof(let request) where request.step == .request:
      guard !state.answeredRequests.contains(request.id) else { return .leave }
      try state.route.require(sender)
      do { _ = try PresentationRequest(request) } catch {
        let report = request.report(error, id: id)
        return .refuse(.malformed(error), report: state.route.prepared(report.json), to: state.route.service)
      }
      let thread = request.thread.thid == thread.thid ? thread : request.thread.begun()
      enter(
        .requested(Requested(request: request, proposal: state.proposal, answered: state.answeredRequests)),
        on: thread.received(from: state.route.peerDID).next())
      return .nothing
    case .problemReport(let report):
      try state.route.require(sender)
      finish(.failed(report), on: thread.received(from: state.route.peerDID))
      return .nothing
    default: return .leave
    }
  }

  /// An ack confirms that the verifier received and processed the presentation, even if it found it false. A pending ack
  /// is left: if it counted as taken, each poll would find it again, and never reach the ack that follows.
  private mutating func receive(
    _ message: Message, from sender: Sender, after state: Sent
  ) throws(ProtocolError) -> Action {
    let thread = thread.received(from: state.route.peerDID)
    switch message {
    case .ack(let ack) where !ack.isPending:
      try state.route.require(sender)
      finish(ack.isFailure ? .failed(ProblemReport(ack)) : .succeeded, on: thread)
      return .nothing
    case .problemReport(let report):
      try state.route.require(sender)
      finish(.failed(report), on: thread)
      return .nothing
    default: return .leave
    }
  }

  mutating func finish(_ status: ExchangeStatus, on thread: Thread) {
    enter(.finished(Finished(request: request, presentation: presentation, status: status)), on: thread)
  }

  mutating func enter(_ state: State, on thread: Thread) { self = ProverMachine(state, on: thread) }

  /// Whether another thread has the same invitation as its parent as the proposal's thread.
  private func isSibling(_ other: Thread) -> Bool { thread.pthid != nil && other.pthid == thread.pthid }
}

extension ProverMachine.Proposed {
  /// The ids of all requests that this side has answered.
  fileprivate var answeredRequests: [String] { answered + (request.map { [$0.id] } ?? []) }
}

extension PresentProofMessage {
  fileprivate func report(_ error: MessageError, id: String) -> ProblemReport {
    ProblemReport(
      in: dialect, id: id, code: "invalid-request", explanation: "The presentation request cannot be used.",
      comment: "\(error)", thread: thread)
  }
}
