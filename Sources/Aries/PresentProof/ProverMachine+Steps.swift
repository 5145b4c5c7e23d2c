internal import JSON

/// The prover's own steps. Ids of new messages are arguments.
extension ProverMachine {
  /// Sends the proposal, in the version and the format that the peer understands. Does nothing in other states.
  package mutating func propose(
    inVersion major: Int, _ format: ContentFormat, over route: Route
  ) throws(MessageError) -> Action {
    guard case .proposing(let planned) = state else { return .nothing }
    let preview: PresentationPreview
    do { preview = try planned.preview() } catch { throw .malformed(error) }
    let proposal = PresentProofMessage(
      proposing: preview, comment: planned.comment, id: planned.id, thread: thread,
      in: Dialect(ProofStep.family, major), format)
    enter(.proposed(Proposed(proposal: proposal, request: nil, route: route, answered: [])), on: thread)
    return route.send(proposal.json)
  }

  /// The ids of the definitions that a proposal names before it is sent.
  package var proposedDefinitions: Set<String> {
    guard case .proposing(let proposal) = state, let preview = try? proposal.preview() else { return [] }
    return Set(preview.attributes.compactMap(\.definitionID) + preview.predicates.compactMap(\.definitionID))
  }

  /// Notes the presentation. `content` is the engine's. Does nothing if an earlier presentation may be sent. Throws once one is
  /// sent, and before there is a request.
  package mutating func prepare(_ content: String, id: String) throws(ProtocolError) {
    let (request, _) = try unanswered()
    guard !mayBeSent else { return }
    let format: ContentFormat
    do { format = try request.content().format } catch { throw .malformed(error) }
    let presentation = PresentProofMessage(
      .present, in: request.dialect, id: id, thread: thread, content: AttachedContent(text: content, format: format),
      comment: request.comment, members: [("~please_ack", [:])])
    enter(.prepared(Prepared(request: request, presentation: presentation, mayBeSent: false)), on: thread)
  }

  /// The state while a prepared presentation is being sent. A process that finds it sends the same presentation again, and
  /// makes no other. Other states stay as they are.
  package func sending() -> ProverMachine {
    guard case .prepared(let state) = state else { return self }
    var next = self
    next.enter(
      .prepared(Prepared(request: state.request, presentation: state.presentation, mayBeSent: true)), on: thread)
    return next
  }

  /// Whether the sending of a prepared presentation has begun, so that no other may take its place.
  package var mayBeSent: Bool { if case .prepared(let state) = state { state.mayBeSent } else { false } }

  /// Notes that no presentation can be made, for the reason in `comment`. `send` tells the verifier.
  package mutating func failToPrepare(
    because comment: String, errorKind: String?, id: String
  ) throws(ProtocolError) {
    let (request, answered) = try unanswered()
    let report = ProblemReport(
      in: request.dialect, id: id, code: "invalid-request", explanation: "No presentation can be made.",
      comment: comment, thread: thread)
    enter(
      .unprepared(Unprepared(request: request, report: report, errorKind: errorKind, answered: answered)), on: thread)
  }

  /// Sends the presentation; or the report, if none could be made. Does nothing in other states.
  package mutating func send(over route: Route) -> Action {
    switch state {
    case .prepared(let state):
      let thread = thread.received(from: route.peerDID)
      let presentation = state.presentation.on(thread)
      enter(.sent(Sent(request: state.request, presentation: presentation, route: route)), on: thread)
      return route.send(presentation.json)
    case .unprepared(let state): return route.send(state.report.json)
    case .proposing, .proposed, .requested, .sent, .finished: return .nothing
    }
  }

  /// Ends the exchange after a delivery without a connection whose response held no answer: none will come.
  package mutating func endWithoutAnswer() {
    guard case .sent(let state) = state, case .service = state.route else { return }
    finish(.succeeded, on: thread)
  }

  /// Declines the request, or withdraws the proposal.
  package mutating func decline(
    because reason: String?, id: String, over route: Route
  ) throws(ProtocolError) -> Action {
    let (dialect, explanation, thread): (Dialect, String, Thread)
    if case .proposed(let state) = state {
      (dialect, explanation, thread) = (
        state.proposal.dialect, "Presentation proposal was withdrawn", self.thread.next()
      )
    } else {
      dialect = try unanswered().request.dialect
      (explanation, thread) = ("Presentation Request was rejected", self.thread.received(from: route.peerDID))
    }
    let report = ProblemReport(
      in: dialect, id: id, code: "rejection", explanation: explanation, comment: reason, thread: thread)
    finish(.rejected(report), on: thread)
    return route.send(report.json)
  }

  /// Declines the request and proposes another presentation. Once a presentation was made, this ends the exchange. Throws
  /// after too many rounds.
  package mutating func decline(
    proposing preview: PresentationPreview, comment: String?, id: String, over route: Route
  ) throws(ProtocolError) -> Action {
    let (request, answered) = try unanswered()
    guard answered.count < mostRounds else { throw .outOfTurn }
    let thread = thread.received(from: route.peerDID)
    let format: ContentFormat
    do { format = try request.content().format } catch { throw .malformed(error) }
    let proposal = PresentProofMessage(
      proposing: preview, comment: comment, id: id, thread: thread, in: request.dialect, format)
    if case .prepared = state {
      finish(.rejected(nil), on: thread)
    } else {
      enter(.proposed(Proposed(proposal: proposal, request: request, route: route, answered: answered)), on: thread)
    }
    return route.send(proposal.json)
  }

  /// The request and the ids of earlier requests, until an answer is sent. A proposal that follows a prepared
  /// presentation ends the exchange, so that state needs no ids.
  private func unanswered() throws(ProtocolError) -> (request: PresentProofMessage, answered: [String]) {
    switch state {
    case .requested(let state): (state.request, state.answered)
    case .prepared(let state): (state.request, [])
    case .unprepared(let state): (state.request, state.answered)
    case .proposing, .proposed, .sent, .finished: throw .outOfTurn
    }
  }
}

extension PresentProofMessage {
  /// The preview in a proposal of version 1.0.
  fileprivate func preview() throws(JSONError) -> PresentationPreview {
    try PresentationPreview(object["presentation_proposal"] ?? .null)
  }
}
