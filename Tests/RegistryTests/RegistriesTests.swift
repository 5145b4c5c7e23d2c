import IndyVDR
import JSON
import TestSupport
import Testing
import Threading

@testable import Registry

@Suite struct RegistriesTests {
  private let cache = StubCache()
  private let clock = StubClock(1_800_000_000)

  private func registries(_ registries: StubRegistry...) -> Registries {
    Registries(cache: cache, now: { [clock] in clock.now }, configured: { registries })
  }

  /// A registry that has everything.
  private func registry() -> StubRegistry {
    StubRegistry { id throws(RegistryError) in
      let kind: ObjectKind =
        switch id {
        case Objects.schemaID: .schema
        case Objects.definitionID: .definition
        default: .revocationRegistry
        }
      guard let object = try? Objects.object(kind) else { throw .unreachable("no fixture") }
      return object
    }
  }

  @Test func anObjectIsFetchedOnce() throws {
    let registry = registry()
    let all = registries(registry)
    for _ in 1...3 { #expect(try all.schema(Objects.schemaID).json == Objects.json("schema")) }
    #expect(registry.calls == 1)
    #expect(try JSON(parsing: all.schema(Objects.schemaID).text) == Objects.json("schema"))
  }

  /// The list of a later registry may be from before a revocation.
  @Test func aRegistryThatCannotBeAskedForItsListKeepsTheLaterOnesFromDeciding() throws {
    let (first, second) = (registry(), registry())
    let all = registries(first, second)
    let lists = try #require(Objects.json("rev_status_lists").array)
    second.answerLists { _ in lists[0] }
    first.answerLists { _ throws(RegistryError) in throw .unreachable("no answer") }
    let failure = #expect(throws: RegistryFailure.self) {
      try all.statusList(of: Objects.registryID, at: 1_700_000_000)
    }
    #expect(failure?.error == .unreachable("no answer"))
    first.answerLists { _ throws(RegistryError) in throw .notFound }
    #expect(try all.statusList(of: Objects.registryID, at: 1_700_000_000).json == lists[0])
  }

  /// More threads ask the registry that does not answer than one registry gets.
  @Test func aRegistryThatDoesNotAnswerHoldsUpNoOther() throws {
    let (waiting, isOver) = (Monitor(0), Monitor(false))
    let dead = StubRegistry { _ throws(RegistryError) in
      waiting.withLock { $0 += 1 }
      isOver.wait { $0 ? () : nil }
      throw .unreachable("no answer")
    }
    let healthy = StubRegistry { id throws(RegistryError) in
      guard id == Objects.schemaID, let schema = try? Objects.object(.schema) else { throw .notFound }
      return schema
    }
    let (all, callers, ended) = (registries(healthy, dead), Threads(limit: 70), Monitor(0))
    for number in 0..<70 {
      callers.post {
        _ = try? all.definition("V4SGRU86Z58d6TV7PBUe6f:3:CL:\(number):x")
        ended.withLock { $0 += 1 }
      }
    }
    waiting.wait { $0 >= 64 ? () : nil }
    #expect(try all.schema(Objects.schemaID).json == Objects.json("schema"))
    isOver.withLock { $0 = true }
    ended.wait { $0 == 70 ? () : nil }
  }

  @Test func theCacheServesALaterProcessWithoutARegistry() throws {
    let first = registries(registry())
    _ = (
      try first.schema(Objects.schemaID), try first.definition(Objects.definitionID),
      try first.revocationRegistry(Objects.registryID)
    )
    let later = registries()
    #expect(try later.schema(Objects.schemaID).json == Objects.json("schema"))
    #expect(try later.definition(Objects.definitionID).json == Objects.json("cred_def"))
    #expect(try later.revocationRegistry(Objects.registryID).json == Objects.json("rev_reg_def"))
  }

