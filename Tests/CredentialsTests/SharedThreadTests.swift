import AnonCreds
import JSON
import TestSupport
import Testing

@testable import Credentials

/// A program restores one stored exchange twice, so that two holders have one thread; and terms that do not fit together.
@Suite struct SharedThreadTests {
  private let scene: IssuerScene

  init() throws {
    scene = try IssuerScene()
    try scene.loadRecords()
  }

  private func offer(_ terms: CredentialTerms = IssuerScene.terms) throws -> String {
    try #require(try scene.issuer.offer(of: terms, on: "t1") { .string($0) }.string)
  }

  private func request(_ offer: String) throws -> String {
    try scene.engine.createRequest(
      offer: offer, definition: scene.issuer.definition(IssuerScene.definitionID).text, linkSecret: scene.linkSecret,
      linkSecretName: "main", identity: .entropy("x")
    ).request
  }

  @Test(arguments: [false, true]) func aSecondHolderDoesNotGetTheCredentialOfTheFirst(isOver: Bool) throws {
    let offer = try offer()
    let requests = [try request(offer), try request(offer)]
    let first = try scene.issuer.issue(IssuerScene.terms, answering: requests[0], to: offer, on: "t1")
    if isOver { try scene.issuer.end("t1") }
    #expect(throws: IssuingError.malformedRequest("another request has got the credential of this exchange")) {
      try scene.issuer.issue(IssuerScene.terms, answering: requests[1], to: offer, on: "t1")
    }
    let again = try scene.issuer.issue(IssuerScene.terms, answering: requests[0], to: offer, on: "t1")
    #expect(again.index == first.index && again.text == (isOver ? nil : first.text))
  }

  @Test func aSecondOfferWithOtherTermsIsRefused() throws {
    let text = try offer()
    let request = try request(text)
    for terms in [
      CredentialTerms(
        definitionID: IssuerScene.definitionID, registryID: IssuerScene.registryID,
        values: ["name": "Mal", "age": "28"]),
      CredentialTerms(definitionID: IssuerScene.definitionID, registryID: nil, values: IssuerScene.values),
      CredentialTerms(definitionID: "other", registryID: IssuerScene.registryID, values: IssuerScene.values),
    ] {
      #expect(throws: IssuingError.otherTerms) { try offer(terms) }
      #expect(throws: IssuingError.otherTerms) {
        try scene.issuer.issue(terms, answering: request, to: text, on: "t1")
      }
    }
    #expect(try offer() == text)
  }

  /// The engine checks a request only while it makes the credential.
  @Test func aRequestThatIsNotGenuineUsesNoPlace() throws {
    let offer = try offer()
    var wrong = try JSON(parsing: request(offer))
    wrong["blinded_ms_correctness_proof"]?["c"] = "5"
    #expect(throws: IssuingError.self) {
      try scene.issuer.issue(IssuerScene.terms, answering: wrong.text, to: offer, on: "t1")
    }
    #expect(try scene.issuer.registry(IssuerScene.registryID).lastIndex == 2)
    #expect(try scene.issue(on: "t2").index == 3)
    let issued = try scene.issuer.issue(IssuerScene.terms, answering: request(offer), to: offer, on: "t1")
    #expect(issued.index == 4)
  }

  @Test func aPlaceBeforeTheLastOneStaysGiven() throws {
    let places = try ["t1", "t2"].map {
      try scene.allocate(for: $0)
    }
    try scene.issuer.giveBack(places[0], in: IssuerScene.registryID, from: "t1")
    #expect(try scene.issuer.registry(IssuerScene.registryID).lastIndex == 4)
    #expect(try scene.issuer.issuance(on: "t1")?.index == 3)
  }

  // MARK: Definitions and registries

  @Test func aRevocableDefinitionNeedsItsOwnRegistry() throws {
    let records = scene.wallet.records("Indy::RevocationRegistryDefinition")
    let record = try #require(try records.find(IssuerScene.registryID))
    let (other, all) = ("V4SGRU86Z58d6TV7PBUe6f:3:CL:12:other", scene.wallet.wallet)
    for registryID in [nil, IssuerScene.registryID, "unknown"] {
      let isOther = registryID == IssuerScene.registryID
      let definition = try JSON(parsing: record.value).with([
        "credDefId": .string(isOther ? other : IssuerScene.definitionID)
      ])
      try all.make([records.putting(IssuerScene.registryID, value: definition.text)])
      #expect(throws: IssuingError.self, "\(registryID ?? "none")") {
        try offer(
          CredentialTerms(definitionID: IssuerScene.definitionID, registryID: registryID, values: IssuerScene.values))
      }
      #expect(try scene.issuer.issuances.find("t1") == nil)
    }
  }

  @Test func aDefinitionWithoutRevocationTakesNoRegistry() throws {
    let records = scene.wallet.records("Indy::CredentialDefinition")
    var definition = try JSON(parsing: #require(try records.find(IssuerScene.definitionID)).value)
    definition["value"]?["revocation"] = nil
    try scene.wallet.wallet.make([records.putting(IssuerScene.definitionID, value: definition.text)])
    #expect {
      try offer()
    } throws: { error in
      "\(error)".contains("has no revocation, and a registry is given")
    }
  }
}
