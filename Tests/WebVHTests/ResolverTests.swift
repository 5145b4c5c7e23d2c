import HTTP
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import WebVH

/// Resolving over HTTP, from a server on this machine.
@Suite struct ResolverTests {
  private let host: WebHost
  private let seen = SharedVersions()
  private let clock = TestClock(now)

  private final class TestClock: Sendable {
    private let seconds: Locked<Int64>
    init(_ seconds: Int64) { self.seconds = Locked(seconds) }
    var now: Int64 { seconds.withLock { $0 } }
    func advance(_ by: Int64) { seconds.withLock { $0 += by } }
  }

  init() throws { host = try WebHost() }

  private func resolver(_ reach: HTTPClient.Reach = .anywhere) -> WebResolver {
    WebResolver(reach: reach, seen: seen, now: { [clock] in clock.now })
  }

  private func controller(parameters: [String: JSON] = [:]) throws -> (controller: DIDController, did: WebVHDID) {
    let controller = try DIDController(host.location(":a"), parameters: parameters)
    host.put(controller.log, at: "/a/did.jsonl")
    return (controller, try #require(WebVHDID(controller.did)))
  }

  @Test func aLogIsFetchedFromItsServer() throws {
    let (controller, did) = try controller()
    #expect(try resolver().log(of: did).latest.id == controller.versions[0])
    #expect(try resolver().document(of: controller.did)["id"] == .string(controller.did))
    #expect(host.requests == ["/a/did.jsonl", "/a/did.jsonl"])
  }

  @Test func theProofsOfWitnessesAreFetchedIfTheLogHasWitnesses() throws {
    let witness = KeyPair()
    let rule: JSON = ["threshold": 1, "witnesses": [["id": .string(witness.verkey.didKey)]]]
    let (controller, did) = try controller(parameters: ["witness": rule])
    #expect(throws: DIDLogError.witnesses("did-witness.json is missing")) { try resolver().log(of: did) }
    let document: JSON = ["versionId": .string(controller.versions[0])]
    let proof = try DIDController.proof(of: document, by: witness, method: witness.verkey.didURL)
    host.put(JSON.array([document.with(["proof": [proof]])]).bytes, at: "/a/did-witness.json")
    #expect(try resolver().log(of: did).latest.id == controller.versions[0])
  }

  @Test func theLogOfAnotherDIDIsRefused() throws {
    let (_, did) = try controller()
    host.put(try DIDController("example.com").log, at: "/a/did.jsonl")
    #expect(throws: DIDLogError.otherDID) { try resolver().log(of: did) }
  }

  @Test func aMissingLogIsNotFound() throws {
    let (_, did) = try controller()
    host.put(nil, at: "/a/did.jsonl")
    #expect(throws: DIDLogError.notFound) { try resolver().log(of: did) }
    host.answer(500, at: "/a/did.jsonl")
    #expect(throws: DIDLogError.unreachable("http://localhost:\(host.port): HTTP 500")) {
      try resolver().log(of: did)
    }
  }

  @Test func aLongLogIsNotReadToItsEnd() throws {
    let (_, did) = try controller()
    host.put([UInt8](repeating: 0x20, count: UnwitnessedLog.limit + 1), at: "/a/did.jsonl")
    #expect(throws: DIDLogError.unusable("the response is too large")) { try resolver().log(of: did) }
  }

  /// Another attempt gets another answer only if the server is at fault for a while.
  @Test(arguments: [(204, false), (206, false), (403, false), (408, true), (429, true), (500, true), (503, true)])
  func aStatusTellsWhetherAnotherAttemptMayHelp(status: Int, mayHelp: Bool) throws {
    let (_, did) = try controller()
    host.answer(status, at: "/a/did.jsonl")
    let reason = "http://localhost:\(host.port): HTTP \(status)"
    #expect(throws: mayHelp ? DIDLogError.unreachable(reason) : .unusable(reason)) { try resolver().log(of: did) }
  }

