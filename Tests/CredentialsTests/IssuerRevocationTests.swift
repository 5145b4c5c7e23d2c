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

  @Test func onlyIssuedPlacesAreRevoked() throws {
    try scene.loadRecords()
    for index in [Int64.min, -1, 0, 3, 10, 11, Int64.max] {
      #expect(throws: IssuingError.self) { try scene.issuer.revoke(index, in: IssuerScene.registryID) }
    }
    let before = try scene.issuer.registry(IssuerScene.registryID).statusList()
    try scene.issuer.revoke(2, in: IssuerScene.registryID)  // was revoked before
    #expect(try scene.issuer.registry(IssuerScene.registryID).statusList() == before)
  }

  @Test func revocationsThatWaitArePublishedTogether() throws {
    try scene.loadRecords()
    let first = try scene.issuer.registry(IssuerScene.registryID).accumulator
    for thread in ["t1", "t2", "t3"] {
      _ = try scene.issuer.allocate(in: IssuerScene.registryID, for: thread, Issuance())
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

  @Test func aPlaceOfAnOlderRegistryIsValidOnceItIsIssued() throws {
    try scene.loadRecords()
    for type in ["Indy::RevocationRegistryDefinition", "Indy::RevocationRegistryInfo"] {
      var json = try JSON(parsing: #require(try scene.wallet.records(type).find(IssuerScene.registryID)).value)
      if type.hasSuffix("Info") { json["used_ids"] = [] } else { json["value"]?["issuanceType"] = "ISSUANCE_ON_DEMAND" }
      try scene.wallet.wallet.make([scene.wallet.records(type).putting(IssuerScene.registryID, value: json.text)])
    }
    #expect(
      try scene.issuer.registry(IssuerScene.registryID).statusList()["revocationList"]?.array?.contains(0) == false)
    _ = try scene.issuer.allocate(in: IssuerScene.registryID, for: "t1", Issuance())
    try scene.issuer.noteIssued(3, in: IssuerScene.registryID)
    #expect(try scene.issuer.registry(IssuerScene.registryID).listed == [3])
    let issued = Locked<[Int64]>([])
    try scene.issuer.publishPending(of: IssuerScene.registryID) { status in issued.withLock { $0 = status.issued } }
    #expect(issued.withLock { $0 } == [3])
    try scene.issuer.revoke(3, in: IssuerScene.registryID)
    #expect(try scene.issuer.registry(IssuerScene.registryID).listed.isEmpty)
  }
}
