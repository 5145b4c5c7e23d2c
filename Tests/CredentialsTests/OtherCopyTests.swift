import JSON
import Soundness
import TestSupport
import Testing

@testable import Credentials

/// The wallet of an issuer from an older export, beside the copy that went on and published.
@Suite struct OtherCopyTests {
  private let scene: IssuerScene

  init() throws {
    scene = try IssuerScene()
    try scene.loadRecords()
  }

  /// The status list of the registry with these places revoked; places 1 and 2 are given, and 2 is revoked. Without an
  /// accumulator it has the one that the keys give, in the text of another computation.
  private func list(_ revoked: Set<Int64>, accumulator: String? = nil, of id: String = IssuerScene.registryID) throws
    -> StatusList
  {
    let places: [JSON] = (0...10).map { revoked.contains($0) ? 1 : 0 }
    let json: JSON = [
      "revRegDefId": .string(id), "revocationList": .array(places),
      "currentAccumulator": .string(try accumulator ?? self.accumulator(revoked)), "timestamp": 1,
    ]
    return try StatusList(parsing: json.text)
  }

  /// The accumulator of these places, after one change for each of them.
  private func accumulator(_ revoked: Set<Int64>) throws -> String {
    let registry = try scene.issuer.registry(IssuerScene.registryID)
    var list = registry.statusList().text
    func change(issued: [Int64], revoked: [Int64]) throws {
      list = try scene.engine.updateStatusList(
        list, definition: scene.issuer.definition(IssuerScene.definitionID).text, registry: registry.text,
        privateKey: registry.privateKey, issued: issued.map(Int32.init), revoked: revoked.map(Int32.init), timestamp: 1)
    }
    for place in 1...10 as ClosedRange<Int64> {
      let (was, becomes) = (registry.isRevoked(place), revoked.contains(place))
      if was != becomes { try change(issued: was ? [place] : [], revoked: becomes ? [place] : []) }
    }
    return try JSON(parsing: list).requireObject().string("currentAccumulator")
  }

  private func learn(_ list: StatusList) throws -> OwnRegistry {
    try scene.issuer.learn(list, in: IssuerScene.registryID)
    return try scene.issuer.registry(IssuerScene.registryID)
  }

  @Test func placesUpToTheLastRevokedOneArePassedOver() throws {
    let list = try list([2, 5, 4])
    let registry = try learn(list)
    #expect(registry.lastIndex == 5 && registry.listed == [2, 4, 5] && registry.accumulator == list.accumulator)
    #expect(try scene.allocate(for: "t1") == 6)
  }

  @Test func aListWithoutNewsChangesNothing() throws {
    let before = try scene.issuer.registry(IssuerScene.registryID)
    for revoked in [[2], []] as [Set<Int64>] {
      let registry = try learn(list(revoked))
      #expect(registry.lastIndex == 2 && registry.accumulator == before.accumulator && registry.listed == before.listed)
    }
  }

  /// The list may be older than the own revocations, which are then published again.
  @Test func noOwnRevocationIsTakenBack() throws {
    let registry = try learn(list([4]))
    #expect(registry.lastIndex == 4 && registry.listed == [2, 4])
    #expect(try registry.pending?.revoked == [2])
  }

  /// Without the other copy's revocations, the registry would refuse each list of this copy.
  @Test func waitingRevocationsJoinTheRevocationsOfTheOtherCopy() throws {
    try scene.issuer.revoke(1, in: IssuerScene.registryID)
    let (list, both) = (try list([2, 6]), try accumulator([1, 2, 6]))
    let registry = try learn(list)
    #expect(registry.lastIndex == 6 && registry.listed == [1, 2, 6])
    #expect(Accumulator.areEqual(registry.accumulator, both))
    let pending = try #require(try registry.pending)
    #expect(pending.revoked == [1] && pending.issued == [])
    #expect(pending.previousAccumulator == list.accumulator && pending.accumulator == registry.accumulator)
  }

  @Test func revocationsThatTheOtherCopyHasPublishedNoLongerWait() throws {
    try scene.issuer.revoke(1, in: IssuerScene.registryID)
    let list = try list([1, 2, 6])
    let registry = try learn(list)
    #expect(registry.listed == [1, 2, 6] && registry.accumulator == list.accumulator)
    #expect(try registry.pending == nil)
    try scene.issuer.publishPending(of: IssuerScene.registryID) { _ in Issue.record("it is published") }
  }

