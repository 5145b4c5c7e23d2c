import AgencyWire
import Dispatch
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// Two programs on one store, of every kind.
@Suite struct StorageConcurrencyTests {
  /// Calls `body` on many threads, half of them with the store as another process has opened it.
  private func together(_ store: Store, _ count: Int, _ body: @escaping @Sendable (Int, any Storage) throws -> Void)
    throws
  {
    let storages = [store.storage, try store.reopened()]
    let failures = Locked<[String]>([])
    let finished = DispatchSemaphore(value: 0)
    for number in 0..<count {
      Threads.shared.post {
        do { try body(number, storages[number % 2]) } catch { failures.withLock { $0.append("\(error)") } }
        finished.signal()
      }
    }
    for _ in 0..<count { finished.wait() }
    #expect(failures.withLock { $0 } == [])
  }

  @Test(arguments: StoreKind.allCases)
  func anAccountThatManyMakeAtOnceIsMadeOnce(kind: StoreKind) throws {
    let store = try Store(kind)
    let (owner, pairwise) = (KeyPair().verkey, KeyPair().verkey)
    let found = Locked<(agents: Set<String>, mailboxes: Set<String>)>(([], []))
    try together(store, 24) { _, storage in
      let agent = try Store.agent(in: storage, of: owner)
      let mailbox = try Store.mailbox(of: agent, in: storage, for: pairwise)
      found.withLock {
        $0.agents.insert(agent.party.did)
        $0.mailboxes.insert(mailbox.party.did)
      }
    }
    #expect(found.withLock { $0.agents.count } == 1)
    #expect(found.withLock { $0.mailboxes.count } == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func oneTokenWithManyKeysAtOnceGivesOneAgent(kind: StoreKind) throws {
    let store = try Store(kind)
    let outcomes = Locked<[Bool]>([])
    try together(store, 16) { _, storage in
      let owner = KeyPair().verkey
      let sponsorship = Sponsorship(sponsorID: "bank", sponseeID: "1", marks: [[7], [8]], expiry: 2_000_000_000)
      let outcome = try storage.provision(owner, ownerDID: owner.did, sponsorship, orElse: Store.newKey())
      outcomes.withLock { $0.append(outcome != .tokenUsed) }
    }
    #expect(outcomes.withLock { $0.count { $0 } } == 1)
  }

  /// The others keep the recovery key that they had.
  @Test(arguments: StoreKind.allCases)
  func aRecoveryKeyThatManyAccountsSetAtOnceIsOneAccounts(kind: StoreKind) throws {
    let store = try Store(kind)
    for round in 0..<8 {
      let accounts = try (0..<12).map { _ in try Store.agent(in: store.storage) }
      for account in accounts {
        let own = Recovery(key: account.party.verkey, address: account.party.did, cloudAddress: [0])
        #expect(try store.storage.keep(own, of: account, Note(uid: .randomUUID(), type: "ready")))
      }
      let wanted = Recovery(key: KeyPair().verkey, address: "address \(round)", cloudAddress: [1])
      let winners = Locked<[Int]>([])
      try together(store, accounts.count) { number, storage in
        if try storage.keep(wanted, of: accounts[number], Note(uid: .randomUUID(), type: "ready")) {
          winners.withLock { $0.append(number) }
        }
      }
      #expect(winners.withLock { $0.count } == 1)
      for (number, account) in accounts.enumerated() {
        let isWinner = winners.withLock { $0.contains(number) }
        let backup = StoredBackup(wallet: [1], digest: [2])
        let key = isWinner ? wanted.key : account.party.verkey
        #expect(
          try store.storage.keep(backup, under: key, of: account, Note(uid: .randomUUID(), type: "stored")) == .kept)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theSameMessageManyTimesAtOnceIsKeptOnce(kind: StoreKind) throws {
    let store = try Store(kind)
    let stored = Locked(0)
    try together(store, 40) { number, storage in
      let delivery = try storage.deliver(store.mail("\(number / 8)"), to: store.mailbox, quota: Quota())
      if delivery == .stored(notifications: 0) { stored.withLock { $0 += 1 } }
    }
    #expect(stored.withLock { $0 } == 5)
    #expect(try store.texts().sorted() == ["0", "1", "2", "3", "4"])
  }

  @Test(arguments: StoreKind.allCases)
  func theIdentityThatManyMakeAtOnceIsOne(kind: StoreKind) throws {
    let (store, found) = (try Store(kind), Locked<Set<String>>([]))
    try together(store, 16) { _, storage in
      let verkey = KeyPair().verkey
      let identity = try storage.identity(orElse: Identity(verkey: verkey, sealedKey: SealedKey([1])))
      found.withLock { _ = $0.insert(identity.verkey.text) }
    }
    #expect(found.withLock { $0.count } == 1)
  }

  /// Each is for one agency, so that nobody is notified twice.
  @Test(arguments: StoreKind.allCases)
  func aNotificationThatManyTakeAtOnceIsTakenOnce(kind: StoreKind) throws {
    let (store, taken) = (try Store(kind), Locked<[Int64]>([]))
    let hook = WireComMethod(id: "hook", kind: .webhook, value: "http://example.com")
    #expect(try store.storage.setComMethod(hook, of: store.agent, limit: 1))
    for number in 0..<60 { try store.deliver("\(number)") }
    try together(store, 30) { _, storage in
      let ids = try storage.takeNotifications(limit: 4, lease: 60).map(\.id)
      taken.withLock { $0 += ids }
    }
    let ids = taken.withLock { $0 }
    #expect(!ids.isEmpty && Set(ids).count == ids.count)
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func limitsOfSettingsHoldWhenManyComeAtOnce(kind: StoreKind, areConfigs: Bool) throws {
    let (store, count) = (try Store(kind), Locked(0))
    try together(store, 40) { number, storage in
      let isSet =
        try areConfigs
        ? storage.setConfigs([Config(name: "\(number)", value: "x")], of: store.agent, limit: 5)
        : storage.setComMethod(
          WireComMethod(id: "\(number)", kind: .webhook, value: "http://example.com"), of: store.agent, limit: 5)
      if isSet { count.withLock { $0 += 1 } }
    }
    #expect(count.withLock { $0 } == 5)
  }

  @Test(arguments: StoreKind.allCases)
  func limitsHoldWhenManyComeAtOnce(kind: StoreKind) throws {
    let store = try Store(kind)
    var quota = Quota()
    quota.messages = 10
    let limit = quota
    try together(store, 40) { number, storage in
      _ = try storage.deliver(store.mail("\(number)"), to: store.mailbox, quota: limit)
      _ = try storage.mailbox(
        of: store.agent, for: KeyPair().verkey.did, KeyPair().verkey, limit: 5, orElse: Store.newKey())
    }
    #expect(try store.messages().count == 10)
    #expect(try store.storage.pairwiseDIDs(of: store.agent, among: []).count == 5)
  }
}
