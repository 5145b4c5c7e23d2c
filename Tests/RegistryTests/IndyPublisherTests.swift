import DIDComm
import Foundation
import IndyVDR
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import Registry

/// Writing to a ledger of one node, which checks signatures.
@Suite struct IndyPublisherTests {
  private let ledger: LedgerProcess
  private let registry: IndyRegistry
  private let pool: LedgerPool
  private static let author = KeyPair()
  private static let endorser = KeyPair()

  init() throws {
    let nyms = [Self.author, Self.endorser].map { pair -> JSON in
      [
        "identifier": .string(Self.did(pair)), "reqId": 1,
        "operation": ["type": "1", "dest": .string(Self.did(pair)), "verkey": .string(pair.verkey.text)],
      ]
    }
    ledger = try LedgerProcess(requests: .array(nyms))
    let pool = try LedgerPool(Genesis(ledger.genesis), library: LedgerLibrary.open(at: CredentialLibraries.indyVDR))
    self.pool = pool
    registry = IndyRegistry(networks: ["test"]) { () throws(LedgerError) in pool }
  }

  private static func did(_ pair: KeyPair) -> String { pair.verkey.did.text }

  /// `forger` signs in the place of all others.
  private func publisher(forger: KeyPair? = nil) -> IndyPublisher {
    let pool = pool
    return IndyPublisher(
      registry: registry, agreement: nil, now: { Int64(Date().timeIntervalSince1970 * 1e9) },
      sign: { (did, bytes) throws(PublicationError) in
        guard let pair = [Self.author, Self.endorser].first(where: { Self.did($0) == did }) else { throw .noKey(did) }
        return (forger ?? pair).sign(bytes)
      }
    ) { () throws(LedgerError) in pool }
  }

  private var schemaID: String { "\(Self.did(Self.author)):2:degree:1.0" }

  private var schema: JSON { schema(of: Self.did(Self.author)) }

  private func schema(of issuer: String) -> JSON {
    ["name": "degree", "version": "1.0", "attrNames": ["name", "age"], "issuerId": .string(issuer)]
  }

  @Test func objectsWithIDsOfDidIndyAreReadFromTheLedger() throws {
    let (publisher, issuer) = (publisher(), "did:indy:test:\(Self.did(Self.author))")
    let schemaID = "\(issuer)/anoncreds/v0/SCHEMA/degree/1.0"
    for _ in 0..<2 { try publisher.publish(schema(of: issuer), .schema, schemaID) }
    #expect(try registry.schema(schemaID) == schema(of: issuer))
    #expect(try registry.schema(self.schemaID) == schema)
    let number = try publisher.number(ofSchema: schemaID)
    let id = "\(issuer)/anoncreds/v0/CLAIM_DEF/\(number)/t"
    let definition: JSON = [
      "schemaId": .string(schemaID), "type": "CL", "tag": "t", "value": try #require(Objects.json("cred_def")["value"]),
      "issuerId": .string(issuer),
    ]
    for _ in 0..<2 { try publisher.publish(definition, .definition, id) }
    #expect(try registry.definition(id) == definition)
    let registryID = "\(issuer)/anoncreds/v0/REV_REG_DEF/\(number)/t/r"
    var revocation = try Objects.json("rev_reg_def")
    (revocation["credDefId"], revocation["tag"], revocation["issuerId"]) = (.string(id), "r", .string(issuer))
    for _ in 0..<2 { try publisher.publish(revocation, .revocationRegistry, registryID) }
    #expect(try registry.revocationRegistry(registryID) == revocation)
    try publisher.publish(StatusUpdate(registryID: registryID, list: ["currentAccumulator": "1 0"]))
    let list = try registry.statusList(registryID, at: Int64(Date().timeIntervalSince1970) + 5)
    #expect(list["currentAccumulator"] == "1 0" && list["revRegDefId"]?.string == registryID)
  }

  @Test func anEndorserMayHaveADIDOfDidIndy() throws {
    let (publisher, endorser) = (publisher(), "did:indy:test:\(Self.did(Self.endorser))")
    try publisher.endorse(IndyTransaction(parsing: publisher.prepare(schema, .schema, schemaID, for: endorser)))
    #expect(try registry.schema(schemaID) == schema)
  }

