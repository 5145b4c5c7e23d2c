import Indy
import JSON
import Sodium
import TestSupport
import Testing
import Wallet

@testable import AnonCreds
@testable import Credentials

/// The records of an issuer's definitions in the wallet, and of its exchanges.
@Suite struct IssuerRecordsTests {
  private let scene: IssuerScene

  init() throws {
    scene = try IssuerScene()
    try scene.loadRecords()
  }

  private func remove(_ type: String, _ id: String) throws {
    try scene.wallet.wallet.make([scene.wallet.records(type).removing(id)])
  }

  // MARK: Definitions

  @Test(arguments: ["CredentialDefinition", "CredentialDefinitionPrivateKey", "CredentialDefinitionCorrectnessProof"])
  func aDefinitionNeedsAllOfItsRecords(type: String) throws {
    #expect(try scene.issuer.ownDefinition(IssuerScene.definitionID) != nil)
    try remove("Indy::\(type)", IssuerScene.definitionID)
    #expect(try scene.issuer.ownDefinition(IssuerScene.definitionID) == nil)
  }

  @Test(arguments: ["Definition", "DefinitionPrivate", "", "Info"])
  func aRegistryNeedsAllOfItsRecords(type: String) throws {
    try remove("Indy::RevocationRegistry\(type)", IssuerScene.registryID)
    #expect(throws: IssuingError.noKeys("revocation registry \(IssuerScene.registryID)")) {
      try scene.issuer.registry(IssuerScene.registryID)
    }
  }

  @Test func theSchemaOfADefinitionIsFoundInThreeWays() throws {
    let schema = { try scene.issuer.definition(IssuerScene.definitionID).schemaID }
    let id = "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0"
    #expect(try schema() == id)
    try remove("Indy::SchemaId", IssuerScene.definitionID)
    #expect(try schema() == id)
    try remove("Indy::Schema", "12")
    #expect(try schema() == "12")
    let definitions = scene.wallet.records("Indy::CredentialDefinition")
    let record = try JSON(parsing: #require(try definitions.find(IssuerScene.definitionID)).value)
    try scene.wallet.wallet.make([
      definitions.putting(IssuerScene.definitionID, value: record.with(["schemaId": .null]).text)
    ])
    #expect(try schema() == "")
  }

  @Test func theIDOfTheSchemaGoesBeforeItsNumber() throws {
    let id = "V4SGRU86Z58d6TV7PBUe6f:2:another:1.0"
    try scene.wallet.wallet.make([
      scene.wallet.records("Indy::SchemaId").putting(IssuerScene.definitionID, value: id)
    ])
    #expect(try scene.issuer.definition(IssuerScene.definitionID).schemaID == id)
  }

  private func plan(tag: String) throws -> DefinitionPlan {
    try DefinitionPlan(
      schemaID: "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0",
      schema: [
        "name": "degree", "version": "1.0", "attrNames": ["name", "age"], "issuerId": "V4SGRU86Z58d6TV7PBUe6f",
      ],
      number: 12, naming: .indy(#require(IndyDID("V4SGRU86Z58d6TV7PBUe6f"))), tag: tag, isRevocable: false)
  }

  private func store(_ made: NewDefinition, _ plan: DefinitionPlan) throws {
    try scene.wallet.wallet.make(scene.issuer.definitions.storing(made, plan, plan.id(of: made.definition)))
  }

  @Test func aSecondDefinitionLeavesTheRecordOfTheSchema() throws {
    let (schemas, first) = (
      scene.wallet.records("Indy::Schema"), try scene.issuer.definition(IssuerScene.definitionID)
    )
    try scene.wallet.wallet.make([schemas.putting("12", value: #"{"id":"x"}"#)])
    let made = NewDefinition(definition: first.text, privateKey: first.privateKey, keyProof: first.keyProof)
    try store(made, plan(tag: "tag2"))
    let second = try scene.issuer.definition("V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag2")
    #expect(second.schemaID == "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0")
    #expect(try schemas.find("12")?.value == #"{"id":"x"}"#)
    try scene.wallet.wallet.make([schemas.removing("12")])
    try store(made, plan(tag: "tag2"))
    #expect(
      try JSON(parsing: #require(try schemas.find("12")).value) == [
        "ver": "1.0", "id": "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0", "name": "degree", "version": "1.0",
        "attrNames": ["name", "age"], "seqNo": 12,
      ])
  }

  /// An id that is a hash is known once the object is made. A program that repeats its call gets the same object.
  @Test func theSameChoicesGiveTheSameObjectsUnderIDsOfTheirContent() throws {
    let did = "did:webvh:x:example.com"
    let naming = ObjectNaming.content(issuer: did) { "\(did)/resources/\(sha256(try $0.canonicalBytes()).hex)" }
    func plan(_ tag: String) throws -> DefinitionPlan {
      try DefinitionPlan(
        schemaID: "\(did)/resources/s",
        schema: ["name": "degree", "version": "1.0", "attrNames": ["name"], "issuerId": .string(did)], number: 12,
        naming: naming, tag: tag, isRevocable: true)
    }
    let definition = try scene.issuer.define(plan("a"))
    #expect(definition.id.hasPrefix("\(did)/resources/"))
    let content = try JSON(parsing: definition.text)
    #expect(content["issuerId"] == .string(did) && content["schemaId"] == .string("\(did)/resources/s"))
    guard case .content(_, let id) = naming else { return }
    #expect(try id(content) == definition.id, "the wallet gives the content that the id names")
    #expect(try scene.issuer.define(plan("a")).text == definition.text)
    #expect(try scene.issuer.define(plan("b")).id != definition.id)

    func registry() throws -> OwnRegistry {
      try scene.issuer.makeRegistry(of: definition, size: 2, folder: scene.folder.path, naming: naming) {
        $0.replacing(["value", "tailsLocation"], with: "https://example.com/tails")
      }
    }
    let made = try registry()
    let published = try JSON(parsing: made.text).replacing(
      ["value", "tailsLocation"], with: "https://example.com/tails")
    #expect(try id(published) == made.id)
    #expect(try registry().id == made.id)
    let status = try scene.issuer.firstStatus(of: made.id).list
    #expect(status["issuerId"] == .string(did) && status["revRegDefId"] == .string(made.id))
  }

  @Test func aDefinitionThatTheWalletHasIsNotMadeAgain() throws {
    let known = try scene.issuer.definition(IssuerScene.definitionID)
    #expect(try scene.issuer.define(plan(tag: "tag1")).text == known.text)
  }

  @Test(arguments: ["", "a:b"]) func aTagThatNoIDCanHaveIsRefused(tag: String) {
    let reason = "it is empty, or has a character that separates the parts of an id"
    #expect(throws: IssuingError.invalidTag(reason)) { try plan(tag: tag) }
  }

  @Test func theRegistryOfANetworkHasAnIDOfTheNetwork() throws {
    let (known, did) = (try scene.issuer.definition(IssuerScene.definitionID), "did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f")
    let definition = OwnDefinition(
      id: "\(did)/anoncreds/v0/CLAIM_DEF/12/tag1", schemaID: known.schemaID,
      text: try JSON(parsing: known.text).with(["issuerId": .string(did)]).text, privateKey: known.privateKey,
      keyProof: known.keyProof)
    let registry = try scene.issuer.makeRegistry(of: definition, size: 1, folder: scene.folder.path)
    #expect(registry.id == "\(did)/anoncreds/v0/REV_REG_DEF/12/tag1/tag1" && registry.definitionID == definition.id)
    #expect(try JSON(parsing: registry.text)["issuerId"]?.string == did)
    #expect(try scene.issuer.firstStatus(of: registry.id).list["issuerId"]?.string == did)
  }

  @Test func aNewRegistryBeginsWithValidPlaces() throws {
    let id = IssuerScene.registryID
    for type in ["Definition", "DefinitionPrivate", "", "Info"] { try remove("Indy::RevocationRegistry\(type)", id) }
    let definition = try scene.issuer.definition(IssuerScene.definitionID)
    let registry = try scene.issuer.makeRegistry(of: definition, size: 3, folder: scene.folder.path)
    #expect(registry.id == id && registry.size == 3 && registry.lastIndex == 0 && registry.issuesByDefault)
    let record = try #require(try scene.wallet.records("Indy::RevocationRegistryDefinition").find(id)).value
    #expect(try JSON(parsing: record)["value"]?["issuanceType"] == "ISSUANCE_BY_DEFAULT")
    #expect(try JSON(parsing: record)["issuerId"] == nil)
    let first = try scene.issuer.firstStatus(of: id)
    #expect(first.previousAccumulator == nil && first.issued.isEmpty && first.revoked.isEmpty)
    #expect(first.list["revocationList"] == [0, 0, 0, 0])
    #expect(first.list["issuerId"] == "V4SGRU86Z58d6TV7PBUe6f")
    var published = 0
    try scene.issuer.publishPending(of: id) { _ in published += 1 }
    #expect(published == 0)
    let (credential, index) = try scene.issue(on: "t1")
    #expect(try index == 1 && scene.isProved(credential, at: 1, tails: registry.tailsPath))
  }

  // MARK: Exchanges

  @Test func theEndedExchangeOfACredentialWithoutARegistryIsRemembered() throws {
    var issuance = Issuance()
    issuance.credential = "c"
    try scene.wallet.wallet.make([scene.issuer.issuances.putting("t1", value: issuance.text)])
    try scene.issuer.end("t1")
    let again = try scene.issuer.issue(IssuerScene.terms, answering: "", to: "", on: "t1")
    #expect(again == IssuedCredential(text: nil, index: nil, registryID: nil, needsPublication: false))
  }

  @Test func anExchangeIsReadAsItWasWritten() throws {
    var issuance = Issuance()
    #expect(try Issuance(parsing: issuance.text).text == issuance.text)
    (issuance.offer, issuance.index, issuance.credential, issuance.isOver) = (["a": 1], 7, "c", true)
    (issuance.terms, issuance.request) = ("t", "r")
    #expect(try Issuance(parsing: issuance.text).text == issuance.text)
    for text in ["[]", #"{"index":"1"}"#, #"{"credential":1}"#, #"{"over":1}"#, #"{"terms":1}"#, #"{"request":1}"#] {
      #expect(throws: JSONError.self) { try Issuance(parsing: text) }
    }
  }

  @Test(arguments: [("prevAccum", 1), ("accum", nil), ("issued", ["1"]), ("revoked", [true])] as [(String, JSON)])
  func changesThatCannotBeReadAreAnError(name: String, value: JSON) throws {
    let whole = PendingStatus(previousAccumulator: "1", accumulator: "2", issued: [1], revoked: [2, 3])
    #expect(try PendingStatus(parsing: whole.text) == whole)
    let changed = try JSON(parsing: whole.text).with([name: value])
    #expect(throws: JSONError.self) { try PendingStatus(parsing: changed.text) }
  }
}
