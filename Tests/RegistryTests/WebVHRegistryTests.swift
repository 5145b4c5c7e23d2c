import JSON
import Sodium
import TestSupport
import Testing
import WebVH

@testable import Registry

/// Public objects as attested resources, from a server on this machine.
@Suite struct WebVHRegistryTests {
  private let host: WebHost
  private let issuer: DIDController
  private let registry: WebVHRegistry
  private let seen = SharedVersions()

  init() throws {
    host = try WebHost()
    issuer = try DIDController(host.location())
    host.put(issuer.log, at: "/.well-known/did.jsonl")
    let pattern = try #require(IDPattern(nil))
    registry = WebVHRegistry(WebResolver(reach: .anywhere, seen: seen), match: pattern)
  }

  private var did: JSON { .string(issuer.did) }

  /// Publishes a resource and returns its id.
  private func publish(_ content: JSON, _ type: String, links: JSON? = nil) throws -> String {
    let (id, resource) = try issuer.resource(content, type: type, links: links)
    host.put(resource.bytes, at: "/resources/\(id.split(separator: "/").last ?? "")")
    return id
  }

  private func revocationRegistry(_ size: Int64 = 4) throws -> JSON {
    try Objects.object(.revocationRegistry).with(["issuerId": did]).replacing(
      ["value", "maxCredNum"], with: .integer(size))
  }

  private func list(_ time: Int64, of id: String, revoked: Int64 = 0, issuer: JSON? = nil) -> JSON {
    [
      "issuerId": issuer ?? did, "revRegDefId": .string(id), "timestamp": .integer(time),
      "currentAccumulator": "21 1", "revocationList": [.integer(revoked), 0, 0, 0],
    ]
  }

  private func link(_ id: String, _ time: Int64, type: String = "anonCredsStatusList") -> JSON {
    ["id": .string(id), "type": .string(type), "timestamp": .integer(time)]
  }

  @Test func objectsAreResourcesOfTheirTypes() throws {
    let schema: JSON = ["issuerId": did, "name": "degree", "version": "1.0", "attrNames": ["a"]]
    let id = try publish(schema, "anonCredsSchema")
    #expect(try registry.schema(id) == schema)
    #expect(throws: RegistryError.self) { try registry.definition(id) }
    let definition = try Objects.object(.definition).with(["issuerId": did, "schemaId": .string(id)])
    #expect(try registry.definition(publish(definition, "anonCredsCredDef")) == definition)
    let revocation = try revocationRegistry()
    #expect(try registry.revocationRegistry(publish(revocation, "anonCredsRevocRegDef")) == revocation)
    for absent in ["\(issuer.did)/resources/zQmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6", Objects.schemaID] {
      #expect(throws: RegistryError.notFound) { try registry.schema(absent) }
    }
  }

