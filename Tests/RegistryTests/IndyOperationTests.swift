import DIDComm
import IndyVDR
import JSON
import Sodium
import TestSupport
import Testing

@testable import Registry

/// The transactions that are written for an issuer, and the answers of a ledger to them.
@Suite struct IndyOperationTests {
  private static let now: Int64 = 1_800_000_000_000_000_000

  private func publisher(
    on ledger: StubLedger, accepting agreement: AgreementAcceptance? = nil
  ) -> IndyPublisher {
    IndyPublisher(
      registry: IndyRegistry(networks: ["test"]) { ledger }, agreement: agreement, now: { Self.now },
      sign: { (_, _) throws(PublicationError) in [1] }, ledger: { ledger })
  }

  /// A ledger that has the schema with the number 12, and nothing else.
  private func ledger() -> StubLedger {
    StubLedger { request throws(LedgerError) in
      guard case .schema(Objects.schemaID) = request else { return ["data": nil, "seqNo": nil] }
      return ["seqNo": 12, "data": ["name": "degree", "version": "1.0", "attr_names": ["name"]]]
    }
  }

  private static let update = StatusUpdate(
    registryID: Objects.registryID, list: ["currentAccumulator": "1 1"], previousAccumulator: "1 0", issued: [3],
    revoked: [2])

  // MARK: The transactions

