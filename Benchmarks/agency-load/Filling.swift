import AgencyServer
import AgencyWire
import DIDComm
import Files
import Sodium
import Threading
import Time

/// Fills the store of a stopped agency through its own storage. HTTP would bring the same accounts, keys and envelopes,
/// but take longer.
struct Filling {
  let storage: any Storage
  let masterKey: MasterKey
  let load: Load

  init(dataFolder: String, database: String?, load: Load) throws {
    try Files.makeDirectory(dataFolder)
    let location = StorageLocation(database: database, dataFolder: dataFolder)
    (storage, masterKey) = try MasterKeyFile(dataFolder: dataFolder).open(location, clock: systemClock)
    self.load = load
  }

  /// An account with one mailbox, and its owner's keys.
  struct AccountSummary: Sendable {
    let keys: KeyPair
    let pairwise: KeyPair
    let agent: Account
    let mailbox: Mailbox
  }

  struct Refused: Error {}

  /// The address of a message, and the keys that it is packed for.
  struct Target: Sendable {
    let mailbox: Mailbox
    let verkey: VerKey
  }

  /// Makes `count` accounts. Keeps the keys of some of them, to be used as clients: locked memory does not hold a
  /// hundred thousand.
  func makeAccounts(_ count: Int, keeping kept: Int) throws -> (accounts: [AccountSummary], targets: [Target]) {
    let made = Locked((accounts: [AccountSummary](), targets: [Target]()))
    _ = try load.run(count: count) { _ in
      let account = try makeAccount()
      made.withLock { made in
        if made.accounts.count < kept { made.accounts.append(account) }
        made.targets.append(Target(mailbox: account.mailbox, verkey: account.pairwise.verkey))
      }
    }
    return made.withLock { ($0.accounts, $0.targets) }
  }

  private func makeAccount() throws -> AccountSummary {
    let (keys, pairwise) = (KeyPair(), KeyPair())
    let provisioned = try storage.provision(keys.verkey, ownerDID: keys.verkey.did, nil, orElse: masterKey.newKey())
    guard case .agent(let agent) = provisioned else { throw Refused() }
    let creation = try storage.mailbox(
      of: agent, for: pairwise.verkey.did, pairwise.verkey, limit: 1, orElse: masterKey.newKey())
    guard case .mailbox(let mailbox) = creation else { throw Refused() }
    return AccountSummary(keys: keys, pairwise: pairwise, agent: agent, mailbox: mailbox)
  }

  func queueMessages(_ count: Int, of text: [UInt8], for targets: [Target]) throws {
    _ = try load.run(count: count) { number in
      let target = targets[number % targets.count]
      let payload = try Envelope.pack(text, for: [target.verkey], from: nil)
      let mail = Mail(uid: .randomUUID(), payload: payload, digest: sha256(payload), arrival: systemClock())
      guard case .stored = try storage.deliver(mail, to: target.mailbox, quota: Quota()) else { throw Refused() }
    }
  }
}
