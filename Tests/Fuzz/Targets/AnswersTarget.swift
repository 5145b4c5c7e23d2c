import JSON

@testable import AgencyServer
@testable import AgencyWire

extension FuzzTarget {
  /// Everything that clients and agencies tell each other, as both read it.
  static let answers = FuzzTarget("answers") { input in
    _ = WireRefusal(body: input)
    guard let object = try? JSON(parsing: input).object else { return }
    for kind in agencyMessages { try checkReading(kind, object) }
    if let token = try? ProvisionToken(object) {
      _ = token.isSignedByItsKey
      _ = token.marks
      _ = try? Admission().check(token, at: 0)
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
