internal import Aries
internal import DIDComm
internal import JSON

// The shapes are those of Evernym's library. Which handshake it is tell the types of the stored request and response.

extension ConnectionMachine {
  /// `{"<role>": {"<name of the state>": {…}}}`.
  var json: JSON {
    switch self {
    case .planning(let plan): ["Inviter": ["Initialized": plan.json]]
    case .invitee(let machine): ["Invitee": machine.json]
    case .requester(let machine): ["Invitee": machine.json]
    case .inviting(let invitation): ["Inviter": ["Invited": ["invitation": invitation.tagged]]]
    case .inviter(let machine): ["Inviter": machine.json]
    case .responder(let machine): ["Inviter": machine.json]
    case .established(let machine): [machine.role.name: ["Completed": machine.json]]
    case .failed(let failed): [failed.role.name: ["Failed": failed.json]]
    case .proprietary: .null  // stored without a state, see `Connection.serialized`
    }
  }

  init(stored json: JSON) throws {
    let (roleName, states) = try json.onlyMember("role")
    let role: Role =
      switch roleName {
      case "Invitee": .invitee
      case "Inviter": .inviter
      default: throw ConnectionError.malformedState("role \(roleName)")
      }
    let (name, value) = try states.onlyMember("state")
    let fields = try value.requireObject()
    switch (role, name) {
    case (.inviter, "Initialized"): self = .planning(try InvitationPlan(stored: fields))
    case (.invitee, "Invited"): try self.init(invitation: fields.requireInvitation())
    case (.inviter, "Invited"): self = .inviting(try fields.requireInvitation())
    case (.invitee, "Requested"): try self.init(requested: fields)
    case (.inviter, "Responded"): try self.init(responded: fields)
    case (_, "Completed"): self = .established(try EstablishedMachine(stored: fields, role: role))
    case (_, "Failed"): self = .failed(try FailedHandshake(stored: fields, role: role))
    default: throw ConnectionError.malformedState("state \(name) of an \(roleName)")
    }
  }

  private init(requested fields: JSONObject) throws {
    let invitation = try fields.requireInvitation()
    let request = try fields.object("request")
    switch try Message(.object(request)) {
    case .connectionRequest(let request):
      self = .invitee(InviteeMachine(invitation: invitation, requested: request))
    case .didExchangeRequest(let request):
      self = .requester(RequesterMachine(invitation: invitation, requested: request))
    default: throw ConnectionError.malformedState("request")
    }
  }

  private init(responded fields: JSONObject) throws {
    let invitation = try fields.requireInvitation()
    let invitee = Peer(document: try DIDDocument(.object(fields.object("did_doc"))))
    switch try Message(.object(fields.object("response"))) {
    case .connectionResponse(let response):
      self = .inviter(
        InviterMachine(invitation: invitation, responded: .init(invitee: invitee, response: response)))
    case .didExchangeResponse(let response):
      self = .responder(
        ResponderMachine(invitation: invitation, responded: .init(invitee: invitee, response: response)))
    default: throw ConnectionError.malformedState("response")
    }
  }
}

// MARK: - Each machine's states

extension InviteeMachine {
  fileprivate var json: JSON {
    guard case .requested(let request) = state else { return ["Invited": ["invitation": invitation.tagged]] }
    return .requested(request.json, of: invitation, thread: request.thread)
  }
}

extension RequesterMachine {
  fileprivate var json: JSON {
    guard case .requested(let request) = state else { return ["Invited": ["invitation": invitation.tagged]] }
    return .requested(request.json, of: invitation, thread: request.thread)
  }
}

extension InviterMachine {
  fileprivate var json: JSON {
    guard case .responded(let responded) = state else { return ["Invited": ["invitation": invitation.tagged]] }
    let response = responded.response
    return .responded(response.json, to: responded.invitee, of: invitation, thread: response.thread)
  }
}

extension ResponderMachine {
  fileprivate var json: JSON {
    guard case .responded(let responded) = state else { return ["Invited": ["invitation": invitation.tagged]] }
    let response = responded.response
    return .responded(response.json, to: responded.invitee, of: invitation, thread: response.thread)
  }
}

