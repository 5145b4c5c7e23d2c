internal import AgencyWire
package import DIDComm
internal import JSON
package import Sodium

extension AgencyClient {
  package var accountDID: String { agent.did }

  package func backupPlace(of key: KeyPair) throws -> BackupPlace {
    let locator = DeadDrop.locator(of: key)
    let names: JSON = ["version": .null, "agent_did": .string(agent.did), "agent_vk": .string(agent.verkey.text)]
    let cloudAddress: JSON = ["version": "1.0", "data": names]
    return BackupPlace(
      address: DeadDrop.address(of: key.verkey, locator: locator), locator: locator,
      cloudAddress: try Envelope.pack(cloudAddress.bytes, for: [key.verkey]))
  }

  package func beginBackup(at place: BackupPlace, under key: VerKey) throws {
    let request = InitBackup(recoveryVerKey: key.text, address: place.address, cloudAddress: place.cloudAddress)
    try conflicting(.recoveryKeyTaken) {
      try channel.send(request, from: owner, to: agent, through: (agent, owner))
    }
  }

  package func storeBackup(_ wallet: [UInt8], under key: VerKey) throws {
    try conflicting(.recoveryKeyReplaced) {
      let request = BackUpWallet(wallet: wallet, recoveryVerKey: key.text)
      try channel.send(request, from: owner, to: agent, through: (agent, owner))
    }
  }

  /// Replaces the agency's status 409 by `meaning`.
  private func conflicting(_ meaning: CloudAgentError, _ body: () throws -> Void) throws {
    do { try body() } catch CloudAgentError.refused(status: 409, _) { throw meaning }
  }

  package func newestBackup(under key: KeyPair) throws -> BackupSearch {
    let drop: DeadDropResult = try channel.request(
      RetrieveDeadDrop(of: key), from: owner, to: channel.agency, through: (agent, owner))
    guard let sealed = drop.data else { return .unknownKey }
    let keeper = try Self.agent(in: sealed, key)
    do {
      let restored: BackupRestored = try channel.request(
        RestoreBackup(), from: key.verkey, to: keeper, through: (agent, owner), maximumAnswer: Self.maximumBackup)
      return .found(restored.wallet)
    } catch CloudAgentError.refused(status: 400, let refusal?) where refusal.statusCode == Self.nothingStored {
      return .empty
    }
  }

  /// The agency's code for a recovery key without a backup.
  private static let nothingStored = "GNR-111"

  /// The size limit of an answer with a backup: base64 in an envelope.
  private static let maximumBackup = 12 << 20

  /// The Cloud Agent that a cloud address names.
  private static func agent(in sealed: [UInt8], _ key: KeyPair) throws(CloudAgentError) -> Party {
    do {
      let data = try JSON(parsing: Envelope(parsing: sealed).open(with: key).message).requireObject().object("data")
      return Party(did: try data.string("agent_did"), verkey: try VerKey(data.string("agent_vk")))
    } catch {
      throw .invalidAnswer("the address of the backup cannot be read: \(error)")
    }
  }
}
