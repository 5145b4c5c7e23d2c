internal import AgencyWire
package import Aries
package import DIDComm
package import JSON
internal import Logging
internal import Sodium
internal import Threading

/// A Cloud Agent at an agency of Evernym's protocol.
package struct AgencyClient: CloudAgent, MessageKeeper, BackupKeeper, Notifier, Announcer {
  let channel: AgencyChannel
  /// The user's key towards the Cloud Agent.
  let owner: VerKey
  let agent: Party
  let directory: any MailboxDirectory
  /// Whether the agency has shown that it does not know the request for the messages of several mailboxes.
  let asksOneByOne = Locked(false)

  package init(channel: AgencyChannel, owner: VerKey, agent: Party, directory: any MailboxDirectory) {
    self.channel = channel
    self.owner = owner
    self.agent = agent
    self.directory = directory
  }

  package func openMailbox(for key: VerKey) throws -> Mailbox {
    let request = CreateKey(forDID: key.did.text, forDIDVerKey: key.text)
    let answer: KeyCreated = try channel.request(request, from: owner, to: agent)
    return Mailbox(key: key, keeper: answer.agent)
  }

  package func closeMailbox(_ mailbox: Mailbox) throws {
    do {
      let request = UpdateConnectionStatus(statusCode: UpdateConnectionStatus.deleted)
      let _: ConnectionStatusUpdated = try channel.request(
        request, from: mailbox.key, to: try mailbox.agent, through: (agent, owner))
    } catch let error as CloudAgentError {
      guard Self.meansClosed(error) else { throw error }
    }
  }

  /// Agencies that have forgotten a mailbox refuse a request for it in several ways. Agencies that cannot delete answer
  /// with a trace id, as to any unknown request.
  private static func meansClosed(_ error: CloudAgentError) -> Bool {
    switch error {
    case .refused(status: 404, _): true
    case .refused(status: 500, let refusal?) where refusal.traceID != nil: true
    case .refused(_, let refusal?): ["CS-102", UpdateConnectionStatus.deleted].contains(refusal.statusCode)
    case .refused(_, nil), .unreachable, .invalidAnswer, .declined, .denied, .missingKey, .unknownMailbox, .tooMuch,
      .unable, .recoveryKeyTaken, .recoveryKeyReplaced:
      false
    }
  }

  @discardableResult
  package func checkHealth() throws -> Int64? { try channel.checkIdentity().time }

  package func service(of mailbox: Mailbox) throws -> Service {
    Service(
      recipientKeys: [mailbox.key], routingKeys: [try mailbox.agent.verkey, channel.agency.verkey],
      endpoint: channel.messageURL)
  }

  package func agents(of mailbox: Mailbox) throws -> (keeper: Party, agency: Party)? {
    (try mailbox.agent, channel.agency)
  }

  package var access: MessageAccess { .kept(by: self) }

  package var backups: (any BackupKeeper)? { self }

  package var notifier: (any Notifier)? { self }

  package var announcer: (any Announcer)? { self }

  package func setComMethod(_ method: ComMethod) throws {
    let answer: ComMethodUpdated = try channel.request(
      UpdateComMethod(method: WireComMethod(method)), from: owner, to: agent)
    guard answer.id == method.id else { throw CloudAgentError.invalidAnswer("it is about another com method") }
  }

  package func setStatus(_ status: MessageStatus, of messages: [ConnectionUIDs]) throws {
    let request = UpdateMessageStatus(
      statusCode: status.code, connections: messages.map(WireConnectionUIDs.init))
    let answer: MessageStatusUpdated = try channel.request(request, from: owner, to: agent)
    for failure in answer.failed {
      Log.warning("the status of a connection's messages was not set: \(failure.statusCode.prefix(16))")
    }
  }
}

extension AgencyChannel {
  /// Registers `owner` at the agency and returns its new Cloud Agent. This is the older form of provisioning, in three
  /// requests.
  package func provision(owner: VerKey) throws -> Party {
    let connect = Connect(fromDID: owner.did.text, fromDIDVerKey: owner.text)
    let connected: Connected = try request(connect, from: owner, to: agency)
    let _: SignedUp = try request(SignUp(), from: owner, to: connected.agent)
    let created: AgentCreated = try request(CreateAgent(), from: owner, to: connected.agent)
    return created.agent
  }
}

extension AgencyChannel {
  /// Registers `owner` at the agency with a sponsor's token and returns its new Cloud Agent. A repetition with the same
  /// key and token gives the same Cloud Agent if the agency remembers the request.
  package func provision(owner: VerKey, token: SponsorToken) throws -> Party {
    let thread = String.randomUUID()
    let message = CreateSponsoredAgent(
      token: token.token, fromDID: owner.did.text, fromVerKey: owner.text, thread: thread)
    let created: SponsoredAgentCreated = try request(message, from: owner, to: agency)
    guard [thread, ""].contains(created.thread) else {
      throw CloudAgentError.invalidAnswer("it belongs to another request")
    }
    return created.agent
  }

  /// Asks the agency for a token of a sponsor for which it signs. The request does not identify the client: `reader`
  /// may be a temporary key.
  package func token(for sponseeID: String, of sponsorID: String, reader: VerKey) throws -> JSON {
    let sent: TokenSent = try request(GetToken(sponseeID: sponseeID, sponsorID: sponsorID), from: reader, to: agency)
    return .object(sent.members)
  }
}
