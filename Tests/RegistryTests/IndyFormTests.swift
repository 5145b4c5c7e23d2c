import IndyVDR
import JSON
import Sodium
import Testing

@testable import Registry

/// Objects and DIDs in the forms of Indy's ledgers.
@Suite struct IndyFormTests {
  @Test(
    arguments: [
      (ObjectKind.schema, "name"), (.schema, "version"), (.schema, "attrNames"), (.definition, "schemaId"),
      (.definition, "tag"), (.definition, "value"), (.revocationRegistry, "credDefId"), (.revocationRegistry, "tag"),
      (.revocationRegistry, "value"),
    ])
  func anObjectWithoutAMemberHasNoOtherForm(kind: ObjectKind, member: String) throws {
    var indy = try Objects.object(kind).toIndy(Objects.id(kind))
    #expect(indy.fromIndy(kind, Objects.id(kind)) != nil)
    indy[member] = nil
    #expect(indy.fromIndy(kind, Objects.id(kind)) == nil)
  }

  @Test func theNamesOfTheLedgerAreTaken() throws {
    let schema: JSON = ["name": "degree", "version": "1.0", "attr_names": ["a"]]
    #expect(schema.fromIndy(.schema, Objects.schemaID)?["attrNames"] == ["a"])
    let definition: JSON = ["ref": 12, "tag": "t", "value": [:]]
    #expect(definition.fromIndy(.definition, Objects.definitionID)?["schemaId"] == "12")
    #expect(definition.with(["ref": "12"]).fromIndy(.definition, Objects.definitionID)?["schemaId"] == "12")
  }

  @Test func theIssuerComesFromTheID() throws {
    let schema: JSON = ["name": "degree", "version": "1.0", "attrNames": ["a"]]
    for (id, issuer) in [
      (Objects.schemaID, Objects.issuer), ("abc:2:degree:1.0", "abc"),
      ("did:indy:test:\(Objects.issuer)/anoncreds/v0/SCHEMA/degree/1.0", "did:indy:test:\(Objects.issuer)"),
    ] {
      #expect(schema.fromIndy(.schema, id)?["issuerId"]?.string == issuer)
    }
  }

  // MARK: DIDs

  private func nym(_ data: JSON?, of did: String) throws -> IndyNym? {
    let reply: JSON = JSON.object([:]).with(data.map { ["data": $0] } ?? [:])
    let ledger = StubLedger { _ throws(LedgerError) in reply }
    return try ledger.nym(did)
  }

  @Test func aKeyIsWholeOrContinuesTheDID() throws {
    let key = KeyPair().publicKey
    let did = Base58.encode(Array(key.bytes.prefix(16)))
    let rest = Base58.encode(Array(key.bytes.suffix(16)))
    for text in [Base58.encode(key.bytes), "~" + rest] {
      #expect(try nym(["verkey": .string(text)], of: did)?.key == key)
      let data: JSON = ["verkey": .string(text)]
      #expect(try nym(.string(data.text), of: did)?.key == key)
    }
    #expect(try nym(["verkey": .string("~" + rest)], of: "other")?.key != key)
    for text in ["", "~", rest, "no key", "~" + Base58.encode(key.bytes), "~~" + rest] {
      #expect(try nym(["verkey": .string(text)], of: did) == IndyNym(key: nil), "\(text)")
    }
  }

  @Test(arguments: [nil, "no JSON", 1, []] as [JSON?]) func anAnswerWithoutADIDGivesNil(data: JSON?) throws {
    #expect(try nym(data, of: Objects.issuer) == nil)
  }

  @Test func aDIDMayHaveNoKey() throws {
    #expect(try nym([:], of: Objects.issuer) == IndyNym(key: nil))
    #expect(try nym(["verkey": nil], of: Objects.issuer) == IndyNym(key: nil))
  }

  // MARK: The agreement

  @Test func anAgreementHasTheWaysToAcceptIt() throws {
    let ledger = StubLedger { request throws(LedgerError) in
      request == .agreement ? ["data": ["text": "t"]] : ["data": ["aml": ["a": "b"]]]
    }
    #expect(try ledger.authorAgreement() == ["text": "t", "aml": ["a": "b"]])
    for data: JSON in [nil, 1, "t"] {
      let none = StubLedger { _ throws(LedgerError) in ["data": data] }
      #expect(try none.authorAgreement() == [:])
      #expect(none.requests == [.agreement])
    }
  }

  @Test(arguments: [(86_399, 0), (86_400, 86_400), (172_799, 86_400)] as [(Int64, Int64)])
  func theTimeOfAnAcceptanceIsADay(time: Int64, day: Int64) throws {
    let acceptance = try AgreementAcceptance(text: nil, version: nil, digest: "d", mechanism: "m", time: time)
    #expect(acceptance.json == ["mechanism": "m", "taaDigest": "d", "time": .integer(day)])
  }
}
