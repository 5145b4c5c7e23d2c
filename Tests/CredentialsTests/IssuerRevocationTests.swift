import JSON
import TestSupport
import Testing
import Threading
import Wallet

@testable import Credentials

/// Revocations by an issuer.
@Suite struct IssuerRevocationTests {
  private let scene: IssuerScene

  init() throws { scene = try IssuerScene() }

  @Test func onlyPlacesOfTheRegistryAreRevoked() throws {
    try scene.loadRecords()
    for index in [Int64.min, -1, 0, 11, Int64.max] {
      #expect(throws: IssuingError.self) { try scene.issuer.revoke(index, in: IssuerScene.registryID) }
    }
    let before = try scene.issuer.registry(IssuerScene.registryID).statusList()
    try scene.issuer.revoke(2, in: IssuerScene.registryID)  // was revoked before
    #expect(try scene.issuer.registry(IssuerScene.registryID).statusList() == before)
  }

  /// The program has the text of a credential that was issued after the wallet's export.
  @Test func aPlaceAfterTheLastOneIsRevokedAndNotGivenAgain() throws {
    try scene.loadRecords()
    try scene.issuer.revoke(4, in: IssuerScene.registryID)
    let registry = try scene.issuer.registry(IssuerScene.registryID)
    #expect(registry.listed == [2, 4] && registry.lastIndex == 4)
    #expect(try scene.allocate(for: "t1") == 5)
  }

  /// Such a place is not valid there, so that nothing would be revoked.
  @Test func aPlaceAfterTheLastOneOfAnOlderRegistryIsNotRevoked() throws {
    try scene.loadRecords()
    try issueOnDemand()
    #expect(throws: IssuingError.self) { try scene.issuer.revoke(3, in: IssuerScene.registryID) }
  }

  @Test func revocationsThatWaitArePublishedTogether() throws {
    try scene.loadRecords()
    let first = try scene.issuer.registry(IssuerScene.registryID).accumulator
    for thread in ["t1", "t2", "t3"] {
      _ = try scene.allocate(for: thread)
    }
    for index: Int64 in [1, 3] { try scene.issuer.revoke(index, in: IssuerScene.registryID) }
    struct Away: Error {}
    #expect(throws: Away.self) { try scene.issuer.publishPending(of: IssuerScene.registryID) { _ in throw Away() } }
    let published = Locked<[CredentialIssuer.Status]>([])
    try scene.issuer.publishPending(of: IssuerScene.registryID) { status in
      published.withLock { $0.append(status) }
      try scene.issuer.revoke(4, in: IssuerScene.registryID)  // while the publication is under way
    }
    for _ in 0..<2 {
      try scene.issuer.publishPending(of: IssuerScene.registryID) { status in published.withLock { $0.append(status) } }
    }
    let all = published.withLock { $0 }
    #expect(all.map(\.revoked) == [[1, 3], [4]])
    #expect(all[0].previousAccumulator == first)
    #expect(all[1].previousAccumulator == all[0].list["currentAccumulator"]?.string)
    #expect(all[1].list["revocationList"] == [0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
  }

  /// Makes the registry one whose places are valid once they are issued, as other libraries make them.
  private func issueOnDemand() throws {
    for type in ["Indy::RevocationRegistryDefinition", "Indy::RevocationRegistryInfo"] {
      var json = try JSON(parsing: #require(try scene.wallet.records(type).find(IssuerScene.registryID)).value)
      if type.hasSuffix("Info") { json["used_ids"] = [] } else { json["value"]?["issuanceType"] = "ISSUANCE_ON_DEMAND" }
      try scene.wallet.wallet.make([scene.wallet.records(type).putting(IssuerScene.registryID, value: json.text)])
    }
  }

  @Test func aPlaceOfAnOlderRegistryIsValidOnceItIsIssued() throws {
    try scene.loadRecords()
    try issueOnDemand()
    #expect(
      try scene.issuer.registry(IssuerScene.registryID).statusList()["revocationList"]?.array?.contains(0) == false)
    _ = try scene.allocate(for: "t1")
    try scene.issuer.noteIssued(3, in: IssuerScene.registryID)
    #expect(try scene.issuer.registry(IssuerScene.registryID).listed == [3])
    let issued = Locked<[Int64]>([])
    try scene.issuer.publishPending(of: IssuerScene.registryID) { status in issued.withLock { $0 = status.issued } }
    #expect(issued.withLock { $0 } == [3])
    try scene.issuer.revoke(3, in: IssuerScene.registryID)
    #expect(try scene.issuer.registry(IssuerScene.registryID).listed.isEmpty)
  }

