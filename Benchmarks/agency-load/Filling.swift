import AgencyServer
import AgencyWire
import DIDComm
import Files
import Sodium
import Threading

/// Fills the store of an agency that is not running, through its own storage: the accounts, keys and envelopes are what
/// HTTP would have brought, without the time that it takes.
struct Filling {
  let storage: any Storage
  let masterKey: MasterKey
  let load: Load

  init(dataFolder: String, database: String?, load: Load) throws {
    try Files.makeDirectory(dataFolder)
    masterKey = MasterKey(try KeyFile(path: dataFolder + "/master.key", count: MasterKey.length).loadOrCreate())
    storage =
      if let database {
        try PostgreSQLStorage(database, clock: systemClock)
      } else {
        try SQLiteStorage(path: dataFolder + "/agency.db", clock: systemClock)
      }
    self.load = load
  }

  /// An account with one mailbox, and its owner's keys.
  struct Account: Sendable {
    let keys: KeyPair
    let pairwise: KeyPair
    let agent: Agent
    let mailbox: PairwiseAgent
  }

  struct Refused: Error {}

  func makeAccounts(_ count: Int) throws -> [Account] {
    let accounts = Locked<[Account]>([])
    _ = try load.run(count: count) { _ in
      let account = try makeAccount()
      accounts.withLock { $0.append(account) }
    }
    return accounts.withLock { $0 }
  }

  private func makeAccount() throws -> Account {
    let (keys, pairwise) = (KeyPair(), KeyPair())
    let provisioned = try storage.provision(keys.verkey, ownerDID: keys.verkey.did, nil, orElse: masterKey.newKey())
    guard case .agent(let agent) = provisioned else { throw Refused() }
    let creation = try storage.mailbox(
      of: agent, for: pairwise.verkey.did, pairwise.verkey, limit: 1, orElse: masterKey.newKey())
    guard case .mailbox(let mailbox) = creation else { throw Refused() }
    return Account(keys: keys, pairwise: pairwise, agent: agent, mailbox: mailbox)
  }

  func queueMessages(_ count: Int, of text: [UInt8], in accounts: [Account]) throws {
    _ = try load.run(count: count) { number in
      let account = accounts[number % accounts.count]
      let payload = try Envelope.pack(text, for: [account.pairwise.verkey], from: nil)
      let mail = Mail(uid: .randomUUID(), payload: payload, digest: sha256(payload), arrival: systemClock())
      guard case .stored = try storage.deliver(mail, to: account.mailbox, quota: Quota()) else { throw Refused() }
    }
  }
}
