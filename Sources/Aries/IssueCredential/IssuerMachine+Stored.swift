package import JSON
internal import Sodium

// The states of an issuer's exchange in the forms of libvcx. The members that libvcx does not have are in a member
// `msdk`, which it ignores.

extension IssuerMachine: StoredExchange {
  package static let storedName = "issuer_sm"

  package var storedState: (name: String, members: JSONObject) {
    switch state {
    case .planned(let state): ("Initial", state.stored)
    case .offered(let state):
      (
        "OfferSent",
        JSONObject(
          [("offer", state.offer.json)] + state.terms.stored("cred_data") + state.route.stored
            + [("thread", thread.json)])
      )
    case .requested(let state):
      (
        "RequestReceived",
        JSONObject(
          [("offer", state.offer.json)] + state.terms.stored("cred_data") + [("request", state.request.json)]
            + state.route.stored + [("thread", thread.json)])
      )
    case .issued(let state):
      (
        "CredentialSent",
        JSONObject(
          [("offer", state.offer.json)] + state.delivery.route.stored
            + [("thread", thread.json), ("msdk", .object(JSONObject(state.delivery.stored)))])
      )
    case .finished(let state): ("Finished", state.stored(on: thread))
    }
  }

  package init(state: String, members: JSONObject) throws {
    let offer = { (json: JSON) in try IssueCredentialMessage(stored: json, .offer) }
    let extras = try members.optionalObject("msdk")
    let restored: State
    switch state {
    case "Initial":
      self.init(try Planned(stored: members, extras))
      return
    case "OfferSent":
      restored = .offered(
        Offered(
          terms: try Terms(stored: members, "cred_data"), offer: try members.requiredStored("offer", offer),
          route: try Route(stored: members)))
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
  }
}

extension IssuerMachine.Planned {
  fileprivate var stored: JSONObject {
    var extras: JSONObject = ["thread": .string(id)]
    extras["offer"] = offer?.json
    return JSONObject(
      [("cred_def_id", .string(definitionID))] + terms.stored("credential_json")
        + [("credential_name", .string(name)), ("msdk", .object(extras))])
  }

  /// A state of another library names no thread: a hash of its text stands in, so that a repeated start gives the same
  /// offer.
  fileprivate init(stored members: JSONObject, _ extras: JSONObject?) throws {
    let offer = try extras?.stored("offer") { try IssueCredentialMessage(stored: $0, .offer) }
    self.init(
      terms: try IssuerMachine.Terms(stored: members, "credential_json"),
      definitionID: try members.string("cred_def_id"), name: try members.optionalString("credential_name") ?? "",
      id: try extras?.optionalString("thread") ?? .uuid(derivedFrom: JSON.object(members).text), offer: offer)
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
  fileprivate func stored(on thread: Thread) -> JSONObject {
    var members: JSONObject = [
      "offer": offer?.json ?? .null, "cred_id": nil, "status": status.json, "thread": thread.json,
    ]
    if let delivery { members["msdk"] = .object(JSONObject(delivery.route.stored + delivery.stored)) }
    return members
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
