import AgencyWire
import DIDComm
import Sodium
import TestSupport
import Testing
import Threading
import Time

@testable import AgencyServer

/// The removal of old messages and mailboxes.
@Suite struct RetentionTests {
  @Test func onlyOldRowsAreRemoved() throws {
    let folder = try TemporaryFolder()
    let start: Int64 = 1_700_000_000
    let time = Locked(start)
    let clock: Clock = { time.withLock { $0 } }
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: clock)
    let agency = try Agency(
      storage: storage, masterKey: MasterKey(SecretBytes(random: MasterKey.length)), clock: clock)
    let owner = KeyPair().verkey
    let agent = try #require(try account(storage, owner))
    let mailbox = try #require(try mailbox(storage, agent))
    let deleted = try #require(try self.mailbox(storage, agent))
    try storage.delete(deleted)
    let unfinished = KeyPair().verkey
    _ = try storage.agent(of: unfinished, ownerDID: unfinished.did, orElse: agency.masterKey.newKey())
    for text in ["read", "unread"] { _ = try storage.deliver(mail(text, start), to: mailbox, quota: Quota()) }
    let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID.text, uids: ["read"])
    _ = try storage.setStatus("MS-106", of: [read], of: agent)
    let kept = {
      try storage.messages(MessageSelection(scope: .mailbox(mailbox), filter: WireMessageFilter(), budget: 1)).messages
        .count
    }

    time.withLock { $0 = start + 24 * 3600 - 1 }
    #expect(try agency.sweep() == 0)
    time.withLock { $0 = start + 24 * 3600 }
    #expect(try agency.sweep() == 2)  // the message that was read, the agent that was never finished
    #expect(try kept() == 1)
    time.withLock { $0 = start + 30 * 86_400 }
    #expect(try agency.sweep() == 1)  // the tombstone
    #expect(try storage.destination(of: #require(Address(deleted.party.did))) == nil)
    time.withLock { $0 = start + 90 * 86_400 }
    #expect(try agency.sweep() == 1)
    #expect(try kept() == 0)
    #expect(try storage.destination(of: #require(Address(mailbox.party.did))) == .mailbox(mailbox))
  }

  private func account(_ storage: any Storage, _ owner: VerKey) throws -> Account? {
    let provisioned = try storage.provision(owner, ownerDID: owner.did, nil, orElse: newKey())
    guard case .agent(let agent) = provisioned else { return nil }
    return agent
  }

  private func mailbox(_ storage: any Storage, _ agent: Account) throws -> Mailbox? {
    let verkey = KeyPair().verkey
    let creation = try storage.mailbox(of: agent, for: verkey.did, verkey, limit: 10, orElse: newKey())
    guard case .mailbox(let mailbox) = creation else { return nil }
    return mailbox
  }

  private func newKey() -> NewKey { NewKey(verkey: KeyPair().verkey, sealedKey: SealedKey([])) }

  private func mail(_ text: String, _ arrival: Int64) -> Mail {
    Mail(uid: text, payload: Array(text.utf8), digest: sha256(Array(text.utf8)), arrival: arrival)
  }
}
