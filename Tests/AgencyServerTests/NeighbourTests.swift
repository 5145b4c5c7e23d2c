import AgencyWire
import DIDComm
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// Two accounts with the same possessions in one store: no call for one of them changes or limits the other.
@Suite struct NeighbourTests {
  /// An account with a mailbox, a read and an unread message, com methods, a config, a note and a backup.
  private struct Household {
    let account: Account
    let mailbox: Mailbox
    let recovery: Recovery
  }

  /// An account as the store shows it.
  private struct View: Equatable {
    let summary: AccountSummary?
    let dids: [String]
    let messages: [KeptMessage]
    let notes: [Note]
    let backup: FoundBackup
    let cloudAddress: [UInt8]?
    let notifications: [Notification]
  }

  private let store: Store
  private let own: Household
  private let neighbour: Household
  private var storage: any Storage { store.storage }

  init() throws {
    store = try Store(.sqlite)
    own = try Self.furnish(store.agent, store.mailbox, in: store)
    let account = try Store.agent(in: store.storage)
    neighbour = try Self.furnish(account, Store.mailbox(of: account, in: store.storage), in: store)
  }

  private static func furnish(_ account: Account, _ mailbox: Mailbox, in store: Store) throws -> Household {
    let storage = store.storage
    #expect(try storage.setState(.created, of: account))
    let hook = WireComMethod(id: "hook", kind: .webhook, value: account.party.did)
    let phone = WireComMethod(id: "phone", kind: .push, value: "FCM:shared")
    for method in [hook, phone] { #expect(try storage.setComMethod(method, of: account, limit: 2)) }
    #expect(try storage.setConfigs([Config(name: account.party.did, value: "b")], of: account, limit: 1))
    for text in ["read", "unread"] {
      #expect(try storage.deliver(store.mail(text), to: mailbox, quota: Quota()) == .stored(notifications: 2))
      guard text == "read" else { continue }
      let uids = try messages(of: account, in: storage).map(\.uid)
      let read = WireConnectionUIDs(pairwiseDID: mailbox.forDID.text, uids: uids)
      #expect(try storage.setStatus("MS-106", of: [read], of: account).map(\.uids) == [uids])
    }
    let recovery = Recovery(key: KeyPair().verkey, address: .randomUUID(), cloudAddress: Array(account.party.did.utf8))
    #expect(try storage.keep(recovery, of: account, note("ready")))
    #expect(try storage.keep(backup(recovery.cloudAddress), of: account, note("stored")))
    return Household(account: account, mailbox: mailbox, recovery: recovery)
  }

  private static func note(_ type: String) -> Note { Note(uid: .randomUUID(), type: type) }

  private static func backup(_ bytes: [UInt8]) -> StoredBackup { StoredBackup(wallet: bytes, digest: sha256(bytes)) }

  private static func messages(of account: Account, in storage: any Storage) throws -> [KeptMessage] {
    let scope = MessageSelection.Scope.agent(account, pairwiseDIDs: [])
    return try storage.messages(MessageSelection(scope: scope, filter: WireMessageFilter(), budget: 100_000)).messages
  }

  private func view(of household: Household) throws -> View {
    let account = household.account
    return View(
      summary: try storage.accounts(after: 0, limit: 9).first { $0.id == account.id },
      dids: try storage.pairwiseDIDs(of: account, among: []), messages: try Self.messages(of: account, in: storage),
      notes: try storage.notes(of: account), backup: try storage.backup(of: account, under: household.recovery.key),
      cloudAddress: try storage.cloudAddress(at: household.recovery.address),
      notifications: try storage.takeNotifications(limit: 100, lease: 0).filter { $0.agentID == account.id })
  }

  private func group(_ household: Household) throws -> WireConnectionUIDs {
    let uids = try Self.messages(of: household.account, in: storage).map(\.uid)
    return WireConnectionUIDs(pairwiseDID: household.mailbox.forDID.text, uids: uids)
  }

  private func change(_ step: Step) throws {
    let account = own.account
    switch step {
    case .state: #expect(try storage.setState(.registered, of: account))
    case .visit: try storage.noteVisit(of: account)
    case .lock: #expect(try storage.setLock(true, ofAccount: account.party.did))
    case .removal: #expect(try storage.deleteAccount(account.party.did))
    case .closing: try storage.delete(own.mailbox)
    case .delivery:
      #expect(try storage.deliver(store.mail("new"), to: own.mailbox, quota: Quota()) == .stored(notifications: 2))
    case .reading:
      let (mine, uids) = (try group(own), try group(neighbour).uids)
      let both = WireConnectionUIDs(pairwiseDID: mine.pairwiseDID, uids: mine.uids + uids)
      #expect(try storage.setStatus("MS-105", of: [both], of: account).map(\.uids) == [mine.uids])
    case .readQuota:
      var quota = Quota()
      quota.messages = 0
      _ = try storage.setStatus("MS-106", of: [group(own)], of: account, quota: quota)
      #expect(try group(own).uids.isEmpty)
    case .methodRemoval:
      #expect(try storage.setComMethod(WireComMethod(id: "hook", kind: .webhook, value: ""), of: account, limit: 2))
    case .otherPhone:
      #expect(try storage.setComMethod(WireComMethod(id: "tablet", kind: .push, value: "FCM:x"), of: account, limit: 2))
    case .recovery:
      let next = Recovery(key: KeyPair().verkey, address: .randomUUID(), cloudAddress: [1])
      #expect(try storage.keep(next, of: account, Self.note("ready")))
    case .backups:
      for number in UInt8(0)..<20 { #expect(try storage.keep(Self.backup([number]), of: account, Self.note("stored"))) }
    case .note: try storage.leave(Self.note("ready"), for: account)
    case .settlement, .postponement, .unregistration:
      let taken = try storage.takeNotifications(limit: 100, lease: 0).first {
        $0.agentID == account.id && $0.method.id == "phone"
      }
      let notification = try #require(taken)
      guard step != .unregistration else { return try storage.unregister(notification) }
      try storage.settle(notification, retryAt: step == .settlement ? nil : store.time.withLock { $0 } + 60)
    }
  }

  enum Step: CaseIterable {
    case state, visit, lock, removal, closing, delivery, reading, readQuota, methodRemoval, otherPhone, recovery
    case backups, note, settlement, postponement, unregistration
  }

  @Test(arguments: Step.allCases) func aChangeOfAnAccountLeavesItsNeighbourAsItWas(step: Step) throws {
    let (before, mine) = (try view(of: neighbour), try view(of: own))
    #expect(before.notifications.count == 8 && before.messages.map(\.status) == ["MS-106", "MS-103"])
    #expect(Set(before.notifications.map(\.method.value)) == [neighbour.account.party.did, "FCM:shared"])
    store.time.withLock { $0 += 3600 }
    try change(step)
    #expect(try view(of: neighbour) == before)
    #expect(try view(of: own) != mine)
    let left = [Step.methodRemoval: 1, .unregistration: 1, .otherPhone: 2]
    if let count = left[step] {
      #expect(try storage.deliver(store.mail("new"), to: own.mailbox, quota: Quota()) == .stored(notifications: count))
    }
    // Notifications still go to its methods, and it may store backups.
    #expect(try storage.keep(Self.backup([99]), of: neighbour.account, Self.note("stored")))
    #expect(try storage.backup(of: neighbour.account, under: neighbour.recovery.key) == .backup(Self.backup([99])))
    #expect(try storage.backupSize(of: neighbour.account, under: neighbour.recovery.key) == 1)
    #expect(
      try storage.deliver(store.mail("last"), to: neighbour.mailbox, quota: Quota()) == .stored(notifications: 2))
  }

  @Test func aNeighboursPossessionsTakeNoRoom() throws {
    let account = own.account
    #expect(try storage.setComMethod(WireComMethod(id: "phone", kind: .push, value: "FCM:x"), of: account, limit: 2))
    #expect(try !storage.setComMethod(WireComMethod(id: "b", kind: .webhook, value: "http://b"), of: account, limit: 2))
    #expect(try storage.setConfigs([Config(name: account.party.did, value: "c")], of: account, limit: 1))
    #expect(try !storage.setConfigs([Config(name: "b", value: "c")], of: account, limit: 1))
    let key = KeyPair().verkey
    #expect(
      try storage.mailbox(of: account, for: key.did, key, limit: 1, orElse: Store.newKey()) == .tooMany)
    // A closed mailbox takes no room either.
    try storage.delete(own.mailbox)
    guard case .mailbox = try storage.mailbox(of: account, for: key.did, key, limit: 1, orElse: Store.newKey()) else {
      throw Store.Unexpected()
    }
  }

  /// Nobody takes the recovery of another account, by its key or by its address.
  @Test func aRecoveryBelongsToOneAccount() throws {
    let (key, address) = (neighbour.recovery.key, neighbour.recovery.address)
    let before = try view(of: neighbour)
    let thefts = [
      Recovery(key: key, address: .randomUUID(), cloudAddress: [1]),
      Recovery(key: KeyPair().verkey, address: address, cloudAddress: [1]),
    ]
    for theft in thefts { #expect(try !storage.keep(theft, of: own.account, Self.note("ready"))) }
    #expect(try storage.backup(of: own.account, under: key) == .unknownKey)
    #expect(try storage.backupSize(of: own.account, under: key) == 0)
    #expect(try view(of: neighbour) == before)
    // The owner of a key gives it another dead drop.
    let moved = Recovery(key: own.recovery.key, address: .randomUUID(), cloudAddress: [2])
    #expect(try storage.keep(moved, of: own.account, Self.note("ready")))
    #expect(try storage.cloudAddress(at: moved.address) == [2])
    #expect(try storage.cloudAddress(at: own.recovery.address) == nil)
  }
}
