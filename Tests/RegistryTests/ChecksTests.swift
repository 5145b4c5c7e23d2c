import JSON
import Testing

@testable import Registry

@Suite struct ChecksTests {
  @Test(arguments: [ObjectKind.schema, .definition, .revocationRegistry])
  func theRightObjectPasses(kind: ObjectKind) throws { try Objects.object(kind).check(kind, Objects.id(kind)) }

  @Test(arguments: [
    (ObjectKind.schema, "issuerId"), (.schema, "name"), (.schema, "version"), (.schema, "attrNames"),
    (.definition, "issuerId"), (.definition, "tag"), (.definition, "type"), (.definition, "schemaId"),
    (.definition, "value"), (.revocationRegistry, "issuerId"), (.revocationRegistry, "credDefId"),
    (.revocationRegistry, "tag"), (.revocationRegistry, "revocDefType"), (.revocationRegistry, "value"),
  ])
  func anObjectWithoutAMemberIsRefused(kind: ObjectKind, member: String) throws {
    var object = try Objects.object(kind)
    object[member] = nil
    #expect(throws: RegistryError.self) { try object.check(kind, Objects.id(kind)) }
  }

  @Test(arguments: [
    (ObjectKind.schema, "issuerId"), (.schema, "name"), (.schema, "version"), (.definition, "issuerId"),
    (.definition, "tag"), (.revocationRegistry, "issuerId"), (.revocationRegistry, "credDefId"),
    (.revocationRegistry, "tag"),
  ])
  func anObjectOfAnotherIDIsRefused(kind: ObjectKind, member: String) throws {
    var object = try Objects.object(kind)
    object[member] = "other"
    #expect(throws: RegistryError.self) { try object.check(kind, Objects.id(kind)) }
  }

  @Test func anIDOfAnotherKindIsRefused() throws {
    #expect(throws: RegistryError.self) { try Objects.object(.schema).check(.schema, Objects.definitionID) }
    #expect(throws: RegistryError.self) { try Objects.object(.definition).check(.definition, Objects.schemaID) }
    let refusal = RegistryError.invalid("the id is not that of a revocation registry")
    #expect(throws: refusal) {
      try Objects.object(.revocationRegistry).check(.revocationRegistry, Objects.definitionID)
    }
  }

  @Test(arguments: [0, -1, 1] as [Int64]) func aRegistryHasRoomForACredential(capacity: Int64) throws {
    var object = try Objects.object(.revocationRegistry)
    object["value"]?["maxCredNum"] = .integer(capacity)
    if capacity > 0 { return try object.check(.revocationRegistry, Objects.registryID) }
    #expect(throws: RegistryError.invalid("\"maxCredNum\" is not positive")) {
      try object.check(.revocationRegistry, Objects.registryID)
    }
  }

  @Test(arguments: [ObjectKind.definition, .revocationRegistry]) func anotherKindOfSignatureIsRefused(kind: ObjectKind)
    throws
  {
    var object = try Objects.object(kind)
    object[kind == .definition ? "type" : "revocDefType"] = "other"
    for id in [Objects.id(kind), "did:web:example.com/1"] {
      #expect(throws: RegistryError.self) { try object.check(kind, id) }
    }
  }

  /// The registry vouches for the issuer of an id that names none.
  @Test(arguments: [
    ("did:web:gov/1", "did:web:gov", true), ("did:web:mallory/1", "did:web:gov", false),
    ("did:web:gov:mallory/1", "did:web:gov", false), ("did:sov:\(Objects.schemaID)", Objects.issuer, false),
    ("schema:sov:did:sov:\(Objects.schemaID)", Objects.issuer, true),
    ("schema:sov:did:sov:\(Objects.schemaID)", "CKEDK9HrMnmiHXEV1WFgbV", false),
    ("https://mallory/1", "did:web:gov", true),
  ])
  func anObjectHasTheIssuerThatItsIDNames(id: String, issuer: String, isTaken: Bool) throws {
    for kind in [ObjectKind.schema, .definition, .revocationRegistry] {
      var object = try Objects.object(kind)
      object["issuerId"] = .string(issuer)
      #expect(((try? object.check(kind, id)) != nil) == isTaken)
    }
  }

  @Test func onlyAnObjectIsOne() {
    for kind in [ObjectKind.schema, .definition, .revocationRegistry] {
      #expect(throws: RegistryError.invalid("\(JSONError.wrongType(key: nil, expected: "an object"))")) {
        try JSON.array([]).check(kind, "x")
      }
    }
  }

  /// The clocks may differ by five minutes.
  @Test(
    arguments: [(1_699_999_700, true), (1_699_999_699, false), (.max, true), (.max - 300, true)] as [(Int64, Bool)])
  func aStatusListOfTheFutureIsRefused(time: Int64, isPermitted: Bool) throws {
    let list = try #require(Objects.json("rev_status_lists").array?.first)
    if isPermitted { return try list.checkStatusList(of: Objects.registryID, at: time, size: 20) }
    #expect(throws: RegistryError.invalid("the status list is of a later time than was asked for")) {
      try list.checkStatusList(of: Objects.registryID, at: time, size: 20)
    }
  }

  @Test func aDefinitionMayNameItsSchemaByNumber() throws {
    var definition = try Objects.object(.definition)
    definition["schemaId"] = "12"
    try definition.check(.definition, Objects.definitionID)
    try definition.check(.definition, "\(Objects.issuer):3:CL:\(Objects.schemaID):default")
  }

  @Test func aDefinitionMustNameTheSchemaOfItsID() throws {
    let id = "\(Objects.issuer):3:CL:\(Objects.schemaID):default"
    var definition = try Objects.object(.definition)
    try definition.check(.definition, id)
    definition["schemaId"] = "V4SGRU86Z58d6TV7PBUe6f:2:degree:2.0"
    #expect(throws: RegistryError.self) { try definition.check(.definition, id) }
  }

  @Test func anIDWithoutADIDTellsNothingAboutItsObject() throws {
    try Objects.object(.schema).check(.schema, "https://example.com/schema/1")
  }

  @Test func theRightStatusListPasses() throws {
    for list in try #require(Objects.json("rev_status_lists").array) {
      try list.checkStatusList(of: Objects.registryID, at: try #require(list["timestamp"]?.integer), size: 20)
    }
  }

  private static let wrong: [(member: String, value: JSON)] = [
    ("revRegDefId", "other"), ("timestamp", 1_700_000_301), ("timestamp", "1"), ("currentAccumulator", 1),
    ("revocationList", [0, 1]), ("revocationList", "00000000000000000000"),
  ]

  @Test(arguments: wrong)
  func aWrongStatusListIsRefused(member: String, value: JSON) throws {
    var list = try #require(Objects.json("rev_status_lists").array?.first)
    list[member] = value
    #expect(throws: RegistryError.self) {
      try list.checkStatusList(of: Objects.registryID, at: 1_700_000_000, size: 20)
    }
  }

  @Test func statusesAreZeroOrOne() throws {
    var list = try #require(Objects.json("rev_status_lists").array?.first)
    for entry: JSON in [2, -1, true, "0"] {
      list["revocationList"] = .array([JSON](repeating: 0, count: 20) + [entry])
      #expect(throws: RegistryError.invalid("the status list does not have 20 entries of 0 or 1")) {
        try list.checkStatusList(of: Objects.registryID, at: 1_700_000_000, size: 20)
      }
    }
    list["revocationList"] = .array([0, 1] + [JSON](repeating: 0, count: 18))
    try list.checkStatusList(of: Objects.registryID, at: 1_700_000_000, size: 20)
  }
}