  @Test func aDefinitionNamesTheNumberOfItsSchema() throws {
    let ledger = ledger()
    let object = try Objects.json("cred_def")
    try publisher(on: ledger).publish(object, .definition, Objects.definitionID)
    let transaction = try #require(ledger.written.first)
    #expect(ledger.written.count == 1)
    #expect(
      transaction["operation"] == [
        "type": "102", "ref": 12, "tag": "default", "signature_type": "CL", "data": object["value"] ?? .null,
      ])
    #expect(transaction["identifier"]?.string == Objects.issuer && transaction["reqId"] == .integer(Self.now))
    #expect(transaction["signature"] == "2" && transaction["endorser"] == nil && transaction["taaAcceptance"] == nil)
  }

  @Test func aSchemaHasItsAttributes() throws {
    let ledger = StubLedger { _ throws(LedgerError) in ["data": nil, "seqNo": nil] }
    try publisher(on: ledger).publish(
      ["name": "n", "version": "2.0", "attrNames": ["b", "a"]], .schema, "\(Objects.issuer):2:n:2.0")
    #expect(
      ledger.written.map { $0["operation"] } == [
        ["type": "101", "data": ["name": "n", "version": "2.0", "attr_names": ["b", "a"]]]
      ])
    #expect(ledger.written.first?["protocolVersion"] == 2)
  }

  @Test func aRegistryIssuesByDefault() throws {
    let ledger = ledger()
    let object = try Objects.json("rev_reg_def")
    try publisher(on: ledger).publish(object, .revocationRegistry, Objects.registryID)
    var value = try #require(object["value"])
    value["issuanceType"] = "ISSUANCE_BY_DEFAULT"
    #expect(
      ledger.written.first?["operation"] == [
        "type": "113", "id": .string(Objects.registryID), "revocDefType": "CL_ACCUM", "tag": object["tag"] ?? .null,
        "credDefId": .string(Objects.definitionID), "value": value,
      ])
  }

  @Test func aStatusNamesTheOneBeforeIt() throws {
    let ledger = ledger()
    try publisher(on: ledger).publish(Self.update)
    #expect(
      ledger.written.first?["operation"] == [
        "type": "114", "revocRegDefId": .string(Objects.registryID), "revocDefType": "CL_ACCUM",
        "value": ["accum": "1 1", "prevAccum": "1 0", "issued": [3], "revoked": [2]],
      ])
  }

  @Test func aSchemaOfAnotherIsPreparedForAnEndorser() throws {
    let ledger = ledger()
    let text = try publisher(on: ledger).prepare(Self.update, for: "did:indy:test:WgWxqztrNooG92RXvxSTWv")
    let transaction = try IndyTransaction(parsing: text)
    #expect(transaction.author == Objects.issuer && transaction.endorser == "WgWxqztrNooG92RXvxSTWv")
    #expect(transaction.body["signature"] == nil && transaction.body["signatures"] == [Objects.issuer: "2"])
    #expect(transaction.body["operation"]?["value"]?["prevAccum"] == "1 0")
    #expect(ledger.written.isEmpty)
  }

  /// An endorser's ledger requires the acceptance of the author too.
  @Test func eachTransactionAcceptsTheAgreement() throws {
    let ledger = StubLedger { _ throws(LedgerError) in ["data": nil, "seqNo": nil] }
    let agreement = try AgreementAcceptance(text: nil, version: nil, digest: "d", mechanism: "m", time: 86_400)
    let (publisher, schema) = (publisher(on: ledger, accepting: agreement), try Objects.json("schema"))
    try publisher.publish(Self.update)
    try publisher.publish(schema, .schema, Objects.schemaID)
    let prepared = [
      try publisher.prepare(Self.update, for: "e"),
      try publisher.prepare(schema, .schema, Objects.schemaID, for: "e"),
    ]
    let transactions = try ledger.written + prepared.map { try JSON(parsing: $0) }
    #expect(transactions.map { $0["taaAcceptance"] } == [JSON](repeating: agreement.json, count: 4))
  }

  /// The ledger has no files.
  @Test func aTailsFileStaysAtItsPlace() throws {
    #expect(try publisher(on: ledger()).publish(tails: "/tails/abc", hash: "abc", of: "x") == "/tails/abc")
  }

  // MARK: Once only

  @Test func anObjectThatIsThereIsNotWrittenAgain() throws {
    let ledger = ledger()
    let schema: JSON = ["name": "degree", "version": "1.0", "attrNames": ["name"], "issuerId": .string(Objects.issuer)]
    try publisher(on: ledger).publish(schema, .schema, Objects.schemaID)
    let other = schema.with(["attrNames": ["age"]])
    #expect(throws: PublicationError.exists("it has the attributes name, and not age")) {
      try publisher(on: ledger).publish(other, .schema, Objects.schemaID)
    }
    #expect(ledger.written.isEmpty)
  }

  /// A first status that is published again would take back the revocations since then.
  @Test func theFirstStatusIsWrittenOnce() throws {
    let first = StatusUpdate(registryID: Objects.registryID, list: ["currentAccumulator": "1 0"])
    let new = ledger()
    try publisher(on: new).publish(first)
    #expect(new.written.map { $0["operation"]?["value"] } == [["accum": "1 0"]])
    let registry = JSON.object(["data": ["value": ["maxCredNum": 5]]])
    let known = StubLedger { request throws(LedgerError) in
      switch request {
      case .revocationRegistry: registry
      case .revocationState: ["data": ["value": ["accum_to": ["value": ["accum": "1 2"], "txnTime": 1]]]]
      default: ["data": nil]
      }
    }
    try publisher(on: known).publish(first)
    #expect(known.written.isEmpty)
    // The clocks of the ledger and of this machine may differ by five minutes.
    #expect(known.requests.last == .revocationState(id: Objects.registryID, time: 1_800_000_300))
    try publisher(on: known).publish(Self.update)
    #expect(known.written.count == 1)
  }

  @Test(arguments: [ObjectKind.schema, .definition, .revocationRegistry]) func aStateThatCannotBeReadIsNotReplaced(
    kind: ObjectKind
  ) throws {
    let ledger = StubLedger { request throws(LedgerError) in throw .unreachable("timeout") }
    let error = PublicationError.unreachable("\(RegistryError.unreachable("the ledger gave no answer: timeout"))")
    #expect(throws: error) { try publisher(on: ledger).publish(Objects.object(kind), kind, Objects.id(kind)) }
    #expect(throws: error) {
      try publisher(on: ledger).publish(StatusUpdate(registryID: Objects.registryID, list: [:]))
    }
    #expect(ledger.written.isEmpty)
  }

  // MARK: Refusals

  @Test(
    arguments: [
      (.rejected("a"), .refused("a")), (.refused("b"), .notAccepted("b")),
      (.unreachable("c"), .unreachable("the ledger gave no answer: c")),
      (.unavailable(reason: "d"), .unreachable("\(LedgerError.unavailable(reason: "d"))")),
      (.malformedGenesis("e"), .unreachable("\(LedgerError.malformedGenesis("e"))")),
    ] as [(LedgerError, PublicationError)])
  func anAnswerOfTheLedgerHasItsMeaning(answer: LedgerError, error: PublicationError) {
    let ledger = StubLedger { request throws(LedgerError) in
      guard case .written = request else { return ["data": nil] }
      throw answer
    }
    #expect(throws: error) { try publisher(on: ledger).publish(Self.update) }
    #expect(throws: error) {
      try publisher(on: ledger).publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
  }

  @Test func aSchemaThatIsNotThereHasNoNumber() throws {
    let ledger = StubLedger { _ throws(LedgerError) in ["seqNo": nil] }
    let error = PublicationError.refused("the ledger has no schema \(Objects.schemaID)")
    #expect(throws: error) { try publisher(on: ledger).number(ofSchema: Objects.schemaID) }
    #expect(throws: error) {
      try publisher(on: ledger).publish(Objects.json("cred_def"), .definition, Objects.definitionID)
    }
    #expect(try publisher(on: self.ledger()).number(ofSchema: Objects.schemaID) == 12)
  }

  @Test func anIDOfAnotherMethodIsRefused() throws {
    let (ledger, id) = (ledger(), "did:web:example.com/schema")
    let error = PublicationError.refused("the ledger takes no objects of the id \(id)")
    #expect(throws: error) { try publisher(on: ledger).publish(Objects.json("schema"), .schema, id) }
    #expect(throws: error) { try publisher(on: ledger).publish(StatusUpdate(registryID: id, list: [:])) }
    #expect(throws: error) { try publisher(on: ledger).prepare(Objects.json("schema"), .schema, id, for: "e") }
    #expect(throws: error) {
      try publisher(on: ledger).prepare(StatusUpdate(registryID: id, list: [:]), for: "e")
    }
    #expect(ledger.written.isEmpty)
  }

  // MARK: Endorsing

  /// The signature of an author whose key is not known proves nothing.
  @Test(arguments: [nil, ["data": nil], ["data": "{}"], ["data": ["verkey": "no key"]]] as [JSON?])
  func anAuthorWithoutAKeyIsNotEndorsed(nym: JSON?) throws {
    let ledger = StubLedger { request throws(LedgerError) in
      if case .nym = request { nym ?? [:] } else { [:] }
    }
    for signature in [#""signature":"2""#, #""signatures":{"a":"2"}"#] {
      let text = #"{"identifier":"a","endorser":"e","operation":{"type":"101"},\#(signature)}"#
      #expect(throws: PublicationError.unknownAuthor("a")) {
        try publisher(on: ledger).endorse(IndyTransaction(parsing: text))
      }
    }
    #expect(ledger.written.isEmpty)
    #expect(ledger.requests.first == .nym("a"))
  }

  @Test func anAuthorWhoseKeyCannotBeReadIsNotEndorsed() throws {
    let ledger = StubLedger { request throws(LedgerError) in
      if case .nym = request { throw .unreachable("timeout") } else { [:] }
    }
    let text = #"{"identifier":"a","endorser":"e","operation":{"type":"101"},"signature":"2"}"#
    #expect(throws: PublicationError.unreachable("the ledger gave no answer: timeout")) {
      try publisher(on: ledger).endorse(IndyTransaction(parsing: text))
    }
    #expect(ledger.written.isEmpty)
  }

  @Test(arguments: [["verkey": "full"], ["verkey": "short"]] as [JSON]) func theAuthorsSignatureIsChecked(nym: JSON)
    throws
  {
    let (author, other) = (KeyPair(), KeyPair())
    let did = author.verkey.did.text
    let short = "~" + Base58.encode(Array(author.publicKey.bytes.suffix(16)))
    let data: JSON = ["verkey": .string(nym["verkey"] == "full" ? author.verkey.text : short)]
    let ledger = StubLedger { request throws(LedgerError) in
      if case .nym = request { ["data": .string(data.text)] } else { [:] }
    }
    for (pair, isGenuine) in [(author, true), (other, false)] {
      // An author signs alone, or beside others.
      for isAlone in [true, false] {
        var transaction = IndyTransaction(["identifier": .string(did), "endorser": "e", "operation": [:]])
        let sign: IndyTransaction.Sign = { (_, bytes) throws(PublicationError) in pair.sign(bytes) }
        if isAlone { try transaction.sign(with: sign) } else { try transaction.sign(as: did, with: sign) }
        if isGenuine {
          try publisher(on: ledger).endorse(transaction)
        } else {
          #expect(throws: PublicationError.forged(author: did)) { try publisher(on: ledger).endorse(transaction) }
        }
      }
    }
    #expect(ledger.written.count == 2)
  }

  /// The signed text separates members by this character: an endorser's signature would also fit another operation.
  @Test(
    arguments: [
      ["operation": ["type": "101", "alias": "a|dest:V|role:101|type:1"]],
      ["taaAcceptance": ["mechanism": "m|reqId:79"]],
      ["operation": ["type": "101", "a|role": "101"]], ["reqId": "1|x"], ["taaAcceptance": [["a|b"]]],
    ] as [JSON])
  func aTransactionWhoseSignedTextIsAmbiguousIsRefused(change: JSON) throws {
    let whole: JSON = [
      "identifier": "a", "endorser": "e", "operation": ["type": "101"], "reqId": 1, "signature": "s",
    ]
    let members = try change.requireObject().members
    let changed = members.reduce(into: whole) { changed, member in changed[member.key] = member.value }
    #expect(try IndyTransaction(parsing: whole.text).author == "a")
    #expect(throws: JSONError.wrongType(key: members[0].key, expected: "texts without |")) {
      try IndyTransaction(parsing: changed.text)
    }
  }

  @Test(arguments: ["identifier", "endorser", "operation"]) func aTransactionHasAllOfItsMembers(member: String) throws {
    let whole: JSON = ["identifier": "a", "endorser": "e", "operation": ["type": "101"], "signature": "s"]
    #expect(try IndyTransaction(parsing: whole.text).author == "a")
    var changed = whole
    changed[member] = nil
    #expect(throws: JSONError.missing(key: member)) { try IndyTransaction(parsing: changed.text) }
    changed[member] = 1
    #expect(throws: JSONError.self) { try IndyTransaction(parsing: changed.text) }
  }

  /// An author may have revoked many credentials.
  @Test func aTransactionMayHaveManyNumbers() throws {
    let update = StatusUpdate(
      registryID: Objects.registryID, list: ["currentAccumulator": "1 1"], previousAccumulator: "1 0",
      revoked: Array(1...40_000))
    let transaction = try IndyTransaction(parsing: publisher(on: ledger()).prepare(update, for: "e"))
    #expect(transaction.body["operation"]?["value"]?["revoked"]?.array?.count == 40_000)
  }

  @Test func theSignatureOfAnotherIsNotTheAuthors() throws {
    let text = { (more: String) in #"{"identifier":"a","endorser":"e","operation":{"type":"101"},\#(more)}"# }
    let missing = JSONError.missing(key: "the signature of the author")
    for more in [#""signatures":{"e":"s"}"#, #""signatures":{}"#, #""signature":1"#, #""protocolVersion":2"#] {
      #expect(throws: missing) { try IndyTransaction(parsing: text(more)) }
    }
    let transaction = try IndyTransaction(parsing: text(#""signatures":{"a":"s"}"#))
    #expect(!transaction.isSigned(byAuthorWith: KeyPair().publicKey))
  }

  /// Indy's nodes write values in Python's way.
  @Test func theSignedTextHasEachKindOfValue() {
    let transaction = IndyTransaction([
      "b": true, "a": [1, "x", nil], "signature": "s", "signatures": ["a": "s"], "c": ["z": false, "y": nil],
    ])
    #expect(transaction.signatureInput == "a:1,x,|b:True|c:y:|z:False")
    // Its order is that of the code points: an "e" with a mark of its own stands before "f".
    #expect(IndyTransaction(["f": 1, "e\u{301}": 2]).signatureInput == "e\u{301}:2|f:1")
  }
}