  @Test func publishedObjectsAreReadFromTheLedger() throws {
    let publisher = publisher()
    try publisher.publish(schema, .schema, schemaID)
    try publisher.publish(schema, .schema, schemaID)
    #expect(try registry.schema(schemaID) == schema)
    let number = try publisher.number(ofSchema: schemaID)
    let id = "\(Self.did(Self.author)):3:CL:\(number):t"
    let definition: JSON = [
      "schemaId": .string(schemaID), "type": "CL", "tag": "t", "value": try #require(Objects.json("cred_def")["value"]),
      "issuerId": .string(Self.did(Self.author)),
    ]
    try publisher.publish(definition, .definition, id)
    #expect(try registry.definition(id) == definition)
    var revocation = try Objects.json("rev_reg_def")
    let registryID = "\(Self.did(Self.author)):4:\(id):CL_ACCUM:r"
    (revocation["credDefId"], revocation["tag"]) = (.string(id), "r")
    revocation["issuerId"] = .string(Self.did(Self.author))
    try publisher.publish(revocation, .revocationRegistry, registryID)
    #expect(try registry.revocationRegistry(registryID) == revocation)
    let first = StatusUpdate(registryID: registryID, list: ["currentAccumulator": "1 0"])
    try publisher.publish(first)
    try publisher.publish(first)
    try publisher.publish(
      StatusUpdate(
        registryID: registryID, list: ["currentAccumulator": "1 1"], previousAccumulator: "1 0", revoked: [2]))
    let list = try registry.statusList(registryID, at: Int64(Date().timeIntervalSince1970) + 5)
    #expect(list["currentAccumulator"] == "1 1" && list["revocationList"]?.array?.firstIndex(of: 1) == 2)
  }