  @Test func aPlaceThatIsRevokedBeforeItsPublicationIsNotIssued() throws {
    try scene.loadRecords()
    try issueOnDemand()
    for (thread, index) in [("t1", 3), ("t2", 4)] as [(String, Int64)] {
      _ = try scene.allocate(for: thread)
      try scene.issuer.noteIssued(index, in: IssuerScene.registryID)
    }
    try scene.issuer.revoke(3, in: IssuerScene.registryID)
    let pending = try #require(try scene.issuer.registry(IssuerScene.registryID).pending)
    #expect(pending.issued == [4] && pending.revoked == [])
    try scene.issuer.noteIssued(4, in: IssuerScene.registryID)
    #expect(try scene.issuer.registry(IssuerScene.registryID).pending == pending)
  }

  @Test func nothingIsPublishedIfARevocationCancelsAllThatWaits() throws {
    try scene.loadRecords()
    try issueOnDemand()
    let published = try scene.issuer.registry(IssuerScene.registryID).accumulator
    for thread in ["t1", "t2"] { _ = try scene.allocate(for: thread) }
    try scene.issuer.noteIssued(3, in: IssuerScene.registryID)
    try scene.issuer.revoke(3, in: IssuerScene.registryID)
    try scene.issuer.publishPending(of: IssuerScene.registryID) { _ in Issue.record("it is published") }
    try scene.issuer.noteIssued(4, in: IssuerScene.registryID)
    var last: CredentialIssuer.Status?
    try scene.issuer.publishPending(of: IssuerScene.registryID) { last = $0 }
    #expect(last?.previousAccumulator == published && last?.issued == [4] && last?.revoked == [])
  }

  @Test func aRevocationWhileTheIssuanceIsPublishedWaits() throws {
    try scene.loadRecords()
    try issueOnDemand()
    _ = try scene.allocate(for: "t1")
    try scene.issuer.noteIssued(3, in: IssuerScene.registryID)
    try scene.issuer.publishPending(of: IssuerScene.registryID) { status in
      #expect(status.issued == [3] && status.revoked == [])
      try scene.issuer.revoke(3, in: IssuerScene.registryID)
    }
    let pending = try #require(try scene.issuer.registry(IssuerScene.registryID).pending)
    #expect(pending.issued == [] && pending.revoked == [3])
  }

  /// The engine's list has an entry for each place.
  @Test func aLargeRegistryTakesRevocations() throws {
    try scene.loadRecords()
    let records = scene.wallet.records("Indy::RevocationRegistryDefinition")
    var definition = try JSON(parsing: #require(try records.find(IssuerScene.registryID)).value)
    definition["value"]?["maxCredNum"] = 40_000
    try scene.wallet.wallet.make([records.putting(IssuerScene.registryID, value: definition.text)])
    try scene.issuer.revoke(1, in: IssuerScene.registryID)
    #expect(try scene.issuer.registry(IssuerScene.registryID).listed == [1, 2])
  }

  @Test func aPlaceThatIsValidFromTheBeginningIsNotNoted() throws {
    try scene.loadRecords()
    _ = try scene.allocate(for: "t1")
    for index: Int64 in [2, 3] { try scene.issuer.noteIssued(index, in: IssuerScene.registryID) }
    #expect(try scene.issuer.registry(IssuerScene.registryID).pending == nil)
    #expect(try scene.issuer.registry(IssuerScene.registryID).listed == [2])
  }

  /// In a registry whose places are valid once they are issued, the credential needs a publication before it is shown.
  @Test(arguments: [true, false]) func aCredentialNeedsAPublicationIfItsRegistryIsOlder(isOlder: Bool) throws {
    try scene.loadRecords()
    if isOlder { try issueOnDemand() }
    let issued = try issue()
    #expect(issued.index == 3 && issued.needsPublication == isOlder)
    #expect((try scene.issuer.registry(IssuerScene.registryID).pending != nil) == isOlder)
  }

  private func issue() throws -> IssuedCredential {
    let definition = try scene.issuer.definition(IssuerScene.definitionID)
    let offer = try #require(try scene.issuer.offer(of: IssuerScene.terms, on: "t1") { .string($0) }.string)
    let request = try scene.engine.createRequest(
      offer: offer, definition: definition.text, linkSecret: scene.linkSecret, linkSecretName: "main",
      identity: .entropy("x")
    ).request
    return try scene.issuer.issue(
      IssuerScene.terms, answering: request, to: offer, on: "t1")
  }

  /// A second attempt would return a stored credential, and nobody would make its place valid.
  @Test func noCredentialIsStoredBeforeItsPlaceIsValid() throws {
    try scene.loadRecords()
    try issueOnDemand()
    let pending = scene.wallet.records("msdk::rev_pending")
    try scene.wallet.wallet.make([pending.putting(IssuerScene.registryID, value: "no JSON")])
    #expect(throws: JSONError.self) { try issue() }
    #expect(try scene.issuer.issuance(on: "t1")?.credential == nil)
    try scene.wallet.wallet.make([pending.removing(IssuerScene.registryID)])
    let issued = try issue()
    #expect(issued.text != nil && issued.index == 3 && issued.needsPublication)
    #expect(try scene.issuer.registry(IssuerScene.registryID).listed == [3])
  }
}