  @Test func theCacheHasObjectsInIndysForm() throws {
    _ = try registries(registry()).schema(Objects.schemaID)
    let kept = try JSON(parsing: try #require(cache.find(.schema, Objects.schemaID)))
    #expect(kept["id"]?.string == Objects.schemaID)
    #expect(kept["issuerId"] == nil)
  }

  @Test func aCachedObjectOfAnotherIDIsFetchedAgain() throws {
    var other = try Objects.json("schema")
    other["name"] = "other"
    cache.keep(other.toIndy(Objects.schemaID).text, .schema, Objects.schemaID, at: 0)
    #expect(try registries(registry()).schema(Objects.schemaID).json == Objects.json("schema"))
  }

  @Test func aWrongAnswerIsNeitherGivenNorKept() throws {
    let registry = StubRegistry { _ throws(RegistryError) in ["name": "other"] }
    #expect(throws: RegistryFailure.self) { try registries(registry).schema(Objects.schemaID) }
    #expect(cache.find(.schema, Objects.schemaID) == nil)
  }

  @Test func aFailureIsRememberedForFiveSeconds() throws {
    let registry = StubRegistry { _ throws(RegistryError) in throw .unreachable("down") }
    let all = registries(registry)
    for _ in 1...3 {
      #expect(throws: RegistryFailure(.schema, Objects.schemaID, .unreachable("down"))) {
        try all.schema(Objects.schemaID)
      }
    }
    #expect(registry.calls == 1)
    registry.answer { _ throws(RegistryError) in
      guard let schema = try? Objects.json("schema") else { throw .unreachable("no fixture") }
      return schema
    }
    clock.advance(4)
    #expect(throws: RegistryFailure.self) { try all.schema(Objects.schemaID) }
    clock.advance(1)
    #expect(try all.schema(Objects.schemaID).json == Objects.json("schema"))
  }

  @Test func withoutARegistryNothingIsConfigured() {
    #expect(throws: RegistryFailure(.schema, "x", .notConfigured)) { try registries().schema("x") }
  }

  @Test func theFirstGoodAnswerOfSeveralCounts() throws {
    let down = StubRegistry { _ throws(RegistryError) in throw .unreachable("down") }
    let lying = StubRegistry { _ throws(RegistryError) in ["name": "other"] }
    let all = registries(down, lying, registry())
    #expect(try all.schema(Objects.schemaID).json == Objects.json("schema"))
  }

  /// The first registry may have another object of this id, which counts once it can be asked.
  @Test(arguments: [RegistryError.unreachable("down"), .invalid("a page of a proxy")])
  func anObjectIsNotKeptWhileAnEarlierRegistryGivesNoAnswer(fault: RegistryError) throws {
    let schema = try Objects.json("schema")
    let other = schema.with(["attrNames": ["other"]])
    let first = StubRegistry { _ throws(RegistryError) in throw fault }
    let second = StubRegistry { _ throws(RegistryError) in other }
    let all = registries(first, second)
    for _ in 1...3 { #expect(try all.schema(Objects.schemaID).json == other) }
    #expect(second.calls == 1, "it is remembered for a moment")
    #expect(cache.find(.schema, Objects.schemaID) == nil)
    first.answer { _ throws(RegistryError) in schema }
    clock.advance(5)
    #expect(try all.schema(Objects.schemaID).json == schema)
    #expect(cache.find(.schema, Objects.schemaID) != nil)
  }

  @Test func anObjectThatEarlierRegistriesLackIsKept() throws {
    let (first, second) = (StubRegistry(), registry())
    _ = try registries(first, second).schema(Objects.schemaID)
    #expect(try registries().schema(Objects.schemaID).json == Objects.json("schema"))
  }

  /// A stranger may publish in a faster registry.
  @Test func theOrderOfTheRegistriesDecidesAndNotTheirSpeed() throws {
    let (isAsked, schema) = (Monitor(false), try Objects.json("schema"))
    let slow = StubRegistry { _ throws(RegistryError) in
      isAsked.wait(milliseconds: 10_000) { $0 ? () : nil }
      return schema
    }
    let fast = StubRegistry { _ throws(RegistryError) in
      isAsked.withLock { $0 = true }
      var other = schema
      other["attrNames"] = ["other"]
      return other
    }
    #expect(try registries(slow, fast).schema(Objects.schemaID).json == schema)
  }

  /// Another attempt may help, also if another registry has answered.
  @Test func aRegistryThatIsAwayCountsMoreThanOneThatIsWrong() {
    let down = StubRegistry { _ throws(RegistryError) in throw .unreachable("down") }
    let lying = StubRegistry { _ throws(RegistryError) in throw .invalid("wrong") }
    for all in [registries(lying, down), registries(down, lying)] {
      #expect(throws: RegistryFailure(.schema, "x", .unreachable("down"))) { try all.schema("x") }
    }
    #expect(throws: RegistryFailure(.schema, "y", .invalid("wrong"))) {
      try registries(StubRegistry(), lying).schema("y")
    }
  }

