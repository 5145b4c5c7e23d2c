import JSON

@testable import AgencyServer
@testable import AgencyWire
@testable import Aries

extension FuzzTarget {
  /// Everything that clients and agencies tell each other, as both read it, and the messages of mediators.
  static let answers = FuzzTarget("answers") { input in
    _ = WireRefusal(body: input)
    guard let object = try? JSON(parsing: input).object else { return }
    for kind in agencyMessages { try checkReading(kind, object) }
    try checkMediator(.object(object))
    if let token = try? ProvisionToken(object) {
      _ = token.isSignedByItsKey
      _ = token.marks
      _ = try? Admission().check(token, at: 0)
    }
  }

  /// A grant reads as it was stored, and a collection ends if a mediator gives the same answer for ever.
  private static func checkMediator(_ json: JSON) throws {
    guard let message = try? MediatorMessage(json) else { return }
    if case .grant(let grant) = message {
      try expect((try? MediationGrant(grant.stored)) == grant, "a grant reads otherwise when it was stored")
    }
    for way in [PickupWay.acknowledged, .implicit(batches: true)] {
      var run = PickupRun(way, limit: 10)
      var requests = 0
      while run.next(after: requests == 0 ? nil : .message(message), id: "r") != nil, requests < 100 { requests += 1 }
      try expect(requests < 100, "a collection does not end")
    }
  }

  private static let agencyMessages: [any AgencyMessage.Type] = [
    Connect.self, Connected.self, SignUp.self, SignedUp.self, CreateAgent.self, AgentCreated.self, CreateKey.self,
    KeyCreated.self, GetMessages.self, Messages.self, GetMessagesByConnections.self, MessagesByConnections.self,
    UpdateMessageStatus.self, MessageStatusUpdated.self, UpdateConnectionStatus.self, ConnectionStatusUpdated.self,
    UpdateComMethod.self, ComMethodUpdated.self, UpdateConfigs.self, GetUpgradeInfo.self, UpgradeInfo.self,
    CreateSponsoredAgent.self, SponsoredAgentCreated.self, ProvisioningProblem.self, GetToken.self, TokenSent.self,
  ]

  private static func checkReading<Kind: AgencyMessage>(_ kind: Kind.Type, _ object: JSONObject) throws {
    guard let message = try? Kind(object) else { return }
    let again = try? Kind(JSON(parsing: message.json(type: "x").bytes).requireObject())
    try expect(again == message, "\(Kind.name) reads otherwise when it was written")
  }
}
