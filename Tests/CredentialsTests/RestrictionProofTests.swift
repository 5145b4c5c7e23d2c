import AnonCreds
import JSON
import TestSupport
import Testing

@testable import Credentials

/// Restrictions of which a part depends on a value that the presentation does not show.
@Suite struct RestrictionProofTests {
  private let scene: VerificationScene

  init() throws { scene = try VerificationScene() }

  private static let hidden: JSON = ["attr::age::value": "28"]
  private static let holds: JSON = ["schema_name": "degree"]
  private static let fails: JSON = ["schema_name": "passport"]

  /// A part that fails decides an "and", and one that holds decides an "or". Otherwise nobody knows, also about the
  /// opposite.
  @Test(
    arguments: [
      ("$and", [hidden, holds], false, false), ("$and", [hidden, fails], false, true),
      ("$and", [holds, holds], true, false), ("$and", [holds, fails], false, true),
      ("$or", [hidden, holds], true, false), ("$or", [hidden, fails], false, false),
      ("$or", [holds, fails], true, false), ("$or", [fails, fails], false, true),
      ("$and", [holds, hidden], false, false), ("$or", [fails, hidden], false, false),
    ] as [(String, [JSON], Bool, Bool)])
  func aHiddenValueProvesNothing(operation: String, parts: [JSON], isProved: Bool, isRefuted: Bool) throws {
    let restriction = JSON.object(JSONObject([(operation, JSON.array(parts))]))
    let queries: [(JSON, Bool)] = [(restriction, isProved), (["$not": restriction], isRefuted)]
    for (query, expected) in queries {
      let verdict = try scene.verdict(
        "plain", by: CredulousEngine(), request: { $0.set("/requested_attributes/a/restrictions", to: query) })
      #expect(verdict.isVerified == expected, "\(query.text)")
    }
  }

  // MARK: The order of the checks

  private struct Missing: VerifierEngine {
    func verify(
      presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
    ) throws(AnonCredsError) -> Bool { throw .unavailable(reason: "gone") }
  }

  @Test func aFaultThatIsKnownNeedsNoEngine() throws {
    let verdict = try scene.altered("plain", by: Missing()) {
      $0.set("/requested_proof/revealed_attrs/a/raw", to: "Mallory")
    }
    #expect(verdict.reasons == [Verdict.Remark(code: .value, referent: "a")])
  }

  @Test func aFaultThatIsKnownNeedsNoStatusList() throws {
    let verdict = try scene.verdict(
      "non_revoked", by: CredulousEngine(), request: { $0.set("/non_revoked", to: nil) },
      presentation: { presentation in
        presentation.set("/requested_proof/revealed_attrs/a/raw", to: "Mallory")
        presentation.set("/identifiers/0/timestamp", to: 1_699_999_999)
      })
    #expect(verdict.reasons == [Verdict.Remark(code: .value, referent: "a")])
  }

  /// An engine that finds every proof wrong.
  private struct Doubting: VerifierEngine {
    func verify(
      presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
    ) throws(AnonCredsError) -> Bool { false }
  }

  @Test func theEngineDecidesAtLast() throws {
    for base in ["plain", "group", "unrevealed", "self_attested", "non_revoked"] {
      #expect(try scene.altered(base, by: Doubting()) { _ in }.reasons == [Verdict.Remark(code: .proof, referent: nil)])
      #expect(try scene.altered(base, by: CredulousEngine()) { _ in }.isVerified)
    }
  }
}
