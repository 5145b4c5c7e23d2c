import AgencyWire
import DIDComm
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// Accounts, settings and remembered requests in every kind of store.
@Suite struct StoredSettingsTests {
  @Test(arguments: StoreKind.allCases)
  func aTokenGivesOneAgent(kind: StoreKind) throws {
    let store = try Store(kind)
    let sponsorship = Sponsorship(sponsorID: "bank", sponseeID: "1", marks: [[1], [2]], expiry: 1_700_000_600)
    func provision(_ owner: VerKey, _ sponsorship: Sponsorship?) throws -> Provisioned {
      try store.storage.provision(owner, ownerDID: owner.did, sponsorship, orElse: Store.newKey())
    }
    let owner = KeyPair().verkey
    guard case .agent(let agent) = try provision(owner, sponsorship) else { throw Store.Unexpected() }
    #expect(agent.state == .created && agent.sponsorID == "bank")
    #expect(try provision(owner, sponsorship) == .agent(agent))
    #expect(try provision(KeyPair().verkey, sponsorship) == .tokenUsed)
    for marks: [[UInt8]] in [[[1], [9]], [[9], [2]]] {
      let alike = Sponsorship(sponsorID: "bank", sponseeID: "1", marks: marks, expiry: 1_700_000_600)
      #expect(try provision(KeyPair().verkey, alike) == .tokenUsed)
    }
    let other = Sponsorship(sponsorID: "bank", sponseeID: "1", marks: [[3]], expiry: 1_700_000_600)
    #expect(try provision(owner, other) == .keyInUse)
    let second = KeyPair().verkey
    guard case .agent = try provision(second, other) else { throw Store.Unexpected() }
    #expect(try provision(owner, other) == .tokenUsed, "by another account")
    let mixed = Sponsorship(sponsorID: "bank", sponseeID: "1", marks: [[1], [3]], expiry: 1_700_000_600)
    for key in [owner, second] { #expect(try provision(key, mixed) == .tokenUsed) }
    #expect(try provision(store.agent.owner, nil) == .keyInUse)
    #expect(try store.storage.setState(.created, of: store.agent))
    var created = store.agent
    created.state = .created
    #expect(try provision(store.agent.owner, nil) == .agent(created))
  }

  @Test(arguments: StoreKind.allCases)
  func settingsHaveLimits(kind: StoreKind) throws {
    let store = try Store(kind)
    func set(_ id: String, _ kind: WireComMethod.Kind, _ value: String = "v") throws -> Bool {
      try store.storage.setComMethod(WireComMethod(id: id, kind: kind, value: value), of: store.agent, limit: 2)
    }
    #expect(try set("a", .webhook) && set("b", .push))
    #expect(try !set("c", .webhook))
    #expect(try set("a", .webhook, "new"))
    // Of this kind there is one: the new one takes its place.
    #expect(try set("c", .push))
    #expect(try set("a", .webhook, "") && set("d", .webhook))
    let configs = [Config(name: "name", value: "a"), Config(name: "logoUrl", value: "b")]
    #expect(try store.storage.setConfigs(configs, of: store.agent, limit: 2))
    #expect(try store.storage.setConfigs([Config(name: "name", value: "c")], of: store.agent, limit: 2))
    #expect(try !store.storage.setConfigs([Config(name: "more", value: "d")], of: store.agent, limit: 2))
  }

  /// A user has one phone and one name at the sponsor, and may register many programs and apps of the sponsor.
  @Test(arguments: StoreKind.allCases)
  func anAccountHasOneMethodOfSomeKindsAndManyOfOthers(kind: StoreKind) throws {
    for (method, count) in [(WireComMethod.Kind.push, 1), (.sponsor, 1), (.webhook, 2), (.sponsorPush, 2)] {
      let store = try Store(kind)
      for id in ["a", "b"] {
        let method = WireComMethod(id: id, kind: method, value: id)
        #expect(try store.storage.setComMethod(method, of: store.agent, limit: 9))
      }
      #expect(try store.deliver("x") == .stored(notifications: count), "\(method)")
    }
  }

  /// The operator may have lowered the limit since.
  @Test(arguments: StoreKind.allCases)
  func aRefusedMethodReplacesNone(kind: StoreKind) throws {
    let store = try Store(kind)
    func set(_ id: String, _ kind: WireComMethod.Kind, limit: Int) throws -> Bool {
      try store.storage.setComMethod(WireComMethod(id: id, kind: kind, value: id), of: store.agent, limit: limit)
    }
    #expect(try set("a", .webhook, limit: 3) && set("b", .webhook, limit: 3) && set("old", .push, limit: 3))
    #expect(try !set("new", .push, limit: 2))
    #expect(try store.deliver("x") == .stored(notifications: 3))
    let methods = try store.storage.takeNotifications(limit: 9, lease: 0).map(\.method.id).sorted()
    #expect(methods == ["a", "b", "old"])
  }

  @Test(arguments: StoreKind.allCases)
  func configsAreToldApartByTheirBytes(kind: StoreKind) throws {
    let store = try Store(kind)
    let alike = ["\u{e9}", "e\u{301}"].map { Config(name: $0, value: "x") }
    #expect(try !store.storage.setConfigs(alike, of: store.agent, limit: 1))
    #expect(try store.storage.setConfigs(alike + alike + alike, of: store.agent, limit: 2))
  }

  @Test(arguments: StoreKind.allCases)
  func aRequestIsRememberedFromItsFirstSight(kind: StoreKind) throws {
    let store = try Store(kind)
    #expect(try store.storage.firstSight(of: [1]) == 1_700_000_000)
    store.time.withLock { $0 += 5 }
    #expect(try store.storage.firstSight(of: [1]) == 1_700_000_000)
    #expect(try store.storage.firstSight(of: [2]) == 1_700_000_005)
  }
}
