import IndyVDR
import JSON
import Testing

@testable import Registry

@Suite struct IndyRegistryTests {
  /// A ledger that has the replies of the fixtures.
  private struct RecordedLedger: Ledger {
    func submit(_ request: LedgerRequest) throws(LedgerError) -> JSON {
      let name =
        switch request {
        case .schema(Objects.schemaID): "get_schema"
        case .schema: "get_schema_missing"
        case .definition(Objects.definitionID): "get_cred_def"
        case .transaction(12): "get_txn_schema_by_seq"
        case .revocationRegistry(Objects.registryID): "get_revoc_reg_def"
        case .revocationState(Objects.registryID, 1_700_001_500): "get_revoc_reg_delta"
        default: ""
        }
      let reply = try? Objects.json("indy_replies")[name]?["reply"]?["result"]
      return reply ?? ["data": nil, "seqNo": nil]
    }
  }

  private let registry = IndyRegistry(networks: ["sovrin"]) { () throws(LedgerError) in RecordedLedger() }

  private func expected(_ name: String) throws -> JSON {
    try #require(Objects.json("indy_replies")[name]?["anoncreds"])
  }

  @Test func repliesBecomeTheObjectsOfAnonCreds() throws {
    #expect(try registry.schema(Objects.schemaID) == expected("get_schema"))
    #expect(try registry.definition(Objects.definitionID) == expected("get_cred_def"))
    #expect(try registry.revocationRegistry(Objects.registryID) == expected("get_revoc_reg_def"))
    #expect(try registry.statusList(Objects.registryID, at: 1_700_001_500) == expected("get_revoc_reg_delta"))
  }

  private typealias Change = @Sendable (_ request: LedgerRequest, _ result: inout JSON) -> Void

  /// A ledger with other results than those of the fixtures.
  private struct ChangedLedger: Ledger {
    let change: Change

    func submit(_ request: LedgerRequest) throws(LedgerError) -> JSON {
      var result = try RecordedLedger().submit(request)
      change(request, &result)
      return result
    }
  }

  private func registry(changing change: @escaping Change) -> IndyRegistry {
    IndyRegistry(networks: ["sovrin"]) { () throws(LedgerError) in ChangedLedger(change: change) }
  }

  /// The nodes refuse such requests, which is no fault of the network. A prover may have chosen the id.
  @Test(arguments: [Objects.definitionID, "V4SGRU86Z58d6TV7PBUe6f:2:\(String(repeating: "x", count: 257)):1.0", "x"])
  func noLedgerIsAskedForAnIDThatNoneCanHave(id: String) {
    let registry = registry { _, _ in Issue.record("the ledger is asked") }
    #expect(throws: RegistryError.notFound) { try registry.schema(id) }
    for id in [Objects.schemaID, "x"] {
      #expect(throws: RegistryError.notFound) { try registry.definition(id) }
      #expect(throws: RegistryError.notFound) { try registry.revocationRegistry(id) }
      #expect(throws: RegistryError.notFound) { try registry.statusList(id, at: 1) }
    }
  }

  @Test func aRegistryOnDemandBeginsWithNothingIssued() throws {
    let registry = registry { request, result in
      if case .revocationRegistry = request { result["data"]?["value"]?["issuanceType"] = "ISSUANCE_ON_DEMAND" }
      if case .revocationState = request {
        result["data"]?["value"]?["issued"] = [1, 20]
        result["data"]?["value"]?["revoked"] = []
      }
    }
    let list = try registry.statusList(Objects.registryID, at: 1_700_001_500)["revocationList"]?.array
    #expect(list == (0...20).map { [1, 20].contains($0) ? 0 : 1 })
  }