  @Test func aListTellsWhetherItHadNews() throws {
    let list = try list([2, 6])
    #expect(try scene.issuer.learn(list, in: IssuerScene.registryID))
    #expect(try !scene.issuer.learn(list, in: IssuerScene.registryID))
  }

  /// A revocation needs no further place.
  @Test func aFullListTellsItsRevocations() throws {
    #expect(try scene.issuer.learn(list([2, 10]), in: IssuerScene.registryID, needsPlace: false))
    let registry = try scene.issuer.registry(IssuerScene.registryID)
    #expect(registry.listed == [2, 10] && registry.lastIndex == 10)
    #expect(throws: IssuingError.registryFull) { try scene.allocate(for: "t1") }
  }

  // MARK: A place that was noted before the export

  /// The copy went on with the exchange: it issued the credential and revoked it.
  @Test func aNotedPlaceThatIsRevokedIsNotUsed() throws {
    let definition = try scene.issuer.definition(IssuerScene.definitionID)
    let offer = try #require(try scene.issuer.offer(of: IssuerScene.terms, on: "t1") { .string($0) }.string)
    let request = try scene.engine.createRequest(
      offer: offer, definition: definition.text, linkSecret: scene.linkSecret, linkSecretName: "main",
      identity: .entropy("x")
    ).request
    var issuance = try #require(try scene.issuer.issuance(on: "t1"))
    #expect(try scene.issuer.allocate(in: IssuerScene.registryID, for: "t1", &issuance) == 3)
    let list = try list([2, 3])
    #expect(throws: IssuingError.malformedRevocation("the place 3 of this credential is revoked")) {
      try scene.issuer.issue(IssuerScene.terms, answering: request, to: offer, on: "t1") { id in
        try scene.issuer.learn(list, in: id)
      }
    }
    #expect(try scene.issuer.issuance(on: "t1")?.credential == nil)
  }

  /// In such a registry of another library a place is valid once it is issued.
  @Test func theValidPlacesOfAnotherKindOfRegistryArePassedOver() throws {
    let records = scene.wallet.records("Indy::RevocationRegistryDefinition")
    var definition = try JSON(parsing: #require(try records.find(IssuerScene.registryID)).value)
    definition["value"]?["issuanceType"] = "ISSUANCE_ON_DEMAND"
    try scene.wallet.wallet.make([records.putting(IssuerScene.registryID, value: definition.text)])
    #expect(try learn(list([0, 1, 2, 4, 5, 7, 8, 9, 10])).lastIndex == 6)
  }

  /// A registry that lies once must not change the accumulator of the next publication, nor take all places away.
  @Test func aListWithAnotherAccumulatorIsRefused() throws {
    let before = try scene.issuer.registry(IssuerScene.registryID)
    for revoked in [[2, 6], [6]] as [Set<Int64>] {
      #expect(
        throws: CredentialsError.malformedRegistry(
          "the accumulator of its published status list does not fit the list, which differs from the wallet at "
            + (revoked == [6] ? "2, 6" : "6"))
      ) {
        try learn(list(revoked, accumulator: before.accumulator))
      }
    }
    let after = try scene.issuer.registry(IssuerScene.registryID)
    #expect(after.lastIndex == 2 && after.listed == [2] && after.accumulator == before.accumulator)
  }

  @Test func aListThatLeavesNoPlaceIsRefused() throws {
    for revoked in [Set(1...10), [2, 10]] as [Set<Int64>] {
      #expect(throws: CredentialsError.self) { try learn(list(revoked)) }
    }
    let after = try scene.issuer.registry(IssuerScene.registryID)
    #expect(after.lastIndex == 2 && after.listed == [2])
  }

  @Test func anotherRegistrysListIsRefused() throws {
    #expect(throws: CredentialsError.malformedRegistry("its status list is another registry's")) {
      try learn(list([5], of: "other"))
    }
  }

  @Test func aListWithoutRoomForTheRegistryIsRefused() throws {
    let json: JSON = [
      "revRegDefId": .string(IssuerScene.registryID), "revocationList": [0, 1], "currentAccumulator": "x",
      "timestamp": 1,
    ]
    #expect(throws: CredentialsError.malformedRegistry("its status list has no place 10")) {
      try learn(StatusList(parsing: json.text))
    }
  }
}
