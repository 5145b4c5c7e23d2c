package import JSON
internal import Sodium

// The states of an issuer's exchange in the forms of libvcx. The members that libvcx does not have are in a member
// `msdk`, which it ignores.

extension IssuerMachine: StoredExchange {
  package static let storedName = "issuer_sm"

  package var isFinished: Bool { if case .finished = state { true } else { false } }

  package var storedState: (name: String, members: JSONObject) {
    switch state {
    case .proposed(let state):
      (
        "ProposalReceived",
        JSONObject(state.stored + [("thread", thread.json)] + JSONObject.extras(begun + state.answeredIDs))
      )
    case .planned(let state): ("Initial", state.stored(begun + form.stored, on: thread))
    case .offered(let state):
      (
        "OfferSent",
        JSONObject(
          [("offer", state.offer.json)] + state.terms.stored("cred_data") + state.route.stored
            + [("thread", thread.json)]
            + JSONObject.extras(begun + IssuerMachine.ids(state.answered)))
      )
    case .requested(let state):
      (
        "RequestReceived",
        JSONObject(
          [("offer", state.offer.json)] + state.terms.stored("cred_data") + [("request", state.request.json)]
            + state.route.stored + [("thread", thread.json)] + JSONObject.extras(begun))
      )
    case .issued(let state):
      (
        "CredentialSent",
        JSONObject(
          [("offer", state.offer.json)] + state.delivery.route.stored
            + [("thread", thread.json), ("msdk", .object(JSONObject(state.delivery.stored + begun)))])
      )
    case .finished(let state): ("Finished", state.stored(on: thread, begun))
    }
  }

  package init(state: String, members: JSONObject) throws {
    let offer = { (json: JSON) in try IssueCredentialMessage(stored: json, .offer) }
    let extras = try members.optionalObject("msdk")
    let restored: State
    switch state {
    case "ProposalReceived": restored = .proposed(try Proposed(stored: members, members.storedAnswered()))
    case "Initial":
      let answering = try extras?.optionalObject("answering")
      let plan = try Planned(stored: members, extras, answering)
      self.init(.planned(plan), on: try answering?.storedThread() ?? Thread(thid: plan.id))
      try restoreBeginning(extras)
      return
    case "OfferSent":
      restored = .offered(
        Offered(
          terms: try Terms(stored: members, "cred_data"), offer: try members.requiredStored("offer", offer),
          route: try Route(stored: members), answered: try members.storedAnswered()))
    case "RequestReceived":
      restored = .requested(
        Requested(
          terms: try Terms(stored: members, "cred_data"), offer: try members.requiredStored("offer", offer),
          request: try members.requiredStored("request") { try IssueCredentialMessage(stored: $0, .request) },
          route: try Route(stored: members)))
    case "CredentialSent":
      let delivery = try Delivery(stored: extras ?? [:], route: Route(stored: members))
      restored = .issued(Issued(offer: try members.requiredStored("offer", offer), delivery: delivery))
    case "Finished":
      let route = extras?["connection"] == nil ? nil : try Route(stored: extras ?? [:])
      restored = .finished(
        Finished(
          offer: try members.stored("offer", offer),
          status: try members.requiredStored("status", ExchangeStatus.init(stored:)),
          delivery: try route.map { try Delivery(stored: extras ?? [:], route: $0) }))
    default: throw StateError.malformed("state \(state) of an issuer")
    }
    self.init(restored, on: try members.storedThread())
    try restoreBeginning(extras)
  }

  /// The member that says who has begun the thread.
  private var begun: [(String, JSON)] { isBegunByHolder ? [("begun", "holder")] : [] }

  private mutating func restoreBeginning(_ extras: JSONObject?) throws(JSONError) {
    isBegunByHolder = try extras?.optionalString("begun") == "holder"
    if case .planned = state { form = try ExchangeForm(stored: extras) }
  }

  fileprivate static func ids(_ answered: [String]) -> [(String, JSON)] {
    answered.isEmpty ? [] : [("answered", JSON(answered))]
  }
}

