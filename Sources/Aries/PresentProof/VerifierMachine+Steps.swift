package import JSON

/// The verifier's own steps. Ids of new messages are arguments.
extension VerifierMachine {
  /// Replaces the request that nobody has received. Does nothing in other states.
  package mutating func replace(request: JSONObject) {
    if case .initiated = state { self = VerifierMachine(requesting: request, in: form) }
  }

  /// Makes the message of the request, for a program that sends it by itself. Does nothing in other states.
  package mutating func prepare(id: String, inVersion major: Int, _ format: ContentFormat) {
    guard case .initiated(let proofRequest) = state else { return }
    let request = PresentProofMessage(
      requesting: proofRequest, id: id, thread: nil, in: Dialect(ProofStep.family, major), format)
    enter(.prepared(Prepared(request: request, route: nil)), on: request.thread.begun())
  }

  /// Notes where the answer to a prepared request will come. Does nothing in other states.
  package mutating func bind(to route: Route) {
    guard case .prepared(let state) = state else { return }
    enter(.prepared(Prepared(request: state.request, route: route)), on: thread)
  }

  /// Sends the request, in the version and the format that the peer understands. A request that an invitation carries
  /// is not sent: the route is noted. Does nothing once the request is sent, and after a proposal.
  package mutating func send(id: String, inVersion major: Int, _ format: ContentFormat, over route: Route) -> Action {
    prepare(id: id, inVersion: major, format)
    guard case .prepared(let state) = state else { return .nothing }
    guard !route.isInvitation else {
      bind(to: route)
      return .nothing
    }
    enter(.sent(Sent(request: state.request, route: route, answered: [])), on: thread)
    return route.send(state.request.json)
  }

  /// Answers a proposal with a request, on the thread of the proposal and in its version. Throws in other states.
  package mutating func answer(
    with request: JSONObject, id: String, over route: Route
  ) throws(ProtocolError) -> Action {
    guard case .proposed(let state) = state, let proposed = thread else { throw .outOfTurn }
    let format = (try? state.proposal.content().format) ?? .indy
    let thread = proposed.received(from: route.peerDID)
    let message = PresentProofMessage(
      requesting: request, id: id, thread: thread, in: state.proposal.dialect, format)
    enter(
      .sent(Sent(request: message, route: route, answered: state.answered + [state.proposal.id])), on: thread)
    return route.send(message.json)
  }

  /// Declines a proposal, or withdraws the request that was sent, which ends the exchange. Throws in other states.
  package mutating func decline(
    because comment: String?, id: String, over route: Route
  ) throws(ProtocolError) -> Action {
    let (thread, dialect, code, explanation): (Thread, Dialect, String, String)
    switch (state, self.thread) {
    case (.proposed(let state), let begun?):
      thread = state.route == nil ? begun.received(from: route.peerDID) : begun
      (dialect, code, explanation) = (state.proposal.dialect, "rejection", "Presentation proposal was rejected")
    case (.sent(let state), let begun?):
      thread = begun.next()
      (dialect, code, explanation) = (state.request.dialect, "abandoned", "Presentation Request was withdrawn")
    default: throw .outOfTurn
    }
    let report = ProblemReport(
      in: dialect, id: id, code: code, explanation: explanation, comment: comment, thread: thread)
    enter(
      .finished(Finished(request: request, presentation: nil, status: .rejected(report), assessment: nil)), on: thread)
    return route.send(report.json)
  }

  /// The message of a prepared request, with the service for the answer if it was bound to an invitation.
  package var requestToPass: PresentProofMessage? {
    guard case .prepared(let state) = state else { return request }
    guard let route = state.route, route.isInvitation else { return state.request }
    return state.request.with("~service", route.service.decorator)
  }
}

extension PresentProofMessage {
  /// A request for a presentation. Its comment is the name of the proof request.
  fileprivate init(
    requesting request: JSONObject, id: String, thread: Thread?, in dialect: Dialect, _ format: ContentFormat
  ) {
    var request = request
    // Version 1.0 of the request's own form knows no qualified ids, and later versions of the protocol no such member.
    request["ver"] = nil
    if dialect.major == 1, format == .anonCreds { request["ver"] = "2.0" }
    let content = AttachedContent(text: JSON.object(request).text, format: format)
    let members: [(String, JSON)] = dialect.major > 1 ? [("will_confirm", true)] : []
    self.init(
      .request, in: dialect, id: id, thread: thread, content: content, comment: request["name"]?.string,
      members: members)
  }
}
