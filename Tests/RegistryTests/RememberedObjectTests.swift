import Foundation
import JSON
import TestSupport
import Testing
import Threading

@testable import Registry

/// The objects that are remembered, and their form.
@Suite struct RememberedObjectTests {
  private let cache = StubCache()

  /// A registry that gives this object, and answers for these ids only.
  private struct Partial: Registry {
    let stub: StubRegistry
    let ids: [String]

    func supports(_ id: String) -> Bool { ids.contains(id) }
    func schema(_ id: String) throws(RegistryError) -> JSON { try stub.schema(id) }
    func definition(_ id: String) throws(RegistryError) -> JSON { try stub.definition(id) }
    func revocationRegistry(_ id: String) throws(RegistryError) -> JSON { try stub.revocationRegistry(id) }
    func statusList(_ id: String, at time: Int64) throws(RegistryError) -> JSON { try stub.statusList(id, at: time) }
  }

  private struct Forgetful: RegistryCache {
    func find(_ kind: ObjectKind, _ id: String) -> String? { nil }
    func keep(_ text: String, _ kind: ObjectKind, _ id: String, at time: Int64) {}
  }

  private func registries(
    _ configured: [any Registry], cache: (any RegistryCache)? = nil, publisher: (any Publisher)? = nil
  ) -> Registries {
    Registries(cache: cache ?? self.cache, now: { 1_800_000_000 }, publisher: { _ in publisher }) { configured }
  }

  private func giving(_ object: JSON) -> StubRegistry { StubRegistry { _ throws(RegistryError) in object } }

  @Test func theMemoryServesWithoutTheCache() throws {
    let registry = try giving(Objects.json("schema"))
    let all = registries([registry], cache: Forgetful())
    for _ in 0..<3 { _ = try all.schema(Objects.schemaID) }
    #expect(registry.calls == 1)
  }

  @Test(arguments: ["no JSON", "{}", "[]", #"{"name":"degree"}"#]) func aBrokenCopyIsFetchedAgain(text: String) throws {
    cache.keep(text, .schema, Objects.schemaID, at: 0)
    let registry = try giving(Objects.json("schema"))
    #expect(try registries([registry]).schema(Objects.schemaID).json == Objects.json("schema"))
    #expect(registry.calls == 1)
  }

  @Test func anObjectIsKeptWithTheTime() throws {
    let all = try registries([giving(Objects.json("schema"))], publisher: Taking())
    _ = try all.schema(Objects.schemaID)
    #expect(cache.time(.schema, Objects.schemaID) == 1_800_000_000)
    try all.publish(Objects.json("cred_def"), .definition, Objects.definitionID)
    #expect(cache.time(.definition, Objects.definitionID) == 1_800_000_000)
  }

  @Test func anObjectOfANetworkIsKeptAsItIs() throws {
    let did = "did:indy:sovrin:\(Objects.issuer)"
    var schema = try Objects.json("schema")
    schema["issuerId"] = .string(did)
    let id = "\(did)/anoncreds/v0/SCHEMA/degree/1.0"
    _ = try registries([giving(schema)]).schema(id)
    #expect(try JSON(parsing: #require(cache.find(.schema, id))) == schema)
    #expect(try registries([]).schema(id).json == schema)
    let other = "https://example.com/schema"
    _ = try registries([giving(schema)]).schema(other)
    #expect(try JSON(parsing: #require(cache.find(.schema, other))) == schema)
    #expect(try registries([]).schema(other).json == schema)
  }

  @Test func onlyTheRegistriesOfAnIDAreAsked() throws {
    let (first, second) = (try giving(Objects.json("schema")), try giving(Objects.json("schema")))
    let all = registries([Partial(stub: first, ids: ["other"]), Partial(stub: second, ids: [Objects.schemaID])])
    #expect(all.isConfigured && !registries([]).isConfigured)
    _ = try all.schema(Objects.schemaID)
    #expect(first.calls == 0 && second.calls == 1)
    #expect(throws: RegistryFailure(.schema, "did:web:x/s", .notConfigured)) { try all.schema("did:web:x/s") }
  }

  /// A prover may choose an id that no registry will ever have, and the verifier has to come to a verdict.
  @Test func anObjectOfAMalformedIDIsNotThere() throws {
    let all = registries([Partial(stub: StubRegistry(), ids: ["other"])])
    for id in ["x", "", "V4SGRU86Z58d6TV7PBUe6f:9:a:1"] {
      #expect(throws: RegistryFailure(.schema, id, .notFound)) { try all.schema(id) }
      #expect(throws: RegistryFailure(.schema, id, .notConfigured)) { try registries([]).schema(id) }
    }
  }

  /// Two ids that look the same are two ids.
  @Test func anIDIsItsBytes() throws {
    let registry = try giving(Objects.json("schema"))
    let all = registries([registry])
    for id in ["https://example.com/caf\u{e9}", "https://example.com/cafe\u{301}"] { _ = try all.schema(id) }
    #expect(registry.calls == 2)
  }

  // MARK: Registries that are open to all

  private func open(_ object: JSON) -> StubRegistry {
    StubRegistry(isOpenToAll: true) { _ throws(RegistryError) in object }
  }

  @Test func anObjectOfAnOpenRegistryIsKeptOnceItWasOfUse() throws {
    let registry = try open(Objects.json("schema"))
    let all = registries([registry])
    for _ in 0..<3 { _ = try all.schema(Objects.schemaID) }
    #expect(registry.calls == 1 && cache.find(.schema, Objects.schemaID) == nil)
    all.keep(.definition, Objects.schemaID)
    all.keep(.schema, "another")
    #expect(cache.find(.schema, Objects.schemaID) == nil)
    all.keep(.schema, Objects.schemaID)
    #expect(try JSON(parsing: #require(cache.find(.schema, Objects.schemaID)))["name"] == "degree")
    #expect(try registries([]).schema(Objects.schemaID).json == Objects.json("schema"))
  }

  /// Thirty objects of a megabyte are more than the memory of objects that were of no use yet.
  @Test func thePresentationOfAStrangerFillsNeitherWalletNorMemory() throws {
    let filling = String(repeating: "x", count: 1 << 20)
    let registry = try open(Objects.json("schema").with(["more": .string(filling)]))
    let all = registries([registry])
    let ids = (0..<30).map { "https://example.com/schema/\($0)" }
    for id in ids { _ = try all.schema(id) }
    _ = try all.schema(ids[29])
    #expect(registry.calls == 30)
    _ = try all.schema(ids[0])
    #expect(registry.calls == 31, "the oldest object was forgotten")
    for id in ids { all.keep(.schema, id) }
    #expect(ids.allSatisfy { cache.find(.schema, $0) == nil }, "an object of this size is not kept for ever")
  }

  // MARK: The number of a schema

  private func definition(naming schema: String) throws -> JSON {
    try Objects.json("cred_def").with(["schemaId": .string(schema)])
  }

  @Test func aDefinitionWithTheNumberOfItsSchemaIsFetchedAnew() throws {
    try cache.keep(definition(naming: "12").toIndy(Objects.definitionID).text, .definition, Objects.definitionID, at: 0)
    let registry = try giving(definition(naming: Objects.schemaID))
    let all = registries([registry])
    #expect(try all.definition(Objects.definitionID).json["schemaId"] == "12")
    for _ in 0..<2 {
      #expect(try all.definitionNamingSchema(Objects.definitionID).json["schemaId"]?.string == Objects.schemaID)
    }
    #expect(registry.calls == 1)
    #expect(
      try registries([]).definitionNamingSchema(Objects.definitionID).json["schemaId"]?.string == Objects.schemaID)
  }

