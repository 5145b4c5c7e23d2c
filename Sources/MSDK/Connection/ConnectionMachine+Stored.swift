internal import Aries
internal import DIDComm
internal import JSON

// The stored form is the form of Evernym's library. The types of the stored request and response identify the
// handshake.

extension ConnectionMachine {
  /// Writes `{"<role>": {"<name of the state>": {…}}}`.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.name(role.name)
      json.object { json in
        json.name(storedName)
        json.object(writeMembers)
      }
    }
  }

  private var storedName: String {
    switch self {
    case .planned: "Initialized"
    case .invited, .offered: "Invited"
    case .requested: "Requested"
    case .responded: "Responded"
    case .completed: "Completed"
    case .failed: "Failed"
    case .proprietary: ""  // stored without a state, see `Connection.serialized`
    }
  }

  private func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .planned(let plan): json.write(membersOf: plan.members)
    case .invited(let invitation, _), .offered(let invitation): json.member(invitation)
    case .requested(let machine): machine.writeMembers(to: &json)
    case .responded(let machine): machine.writeMembers(to: &json)
    case .completed(let machine): machine.writeMembers(to: &json)
    case .failed(let failed): failed.writeMembers(to: &json)
    case .proprietary: break
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
    case (.inviter, "Initialized"): self = .planned(try InvitationPlan(stored: fields))
    case (.invitee, "Invited"): try self.init(invitation: fields.requireInvitation())
    case (.inviter, "Invited"): self = .offered(try fields.requireInvitation())
    case (.invitee, "Requested"): self = .requested(try Requested(stored: fields))
    case (.inviter, "Responded"): self = .responded(try Responded(stored: fields))
    case (_, "Completed"): self = .completed(try Completed(stored: fields, role: role))
    case (_, "Failed"): self = .failed(try FailedHandshake(stored: fields, role: role))
    default: throw ConnectionError.malformedState("state \(name) of an \(roleName)")
    }
  }
}

// MARK: - Each machine's state

extension Requested {
  /// The inviter is stored as a DID document. Evernym's library keeps it until it knows the inviter's own document.
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member("did_doc", inviter.document(id: invitation.inviterName).json)
    json.member(invitation)
    json.member("request", request.json)
    json.member("thread", thread.json)
    if let presented {
      json.member(presented.peer, as: "presented")
      json.member("ping", .string(presented.ping))
    }
  }

  fileprivate init(stored fields: JSONObject) throws {
    guard let request = try Message(.object(fields.object("request"))).request else {
      throw ConnectionError.malformedState("request")
    }
    let invitation = try fields.requireInvitation()
    let inviter = try invitation.service ?? DIDDocument(.object(fields.object("did_doc")), isStored: true).service
    // An older version did not store its ping. The response is still in the mailbox, and causes another ping.
    let presented = try fields.optionalString("ping").map { PresentedPeer(try fields.peer("presented"), ping: $0) }
    self.init(invitation: invitation, inviter: inviter, request: request, presented: presented)
  }
}

extension Responded {
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member(invitee, as: "did_doc")
    json.member(invitation)
    json.member("response", response.json)
    json.member("thread", thread.json)
    if let inviteeLabel { json.member("label", .string(inviteeLabel)) }
  }

  fileprivate init(stored fields: JSONObject) throws {
    guard let response = try Message(.object(fields.object("response"))).response else {
      throw ConnectionError.malformedState("response")
    }
    self.init(
      invitation: try fields.requireInvitation(), invitee: try fields.peer("did_doc"), response: response,
      inviteeLabel: try fields.optionalString("label"))
  }
}

extension Completed {
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member(peer, as: "did_doc")
    json.member(invitation)
    json.member("protocols", protocols)
    json.member("thread", thread.json)
    if let presentedDID { json.member("my_did", .string(presentedDID)) }
    if let inviteeLabel { json.member("label", .string(inviteeLabel)) }
  }

  fileprivate init(stored fields: JSONObject, role: Role) throws {
    let invitation = try fields.invitation()
    var peer = try fields.peer("did_doc")
    // An older version stored the invitation's id as the inviter's DID.
    if let invitation, !invitation.offersHandshake, peer.document.id == invitation.id,
      invitation.inviterName != invitation.id
    {
      peer = Peer(document: peer.service.document(id: invitation.inviterName))
    }
    self.init(
      role: role, peer: peer, thread: try fields.thread(), invitation: invitation,
      presentedDID: try fields.optionalString("my_did"), protocols: JSONText(fields["protocols"] ?? .null),
      inviteeLabel: try fields.optionalString("label"))
  }
}

extension FailedHandshake {
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member("error", report?.json ?? .null)
    json.member(invitation)
    json.member("thread", thread.json)
    if let peer { json.member(peer, as: "did_doc") }
  }

  fileprivate init(stored fields: JSONObject, role: Role) throws {
    self.init(
      role: role, report: try fields.optionalObject("error").map(ProblemReport.init), thread: try fields.thread(),
      invitation: try fields.invitation(),
      peer: try fields.optionalObject("did_doc").map { _ in try fields.peer("did_doc") })
  }
}

extension InvitationPlan {
  fileprivate var members: JSONObject {
    switch self {
    case .connection: [:]
    case .publicDID: ["public_did": true]
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
      self = try fields.optionalBool("public_did") ?? false ? .publicDID : .connection
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
  /// The name of the form.
  fileprivate var tag: String {
    switch self {
    case .connection: "ConnectionInvitation"
    case .outOfBand: "OutofbandInvitation"
    }
  }
}

extension JSONWriter {
  /// Writes the member `invitation`: `{"ConnectionInvitation": {…}}`, `{"OutofbandInvitation": {…}}` or null.
  mutating func member(_ invitation: Invitation?) {
    name("invitation")
    guard let invitation else { return writeNull() }
    object { $0.member(invitation.tag, invitation.json) }
  }

  /// Writes the peer's document, and a member that says whether a ledger has confirmed the DID.
  fileprivate mutating func member(_ peer: Peer, as name: String) {
    member(name, peer.document.json)
    if peer.isConfirmed { member("did_confirmed", .bool(true)) }
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
    case "ConnectionInvitation": return .connection(try ConnectionInvitation(json, isStored: true))
    case "OutofbandInvitation": return .outOfBand(try OutOfBandInvitation(json, isStored: true))
    default: throw ConnectionError.malformedState("invitation \(tag)")
    }
  }

  fileprivate func peer(_ name: String) throws -> Peer {
    let document = try DIDDocument(.object(object(name)), isStored: true)
    return Peer(document: document, isConfirmed: try optionalBool("did_confirmed") ?? false)
  }

  fileprivate func thread() throws(JSONError) -> Thread {
    guard let json = self["thread"], !json.isNull else { return Thread(thid: "") }
    return try Thread(json)
  }
}
