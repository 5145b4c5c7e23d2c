package import JSON

// The states of a proof's exchange in the forms of libvcx, so that serialized objects move both ways.

extension ProverMachine: StoredExchange {
  package static let storedName = "prover_sm"

  package var isFinished: Bool { if case .finished = state { true } else { false } }

  package var storedState: (name: String, members: JSONObject) {
    let (name, members): (String, [(String, JSON)]) =
      switch state {
      case .proposing(let proposal):
        ("ProposalPrepared", [("presentation_proposal", proposal.json)] + JSONObject.extras(form.stored))
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
            + JSONObject.extras(state.mayBeSent ? [("may_be_sent", true)] : [])
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
    let restored: State
    switch state {
    case "ProposalPrepared":
      self.init(
        proposing: try members.proposal(), in: try ExchangeForm(stored: members.optionalObject("msdk")), on: thread)
      return
    case "ProposalSent":
      restored = .proposed(
        Proposed(
          proposal: try members.proposal(), request: try members.message("presentation_request", .request),
          route: try Route(stored: members), answered: try members.storedAnswered()))
    case "RequestReceived":
      restored = .requested(
        Requested(
          request: try members.request(), proposal: try members.message("presentation_proposal", .propose),
          answered: try members.storedAnswered()))
    case "PresentationPrepared":
      let mayBeSent = try members.optionalObject("msdk")?.optionalBool("may_be_sent") ?? false
      restored = .prepared(
        Prepared(request: try members.request(), presentation: try members.presentation(), mayBeSent: mayBeSent))
    case "PresentationPreparationFailed":
      restored = .unprepared(
        Unprepared(
          request: try members.request(), report: ProblemReport(try members.object("problem_report")),
          errorKind: try members.optionalString("error_kind"), answered: try members.storedAnswered()))
    case "PresentationSent":
      restored = .sent(
        Sent(
          request: try members.request(), presentation: try members.presentation(), route: try Route(stored: members)))
    case "Finished":
      restored = .finished(
        Finished(
          request: try members.message("presentation_request", .request),
          presentation: try members.message("presentation", .present),
          status: try members.requiredStored("status", ExchangeStatus.init(stored:))))
    default: throw StateError.malformed("state \(state) of a prover")
    }
    self.init(restored, on: thread)
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