extension JSON {
  /// The inviter stands there as a document, which Evernym's library keeps until it knows the real one.
  fileprivate static func requested(_ request: JSON, of invitation: Invitation, thread: Thread) -> JSON {
    [
      "Requested": [
        "did_doc": invitation.document.json, "invitation": invitation.tagged, "request": request,
        "thread": thread.json,
      ]
    ]
  }

  fileprivate static func responded(
    _ response: JSON, to invitee: Peer, of invitation: Invitation, thread: Thread
  ) -> JSON {
    [
      "Responded": [
        "did_doc": invitee.document.json, "invitation": invitation.tagged, "response": response,
        "thread": thread.json,
      ]
    ]
  }
}

extension EstablishedMachine {
  fileprivate var json: JSON {
    [
      "did_doc": peer.document.json, "invitation": invitation?.tagged ?? .null, "protocols": protocols,
      "thread": thread.json,
    ]
  }

  fileprivate init(stored fields: JSONObject, role: Role) throws {
    self.init(
      role: role, peer: Peer(document: try DIDDocument(.object(fields.object("did_doc")))),
      thread: try fields.thread(), invitation: try fields.invitation(), protocols: fields["protocols"] ?? .null)
  }
}

extension FailedHandshake {
  fileprivate var json: JSON {
    ["error": report?.json ?? .null, "invitation": invitation?.tagged ?? .null, "thread": thread.json]
  }

  fileprivate init(stored fields: JSONObject, role: Role) throws {
    self.init(
      role: role, report: try fields.optionalObject("error").map(ProblemReport.init), thread: try fields.thread(),
      invitation: try fields.invitation())
  }
}

extension InvitationPlan {
  fileprivate var json: JSON {
    switch self {
    case .connection: [:]
    case .outOfBand(let plan):
      [
        "outofband_meta": [
          "goal": JSON(plan.goal), "goal_code": JSON(plan.goalCode), "handshake": .bool(plan.handshake),
          "request_attach": JSON(plan.request?.text),
        ]
      ]
    }
  }

  fileprivate init(stored fields: JSONObject) throws {
    guard let meta = try fields.optionalObject("outofband_meta") else {
      self = .connection
      return
    }
    self = .outOfBand(
      try OutOfBandPlan(
        goalCode: meta.optionalString("goal_code"), goal: meta.optionalString("goal"),
        handshake: meta.bool("handshake"), request: meta.optionalString("request_attach").map { try JSON(parsing: $0) })
    )
  }
}

// MARK: - Parts

extension Role {
  fileprivate var name: String {
    switch self {
    case .invitee: "Invitee"
    case .inviter: "Inviter"
    }
  }
}

extension Invitation {
  /// `{"ConnectionInvitation": {…}}` or `{"OutofbandInvitation": {…}}`.
  var tagged: JSON {
    switch self {
    case .connection(let invitation): ["ConnectionInvitation": invitation.json]
    case .outOfBand(let invitation): ["OutofbandInvitation": invitation.json]
    }
  }
}

extension JSON {
  fileprivate func onlyMember(_ what: String) throws -> (key: String, value: JSON) {
    guard let member = try requireObject().members.first else { throw ConnectionError.malformedState("no \(what)") }
    return member
  }
}

extension JSONObject {
  fileprivate func requireInvitation() throws -> Invitation {
    guard let invitation = try invitation() else { throw JSONError.missing(key: "invitation") }
    return invitation
  }

  fileprivate func invitation() throws -> Invitation? {
    guard let tagged = try optionalObject("invitation"), let (tag, json) = tagged.members.first else { return nil }
    switch tag {
    case "ConnectionInvitation": return .connection(try ConnectionInvitation(json))
    case "OutofbandInvitation": return .outOfBand(try OutOfBandInvitation(json))
    default: throw ConnectionError.malformedState("invitation \(tag)")
    }
  }

  fileprivate func thread() throws(JSONError) -> Thread {
    guard let json = self["thread"], !json.isNull else { return Thread(thid: "") }
    return try Thread(json)
  }
}
