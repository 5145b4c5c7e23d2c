package import JSON

// The states of a credential's exchange in the forms of libvcx, so that serialized objects move both ways.

extension HolderMachine: StoredExchange {
  package static let storedName = "holder_sm"

  package var storedState: (name: String, members: JSONObject) {
    switch self {
    case .offered(let state): ("OfferReceived", ["offer": state.offer.json, "thread": state.thread.json])
    case .requested(let state):
      (
        "RequestSent",
        JSONObject(
          [
            ("offer", state.offer.json), ("req_meta", .string(state.metadata)),
            ("cred_def_json", .string(state.definition)), ("thread", state.thread.json),
          ] + state.route.stored)
      )
    case .finished(let state):
      (
        "Finished",
        [
          "offer": state.offer?.json ?? .null, "cred_id": JSON(state.credentialID),
          "credential": state.credential?.json ?? .null, "status": state.status.json, "thread": state.thread.json,
        ]
      )
    }
  }

  package init(state: String, members: JSONObject) throws {
    let thread = try members.storedThread()
    let offer = { (json: JSON) in try IssueCredentialMessage(stored: json, .offer) }
    switch state {
    case "OfferReceived":
      self = .offered(Offered(offer: try members.requiredStored("offer", offer), thread: thread))
    case "RequestSent":
      self = .requested(
        Requested(
          offer: try members.requiredStored("offer", offer), metadata: try members.string("req_meta"),
          definition: try members.string("cred_def_json"), route: try Route(stored: members), thread: thread))
    case "Finished":
      self = .finished(
        Finished(
          offer: try members.stored("offer", offer), credentialID: try members.optionalString("cred_id"),
          credential: try members.stored("credential") { try IssueCredentialMessage(stored: $0, .issue) },
          status: try members.requiredStored("status", ExchangeStatus.init(stored:)), thread: thread))
    default: throw StateError.malformed("state \(state) of a holder")
    }
  }
}
