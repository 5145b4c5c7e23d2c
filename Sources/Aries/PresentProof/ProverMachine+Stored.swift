package import JSON

// The states of a proof's exchange in the forms of libvcx, so that serialized objects move both ways.

extension ProverMachine: StoredExchange {
  package static let storedName = "prover_sm"

  package var storedState: (name: String, members: JSONObject) {
    let (name, members): (String, [(String, JSON)]) =
      switch self {
      case .proposing(let state): ("ProposalPrepared", [("presentation_proposal", state.proposal.json)])
      case .proposed(let state):
        (
          "ProposalSent",
          [("presentation_proposal", state.proposal.json), ("presentation_request", state.request?.json ?? .null)]
            + state.route.stored + JSONObject.answered(state.answered)
        )
      case .requested(let state):
        (
          "RequestReceived",
          [("presentation_request", state.request.json), ("presentation_proposal", state.proposal?.json ?? .null)]
            + JSONObject.answered(state.answered)
        )
      case .prepared(let state):
        (
          "PresentationPrepared",
          [("presentation_request", state.request.json), ("presentation", state.presentation.json)]
        )
      case .unprepared(let state):
        (
          "PresentationPreparationFailed",
          [
            ("presentation_request", state.request.json), ("problem_report", state.report.json),
            ("error_kind", JSON(state.errorKind)),
          ] + JSONObject.answered(state.answered)
        )
      case .sent(let state):
        (
          "PresentationSent",
          [("presentation_request", state.request.json), ("presentation", state.presentation.json)]
            + state.route.stored
        )
      case .finished(let state):
        (
          "Finished",
          [
            ("presentation_request", state.request?.json ?? .null), ("presentation", state.presentation?.json ?? .null),
            ("status", state.status.json),
          ]
        )
      }
    return (name, JSONObject(members + [("thread", thread.json)]))
  }

  package init(state: String, members: JSONObject) throws {
    let thread = try members.storedThread()
    switch state {
    case "ProposalPrepared": self = .proposing(Proposing(proposal: try members.proposal(), thread: thread))
    case "ProposalSent":
      self = .proposed(
        Proposed(
          proposal: try members.proposal(), request: try members.message("presentation_request", .request),
          route: try Route(stored: members), thread: thread, answered: try members.storedAnswered()))
    case "RequestReceived":
      self = .requested(
        Requested(
          request: try members.request(), proposal: try members.message("presentation_proposal", .propose),
          thread: thread, answered: try members.storedAnswered()))
    case "PresentationPrepared":
      self = .prepared(
        Prepared(request: try members.request(), presentation: try members.presentation(), thread: thread))
    case "PresentationPreparationFailed":
      self = .unprepared(
        Unprepared(
          request: try members.request(), report: ProblemReport(try members.object("problem_report")),
          errorKind: try members.optionalString("error_kind"), thread: thread,
          answered: try members.storedAnswered()))
    case "PresentationSent":
      self = .sent(
        Sent(
          request: try members.request(), presentation: try members.presentation(), route: try Route(stored: members),
          thread: thread))
    case "Finished":
      self = .finished(
        Finished(
          request: try members.message("presentation_request", .request),
          presentation: try members.message("presentation", .present),
          status: try members.requiredStored("status", ExchangeStatus.init(stored:)), thread: thread))
    default: throw StateError.malformed("state \(state) of a prover")
    }
  }
}

extension JSONObject {
  fileprivate func message(_ key: String, _ step: ProofStep) throws -> PresentProofMessage? {
    try stored(key) { try PresentProofMessage(stored: $0, step) }
  }

  fileprivate func proposal() throws -> PresentProofMessage { try required("presentation_proposal", .propose) }
  fileprivate func request() throws -> PresentProofMessage { try required("presentation_request", .request) }
  fileprivate func presentation() throws -> PresentProofMessage { try required("presentation", .present) }

  private func required(_ key: String, _ step: ProofStep) throws -> PresentProofMessage {
    guard let message = try message(key, step) else { throw JSONError.missing(key: key) }
    return message
  }
}
