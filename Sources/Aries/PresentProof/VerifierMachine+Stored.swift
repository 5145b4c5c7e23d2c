package import JSON

// The states of a requested proof in the forms of libvcx, so that serialized objects move both ways.

extension VerifierMachine: StoredExchange {
  package static let storedName = "verifier_sm"

  package var isFinished: Bool { if case .finished = state { true } else { false } }

  package var storedState: (name: String, members: JSONObject) {
    switch state {
    case .initiated(let request):
      (
        "Initiated",
        JSONObject(
          [("presentation_request_data", .object(StoredProofRequest.written(request)))]
            + JSONObject.extras(form.stored))
      )
    case .prepared(let state):
      (
        "PresentationRequestPrepared",
        Self.members("presentation_request", state.request, over: state.route, on: nil, answered: [])
      )
    case .sent(let state):
      (
        "PresentationRequestSent",
        Self.members(
          "presentation_request", state.request, over: state.route, on: thread, answered: state.answered)
      )
    case .proposed(let state):
      (
        "PresentationProposalReceived",
        Self.members(
          "presentation_proposal", state.proposal, over: state.route, on: thread, answered: state.answered)
      )
    case .finished(let state): ("Finished", state.members(on: thread))
    }
  }

  private static func members(
    _ name: String, _ message: PresentProofMessage, over route: Route?, on thread: Thread?, answered: [String]
  ) -> JSONObject {
    var members: [(String, JSON)] = [(name, message.json)]
    members += route?.stored ?? [("connection", JSON.null)]
    if let thread { members.append(("thread", thread.json)) }
    return JSONObject(members + JSONObject.answered(answered))
  }

  package init(state: String, members: JSONObject) throws {
    switch state {
    case "Initiated":
      self.init(
        requesting: StoredProofRequest.read(try members.object("presentation_request_data")),
        in: try ExchangeForm(stored: members.optionalObject("msdk")))
    case "PresentationRequestPrepared":
      let request = try members.storedRequest()
      self.init(.prepared(Prepared(request: request, route: try members.storedRoute())), on: request.thread.begun())
    case "PresentationRequestSent":
      let request = try members.storedRequest()
      self.init(
        .sent(
          Sent(request: request, route: try Route(stored: members), answered: try members.storedAnswered())),
        on: try members.thread(of: request))
    case "PresentationProposalReceived":
      let proposal = try members.requiredStored("presentation_proposal") {
        try PresentProofMessage(stored: $0, .propose)
      }
      self.init(
        .proposed(
          Proposed(proposal: proposal, route: try members.storedRoute(), answered: try members.storedAnswered())),
        on: try members.thread(of: proposal))
    case "Finished": self.init(.finished(try Finished(members)), on: try members.storedThread())
    default: throw StateError.malformed("state \(state) of a verifier")
    }
  }
}

extension VerifierMachine.Finished {
  fileprivate func members(on thread: Thread?) -> JSONObject {
    var members: JSONObject = [
      "presentation_request": request?.json ?? .null, "presentation": presentation?.json ?? .null,
      "status": status.json, "thread": thread?.json ?? .null,
    ]
    members["msdk"] = assessment?.json
    return members
  }

  fileprivate init(_ members: JSONObject) throws {
    request = try members.stored("presentation_request") { try PresentProofMessage(stored: $0, .request) }
    presentation = try members.stored("presentation") { try PresentProofMessage(stored: $0, .present) }
    status = try members.requiredStored("status", ExchangeStatus.init(stored:))
    assessment = try members.stored("msdk", Assessment.init(stored:))
  }
}

extension JSONObject {
  fileprivate func storedRequest() throws -> PresentProofMessage {
    try requiredStored("presentation_request") { try PresentProofMessage(stored: $0, .request) }
  }

  fileprivate func thread(of message: PresentProofMessage) throws(JSONError) -> Thread {
    try self["thread"] == nil ? message.thread.begun() : storedThread()
  }
}

/// A proof request in the form of libvcx's states, which has a null for each absent member; peers refuse such nulls.
private enum StoredProofRequest {
  /// The members of a filter in libvcx's order.
  private static let filter = [
    "schema_id", "schema_issuer_did", "schema_name", "schema_version", "issuer_did", "cred_def_id",
  ]

  static func written(_ request: JSONObject) -> JSONObject {
    var written = JSONObject()
    for name in ["nonce", "name", "version"] { written[name] = request[name] }
    written["requested_attributes"] = map(request["requested_attributes"]) { attribute in
      var attribute = attribute
      attribute["restrictions"] = attribute["restrictions"].map(restrictions)
      attribute["non_revoked"] = attribute["non_revoked"].map(interval)
      return attribute
    }
    written["requested_predicates"] = map(request["requested_predicates"]) { predicate in
      var predicate = predicate
      predicate["restrictions"] = restrictions(predicate["restrictions"] ?? .null)
      predicate["non_revoked"] = interval(predicate["non_revoked"] ?? .null)
      return predicate
    }
    written["non_revoked"] = interval(request["non_revoked"] ?? .null)
    written["ver"] = request["ver"] ?? .null
    return written
  }

  private static func map(_ items: JSON?, _ change: (JSONObject) -> JSONObject) -> JSON {
    .object(
      JSONObject(
        distinct: (items?.object ?? [:]).members.map { ($0.key, $0.value.object.map { .object(change($0)) } ?? .null) })
    )
  }

  private static func interval(_ interval: JSON) -> JSON {
    guard let object = interval.object else { return .null }
    return ["from": object["from"] ?? .null, "to": object["to"] ?? .null]
  }

  private static func restrictions(_ restrictions: JSON) -> JSON {
    guard let filters = restrictions.array else { return restrictions }
    return .array(
      filters.map { json in
        guard let given = json.object else { return json }
        let known = filter.map { ($0, given[$0] ?? .null) }
        return .object(JSONObject(known + given.members.filter { !filter.contains($0.key) }.map { ($0.key, $0.value) }))
      })
  }

  /// Keeps only what `written` writes, so that a state is restored as it was.
  static func read(_ request: JSONObject) -> JSONObject { stripped(written(stripped(request))) }

  private static func stripped(_ request: JSONObject) -> JSONObject { JSON.object(request).withoutNulls.object ?? [:] }
}