  /// The answer to the second update was lost, so the issuer repeats it, and then together with a later revocation.
  @Test func aStatusFollowsTheLastStatusOfTheLedger() throws {
    let publisher = publisher()
    try publisher.publish(schema, .schema, schemaID)
    let number = try publisher.number(ofSchema: schemaID)
    let id = "\(Self.did(Self.author)):3:CL:\(number):t"
    let registryID = "\(Self.did(Self.author)):4:\(id):CL_ACCUM:r"
    var revocation = try Objects.json("rev_reg_def")
    (revocation["credDefId"], revocation["tag"]) = (.string(id), "r")
    revocation["issuerId"] = .string(Self.did(Self.author))
    try publisher.publish(revocation, .revocationRegistry, registryID)
    let size = try #require(revocation["value"]?["maxCredNum"]?.integer)
    let update = { (accumulator: String, former: String?, revoked: [Int64]) -> StatusUpdate in
      let places = (0...size).map { JSON.integer(revoked.contains($0) ? 1 : 0) }
      return StatusUpdate(
        registryID: registryID, list: ["currentAccumulator": .string(accumulator), "revocationList": .array(places)],
        previousAccumulator: former, revoked: revoked)
    }
    try publisher.publish(update("1 0", nil, []))
    for _ in 0..<2 { try publisher.publish(update("1 1", "1 0", [2])) }
    try publisher.publish(update("1 2", "1 0", [2, 3]))
    let list = try registry.statusList(registryID, at: Int64(Date().timeIntervalSince1970) + 5)
    #expect(list["currentAccumulator"] == "1 2" && list["revocationList"]?.array?.filter { $0 == 1 }.count == 2)
    // A wallet from a backup does not know the revocation of place 3.
    #expect(throws: PublicationError.exists("it revokes the places 3, and this one does not")) {
      try publisher.publish(update("1 3", "1 1", [2, 4]))
    }
    #expect(try registry.newestStatusList(registryID)["currentAccumulator"] == "1 2")
  }

  @Test func anotherSchemaOfTheSameIDIsRefused() throws {
    try publisher().publish(schema, .schema, schemaID)
    var other = schema
    other["attrNames"] = ["x"]
    #expect(throws: PublicationError.self) { try publisher().publish(other, .schema, schemaID) }
  }

  @Test func aWriteThatAnotherSignedIsRefused() throws {
    let error = #expect(throws: PublicationError.self) {
      try publisher(forger: KeyPair()).publish(schema, .schema, schemaID)
    }
    guard case .notAccepted = error else { throw Unexpected() }
    #expect(throws: PublicationError.noKey("V4SGRU86Z58d6TV7PBUe6f")) {
      try publisher().publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
  }

  struct Unexpected: Error {}

  @Test func anEndorserPublishesForAnAuthor() throws {
    let publisher = publisher()
    let text = try publisher.prepare(schema, .schema, schemaID, for: Self.did(Self.endorser))
    #expect(throws: RegistryError.notFound) { try registry.schema(schemaID) }
    try publisher.endorse(IndyTransaction(parsing: text))
    #expect(try registry.schema(schemaID) == schema)
  }

  @Test func aTransactionThatItsAuthorHasNotSignedIsNotEndorsed() throws {
    let text = try publisher(forger: KeyPair()).prepare(schema, .schema, schemaID, for: Self.did(Self.endorser))
    #expect(throws: PublicationError.forged(author: Self.did(Self.author))) {
      try publisher().endorse(IndyTransaction(parsing: text))
    }
    var changed = try JSON(parsing: publisher().prepare(schema, .schema, schemaID, for: Self.did(Self.endorser)))
    changed["operation"]?["data"]?["name"] = "other"
    #expect(throws: PublicationError.forged(author: Self.did(Self.author))) {
      try publisher().endorse(IndyTransaction(parsing: changed.text))
    }
  }

  /// The signature of an endorser would also permit these.
  @Test(arguments: [
    #"{"type":"1","dest":"x","verkey":"y"}"#, #"{"type":"100","raw":"{}"}"#, #"{"type":"4","text":"x"}"#, "{}",
    #"{"type":101}"#, #"{"type":"0101"}"#,
  ])
  func anOperationThatPublishesNoObjectIsNotEndorsed(operation: String) {
    #expect(throws: JSONError.self) {
      try IndyTransaction(parsing: #"{"identifier":"a","endorser":"e","operation":\#(operation),"signature":"s"}"#)
    }
  }

  /// Indy signs a text without quotes, in which the name of a member can look like further members.
  @Test func aTransactionWithOtherMembersIsNotEndorsed() {
    let (start, end) = (#"{"identifier":"a","endorser":"e","operation":{"type":"101"},"#, #""signature":"s"}"#)
    #expect(throws: Never.self) {
      try IndyTransaction(parsing: start + #""reqId":1,"protocolVersion":2,"taaAcceptance":{},"# + end)
    }
    for name in ["x", "identifier:b|operation:type:1"] {
      #expect(throws: JSONError.self) { try IndyTransaction(parsing: start + #""\#(name)":"y","# + end) }
    }
  }

  @Test func anUnknownAuthorIsNotEndorsed() throws {
    let did = Self.did(KeyPair())
    let text =
      #"{"identifier":"\#(did)","endorser":"\#(Self.did(Self.endorser))","operation":{"type":"101"},"signature":"s"}"#
    #expect(throws: PublicationError.unknownAuthor(did)) { try publisher().endorse(IndyTransaction(parsing: text)) }
  }

  // MARK: Known answers

  @Test func theSingleSignatureOfAnAuthorStaysBesideTheEndorsers() throws {
    let text = #"{"identifier":"a","endorser":"e","operation":{"type":"101"},"signature":"s"}"#
    var transaction = try IndyTransaction(parsing: text)
    try transaction.sign(as: "e") { (_, _) throws(PublicationError) in [1] }
    #expect(transaction.body["signatures"] == ["a": "s", "e": "2"])
    #expect(transaction.body["signature"] == nil)
  }

  @Test func theAuthorHasSignedIfItsSignatureIsThere() throws {
    let pair = KeyPair()
    var transaction = IndyTransaction(["identifier": "a", "endorser": "e", "operation": [:]])
    let key = pair.publicKey
    #expect(!transaction.isSigned(byAuthorWith: key))
    try transaction.sign(as: "e") { (_, bytes) throws(PublicationError) in pair.sign(bytes) }
    #expect(!transaction.isSigned(byAuthorWith: key), "the endorser alone")
    try transaction.sign(as: "a") { (_, bytes) throws(PublicationError) in pair.sign(bytes) }
    #expect(transaction.isSigned(byAuthorWith: key))
    #expect(!transaction.isSigned(byAuthorWith: KeyPair().publicKey))
  }

  private func signers() throws -> [String: KeyPair] {
    let seeds = try Fixtures.json("issuer/ledger_requests.json").requireObject().object("seeds")
    return try Dictionary(
      uniqueKeysWithValues: seeds.members.map { did, seed in
        (did, try KeyPair(seed: SecretBytes(copying: Array((seed.string ?? "").utf8))))
      })
  }

  @Test(arguments: ["nym", "schema", "rev_reg_entry", "revoke_entry", "prepared", "endorsed"])
  func aRequestIsSignedAsTheLibraryOfIndySignsIt(name: String) throws {
    let request = try #require(Fixtures.json("issuer/ledger_requests.json")["requests"]?[name])
    let signers = try signers()
    var unsigned = try #require(request["body"]?.object)
    let (single, several) = (unsigned["signature"], unsigned["signatures"]?.object)
    (unsigned["signature"], unsigned["signatures"]) = (nil, nil)
    var transaction = IndyTransaction(unsigned)
    #expect(transaction.signatureInput == request["signature_input"]?.string)
    let sign: IndyTransaction.Sign = { (did, bytes) throws(PublicationError) in
      guard let pair = signers[did] else { throw .noKey(did) }
      return pair.sign(bytes)
    }
    if single != nil {
      try transaction.sign(with: sign)
      #expect(transaction.body["signature"] == single)
    }
    for (did, signature) in several?.members ?? [] {
      try transaction.sign(as: did, with: sign)
      #expect(transaction.body["signatures"]?[did] == signature)
    }
  }

  @Test func anAgreementIsAcceptedOnADay() throws {
    let taa = try #require(Fixtures.json("issuer/ledger_requests.json")["taa"])
    let config: JSON = [
      "text": taa["text"] ?? .null, "version": taa["version"] ?? .null, "acceptanceMechanismType": "for_session",
      "timeOfAcceptance": 1_795_298_125,
    ]
    #expect(try AgreementAcceptance(config.requireObject()).json == taa["acceptance"])
    #expect(throws: JSONError.self) { try AgreementAcceptance(["acceptanceMechanismType": "x"]) }
  }

  @Test(arguments: ["", "{}", #"{"identifier":"a","endorser":"b","operation":{}}"#]) func otherTextsAreNotEndorsed(
    text: String
  ) {
    #expect(throws: JSONError.self) { try IndyTransaction(parsing: text) }
  }
}

/// Writing to a ledger that another author writes to at the same time.
@Suite struct RacingPublisherTests {
  /// A ledger that refuses to write. It has the schema from then on.
  private final class TakenLedger: Ledger {
    let isTaken = Locked(false)

    func submit(_ request: LedgerRequest) throws(LedgerError) -> JSON {
      switch request {
      case .written:
        isTaken.withLock { $0 = true }
        throw .rejected("it exists")
      case .schema where isTaken.withLock({ $0 }):
        return ["seqNo": 12, "data": ["name": "degree", "version": "1.0", "attr_names": ["name"]]]
      case .schema where !isTaken.withLock({ $0 }): return ["seqNo": nil]
      default: return ["data": nil]
      }
    }
  }

  private func publish(_ kind: ObjectKind, _ id: String) -> PublicationError? {
    let ledger = TakenLedger()
    let publisher = IndyPublisher(
      registry: IndyRegistry(networks: ["sov"]) { ledger }, agreement: nil, now: { 1 },
      sign: { (_, _) throws(PublicationError) in [] }, ledger: { ledger })
    let object: JSON = [
      "name": "degree", "version": "1.0", "attrNames": ["age"], "tag": "t", "credDefId": "d", "value": [:],
    ]
    do { try publisher.publish(object, kind, id) } catch { return error }
    return nil
  }

  @Test func aSchemaThatAnotherPublishedMeanwhileExists() {
    #expect(publish(.schema, Objects.schemaID) == .exists("it exists"))
  }

  @Test func anotherObjectIsRefused() {
    #expect(publish(.revocationRegistry, Objects.registryID) == .refused("it exists"))
  }
}