  @Test func onlyPublicAddressesAreAskedIfTheSettingSaysSo() throws {
    let (_, did) = try controller()
    #expect(throws: DIDLogError.unreachable("the host has no public address")) {
      try resolver(.publicAddresses).log(of: did)
    }
    #expect(host.requests.isEmpty)
  }

  // MARK: - Redirects

  @Test func aRedirectIsFollowedOnTheSameServer() throws {
    let (controller, did) = try controller()
    host.put(controller.log, at: "/b")
    host.answer(302, location: "/b", at: "/a/did.jsonl")
    #expect(try resolver().log(of: did).latest.id == controller.versions[0])
    host.answer(302, location: "/a/did.jsonl", at: "/a/did.jsonl")
    #expect(throws: DIDLogError.unusable("http://localhost:\(host.port): it redirects too often")) {
      try resolver().log(of: did)
    }
  }

  @Test func aRedirectToAnotherServerIsRefused() throws {
    let (controller, did) = try controller()
    let other = try WebHost()
    other.put(controller.log, at: "/a/did.jsonl")
    for target in ["http://localhost:\(other.port)/a/did.jsonl", "http://127.0.0.1:\(host.port)/b"] {
      host.answer(302, location: target, at: "/a/did.jsonl")
      #expect(throws: DIDLogError.unusable("http://localhost:\(host.port): it redirects to another server")) {
        try resolver().log(of: did)
      }
    }
    #expect(other.requests.isEmpty)
  }

  // MARK: - Memory

  @Test func aLogIsRememberedAsLongAsItSays() throws {
    let (controller, did) = try controller(parameters: ["ttl": 60])
    let resolver = resolver()
    for _ in 0..<2 { _ = try resolver.log(of: did) }
    clock.advance(59)
    _ = try resolver.log(of: did)
    #expect(host.requests.count == 1)
    clock.advance(1)
    _ = try resolver.log(of: did)
    #expect(host.requests.count == 2)
    _ = try resolver.log(of: did, fromServer: true)
    #expect(host.requests.count == 3)
    #expect(seen.latest(of: controller.scid) == controller.versions[0])
  }

  /// A log serves the objects of one presentation, and a key that was removed counts no more after an hour.
  @Test(arguments: [(0, 10), (1_000_000, 3600)] as [(JSON, Int64)])
  func aLogIsRememberedForTenSecondsAtLeastAndForAnHourAtMost(ttl: JSON, life: Int64) throws {
    let (_, did) = try controller(parameters: ["ttl": ttl])
    let resolver = resolver()
    for _ in 0..<3 { _ = try resolver.log(of: did) }
    clock.advance(life - 1)
    _ = try resolver.log(of: did)
    #expect(host.requests.count == 1)
    clock.advance(1)
    _ = try resolver.log(of: did)
    #expect(host.requests.count == 2)
  }

  @Test func aLogThatBecomesShorterIsRefused() throws {
    var (controller, did) = try controller()
    let short = controller.log
    try controller.update()
    host.put(controller.log, at: "/a/did.jsonl")
    let resolver = resolver()
    _ = try resolver.log(of: did)
    host.put(short, at: "/a/did.jsonl")
    for again in [resolver, self.resolver()] {
      #expect(throws: DIDLogError.shortened(seen: controller.versions[1])) {
        try again.log(of: did, fromServer: true)
      }
    }
    try controller.update()
    host.put(controller.log, at: "/a/did.jsonl")
    #expect(try resolver.log(of: did, fromServer: true).versions.count == 3)
  }

  /// Two processes use one wallet. One of them has seen less than the other.
  @Test func aVersionThatAnotherProcessHasSeenIsNotTakenBack() throws {
    var (controller, did) = try controller()
    let (first, second) = (resolver(), resolver())
    _ = try first.log(of: did)
    try controller.update()
    let middle = controller.log
    try controller.update()
    host.put(controller.log, at: "/a/did.jsonl")
    _ = try second.log(of: did)
    host.put(middle, at: "/a/did.jsonl")
    for each in [first, second, resolver()] {
      #expect(throws: DIDLogError.shortened(seen: controller.versions[2])) {
        try each.log(of: did, fromServer: true)
      }
    }
    #expect(seen.latest(of: controller.scid) == controller.versions[2])
  }

  /// Another process keeps a later version between the look at the kept version and the change.
  @Test func aLaterVersionOfAnotherProcessIsNotReplaced() throws {
    var (controller, did) = try controller()
    let short = controller.log
    try controller.update()
    let (wallet, newest) = (seen, controller.versions[1])
    let racing = RacingVersions(wallet: wallet) { scid in _ = wallet.keep(newest, of: scid, insteadOf: nil, at: 0) }
    host.put(short, at: "/a/did.jsonl")
    let resolver = WebResolver(reach: .anywhere, seen: racing)
    #expect(throws: DIDLogError.shortened(seen: newest)) { try resolver.log(of: did) }
    #expect(seen.latest(of: controller.scid) == newest)
  }

  /// A wallet in which another process makes a change just after the first look.
  private struct RacingVersions: SeenVersions {
    let wallet: SharedVersions
    let change: @Sendable (_ scid: String) -> Void

    func latest(of scid: String) -> String? {
      let found = wallet.latest(of: scid)
      if found == nil { change(scid) }
      return found
    }

    func keep(_ version: String, of scid: String, insteadOf former: String?, at time: Int64) -> Bool {
      wallet.keep(version, of: scid, insteadOf: former, at: time)
    }
  }

  @Test func aLogThatForksIsRefused() throws {
    var (controller, did) = try controller()
    var other = controller
    try controller.update()
    host.put(controller.log, at: "/a/did.jsonl")
    let resolver = resolver()
    _ = try resolver.log(of: did)
    try other.update(document: ["alsoKnownAs": ["https://example.com"]])
    try other.update()
    host.put(other.log, at: "/a/did.jsonl")
    for again in [resolver, self.resolver()] {
      #expect(throws: DIDLogError.forked(seen: controller.versions[1])) { try again.log(of: did, fromServer: true) }
    }
  }

  // MARK: - Documents

  @Test func aDeactivatedDIDHasOnlyFormerDocuments() throws {
    var (controller, _) = try controller()
    try controller.update(parameters: ["deactivated": true])
    host.put(controller.log, at: "/a/did.jsonl")
    #expect(throws: DIDLogError.deactivated) { try resolver().document(of: controller.did) }
    let document = try resolver().document(of: "\(controller.did)?versionNumber=1")
    #expect(document["id"] == .string(controller.did))
  }

  /// A peer proves a key of the present document, and a key that was removed stands for nobody.
  @Test func theDocumentIsTheServersAlsoWithinTheHour() throws {
    var (controller, did) = try controller()
    let resolver = resolver()
    _ = try resolver.log(of: did)
    try controller.update(document: ["alsoKnownAs": ["https://example.com"]])
    host.put(controller.log, at: "/a/did.jsonl")
    #expect(try resolver.document(of: did.text)["alsoKnownAs"] == ["https://example.com"])
  }

  @Test func theDocumentOfADIDOfTheMethodWebIsAFile() throws {
    let did = "did:web:\(host.location())"
    #expect(throws: DIDLogError.notFound) { try resolver().document(of: did) }
    host.put(JSON.object(["id": .string(did), "service": []]).bytes, at: "/.well-known/did.json")
    #expect(try resolver().document(of: did)["service"] == [])
    host.put(JSON.object(["id": "did:web:example.com"]).bytes, at: "/.well-known/did.json")
    #expect(throws: DIDLogError.malformedDocument) { try resolver().document(of: did) }
    #expect(throws: DIDLogError.malformedDID) { try resolver().document(of: "did:example:1") }
  }

  // MARK: - Resources

  private func fetch(_ id: String, with resolver: WebResolver? = nil) throws -> AttestedResource {
    let id = try #require(ResourceID(id))
    return try (resolver ?? self.resolver()).resource(id, type: "anonCredsSchema", limit: 10_000)
  }

  private func path(_ id: String) -> String { "/a/" + id.split(separator: "/").dropFirst().joined(separator: "/") }

  @Test func aResourceIsItsContentUnderItsHash() throws {
    let (controller, _) = try controller()
    let links: JSON = [["id": "x", "type": "y", "timestamp": 7], ["id": "z"], 1]
    let (id, resource) = try controller.resource(["name": "degree"], type: "anonCredsSchema", links: links)
    #expect(throws: ResourceError.notFound) { try fetch(id) }
    host.put(resource.bytes, at: path(id))
    let fetched = try fetch(id)
    #expect(fetched.content == ["name": "degree"])
    #expect(fetched.links.map(\.id) == ["x"] && fetched.links.first?.timestamp == 7)
    host.put(resource.with(["content": ["name": "other"]]).bytes, at: path(id))
    #expect(throws: ResourceError.otherDigest) { try fetch(id) }
  }

  @Test(
    arguments: [
      ["id": "did:x"], ["metadata": .null], ["metadata": ["resourceType": "anonCredsCredDef"]], ["content": []],
      ["links": []], ["proof": .null], ["proof": []], ["proof": ["type": "x"]], ["@context": []], ["more": 1],
    ] as [[String: JSON]])
  func aChangedResourceIsRefused(change: [String: JSON]) throws {
    let (controller, _) = try controller()
    let (id, resource) = try controller.resource(["name": "degree"], type: "anonCredsSchema")
    host.put(resource.with(change).bytes, at: path(id))
    #expect(throws: ResourceError.self) { try fetch(id) }
  }

  @Test func theResourceIdIsTheHash() throws {
    let (controller, _) = try controller()
    let (id, resource) = try controller.resource(["name": "degree"], type: "anonCredsSchema") {
      $0["metadata"]?["resourceId"] = "zQm"
    }
    host.put(resource.bytes, at: path(id))
    #expect(throws: ResourceError.otherDigest) { try fetch(id) }
  }

  @Test func onlyAKeyForAssertionsOfTheDocumentSigns() throws {
    let (controller, _) = try controller()
    let stranger = KeyPair()
    let did = controller.did
    for (signer, method) in [
      (stranger, "\(did)#key-1"), (stranger, stranger.verkey.didURL), (controller.key, controller.key.verkey.didURL),
      (controller.key, "did:webvh:\(controller.scid):example.com#key-1"), (controller.key, "\(did)#key-2"),
      (controller.key, did), (controller.key, "\(did)#"),
    ] {
      let (id, resource) = try controller.resource(
        ["name": "degree"], type: "anonCredsSchema", by: signer, method: method)
      host.put(resource.bytes, at: path(id))
      #expect(throws: ResourceError.notSigned) { try fetch(id) }
    }
    let (id, resource) = try controller.resource(["name": "degree"], type: "anonCredsSchema", method: "#key-1")
    host.put(resource.bytes, at: path(id))
    _ = try fetch(id)
    let others = try controller.resource(["name": "degree"], type: "anonCredsSchema", by: stranger).resource["proof"]
    host.put(resource.with(["proof": [others ?? .null, resource["proof"] ?? .null]]).bytes, at: path(id))
    _ = try fetch(id)
  }

  /// The remembered document is older than the key of a new resource.
  @Test func aNewKeyCountsAtOnceAndARemovedKeyNoMore() throws {
    var (controller, _) = try controller()
    let resolver = resolver()
    let (id, old) = try controller.resource(["name": "degree"], type: "anonCredsSchema")
    host.put(old.bytes, at: path(id))
    _ = try fetch(id, with: resolver)
    let next = KeyPair()
    let document = DIDController.document(controller.did, next.verkey)
    try controller.update(document: ["verificationMethod": document["verificationMethod"] ?? .null])
    host.put(controller.log, at: "/a/did.jsonl")
    host.put(
      try controller.resource(["name": "degree"], type: "anonCredsSchema", by: next).resource.bytes, at: path(id))
    _ = try fetch(id, with: resolver)
    host.put(old.bytes, at: path(id))
    #expect(throws: ResourceError.notSigned) { try fetch(id, with: resolver) }
  }

  @Test func aKeyWithoutTheRightToAssertSignsNothing() throws {
    let controller = try DIDController(
      host.location(":a"), document: ["assertionMethod": [], "authentication": ["#key-1"]])
    host.put(controller.log, at: "/a/did.jsonl")
    let (id, resource) = try controller.resource(["name": "degree"], type: "anonCredsSchema")
    host.put(resource.bytes, at: path(id))
    #expect(throws: ResourceError.notSigned) { try fetch(id) }
  }

  @Test func aDeactivatedDIDHasNoResources() throws {
    var (controller, _) = try controller()
    let (id, resource) = try controller.resource(["name": "degree"], type: "anonCredsSchema")
    host.put(resource.bytes, at: path(id))
    try controller.update(parameters: ["deactivated": true])
    host.put(controller.log, at: "/a/did.jsonl")
    #expect(throws: ResourceError.deactivated) { try fetch(id) }
  }
}