extension IssuerMachine.Proposed {
  fileprivate var stored: [(String, JSON)] { [("proposal", proposal.json)] + (route?.stored ?? []) }

  fileprivate var answeredIDs: [(String, JSON)] { IssuerMachine.ids(answered) }

  fileprivate init(stored members: JSONObject, _ answered: [String]) throws {
    self.init(
      proposal: try members.requiredStored("proposal") { try IssueCredentialMessage(stored: $0, .propose) },
      route: try members.storedRoute(), answered: answered)
  }
}

extension IssuerMachine.Planned {
  fileprivate func stored(_ more: [(String, JSON)], on thread: Thread) -> JSONObject {
    var extras = JSONObject([("thread", .string(id))] + more)
    extras["offer"] = offer?.json
    extras["answering"] = answering.map { proposed in
      .object(JSONObject(proposed.stored + proposed.answeredIDs + [("thread", thread.json)]))
    }
    return JSONObject(
      [("cred_def_id", .string(definitionID))] + terms.stored("credential_json")
        + [("credential_name", .string(name)), ("msdk", .object(extras))])
  }

  /// A state of another library names no thread: a hash of its text stands in, so that a repeated start gives the same
  /// offer.
  fileprivate init(stored members: JSONObject, _ extras: JSONObject?, _ answering: JSONObject?) throws {
    let offer = try extras?.stored("offer") { try IssueCredentialMessage(stored: $0, .offer) }
    self.init(
      terms: try IssuerMachine.Terms(stored: members, "credential_json"),
      definitionID: try members.string("cred_def_id"), name: try members.optionalString("credential_name") ?? "",
      id: try extras?.optionalString("thread") ?? .uuid(derivedFrom: JSON.object(members).text),
      answering: try answering.map { members in
        try IssuerMachine.Proposed(stored: members, members.optionalStrings("answered") ?? [])
      }, offer: offer)
  }
}

extension IssuerMachine.Terms {
  /// `key` is the member for the values.
  fileprivate func stored(_ key: String) -> [(String, JSON)] {
    [(key, .string(values.text)), ("rev_reg_id", JSON(registryID)), ("tails_file", JSON(tailsFolder))]
  }

  fileprivate init(stored members: JSONObject, _ key: String) throws(JSONError) {
    self.init(
      values: try CredentialValues(parsing: members.string(key)), registryID: try members.optionalString("rev_reg_id"),
      tailsFolder: try members.optionalString("tails_file"))
  }
}

extension IssuerMachine.Finished {
  fileprivate func stored(on thread: Thread, _ begun: [(String, JSON)]) -> JSONObject {
    let members: JSONObject = [
      "offer": offer?.json ?? .null, "cred_id": nil, "status": status.json, "thread": thread.json,
    ]
    let delivered = delivery.map { $0.route.stored + $0.stored } ?? []
    return JSONObject(members.members.map { ($0.key, $0.value) } + JSONObject.extras(delivered + begun))
  }
}

extension IssuerMachine.Delivery {
  fileprivate var stored: [(String, JSON)] {
    [
      ("rev_reg_id", JSON(place?.registryID)), ("cred_rev_id", JSON(place.map { String($0.index) })),
      ("tails_file", JSON(place?.tailsFolder)), ("revoked", revoked.map(JSON.integer) ?? .null),
    ]
  }

  fileprivate init(stored members: JSONObject, route: Route) throws(JSONError) {
    self.route = route
    revoked = try members.optionalInteger("revoked")
    if let registryID = try members.optionalString("rev_reg_id"), let index = try members.optionalString("cred_rev_id")
    {
      guard let index = Int64(index), index > 0 else {
        throw JSONError.wrongType(key: "cred_rev_id", expected: "a number as text")
      }
      place = IssuerMachine.Place(
        registryID: registryID, index: index, tailsFolder: try members.optionalString("tails_file"))
    } else {
      place = nil
    }
  }
}