  @Test(arguments: [21, -1, "2"] as [JSON]) func aPlaceOutsideOfTheRegistryIsRefused(index: JSON) {
    let registry = registry { request, result in
      if case .revocationState = request { result["data"]?["value"]?["revoked"] = [index] }
    }
    #expect(throws: RegistryError.invalid("the status of the registry has a place outside of it")) {
      try registry.statusList(Objects.registryID, at: 1_700_001_500)
    }
  }

  @Test(arguments: [0, -1, 2_097_152, 1_048_577] as [JSON]) func aRegistryHasAReasonableSize(size: JSON) {
    let registry = registry { request, result in
      if case .revocationRegistry = request { result["data"]?["value"]?["maxCredNum"] = size }
    }
    #expect(throws: RegistryError.invalid("the status of the registry cannot be read")) {
      try registry.statusList(Objects.registryID, at: 1_700_001_500)
    }
  }

  @Test func aTransactionThatIsNoSchemaNamesNone() throws {
    let registry = registry { request, result in
      if case .transaction = request { result["data"]?["txn"]?["type"] = "1" }
    }
    #expect(try registry.definition(Objects.definitionID)["schemaId"] == "12")
  }

  @Test func theyPassTheChecks() throws {
    try registry.schema(Objects.schemaID).check(.schema, Objects.schemaID)
    try registry.definition(Objects.definitionID).check(.definition, Objects.definitionID)
    try registry.revocationRegistry(Objects.registryID).check(.revocationRegistry, Objects.registryID)
    try registry.statusList(Objects.registryID, at: 1_700_001_500)
      .checkStatusList(of: Objects.registryID, at: 1_700_001_500, size: 20)
  }

  @Test func idsOfDidIndyAreAskedForInTheOlderFormAndKeepTheirOwn() throws {
    let did = "did:indy:sovrin:\(Objects.issuer)"
    let ids = (
      schema: "\(did)/anoncreds/v0/SCHEMA/degree/1.0", definition: "\(did)/anoncreds/v0/CLAIM_DEF/12/default",
      registry: "\(did)/anoncreds/v0/REV_REG_DEF/12/default/r1"
    )
    let definition = try registry.definition(ids.definition)
    #expect(definition["schemaId"]?.string == ids.schema)
    try registry.schema(ids.schema).check(.schema, ids.schema)
    try definition.check(.definition, ids.definition)
    try registry.revocationRegistry(ids.registry).check(.revocationRegistry, ids.registry)
    try registry.statusList(ids.registry, at: 1_700_001_500)
      .checkStatusList(of: ids.registry, at: 1_700_001_500, size: 20)
  }

  @Test(arguments: ["2147483648", "x", "01", "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0"])
  func noLedgerIsAskedForANumberThatNoneCanHave(number: String) {
    let registry = registry { _, _ in Issue.record("the ledger is asked") }
    let id = "\(Objects.issuer):3:CL:\(number):t"
    #expect(throws: RegistryError.notFound) { try registry.definition(id) }
    #expect(throws: RegistryError.notFound) {
      try registry.revocationRegistry("\(Objects.issuer):4:\(id):CL_ACCUM:r")
    }
  }

  @Test func aNetworkHasItsOwnIDsAndTheIDsWithoutANetwork() {
    #expect(registry.supports(Objects.schemaID))
    #expect(registry.supports("did:indy:sovrin:\(Objects.issuer)/anoncreds/v0/SCHEMA/degree/1.0"))
    #expect(!registry.supports("did:indy:other:\(Objects.issuer)/anoncreds/v0/SCHEMA/degree/1.0"))
    #expect(!registry.supports("did:web:example.com"))
    let both = IndyRegistry(networks: ["sovrin", "other"]) { () throws(LedgerError) in RecordedLedger() }
    #expect(both.supports("did:indy:other:\(Objects.issuer)/anoncreds/v0/SCHEMA/degree/1.0"))
  }

  @Test func anObjectThatTheLedgerDoesNotHaveIsNotFound() {
    let (issuer, registryID) = (Objects.issuer, "\(Objects.issuer):4:\(Objects.definitionID):CL_ACCUM:none")
    #expect(throws: RegistryError.notFound) {
      try registry.schema("\(issuer):2:nope:1.0")
    }
    #expect(throws: RegistryError.notFound) {
      try registry.definition("\(issuer):3:CL:99:x")
    }
    #expect(throws: RegistryError.notFound) {
      try registry.revocationRegistry(registryID)
    }
    #expect(throws: RegistryError.notFound) {
      try registry.statusList(Objects.registryID, at: 1)
    }
  }

  @Test func aLedgerThatCannotBeReachedGivesNoAnswer() {
    let registry = IndyRegistry(networks: []) { () throws(LedgerError) in throw .unreachable("timeout") }
    #expect(throws: RegistryError.unreachable("the ledger gave no answer: timeout")) {
      try registry.schema(Objects.schemaID)
    }
  }

  @Test(arguments: [ObjectKind.schema, .definition, .revocationRegistry])
  func theFormOfTheCacheIsReadAgain(kind: ObjectKind) throws {
    let (object, id) = (try Objects.object(kind), Objects.id(kind))
    let indy = object.toIndy(id)
    #expect(indy["id"]?.string == id)
    #expect(indy["issuerId"] == nil)
    #expect(indy.fromIndy(kind, id) == object)
  }

  @Test func aRegistryHasAMillionPlacesAtMost() throws {
    for size: Int64 in [1, 1 << 20] {
      let registry = registry { request, result in
        if case .revocationRegistry = request { result["data"]?["value"]?["maxCredNum"] = .integer(size) }
        if case .revocationState = request { result["data"]?["value"]?["revoked"] = [] }
      }
      let list = try registry.statusList(Objects.registryID, at: 1_700_001_500)
      #expect(list["revocationList"]?.array?.count == Int(size) + 1)
    }
  }

  @Test func thePlacesOfTheRegistryAreCountedFromNought() throws {
    let registry = registry { request, result in
      if case .revocationState = request {
        result["data"]?["value"]?["revoked"] = [0, 20]
        result["data"]?["value"]?["issued"] = []
      }
    }
    let list = try registry.statusList(Objects.registryID, at: 1_700_001_500)["revocationList"]?.array
    #expect(list == (0...20).map { [0, 20].contains($0) ? 1 : 0 })
  }

  /// No ledger should say both. A verifier must not take such a credential for valid.
  @Test func aPlaceThatIsIssuedAndRevokedIsRevoked() throws {
    let registry = registry { request, result in
      guard case .revocationState = request else { return }
      result["data"]?["value"]?["revoked"] = [3]
      result["data"]?["value"]?["issued"] = [3, 4]
    }
    let list = try registry.statusList(Objects.registryID, at: 1_700_001_500)["revocationList"]?.array
    #expect(list == (0...20).map { $0 == 3 ? 1 : 0 })
  }

  /// The state of a registry without its parts.
  @Test(arguments: [("accum", "value"), ("txnTime", nil)] as [(String, String?)])
  func aStatusWithoutAPartIsInvalid(name: String, parent: String?) {
    let registry = registry { request, result in
      guard case .revocationState = request else { return }
      if let parent {
        result["data"]?["value"]?["accum_to"]?[parent]?[name] = nil
      } else {
        result["data"]?["value"]?["accum_to"]?[name] = nil
      }
    }
    #expect(throws: RegistryError.invalid("the status of the registry cannot be read")) {
      try registry.statusList(Objects.registryID, at: 1_700_001_500)
    }
  }

  @Test(arguments: [nil, .null, 1] as [JSON?]) func aRegistryWithoutAStatusIsNotFound(state: JSON?) {
    let registry = registry { request, result in
      if case .revocationState = request { result["data"]?["value"]?["accum_to"] = state }
    }
    #expect(throws: RegistryError.notFound) { try registry.statusList(Objects.registryID, at: 1_700_001_500) }
  }

  @Test func theNumberOfASchemaStandsForItsID() throws {
    typealias Edit = @Sendable (inout JSON) -> Void
    let edits: [Edit] = [
      { $0["data"] = nil }, { $0["data"]?["txn"] = nil }, { $0["data"]?["txn"]?["metadata"]?["from"] = nil },
      { $0["data"]?["txn"]?["metadata"]?["from"] = "no DID" }, { $0["data"]?["txn"]?["data"]?["data"]?["name"] = nil },
      { $0["data"]?["txn"]?["data"]?["data"]?["version"] = nil }, { $0["data"]?["txn"]?["data"]?["data"] = nil },
    ]
    for edit in edits {
      let registry = registry { request, result in if case .transaction = request { edit(&result) } }
      #expect(try registry.definition(Objects.definitionID)["schemaId"] == "12")
    }
  }

  @Test(arguments: [0, -1, 2_147_483_648] as [Int64]) func aNumberThatNoTransactionHasIsNotAskedFor(number: Int64)
    throws
  {
    let ledger = StubLedger { request throws(LedgerError) in
      guard case .definition = request else { throw .unreachable("not to be asked") }
      return ["data": [:], "ref": .integer(number), "tag": "t"]
    }
    let registry = IndyRegistry(networks: []) { ledger }
    #expect(try registry.definition(Objects.definitionID)["schemaId"]?.string == String(number))
  }

  @Test func theTagOfADefinitionMayStandInItsIDAlone() throws {
    let registry = registry { request, result in if case .definition = request { result["tag"] = nil } }
    #expect(try registry.definition(Objects.definitionID)["tag"] == "default")
    for (name, value) in [("data", nil), ("data", 1), ("data", "x"), ("ref", nil), ("ref", "12")] as [(String, JSON?)] {
      let without = self.registry { request, result in if case .definition = request { result[name] = value } }
      #expect(throws: RegistryError.notFound) { try without.definition(Objects.definitionID) }
    }
  }

  @Test(arguments: ["name", "version", "attr_names"]) func aSchemaWithoutAPartIsNotFound(name: String) {
    let registry = registry { request, result in if case .schema = request { result["data"]?[name] = nil } }
    #expect(throws: RegistryError.notFound) { try registry.schema(Objects.schemaID) }
    let unnumbered = self.registry { request, result in if case .schema = request { result["seqNo"] = nil } }
    #expect(throws: RegistryError.notFound) { try unnumbered.schema(Objects.schemaID) }
  }

  @Test(arguments: [nil, 1, "x"] as [JSON?]) func aRegistryThatIsNoObjectIsNotFound(data: JSON?) {
    let registry = registry { request, result in if case .revocationRegistry = request { result["data"] = data } }
    #expect(throws: RegistryError.notFound) { try registry.revocationRegistry(Objects.registryID) }
    #expect(throws: RegistryError.notFound) { try registry.statusList(Objects.registryID, at: 1_700_001_500) }
  }

  @Test(arguments: ["credDefId", "tag", "value"]) func aRegistryWithoutAPartIsNotFound(name: String) {
    let registry = registry { request, result in
      if case .revocationRegistry = request { result["data"]?[name] = nil }
    }
    #expect(throws: RegistryError.notFound) { try registry.revocationRegistry(Objects.registryID) }
  }
}
