internal import AgencyWire
internal import DIDComm
internal import JSON

extension Agency {
  /// Serves a request of an account's owner. `envelope` is the one that carried the request.
  func answer(
    _ layer: Layer, agent: Account, envelope: Envelope, _ visit: Visit
  ) throws(RequestError) -> Answer {
    switch layer.name {
    case SignUp.name: return Answer(try signUp(agent))
    case CreateAgent.name: return Answer(try createAgent(agent))
    default: break
    }
    guard agent.state == .created else { throw .notProvisioned }
    switch layer.name {
    case CreateKey.name: return Answer(try createKey(layer.read(), agent))
    case GetMessages.name: return Answer(try notes(layer.read(), agent))
    case GetMessagesByConnections.name: return try messages(layer.read(), agent, visit)
    case UpdateMessageStatus.name: return Answer(try updateStatus(layer.read(), agent))
    case UpdateComMethod.name: return Answer(try updateComMethod(layer.read(), agent, envelope))
    case InitBackup.name: return Answer(try initBackup(layer.read(), agent, envelope))
    case BackUpWallet.name: return Answer(try backUp(layer.read(), agent, envelope))
    case UpdateConfigs.name: return Answer(try updateConfigs(layer.read(), agent, envelope))
    case GetUpgradeInfo.name:
      let _: GetUpgradeInfo = try layer.read()
      return Answer(UpgradeInfo(data: [:]))  // agents do not move between agencies here
    default: throw .unsupported(type: layer.name)
    }
  }

  /// Serves a request of a mailbox's owner.
  func answer(_ layer: Layer, mailbox: Mailbox, _ visit: Visit) throws(RequestError) -> Answer {
    guard !mailbox.isDeleted || layer.name == UpdateConnectionStatus.name else {
      throw .notFound(reason: "the mailbox was deleted")
    }
    switch layer.name {
    case GetMessages.name: return try messages(layer.read(), mailbox, visit)
    case UpdateConnectionStatus.name: return Answer(try updateConnection(layer.read(), mailbox))
    default: throw .unsupported(type: layer.name)
    }
  }

  private func createKey(_ request: CreateKey, _ agent: Account) throws(RequestError) -> any AgencyMessage {
    let (did, verkey) = try ownKey(request.forDID, request.forDIDVerKey)
    guard verkey != party.verkey else { throw .keyInUse }
    let creation = try stored { () throws(StorageError) in
      try storage.mailbox(
        of: agent, for: did, verkey, limit: rules.mailboxesPerAgent, orElse: masterKey.newKey())
    }
    switch creation {
    case .mailbox(let mailbox): return KeyCreated(agent: mailbox.party)
    case .taken: throw .keyInUse
    case .tooMany: throw .tooMany("connections")
    }
  }

  private func updateConnection(
    _ request: UpdateConnectionStatus, _ mailbox: Mailbox
  ) throws(RequestError) -> any AgencyMessage {
    guard request.statusCode == UpdateConnectionStatus.deleted else { throw .invalid("statusCode") }
    try stored { () throws(StorageError) in try storage.delete(mailbox) }
    return ConnectionStatusUpdated(statusCode: request.statusCode)
  }
}
