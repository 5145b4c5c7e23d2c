package import JSON

// The states of a credential's exchange in the forms of libvcx, so that serialized objects move both ways.

extension HolderMachine: StoredExchange {
  package static let storedName = "holder_sm"

  package var isFinished: Bool { if case .finished = state { true } else { false } }

  package var storedState: (name: String, members: JSONObject) {
    switch state {
    case .proposing(let proposal):
      (
        "ProposalPrepared",
        JSONObject([("proposal", proposal.json), ("thread", thread.json)] + JSONObject.extras(form.stored))
      )
    case .proposed(let state):
      (
        "ProposalSent",
        JSONObject(
          [("proposal", state.proposal.json)] + state.route.stored + JSONObject.answered(state.answered)
            + [("thread", thread.json)])
      )
    case .offered(let state):
      (
        "OfferReceived",
        JSONObject(
          [("offer", state.offer.json)] + (state.route?.stored ?? []) + JSONObject.answered(state.answered)
            + [("thread", thread.json)])
      )
    case .requested(let state):
      (
        "RequestSent",
        JSONObject(
          [
            ("offer", state.offer.json), ("req_meta", .string(state.metadata)),
            ("cred_def_json", .string(state.definition)), ("thread", thread.json),
          ] + state.route.stored)
      )
    case .finished(let state):
      (
        "Finished",
        [
          "offer": state.offer?.json ?? .null, "cred_id": JSON(state.credentialID),
          "credential": state.credential?.json ?? .null, "status": state.status.json, "thread": thread.json,
        ]
      )
    }
  }

  package init(state: String, members: JSONObject) throws {
    let thread = try members.storedThread()
    let offer = { (json: JSON) in try IssueCredentialMessage(stored: json, .offer) }
    let restored: State
    switch state {
    case "ProposalPrepared":
      self.init(
        proposing: try members.proposal(), in: try ExchangeForm(stored: members.optionalObject("msdk")), on: thread)
      return
    case "ProposalSent":
      restored = .proposed(
        Proposed(
          proposal: try members.proposal(), route: try Route(stored: members), answered: try members.storedAnswered()))
    case "OfferReceived":
      restored = .offered(
        Offered(
          offer: try members.requiredStored("offer", offer), route: try members.storedRoute(),
          answered: try members.storedAnswered()))
    case "RequestSent":
      restored = .requested(
        Requested(
          offer: try members.requiredStored("offer", offer), metadata: try members.string("req_meta"),
          definition: try members.string("cred_def_json"), route: try Route(stored: members)))
    case "Finished":
      restored = .finished(
        Finished(
          offer: try members.stored("offer", offer), credentialID: try members.optionalString("cred_id"),
          credential: try members.stored("credential") { try IssueCredentialMessage(stored: $0, .issue) },
          status: try members.requiredStored("status", ExchangeStatus.init(stored:))))
    default: throw StateError.malformed("state \(state) of a holder")
    }
    self.init(restored, on: thread)
  }
}

extension JSONObject {
  fileprivate func proposal() throws -> IssueCredentialMessage {
    try requiredStored("proposal") { try IssueCredentialMessage(stored: $0, .propose) }
  }
}
