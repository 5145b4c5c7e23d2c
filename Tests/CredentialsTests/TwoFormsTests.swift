import AnonCreds
import Indy
import JSON
import TestSupport
import Testing

@testable import Credentials

/// A ledger has each object under two ids, which are no part of the proof: a prover chooses one.
@Suite struct TwoFormsTests {
  private let scene: VerificationScene

  init() throws { scene = try VerificationScene() }

  private static let issuer = "V4SGRU86Z58d6TV7PBUe6f"
  private static let qualified = "did:indy:sov:\(issuer)"
  private static let schemaID = "\(qualified)/anoncreds/v0/SCHEMA/degree/1.0"
  private static let definitionID = "\(qualified)/anoncreds/v0/CLAIM_DEF/12/tag1"
  private static let registryID = "\(qualified)/anoncreds/v0/REV_REG_DEF/12/tag1/tag1"

  /// The presentation with the ids of `did:indy`.
  private func renamed(_ base: String) -> JSON {
    var presentation = scene.presentation(base)
    presentation.set("/identifiers/0/schema_id", to: .string(Self.schemaID))
    presentation.set("/identifiers/0/cred_def_id", to: .string(Self.definitionID))
    presentation.set("/identifiers/0/rev_reg_id", to: .string(Self.registryID))
    return presentation
  }

  /// The objects of one ledger, whose network is `sov`.
  private func ledger() -> ListedObjects {
    var objects = scene.objects()
    objects.form = { $0.hasPrefix("did:indy:sov:") ? $0.onLedger : $0 }
    return objects
  }

  private func verdict(_ base: String, _ restrictions: JSON, _ presentation: JSON, _ objects: ListedObjects) throws
    -> [Verdict.Reason]
  {
    var request = scene.request(base)
    request.set("/requested_attributes/a/restrictions", to: restrictions)
    if base == "plain" { request.set("/requested_predicates/p/restrictions", to: nil) }
    return try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects).reasons.map(\.code)
  }

  private static let conditions: [(tag: String, older: String, newer: String)] = [
    ("cred_def_id", VerificationScene.definitionID, definitionID), ("schema_id", VerificationScene.schemaID, schemaID),
    ("issuer_did", issuer, qualified), ("schema_issuer_did", issuer, qualified),
  ]

  @Test func anExcludedObjectIsExcludedUnderBothIDs() throws {
    for (tag, older, newer) in Self.conditions {
      for id in [older, newer].map(JSON.string) {
        let queries: [JSON] = [
          [tag: ["$neq": id]], ["$not": [tag: id]], ["$not": [tag: ["$in": [id, "x"]]]], ["$not": ["$or": [[tag: id]]]],
        ]
        for (query, presentation) in queries.flatMap({ [($0, scene.presentation("plain")), ($0, renamed("plain"))] }) {
          #expect(try verdict("plain", query, presentation, ledger()) == [.restriction], "\(query.text)")
        }
      }
    }
  }

  @Test func aDemandedObjectIsTheSameUnderBothIDs() throws {
    for (tag, older, newer) in Self.conditions {
      for (id, presentation) in [(older, renamed("plain")), (newer, scene.presentation("plain"))] {
        #expect(try verdict("plain", [[tag: .string(id)]], presentation, ledger()) == [])
      }
    }
  }

  @Test func anExcludedRegistryIsExcludedUnderBothIDs() throws {
    for id in [VerificationScene.registryID, Self.registryID].map(JSON.string) {
      for presentation in [scene.presentation("non_revoked"), renamed("non_revoked")] {
        #expect(try verdict("non_revoked", ["$not": ["rev_reg_id": id]], presentation, ledger()) == [.restriction])
        #expect(try verdict("non_revoked", [["rev_reg_id": id]], presentation, ledger()) == [])
      }
    }
  }

  @Test func theEngineAndProgramsGetTheOneForm() throws {
    let engine = try Engine.open(at: CredentialLibraries.anonCreds)
    let verifier = PresentationVerifier(engine: engine, objects: ledger()) { VerificationScene.now }
    for base in ["plain", "non_revoked"] {
      let (request, presentation) = (scene.request(base).text, verifier.canonical(renamed(base)))
      #expect(try verifier.verdict(on: renamed(base).text, for: request).isVerified)
      #expect(presentation == scene.presentation(base))
    }
  }

  /// With several networks, an older id names an object of any of them.
  @Test func anIDWithoutANetworkIsNeitherDemandedNorExcludedBesideOneWith() throws {
    var objects = scene.objects()
    var definition = objects.definitions[VerificationScene.definitionID] ?? .null
    var schema = objects.schemas[VerificationScene.schemaID] ?? .null
    var registry = objects.registries[VerificationScene.registryID] ?? .null
    definition["schemaId"] = .string(Self.schemaID)
    registry["credDefId"] = .string(Self.definitionID)
    let issuer = JSON.string(Self.qualified)
    (definition["issuerId"], schema["issuerId"], registry["issuerId"]) = (issuer, issuer, issuer)
    objects.registries[Self.registryID] = registry
    (objects.definitions[Self.definitionID], objects.schemas[Self.schemaID]) = (definition, schema)
    for (tag, older, newer) in Self.conditions {
      #expect(try verdict("plain", [[tag: .string(older)]], renamed("plain"), objects) == [.restriction])
      #expect(try verdict("plain", ["$not": [tag: .string(older)]], renamed("plain"), objects) == [.restriction])
      #expect(
        try verdict("plain", ["$not": [tag: .string(newer)]], scene.presentation("plain"), objects) == [.restriction])
      let other = newer.split(separator: ":sov:").joined(separator: ":other:")
      #expect(try verdict("plain", ["$not": [tag: .string(other)]], renamed("plain"), objects) == [])
    }
  }
}