  @Test func theIssuerIsTheDIDOfTheID() throws {
    for issuer in ["did:webvh:QmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6:example.com", nil] as [JSON] {
      let schema: JSON = ["issuerId": issuer, "name": "degree", "version": "1.0", "attrNames": ["a"]]
      let id = try publish(schema, "anonCredsSchema")
      #expect(throws: RegistryError.invalid("\"issuerId\" is not the issuer that the id names")) {
        try registry.schema(id)
      }
    }
  }

  @Test func itIsAskedForItsOwnIDs() throws {
    let id = "\(issuer.did)/resources/zQmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6"
    #expect(registry.supports(id))
    for other in [issuer.did, Objects.schemaID, "did:web:example.com/x", id + "?x"] {
      #expect(!registry.supports(other))
    }
    let resolver = WebResolver(reach: .anywhere, seen: NoVersions())
    #expect(!WebVHRegistry(resolver, match: try #require(IDPattern("example"))).supports(id))
    #expect(IDPattern("(") == nil)
  }

  // MARK: - Status lists

  @Test func theListInForceIsFoundByItsTime() throws {
    let id = try publish(revocationRegistry(), "anonCredsRevocRegDef")
    #expect(throws: RegistryError.notFound) { try registry.statusList(id, at: 100) }
    let lists = [list(100, of: id), list(300, of: id, revoked: 1), list(200, of: id)]
    let links = try lists.map { list in
      link(try publish(list, "anonCredsStatusList"), list["timestamp"]?.integer ?? 0)
    }
    let others = [link("x", 50, type: "other"), ["id": "y", "type": "anonCredsStatusList"]]
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: .array(links + others))
    for (time, expected) in [(100, 0), (199, 0), (200, 2), (299, 2), (300, 1), (9999, 1)] as [(Int64, Int)] {
      #expect(try registry.statusList(id, at: time) == lists[expected])
    }
    #expect(throws: RegistryError.notFound) { try registry.statusList(id, at: 99) }
  }

  /// A registry that links to no list so far, and links to its lists of the times 100 and 200.
  private func registryWithTwoLists() throws -> (id: String, early: JSON, late: JSON) {
    let id = try publish(revocationRegistry(), "anonCredsRevocRegDef")
    let early = link(try publish(list(100, of: id), "anonCredsStatusList"), 100)
    let late = link(try publish(list(200, of: id, revoked: 1), "anonCredsStatusList"), 200)
    return (id, early, late)
  }

  @Test func aListThatWasSeenMayNotBeTakenBack() throws {
    let (id, early, late) = try registryWithTwoLists()
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [early, late])
    _ = try registry.statusList(id, at: 200)
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [early])
    #expect(throws: RegistryError.invalid("a status list that was seen before is missing")) {
      try registry.statusList(id, at: 200)
    }
    #expect(throws: RegistryError.self) { try registry.statusList(id, at: 100) }
  }

  /// The wallet keeps the time of a list that has decided, for later processes too.
  @Test func aListThatHasDecidedMayNotBeTakenBackAfterARestart() throws {
    let (id, early, late) = try registryWithTwoLists()
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [early, late])
    _ = try registry.statusList(id, at: 200)
    #expect(seen.latest(of: id) == nil)
    let registries = Registries(cache: StubCache(), now: { 1000 }, configured: { [registry] in [registry] })
    registries.keepListTime(of: id)
    #expect(seen.latest(of: id) == "200")
    _ = try registry.statusList(id, at: 150)
    registries.keepListTime(of: id)
    #expect(seen.latest(of: id) == "200", "an older list does not take the time back")
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [early])
    let pattern = try #require(IDPattern(nil))
    let restarted = WebVHRegistry(WebResolver(reach: .anywhere, seen: seen), match: pattern)
    #expect(throws: RegistryError.invalid("a status list that was seen before is missing")) {
      try restarted.statusList(id, at: 200)
    }
  }

  @Test func strangersDoNotPushOutATimeThatHasDecided() throws {
    let times = ListTimes(seen)
    times.note(200, of: "a")
    times.keep(of: "a", at: 0)
    for number in 0..<5000 { times.note(1, of: "stranger \(number)") }
    #expect(throws: RegistryError.self) { try times.require(100, of: "a") }
    #expect(throws: RegistryError.self) { try times.require(nil, of: "a") }
    try times.require(200, of: "a")
    try times.require(nil, of: "stranger 0")
    #expect(throws: RegistryError.self) { try times.require(0, of: "stranger 4999") }
    times.keep(of: "unknown", at: 0)
    #expect(seen.latest(of: "unknown") == nil)
  }

  /// The issuer has given a link milliseconds in place of seconds, and mends it.
  @Test func aLinkAheadOfTheClockIsNoTimeThatWasSeen() throws {
    let id = try publish(revocationRegistry(), "anonCredsRevocRegDef")
    let right = link(try publish(list(100, of: id), "anonCredsStatusList"), 100)
    let wrong = link("\(id)x", 4_000_000_000_000)
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [right, wrong])
    #expect(try registry.statusList(id, at: 150)["timestamp"] == 100)
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [right])
    #expect(try registry.statusList(id, at: 150)["timestamp"] == 100)
  }

  /// A server that takes a list back cannot hide that behind a list of the future.
  @Test func aLinkAheadOfTheClockHidesNoMissingList() throws {
    let (id, early, late) = try registryWithTwoLists()
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [early, late])
    _ = try registry.statusList(id, at: 200)
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [early, link("\(id)x", 4_000_000_000_000)])
    #expect(throws: RegistryError.invalid("a status list that was seen before is missing")) {
      try registry.statusList(id, at: 200)
    }
  }

  @Test func theTimeOfAListIsTheTimeOfItsLink() throws {
    let id = try publish(revocationRegistry(), "anonCredsRevocRegDef")
    let listID = try publish(list(100, of: id), "anonCredsStatusList")
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [link(listID, 50)])
    #expect(throws: RegistryError.invalid("the status list has another time than its registry says")) {
      try registry.statusList(id, at: 100)
    }
  }

  @Test func theListOfAnotherIssuerIsRefused() throws {
    let id = try publish(revocationRegistry(), "anonCredsRevocRegDef")
    let other = try DIDController(host.location(":other"))
    host.put(other.log, at: "/other/did.jsonl")
    let (listID, resource) = try other.resource(
      list(100, of: id, issuer: .string(other.did)), type: "anonCredsStatusList")
    host.put(resource.bytes, at: "/other/resources/\(listID.split(separator: "/").last ?? "")")
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [link(listID, 100)])
    #expect(throws: RegistryError.invalid("the status list is of another issuer")) {
      try registry.statusList(id, at: 100)
    }
  }

  /// All registries together check the list against its registry.
  @Test func registriesAnswerWithItsObjects() throws {
    let id = try publish(revocationRegistry(), "anonCredsRevocRegDef")
    let right = link(try publish(list(100, of: id), "anonCredsStatusList"), 100)
    let wrong = link(try publish(list(200, of: id + "x"), "anonCredsStatusList"), 200)
    _ = try publish(revocationRegistry(), "anonCredsRevocRegDef", links: [right, wrong])
    let registries = Registries(cache: StubCache(), now: { 1000 }, configured: { [registry] in [registry] })
    #expect(try registries.statusList(of: id, at: 150).json["timestamp"] == 100)
    #expect(throws: RegistryFailure.self) { try registries.statusList(of: id, at: 250) }
    #expect(try registries.revocationRegistry(id).json["issuerId"] == did)
  }

  @Test func errorsNameTheirReasons() throws {
    let id = try publish(revocationRegistry(), "anonCredsRevocRegDef")
    host.put(nil, at: "/.well-known/did.jsonl")
    #expect(throws: RegistryError.notFound) { try registry.revocationRegistry(id) }
    host.put(Array("x".utf8), at: "/.well-known/did.jsonl")
    let error = #expect(throws: RegistryError.self) { try registry.revocationRegistry(id) }
    host.put(issuer.log, at: "/.well-known/did.jsonl")
    host.answer(302, location: "https://example.com/", at: "/resources/\(id.split(separator: "/").last ?? "")")
    let elsewhere = #expect(throws: RegistryError.self) { try registry.revocationRegistry(id) }
    #expect(elsewhere?.description.hasPrefix("the answer is wrong: the answer is no resource: ") == true)
    #expect(error?.description.contains("entry 1 of the DID's log is invalid") == true)
    host.stop()
    guard case .unreachable? = #expect(throws: RegistryError.self, performing: { try registry.revocationRegistry(id) })
    else {
      Issue.record("a server that is gone is unreachable")
      return
    }
  }
}
