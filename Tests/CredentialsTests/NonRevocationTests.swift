import AnonCreds
import JSON
import TestSupport
import Testing

@testable import Credentials

/// The times of a proof that a credential was not revoked, against the status list of 1700001000.
@Suite struct NonRevocationTests {
  private let scene: VerificationScene

  init() throws { scene = try VerificationScene() }

  private func reasons(_ verdict: Verdict) -> [Verdict.Reason] { verdict.reasons.map(\.code) }

  private func interval(_ from: Int64?, _ to: Int64?) -> (inout JSON) -> Void {
    { request in
      request.set("/non_revoked/from", to: from.map(JSON.integer))
      request.set("/non_revoked/to", to: to.map(JSON.integer))
    }
  }

  @Test(
    arguments: [
      (1_700_001_000, 1_700_001_000), (1_700_001_500, 1_700_001_500), (1_700_000_000, 1_700_002_000),
      (nil, 1_700_001_500),
      (1_700_001_500, nil), (1_700_000_000, 1_700_000_900), (1_700_000_000, 1_700_000_700),
    ] as [(Int64?, Int64?)])
  func aListInForceInTheIntervalIsAccepted(from: Int64?, to: Int64?) throws {
    #expect(try scene.verdict("non_revoked", request: interval(from, to)).isVerified)
  }

  @Test func aListOfAfterTheIntervalIsRefused() throws {
    #expect(try reasons(scene.verdict("non_revoked", request: interval(1_700_000_000, 1_700_000_699))) == [.time])
  }

  @Test(arguments: [(nil, 1_700_001_500), (1_700_001_500, 1_700_001_500)] as [(Int64?, Int64)])
  func aListThatWasReplacedBeforeTheIntervalIsRefused(from: Int64?, to: Int64) throws {
    var objects = scene.objects()
    var later = try #require(objects.statusLists.first)
    later["timestamp"] = 1_700_001_400
    objects.statusLists.append(later)
    var request = scene.request("non_revoked")
    interval(from, to)(&request)
    #expect(
      try reasons(scene.verdict(on: scene.presentation("non_revoked"), for: request, objects)) == [.time])
  }

  @Test func aListOfAnotherRegistryIsRefused() throws {
    struct Mixed: PublicObjectSource {
      let objects: ListedObjects
      func schema(_ id: String) throws -> String { try objects.schema(id) }
      func definition(_ id: String) throws -> String { try objects.definition(id) }
      func registry(_ id: String) throws -> String { try objects.registry(id) }
      func statusList(_ registryID: String, at time: Int64) throws -> String {
        try objects.statusList(registryID, at: time).replacing("CL_ACCUM:tag1", with: "CL_ACCUM:tag2")
      }
    }
    let verifier = PresentationVerifier(engine: CredulousEngine(), objects: Mixed(objects: scene.objects())) {
      VerificationScene.now
    }
    let (presentation, request) = (scene.presentation("non_revoked"), scene.request("non_revoked"))
    let verdict = try verifier.verdict(on: presentation.text, for: request.text)
    #expect(verdict.reasons == [Verdict.Remark(code: .unusableObject, referent: nil)])
  }

  @Test func aTimeInTheFutureIsRefused() throws {
    let verdict = try scene.verdict(
      "non_revoked", request: interval(nil, nil),
      presentation: { $0.set("/identifiers/0/timestamp", to: .integer(VerificationScene.now + 301)) })
    #expect(reasons(verdict) == [.time])
  }

  @Test func aTimeBetweenTwoListsNamesTheEarlierOne() throws {
    let verdict = try scene.altered("non_revoked") { $0.set("/identifiers/0/timestamp", to: 1_700_001_200) }
    #expect(verdict.isVerified)
  }

  @Test func aListMayHaveManyPlaces() throws {
    var objects = scene.objects()
    let places = JSON.array([JSON](repeating: 0, count: 40_000))
    objects.statusLists = objects.statusLists.map { $0.with(["revocationList": places]) }
    var presentation = scene.presentation("non_revoked")
    presentation.set("/identifiers/0/timestamp", to: 1_700_001_200)
    let verdict = try scene.verdict(
      on: presentation, for: scene.request("non_revoked"), by: CredulousEngine(), objects)
    #expect(verdict.isVerified)
  }

  /// The engine alone accepts a time beside a proof that shows nothing about revocation.
  @Test(arguments: ["plain", "unrevealed"]) func aTimeWithoutItsProofIsRefused(base: String) throws {
    let verdict = try scene.verdict(
      base, request: interval(1_700_001_500, 1_700_001_500),
      presentation: { $0.set("/identifiers/0/timestamp", to: 1_700_001_000) })
    #expect(!verdict.isVerified)
    #expect(Set(reasons(verdict)) == [.revocationUnproved])
  }

  @Test func aTimeBeforeTheFirstListIsRefused() throws {
    let verdict = try scene.verdict("non_revoked", request: interval(1, 1_700_001_500)) {
      $0.set("/identifiers/0/timestamp", to: 1_699_999_999)
    }
    #expect(reasons(verdict) == [.unknownObject])
  }

  @Test func aProofThatWasNotAskedForIsStillChecked() throws {
    let change: (inout JSON) -> Void = { $0.set("/non_revoked", to: nil) }
    #expect(try scene.verdict("non_revoked", request: change).isVerified)
    #expect(try reasons(scene.verdict("revoked", request: change)) == [.proof])
  }

  @Test func theIntervalOfAnItemPrecedesTheIntervalOfTheRequest() throws {
    let verdict = try scene.verdict(
      "non_revoked", request: { $0.set("/requested_attributes/a/non_revoked", to: ["from": 1, "to": 1_700_000_500]) })
    #expect(verdict.reasons == [Verdict.Remark(code: .time, referent: "a")])
  }

  @Test func aCredentialThatCannotBeRevokedNeedsNoProofOfIt() throws {
    var objects = scene.objects()
    objects.definitions[VerificationScene.definitionID]?["value"]?["revocation"] = nil
    var (request, presentation) = (scene.request("revoked_stripped"), scene.presentation("revoked_stripped"))
    let verdict = try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
    #expect(verdict.isVerified)
    #expect(verdict.warnings == [Verdict.Remark(code: .notRevocable, referent: "a")])
    (request, presentation) = (scene.request("non_revoked"), scene.presentation("non_revoked"))
    #expect(
      try reasons(scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects))
        == [.revocationUnproved])
  }

  @Test func onlyAMissingProofThatWasAskedForIsAWarning() throws {
    var objects = scene.objects()
    objects.definitions[VerificationScene.definitionID]?["value"]?["revocation"] = nil
    let (request, presentation) = (scene.request("plain"), scene.presentation("plain"))
    #expect(try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects).warnings == [])
    #expect(try scene.verdict("non_revoked").warnings == [])
  }

  @Test func aRevokedCredentialFailsInTheEngine() throws {
    #expect(try reasons(scene.verdict("revoked")) == [.proof])
  }
}
