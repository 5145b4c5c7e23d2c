import DIDComm
import IndyVDR
import JSON
import Sodium
import TestSupport
import Testing

@testable import Registry

/// A ledger of one node that requires an agreement of authors.
@Suite struct AuthorAgreementTests {
  private static let author = KeyPair()
  private static let text = "be careful"

  private func pool(requiring requests: [JSON]) throws -> (LedgerProcess, LedgerPool) {
    let ledger = try LedgerProcess(requests: .array(requests))
    let library = try LedgerLibrary.open(at: CredentialLibraries.indyVDR)
    return (ledger, try LedgerPool(Genesis(ledger.genesis), library: library))
  }

  private var requests: [JSON] {
    [
      ["type": "1", "dest": .string(Self.did), "verkey": .string(Self.author.verkey.text)],
      ["type": "4", "text": .string(Self.text), "version": "2.0", "ratification_ts": 1],
      ["type": "5", "aml": ["on_file": "the form is in our files"], "version": "1.0"],
    ].map { ["identifier": .string(Self.did), "reqId": 1, "operation": $0] }
  }

  private static var did: String { author.verkey.did.text }
  private static let digest = sha256(Array("2.0be careful".utf8)).hex

  @Test func theAgreementIsReadWithTheWaysToAcceptIt() throws {
    let (ledger, pool) = try pool(requiring: requests)
    let agreement = try withExtendedLifetime(ledger) { try pool.authorAgreement() }
    #expect(agreement["text"]?.string == Self.text && agreement["version"] == "2.0")
    #expect(agreement["digest"]?.string == Self.digest)
    #expect(agreement["aml"] == ["on_file": "the form is in our files"])
  }

  @Test func aNetworkMayRequireNone() throws {
    let (ledger, pool) = try pool(requiring: [])
    #expect(try withExtendedLifetime(ledger) { try pool.authorAgreement() } == [:])
  }

  @Test func onlyAnAuthorWhoAcceptsItWrites() throws {
    let (ledger, pool) = try pool(requiring: requests)
    try withExtendedLifetime(ledger) {
      let refusal = #expect(throws: PublicationError.self) { try publish(accepting: nil, on: pool) }
      #expect("\(refusal.map { "\($0)" } ?? "")".contains("Txn Author Agreement acceptance is required"))
      let other = try AgreementAcceptance(
        text: Self.text, version: "1.0", digest: nil, mechanism: "on_file", time: 1_795_298_125)
      #expect(throws: PublicationError.self) { try publish(accepting: other, on: pool) }
      let acceptance = try AgreementAcceptance(
        text: Self.text, version: "2.0", digest: nil, mechanism: "on_file", time: 1_795_298_125)
      try publish(accepting: acceptance, on: pool)
    }
  }

  private func publish(accepting agreement: AgreementAcceptance?, on pool: LedgerPool) throws {
    let publisher = IndyPublisher(
      registry: IndyRegistry(networks: ["test"]) { () throws(LedgerError) in pool }, agreement: agreement,
      now: { Int64.random(in: 1...Int64.max) },
      sign: { (_, bytes) throws(PublicationError) in Self.author.sign(bytes) }
    ) { () throws(LedgerError) in pool }
    let schema: JSON = ["name": "degree", "version": "1.0", "attrNames": ["name"], "issuerId": .string(Self.did)]
    try publisher.publish(schema, .schema, "\(Self.did):2:degree:1.0")
  }

  @Test func theConfigurationMayNameTheDigestAlone() throws {
    let config: JSON = [
      "taaDigest": .string(Self.digest), "acceptanceMechanismType": "on_file", "timeOfAcceptance": 86_401,
    ]
    #expect(
      try AgreementAcceptance(config.requireObject()).json == [
        "taaDigest": .string(Self.digest), "mechanism": "on_file", "time": 86_400,
      ])
  }

  @Test func anAcceptanceNamesItsAgreement() throws {
    let accept = { (text: String?, version: String?, digest: String?) throws(AgreementError) in
      try AgreementAcceptance(text: text, version: version, digest: digest, mechanism: "on_file", time: 1)
    }
    let byText = try accept(Self.text, "2.0", nil)
    #expect(try accept(nil, nil, Self.digest) == byText)
    #expect(try accept(Self.text, "2.0", Self.digest) == byText)
    #expect(throws: AgreementError.otherDigest) { try accept(Self.text, "3.0", Self.digest) }
    #expect(throws: AgreementError.unnamed) { try accept(Self.text, nil, nil) }
    #expect(throws: AgreementError.unnamed) { try accept(nil, "2.0", nil) }
  }
}