  private static let qualified = "did:indy:sovrin:\(Objects.issuer)"

  @Test func theOnlyLedgerHasOneFormOfEachID() {
    let ledger = IndyRegistry(networks: ["sovrin", "main"]) { () throws(LedgerError) in throw .unreachable("") }
    let other = IndyRegistry(networks: ["other"]) { () throws(LedgerError) in throw .unreachable("") }
    func form(_ id: String, _ configured: [any Registry]) -> String {
      Registries(cache: cache, now: { 0 }, configured: { configured }).canonical(id)
    }
    let id = "\(Self.qualified)/anoncreds/v0/SCHEMA/degree/1.0"
    #expect(form(id, [ledger, registry()]) == Objects.schemaID)
    #expect(form(Self.qualified, [ledger]) == Objects.issuer)
    #expect(form("did:indy:main:\(Objects.issuer)", [ledger]) == Objects.issuer)
    for kept in ["did:indy:other:\(Objects.issuer)", Objects.schemaID, "did:web:x", "x", ""] {
      #expect(form(kept, [ledger]) == kept)
    }
    #expect(form(id, [ledger, other]) == id && form(id, [registry()]) == id && form(id, []) == id)
  }

  @Test func amongFailuresOneThatIsMoreThanNotFoundCounts() {
    let (empty, down) = (StubRegistry(), StubRegistry { _ throws(RegistryError) in throw .unreachable("down") })
    #expect(throws: RegistryFailure(.schema, "x", .unreachable("down"))) {
      try registries(empty, down, empty).schema("x")
    }
    #expect(throws: RegistryFailure(.schema, "y", .notFound)) { try registries(empty, empty).schema("y") }
  }

  // MARK: - Status lists

  /// A registry whose status list of 1,700,000,000 is in force for ever.
  private func registryWithLists() throws -> StubRegistry {
    let (registry, list) = (registry(), try #require(Objects.json("rev_status_lists").array?.first))
    registry.answerLists { _ in list }
    return registry
  }

  @Test func aStatusListOfTheSettledPastIsFetchedOnce() throws {
    let registry = try registryWithLists()
    let all = registries(registry)
    _ = try all.statusList(of: Objects.registryID, at: 1_700_005_000)
    let calls = registry.calls
    for time: Int64 in [1_700_000_000, 1_700_004_000, 1_700_005_000] {
      #expect(try all.statusList(of: Objects.registryID, at: time).json["timestamp"] == 1_700_000_000)
    }
    #expect(registry.calls == calls)
    _ = try all.statusList(of: Objects.registryID, at: 1_700_005_001)
    #expect(registry.calls == calls + 1)
    _ = try all.statusList(of: Objects.registryID, at: 1_699_999_999)
    #expect(registry.calls == calls + 2, "it is not the list of the time before it")
  }

  @Test func aStatusListOfTheLastMinuteServesOnlyTheSameTimeForAMinute() throws {
    let registry = try registryWithLists()
    let (all, asked) = (registries(registry), clock.now - 1)
    _ = try all.statusList(of: Objects.registryID, at: asked)
    let calls = registry.calls
    clock.advance(59)
    _ = try all.statusList(of: Objects.registryID, at: asked)
    #expect(registry.calls == calls)
    _ = try all.statusList(of: Objects.registryID, at: asked - 1)
    #expect(registry.calls == calls + 1, "the last minute is not settled")
    clock.advance(1)
    _ = try all.statusList(of: Objects.registryID, at: asked)
    #expect(registry.calls == calls + 2)
  }

  /// A revocation published later in the second of the request has the timestamp of the request.
  @Test func aStatusListOfThisSecondServesThisSecondOnly() throws {
    let registry = try registryWithLists()
    let (all, now) = (registries(registry), clock.now)
    _ = try all.statusList(of: Objects.registryID, at: now)
    let calls = registry.calls
    _ = try all.statusList(of: Objects.registryID, at: now)
    #expect(registry.calls == calls)
    clock.advance(1)
    _ = try all.statusList(of: Objects.registryID, at: now)
    #expect(registry.calls == calls + 1)
  }

  /// Its answer may lack a revocation that was published after the registry read its lists, in the same second.
  @Test func aStatusListIsAsOldAsItsRequest() throws {
    let (registry, list) = (registry(), try #require(Objects.json("rev_status_lists").array?.first))
    let (all, asked) = (registries(registry), clock.now)
    registry.answerLists { [clock] _ in
      clock.advance(1)
      return list
    }
    _ = try all.statusList(of: Objects.registryID, at: asked)
    let calls = registry.calls
    _ = try all.statusList(of: Objects.registryID, at: asked)
    #expect(registry.calls == calls + 1)
  }

  @Test func aPublishedStatusListReplacesTheRememberedOne() throws {
    let (registry, clock) = (try registryWithLists(), clock)
    let all = Registries(
      cache: cache, now: { clock.now }, publisher: { _ in WillingPublisher() }, configured: { [registry] })
    let list = try all.statusList(of: Objects.registryID, at: clock.now)
    let calls = registry.calls
    try all.publish(StatusUpdate(registryID: Objects.registryID, list: list.json))
    _ = try all.statusList(of: Objects.registryID, at: clock.now)
    #expect(registry.calls == calls + 1)
  }

  /// A reader fetches the list that is about to be replaced.
  @Test func aListThatIsReadDuringThePublicationIsReplacedToo() throws {
    let (registry, clock, during) = (try registryWithLists(), clock, Locked<(@Sendable () -> Void)?>(nil))
    let all = Registries(
      cache: cache, now: { clock.now }, publisher: { _ in InterruptedPublisher(during: during.withLock { $0 }) },
      configured: { [registry] })
    during.withLock { $0 = { _ = try? all.statusList(of: Objects.registryID, at: clock.now) } }
    defer { during.withLock { $0 = nil } }  // it holds the registries, and they hold it
    let update = try StatusUpdate(
      registryID: Objects.registryID, list: #require(Objects.json("rev_status_lists").array?.last))
    try all.publish(update)
    let calls = registry.calls
    _ = try all.statusList(of: Objects.registryID, at: clock.now)
    #expect(calls > 0 && registry.calls == calls + 1)
  }

  /// Another copy of the issuer may have published in this second, with a clock that is ahead.
  @Test func theNewestListIsAskedForEachTimeAndMayBeOfALaterTime() throws {
    let (registry, list) = (registry(), try #require(Objects.json("rev_status_lists").array?.first))
    registry.answerLists { _ in list.with(["timestamp": 1_800_086_400]) }
    let all = registries(registry)
    for calls in 2...3 {
      #expect(try all.newestStatusList(of: Objects.registryID).json["timestamp"] == 1_800_086_400)
      #expect(registry.calls == calls)
    }
    #expect(throws: RegistryFailure.self) { try all.statusList(of: Objects.registryID, at: clock.now) }
  }

  @Test func aStatusListOfAnotherRegistryIsRefused() throws {
    let registry = registry()
    var list = try #require(Objects.json("rev_status_lists").array?.first)
    list["revRegDefId"] = "other"
    registry.answerLists { [list] _ in list }
    #expect(throws: RegistryFailure.self) {
      try registries(registry).statusList(of: Objects.registryID, at: 1_700_005_000)
    }
  }
}

/// Takes everything, and keeps nothing.
private struct WillingPublisher: Publisher {
  func number(ofSchema id: String) throws(PublicationError) -> Int64 { 1 }
  func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) {}
  func publish(_ update: StatusUpdate) throws(PublicationError) {}
  func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String { path }
}

/// Does something else while it publishes.
private struct InterruptedPublisher: Publisher {
  let during: (@Sendable () -> Void)?

  func number(ofSchema id: String) throws(PublicationError) -> Int64 { 1 }
  func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) {}
  func publish(_ update: StatusUpdate) throws(PublicationError) { during?() }
  func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String { path }
}
