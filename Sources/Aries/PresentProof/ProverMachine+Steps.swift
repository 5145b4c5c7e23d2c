internal import JSON

/// The prover's own steps. Ids of new messages are arguments.
extension ProverMachine {
  /// Sends the proposal, in the version and the format that the peer understands. Does nothing in other states.
  package mutating func propose(
    inVersion major: Int, _ format: ContentFormat, over route: Route
  ) throws(MessageError) -> Action {
    guard case .proposing(let state) = self else { return .nothing }
    let preview: PresentationPreview
    do { preview = try state.preview() } catch { throw .malformed(error) }
    let proposal = PresentProofMessage(
      proposing: preview, comment: state.proposal.comment, id: state.proposal.id, thread: state.thread,
      in: Dialect(ProofStep.family, major), format)
    self = .proposed(Proposed(proposal: proposal, request: nil, route: route, thread: state.thread, answered: []))
    return route.send(proposal.json)
  }

  /// The ids of the definitions that a proposal names before it is sent.
  package var proposedDefinitions: Set<String> {
    guard case .proposing(let state) = self, let preview = try? state.preview() else { return [] }
    return Set(preview.attributes.compactMap(\.definitionID) + preview.predicates.compactMap(\.definitionID))
  }

  /// Notes the presentation. `content` is the engine's. Throws once one is sent, and before there is a request.
  package mutating func prepare(_ content: String, id: String) throws(ProtocolError) {
    let (request, thread, _) = try unanswered()
    let format: ContentFormat
    do { format = try request.content().format } catch { throw .malformed(error) }
    let presentation = PresentProofMessage(
      .present, in: request.dialect, id: id, thread: thread, content: AttachedContent(text: content, format: format),
      comment: request.comment, members: [("~please_ack", [:])])
    self = .prepared(Prepared(request: request, presentation: presentation, thread: thread))
  }

  /// Notes that no presentation can be made, for the reason in `comment`. `send` tells the verifier.
  package mutating func failToPrepare(
    because comment: String, errorKind: String?, id: String
  ) throws(ProtocolError) {
    let (request, thread, answered) = try unanswered()
    let report = ProblemReport(
      in: request.dialect, id: id, code: "invalid-request", explanation: "No presentation can be made.",
      comment: comment, thread: thread)
    self = .unprepared(
      Unprepared(request: request, report: report, errorKind: errorKind, thread: thread, answered: answered))
  }

  /// Sends the presentation; or the report, if none could be made. Does nothing in other states.
  package mutating func send(over route: Route) -> Action {
    switch self {
    case .prepared(let state):
      let thread = state.thread.received(from: route.peerDID)
      let presentation = state.presentation.on(thread)
      self = .sent(Sent(request: state.request, presentation: presentation, route: route, thread: thread))
      return route.send(presentation.json)
    case .unprepared(let state): return route.send(state.report.json)
    case .proposing, .proposed, .requested, .sent, .finished: return .nothing
    }
  }

  /// Ends the exchange after a delivery without a connection whose response held no answer: none will come.
  package mutating func endWithoutAnswer() {
    guard case .sent(let state) = self, case .service = state.route else { return }
    finish(.succeeded, on: state.thread)
  }

  /// Declines the request.
  package mutating func decline(
    because reason: String?, id: String, over route: Route
  ) throws(ProtocolError) -> Action {
    let (request, unsent, _) = try unanswered()
    let thread = unsent.received(from: route.peerDID)
    let report = ProblemReport(
      in: request.dialect, id: id, code: "rejection", explanation: "Presentation Request was rejected",
      comment: reason, thread: thread)
    finish(.rejected(report), on: thread)
    return route.send(report.json)
  }

  /// Declines the request and proposes another presentation. Once a presentation was made, this ends the exchange.
  package mutating func decline(
    proposing preview: PresentationPreview, comment: String?, id: String, over route: Route
  ) throws(ProtocolError) -> Action {
    let (request, unsent, answered) = try unanswered()
    let thread = unsent.received(from: route.peerDID)
    let format: ContentFormat
    do { format = try request.content().format } catch { throw .malformed(error) }
    let proposal = PresentProofMessage(
      proposing: preview, comment: comment, id: id, thread: thread, in: request.dialect, format)
    if case .prepared = self {
      finish(.rejected(nil), on: thread)
    } else {
      self = .proposed(
        Proposed(proposal: proposal, request: request, route: route, thread: thread, answered: answered))
    }
    return route.send(proposal.json)
  }

  /// The request, the thread of the answer to it, and the ids of earlier requests, until an answer is sent. A proposal
  /// that follows a prepared presentation ends the exchange, so that state needs no ids.
  private func unanswered() throws(ProtocolError) -> (
    request: PresentProofMessage, thread: Thread, answered: [String]
  ) {
    switch self {
    case .requested(let state): (state.request, state.thread, state.answered)
    case .prepared(let state): (state.request, state.thread, [])
    case .unprepared(let state): (state.request, state.thread, state.answered)
    case .proposing, .proposed, .sent, .finished: throw .outOfTurn
    }
  }
}

extension ProverMachine.Proposing {
  fileprivate func preview() throws(JSONError) -> PresentationPreview {
    try PresentationPreview(proposal.object["presentation_proposal"] ?? .null)
  }
}
