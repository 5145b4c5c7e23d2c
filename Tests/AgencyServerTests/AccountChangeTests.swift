import AgencyWire
import Foundation
import HTTP
import JSON
import TestSupport
import Testing
import Time

@testable import AgencyServer

/// The operator's changes of accounts, and settings that are read again.
@Suite struct AccountChangeTests {
  @Test(arguments: StoreKind.allCases)
  func lockedAccountsAreMarkedWithTheirMailboxes(kind: StoreKind) throws {
    let store = try Store(kind)
    let address = try #require(Address(store.agent.party.did))
    let mailbox = try #require(Address(store.mailbox.forDID.text))
    #expect(try store.storage.setLock(true, ofAccount: store.agent.party.did))
    guard case .agent(let account) = try store.storage.destination(of: address) else { throw Missing() }
    guard case .mailbox(let found) = try store.storage.destination(of: mailbox) else { throw Missing() }
    #expect(account.isLocked && found.isLocked)
    #expect(try store.storage.accounts(after: 0, limit: 9).map(\.state) == ["locked"])
    #expect(try store.storage.setLock(false, ofAccount: store.agent.party.did))
    #expect(try store.storage.accounts(after: 0, limit: 9).map(\.state) == [account.state.rawValue])
    #expect(try !store.storage.setLock(true, ofAccount: "unknown"))
  }

  /// Neither its owner, through the account or a mailbox, nor a sender.
  @Test func aLockedAccountIsNotServed() throws {
    let scene = try AliceScene()
    let (alice, mailbox) = (scene.alice, scene.mailbox)
    let storage = try SQLiteStorage(path: scene.folder.path + "/agency.db", clock: systemClock)
    defer { storage.close() }
    let fetchAll = alice.request(GetMessagesByConnections(filter: WireMessageFilter()))
    let fetch = alice.request(GetMessages(filter: WireMessageFilter()))
    func statuses() throws -> [Int] {
      [
        try alice.send(fetchAll, to: scene.agent), try alice.send(fetch, to: mailbox.party, from: mailbox.keys),
        try alice.send(fetch, to: mailbox.party, of: mailbox.keys, through: scene.agent),
        try alice.post(alice.forward("private", to: mailbox)),
      ].map(\.status)
    }
    #expect(try statuses() == [200, 200, 200, 200])
    #expect(try storage.setLock(true, ofAccount: scene.agent.did))
    #expect(try statuses() == [404, 404, 404, 404])
    #expect(try storage.setLock(false, ofAccount: scene.agent.did))
    #expect(try statuses() == [200, 200, 200, 200])
    #expect(try alice.messages(scene.agent).map(\.messages.count) == [2])
  }

  @Test(arguments: StoreKind.allCases)
  func deletedAccountsLeaveNothing(kind: StoreKind) throws {
    let store = try Store(kind)
    try store.deliver("12345")
    let mailbox = try #require(Address(store.mailbox.forDID.text))
    #expect(try store.storage.deleteAccount(store.agent.party.did))
    #expect(try store.storage.accounts(after: 0, limit: 9).isEmpty)
    #expect(try store.storage.destination(of: mailbox) == nil)
    #expect(try !store.storage.deleteAccount(store.agent.party.did))
  }

  @Test func reloadedSponsorsCountInAllCopiesOfTheRules() throws {
    let rules = Agency.Rules()
    let copy = rules
    rules.reload(try Admission(mode: .both, sponsors: [Sponsor(id: "bank")]))
    #expect(copy.admission[sponsor: "bank"] != nil && copy.admission.mode == .both)
    var other = rules
    other.admission = Admission()
    #expect(rules.admission.mode == .both, "an assignment changes one copy only")
  }

  private struct Missing: Error {}
}

/// The same through the program.
extension ProgramTests {
  @Test func settingsAreReadAgainOnSIGHUP() throws {
    let folder = try TemporaryFolder()
    let (settings, log) = (folder.path + "/agency.json", folder.path + "/log")
    try #"{"provisioning": "open"}"#.write(toFile: settings, atomically: true, encoding: .utf8)
    let process = try AgencyProcess(dataFolder: folder.path + "/data", options: ["--config", settings], log: log)
    func reload(_ text: String, expecting event: String) throws {
      try text.write(toFile: settings, atomically: true, encoding: .utf8)
      process.hangUp()
      while try !String(contentsOfFile: log, encoding: .utf8).contains(event) { usleep(10_000) }
    }
    try reload(#"{"provisioning": "both"}"#, expecting: #""provisioning":"both""#)
    try reload(#"{"provisioning": "token", "sponsors": [{"id": "x"}]}"#, expecting: "reload failed")
    #expect(try HTTPClient().get(process.endpoint + "/agency").status == 200)
    #expect(process.end() == 0)
  }

  @Test func settingsAreCheckedWithoutServing() throws {
    let folder = try TemporaryFolder()
    let settings = folder.path + "/agency.json"
    try #"{"data": "x", "provisioning": "open"}"#.write(toFile: settings, atomically: true, encoding: .utf8)
    let accepted = try run(["check-settings", "--config", settings])
    #expect(accepted.status == 0 && accepted.output == "the settings are sound\n")
    try #"{"data": "x", "limit": {}}"#.write(toFile: settings, atomically: true, encoding: .utf8)
    let refused = try run(["check-settings", "--config", settings])
    #expect(refused.status == 2 && refused.errors.contains("unknown setting: limit"))
  }

  @Test func accountsAreLockedAndDeletedBesideARunningAgency() throws {
    let folder = try TemporaryFolder()
    let process = try AgencyProcess(dataFolder: folder.path)
    for change in ["lock", "unlock", "delete"] {
      let unknown = try run([change, "5aqLX4KNM6opPGEK63P38M", "--data", folder.path])
      #expect(unknown.status == 1 && unknown.errors.contains("there is no account with this DID"))
    }
    #expect(try run(["lock", "--data", folder.path]).status == 2)
    #expect(try run(["delete", "x", "--data", folder.path + "/none"]).errors.contains("there is none"))
    #expect(process.end() == 0)
  }
}
