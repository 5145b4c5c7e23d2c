package import DIDComm
package import JSON
internal import Sodium

/// What an inviter wants its invitation to be, before there is a mailbox to invite to.
package enum InvitationPlan: Equatable, Sendable {
  /// A connection invitation (RFC 0160).
  case connection
  /// An out-of-band invitation (RFC 0434).
  case outOfBand(OutOfBandPlan)

  /// The invitation. `handshakes` are those to offer, where it offers any.
  package func invitation(
    id: String, from inviter: Inviter, handshakes: [Handshake] = Handshake.all
  ) throws(InvitationError) -> Invitation {
    switch self {
    case .connection:
      let members: [(String, JSON)] = [
        ("@type", .string(ConnectionInvitation.type.text)), ("@id", .string(id)),
        ("recipientKeys", JSON(inviter.service.recipientKeys.map(\.text))),
        ("routingKeys", JSON(inviter.service.routingKeys.map(\.text))),
        ("serviceEndpoint", .string(inviter.service.endpoint)),
      ]
      return .connection(try ConnectionInvitation(.object(JSONObject(members + inviter.members))))
    case .outOfBand(let plan):
      let members = plan.members(id: id, service: inviter.service, handshakes: handshakes)
      return .outOfBand(try OutOfBandInvitation(.object(JSONObject(members + inviter.members))))
    }
  }
}

/// Who invites.
package struct Inviter: Sendable {
  package let label: String
  package let imageURL: String?
  package let publicDID: String?
  package let service: Service

  package init(label: String, imageURL: String? = nil, publicDID: String? = nil, service: Service) {
    self.label = label
    self.imageURL = imageURL
    self.publicDID = publicDID
    self.service = service
  }

  /// The picture has a name in the RFCs and another one at Evernym.
  fileprivate var members: [(String, JSON)] {
    var members: [(String, JSON)] = [("label", .string(label))]
    if let imageURL { members += [("imageUrl", .string(imageURL)), ("profileUrl", .string(imageURL))] }
    if let publicDID { members.append(("public_did", .string(publicDID))) }
    return members
  }
}

/// What is particular to an out-of-band invitation.
package struct OutOfBandPlan: Equatable, Sendable {
  package let goalCode: String?
  package let goal: String?
  package let handshake: Bool
  /// A message to attach, as JSON.
  package let request: JSON?

  /// Refuses a plan whose invitation nobody could answer.
  package init(goalCode: String?, goal: String?, handshake: Bool, request: JSON?) throws(InvitationError) {
    guard handshake || request != nil else {
      throw .unsupported("it would offer no handshake, and carry no request")
    }
    self.goalCode = goalCode
    self.goal = goal
    self.handshake = handshake
    self.request = request
  }

  fileprivate func members(id: String, service: Service, handshakes: [Handshake]) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("@type", .string(OutOfBandInvitation.type.text)), ("@id", .string(id)),
      ("handshake_protocols", JSON(handshake ? handshakes.map(\.text) : [])),
      (
        "services",
        [
          [
            "id": "#inline", "type": "did-communication",
            "recipientKeys": JSON(service.recipientKeys.map(\.didURL)),
            "routingKeys": JSON(service.routingKeys.map(\.didURL)),
            "serviceEndpoint": .string(service.endpoint),
          ]
        ]
      ),
    ]
    if let goalCode { members.append(("goal_code", .string(goalCode))) }
    if let goal { members.append(("goal", .string(goal))) }
    if let request { members.append(("requests~attach", [Self.attachment(of: request, invitation: id)])) }
    return members
  }

  /// The message as an attachment, in a thread that came out of the invitation.
  private static func attachment(of request: JSON, invitation id: String) -> JSON {
    var message = request
    var thread = request["~thread"]?.object ?? [:]
    thread["pthid"] = .string(id)
    message["~thread"] = .object(thread)
    return [
      "@id": "request-0", "mime-type": "application/json",
      "data": ["base64": .string(Base64.encode(message.bytes, .standard))],
    ]
  }
}