  @Test func aDefinitionWhoseSchemaIsNotKnownIsAWrongAnswer() throws {
    let registry = try giving(definition(naming: "12"))
    let all = registries([registry])
    #expect(throws: RegistryFailure(.definition, Objects.definitionID, .invalid("its schema is not known"))) {
      try all.definitionNamingSchema(Objects.definitionID)
    }
    #expect(try all.definition(Objects.definitionID).json["schemaId"] == "12")
  }

  // MARK: Publishing

  private struct Taking: Publisher {
    func number(ofSchema id: String) throws(PublicationError) -> Int64 { 7 }
    func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) {}
    func publish(_ update: StatusUpdate) throws(PublicationError) {}
    func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String {
      "tails of \(hash)"
    }
  }

  @Test func aPublishedObjectIsRemembered() throws {
    let registry = StubRegistry()
    let all = registries([registry], publisher: Taking())
    try all.publish(Objects.json("schema"), .schema, Objects.schemaID)
    #expect(try all.schema(Objects.schemaID).json == Objects.json("schema"))
    #expect(registry.calls == 0 && cache.find(.schema, Objects.schemaID) != nil)
    #expect(try all.number(ofSchema: "x") == 7)
    #expect(try all.publish(tails: "/x", hash: "h", of: "r") == "tails of h")
  }

  private struct Refusing: Publisher {
    func number(ofSchema id: String) throws(PublicationError) -> Int64 { throw .refused("no") }
    func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError) { throw .refused("no") }
    func publish(_ update: StatusUpdate) throws(PublicationError) { throw .refused("no") }
    func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String {
      throw .refused("no")
    }
  }

  @Test(arguments: [ObjectKind.schema, .definition, .revocationRegistry])
  func anObjectThatIsNotPublishedIsNotRemembered(kind: ObjectKind) throws {
    let all = registries([], publisher: Refusing())
    #expect(throws: PublicationFailure(.object(kind), Objects.id(kind), .refused("no"))) {
      try all.publish(Objects.object(kind), kind, Objects.id(kind))
    }
    #expect(cache.find(kind, Objects.id(kind)) == nil)
    #expect(throws: RegistryFailure(kind, Objects.id(kind), .notConfigured)) {
      switch kind {
      case .schema: try all.schema(Objects.schemaID)
      case .definition: try all.definition(Objects.definitionID)
      case .revocationRegistry: try all.revocationRegistry(Objects.registryID)
      }
    }
  }

  @Test func aPublishedStatusReplacesTheRememberedOnes() throws {
    let (registry, list) = (
      try giving(Objects.json("rev_reg_def")), try #require(Objects.json("rev_status_lists").array?.first)
    )
    registry.answerLists { _ in list }
    let all = registries([registry], publisher: Taking())
    for _ in 0..<2 { _ = try all.statusList(of: Objects.registryID, at: 1_700_005_000) }
    #expect(registry.calls == 2)
    try all.publish(StatusUpdate(registryID: "another", list: list))
    _ = try all.statusList(of: Objects.registryID, at: 1_700_005_000)
    #expect(registry.calls == 2)
    try all.publish(StatusUpdate(registryID: Objects.registryID, list: list))
    _ = try all.statusList(of: Objects.registryID, at: 1_700_005_000)
    #expect(registry.calls == 3)
  }

  @Test func withoutALedgerThereIsNoEndorser() throws {
    let all = registries([], publisher: Taking())
    let transaction = IndyTransaction(["identifier": "a"])
    #expect(throws: PublicationFailure(.transaction, "a", .notConfigured)) { try all.endorse(transaction) }
    #expect(throws: PublicationFailure(.object(.schema), "x", .notConfigured)) {
      try all.prepare([:], .schema, "x", for: "e")
    }
    #expect(throws: PublicationFailure(.statusList, "r", .notConfigured)) {
      try all.prepare(StatusUpdate(registryID: "r", list: [:]), for: "e")
    }
  }

  // MARK: Status lists

  @Test func theNewestListsOfARegistryAreRemembered() {
    var memory = StatusListMemory()
    for number: Int64 in 0..<20 {
      let list = PublicObject(["timestamp": .integer(number * 10)])
      memory.keep(list, of: "r", at: number * 10 + 5, now: 1_000_000)
    }
    let known = (0..<20).map { memory.list(of: "r", at: $0 * 10 + 1, now: 2_000_000)?.json["timestamp"]?.integer }
    #expect(known == [nil, nil, nil, nil] + (4..<20).map { $0 * 10 })
    memory.keep(PublicObject([:]), of: "r", at: 1, now: 1_000_000)
    #expect(memory.list(of: "r", at: 1, now: 2_000_000) == nil)
    memory.forget("r")
    #expect(memory.list(of: "r", at: 191, now: 2_000_000) == nil)
  }

  /// Ledgers may still add to the last minute.
  @Test func aListOfTheLastMinuteIsNotSettled() {
    var memory = StatusListMemory()
    memory.keep(PublicObject(["timestamp": 100]), of: "r", at: 1_000, now: 1_000)
    let known = [99, 100, 940, 941, 999].map { memory.list(of: "r", at: $0, now: 2_000) != nil }
    #expect(known == [false, true, true, false, false])
  }

  /// A failure that comes first does not decide.
  @Test func aSlowAnswerGoesBeforeAFastFailure() throws {
    let (failed, schema) = (Monitor(false), try Objects.json("schema"))
    let down = StubRegistry { _ throws(RegistryError) in
      failed.withLock { $0 = true }
      throw .unreachable("down")
    }
    let slow = StubRegistry { _ throws(RegistryError) in
      failed.wait { $0 ? () : nil }
      usleep(50_000)
      return schema
    }
    #expect(try registries([down, slow]).schema(Objects.schemaID).json == schema)
  }

  @Test(arguments: [(19, false), (20, true), (21, true)]) func aStatusListHasAPlaceForEachCredential(
    count: Int, isEnough: Bool
  ) throws {
    let (registry, list) = (
      try giving(Objects.json("rev_reg_def")),
      try #require(Objects.json("rev_status_lists").array?.first).with([
        "revocationList": .array([JSON](repeating: 0, count: count))
      ])
    )
    registry.answerLists { _ in list }
    let all = registries([registry])
    if isEnough {
      #expect(try all.statusList(of: Objects.registryID, at: 1_700_005_000).json == list)
    } else {
      let error = RegistryError.invalid("the status list does not have 20 entries of 0 or 1")
      #expect(throws: RegistryFailure(.revocationRegistry, Objects.registryID, error)) {
        try all.statusList(of: Objects.registryID, at: 1_700_005_000)
      }
    }
  }
}
