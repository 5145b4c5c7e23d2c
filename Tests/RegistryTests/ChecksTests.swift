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
  }

  @Test func aDefinitionMustNameTheSchemaOfItsID() throws {
    let id = "\(Objects.issuer):3:CL:\(Objects.schemaID):default"
    var definition = try Objects.object(.definition)
    try definition.check(.definition, id)
    definition["schemaId"] = "V4SGRU86Z58d6TV7PBUe6f:2:degree:2.0"
    #expect(throws: RegistryError.self) { try definition.check(.definition, id) }
  }

  @Test func anIDOfAnotherMethodTellsNothingAboutItsObject() throws {
    try Objects.object(.schema).check(.schema, "did:web:example.com/schema/1")
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
    list["revocationList"] = .array([JSON](repeating: 2, count: 20))
    #expect(throws: RegistryError.self) {
      try list.checkStatusList(of: Objects.registryID, at: 1_700_000_000, size: 20)
    }
  }
}
