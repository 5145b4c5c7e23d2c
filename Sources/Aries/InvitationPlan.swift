package import DIDComm
package import JSON
internal import Sodium

/// The inviter's wishes for its invitation, before the mailbox exists.
package enum InvitationPlan: Equatable, Sendable {
  /// A connection invitation (RFC 0160).
  case connection
  /// An out-of-band invitation (RFC 0434).
  case outOfBand(OutOfBandPlan)
  /// The invitation that this side's public DID implies (RFC 0023): peers know the DID, and get no invitation.
  case publicDID

  /// Creates the invitation. It offers `handshakes` if the plan includes a handshake. Only an out-of-band invitation
  /// has versions, and only it can name the inviter by a DID in place of its service. The invitation of a public DID has
  /// nothing but `inviter.publicDID`.
  package func invitation(
    id: String, from inviter: Inviter, handshakes: [Handshake] = Handshake.all,
    version: OutOfBandVersion = .v1_1
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
      let members = plan.members(id: id, service: inviter.block(in: version), handshakes: handshakes, version)
      return .outOfBand(try OutOfBandInvitation(.object(JSONObject(members + inviter.members))))
    case .publicDID: return .outOfBand(try OutOfBandInvitation(impliedBy: inviter.publicDID ?? ""))
    }
  }
}

/// The inviter of an invitation.
package struct Inviter: Sendable {
  package let label: String
  package let imageURL: String?
  package let publicDID: String?
  package let service: Service
  /// A DID that contains the service and replaces it; otherwise nil.
  package let did: String?

  package init(
    label: String, imageURL: String? = nil, publicDID: String? = nil, service: Service, did: String? = nil
  ) {
    self.label = label
    self.imageURL = imageURL
    self.publicDID = publicDID
    self.service = service
    self.did = did
  }

  /// The inviter's service in an out-of-band invitation.
  fileprivate func block(in version: OutOfBandVersion) -> JSON {
    if let did { return .string(did) }
    return [
      "id": "#inline", "type": "did-communication",
      "recipientKeys": JSON(service.recipientKeys.map(version.text(of:))),
      "routingKeys": JSON(service.routingKeys.map(version.text(of:))),
      "serviceEndpoint": .string(service.endpoint),
    ]
  }

  /// The RFCs have one name for the picture, and Evernym another.
  fileprivate var members: [(String, JSON)] {
    var members: [(String, JSON)] = [("label", .string(label))]
    if let imageURL { members += [("imageUrl", .string(imageURL)), ("profileUrl", .string(imageURL))] }
    if let publicDID { members.append(("public_did", .string(publicDID))) }
    return members
  }
}

/// The versions of out-of-band invitations that msdk writes.
package enum OutOfBandVersion: String, Sendable {
  /// Has the service and the attached message twice, because Evernym's libraries read them under names other than RFC
  /// 0434's.
  case v1_0 = "1.0"
  case v1_1 = "1.1"

  fileprivate var type: String {
    MessageType("out-of-band", 1, self == .v1_0 ? 0 : 1, "invitation").text
  }

  /// A key as RFC 0434 shows it, or as a reference, which names the key twice and so makes a QR code larger.
  fileprivate func text(of key: VerKey) -> String { self == .v1_0 ? key.didURL : key.didKey }

  /// The names of a member.
  fileprivate func names(_ name: String, older: String) -> [String] { self == .v1_0 ? [name, older] : [name] }
}

/// The members of an out-of-band invitation that the caller chooses.
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
    self.goalCode = goalCode.flatMap { $0.isEmpty ? nil : $0 }
    self.goal = goal.flatMap { $0.isEmpty ? nil : $0 }
    self.handshake = handshake
    self.request = request
  }

  fileprivate func members(
    id: String, service: JSON, handshakes: [Handshake], _ version: OutOfBandVersion
  ) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("@type", .string(version.type)), ("@id", .string(id)),
      ("handshake_protocols", JSON(handshake ? handshakes.map(\.text) : [])),
    ]
    members += version.names("services", older: "service").map { ($0, [service]) }
    // ACA-Py refuses an invitation that has only a goal or only a goal code.
    if goal != nil || goalCode != nil {
      let goalCode = goalCode ?? Self.neutralGoalCode
      members += [("goal_code", .string(goalCode)), ("goal", .string(goal ?? goalCode))]
    }
    if let request {
      let attached: JSON = [Self.attachment(of: request, invitation: id)]
      members += version.names("requests~attach", older: "request~attach").map { ($0, attached) }
    }
    return members
  }

  /// The goal code if the caller has described its goal only in words.
  private static let neutralGoalCode = "unspecified"

  /// The message as an attachment, in a thread whose parent is the invitation.
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
