import AnonCreds
import JSON
import TestSupport
import Testing

@testable import Credentials

/// Restrictions on values and names, where a prover chooses between spellings of one fact.
@Suite struct ProvedValueTests {
  private let scene: VerificationScene

  init() throws { scene = try VerificationScene() }

  /// The verdict on a group with the name and the age of 28, shown with another text for that number.
  private func verdict(_ restrictions: JSON, age raw: String) throws -> Verdict {
    try scene.verdict(
      "group", request: { $0.set("/requested_attributes/g/restrictions", to: restrictions) },
      presentation: { $0.set("/requested_proof/revealed_attr_groups/g/values/age/raw", to: .string(raw)) })
  }

  private static let excluding: [JSON] = [
    ["attr::age::value": ["$neq": "28"]], ["$not": ["attr::age::value": "28"]],
    ["$not": ["attr::age::value": ["$in": ["27", "28"]]]], ["attr::age::value": ["$neq": "+28"]],
  ]

  @Test(arguments: excluding, ["28", "028", "+28", "00028"])
  func anExcludedNumberIsExcludedInEverySpelling(restrictions: JSON, raw: String) throws {
    #expect(try verdict(restrictions, age: raw).reasons == [Verdict.Remark(code: .restriction, referent: "g")])
  }

  @Test(arguments: ["28", "028", "+28"]) func anotherNumberIsNotExcluded(raw: String) throws {
    #expect(try verdict(["attr::age::value": ["$neq": "29"]], age: raw).isVerified)
    #expect(try verdict(["$not": ["attr::age::value": ["$in": ["29", "280"]]]], age: raw).isVerified)
  }

  @Test func aDemandedValueIsDemandedAsItIsSpelled() throws {
    #expect(try verdict(["attr::age::value": "28"], age: "28").isVerified)
    #expect(try verdict(["attr::age::value": ["$in": ["27", "28"]]], age: "28").isVerified)
    #expect(try !verdict(["attr::age::value": "28"], age: "028").isVerified)
    #expect(try !verdict(["attr::age::value": "29"], age: "28").isVerified)
  }

  /// The other item shows the same number by the demanded text.
  @Test(arguments: [("+28", false), ("28", true)]) func anItemIsJudgedByItsOwnText(raw: String, isVerified: Bool) throws
  {
    let verdict = try scene.verdict(
      "group", by: CredulousEngine(),
      request: {
        $0.set("/requested_attributes/h", to: ["name": "age", "restrictions": [["attr::age::value": "28"]]])
      },
      presentation: {
        let answer: JSON = ["sub_proof_index": 0, "raw": .string(raw), "encoded": "28"]
        $0.set("/requested_proof/revealed_attrs/h", to: answer)
      })
    #expect(verdict.isVerified == isVerified)
    #expect(verdict.reasons.allSatisfy { $0 == Verdict.Remark(code: .restriction, referent: "h") })
  }

  /// The predicate is about a credential of which other items show the number by two texts.
  @Test(arguments: [("+28", false), ("28", true)])
  func aNumberWithTwoTextsIsNoFactAboutAnotherItem(raw: String, isVerified: Bool) throws {
    let verdict = try scene.verdict(
      "group", by: CredulousEngine(),
      request: {
        $0.set("/requested_attributes/h", to: ["name": "age"])
        $0.set("/requested_attributes/i", to: ["name": "name", "restrictions": [["attr::age::value": "28"]]])
      },
      presentation: {
        let name = $0["requested_proof"]?["revealed_attr_groups"]?["g"]?["values"]?["name"] ?? .null
        $0.set(
          "/requested_proof/revealed_attrs/h", to: ["sub_proof_index": 0, "raw": .string(raw), "encoded": "28"])
        $0.set(
          "/requested_proof/revealed_attrs/i",
          to: ["sub_proof_index": 0, "raw": name["raw"] ?? "", "encoded": name["encoded"] ?? ""])
      })
    #expect(verdict.isVerified == isVerified)
  }

  /// An engine that cannot read the public objects, or for another reason gives no verdict.
  private struct Failing: VerifierEngine {
    let code: AnonCredsError.Code

    func verify(
      presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
    ) throws(AnonCredsError) -> Bool { throw .failed(code, message: "x") }
  }

  @Test func anObjectThatTheEngineCannotReadIsAVerdict() throws {
    let verdict = try scene.altered("plain", by: Failing(code: .input)) { _ in }
    #expect(verdict.reasons == [Verdict.Remark(code: .unusableObject, referent: nil)])
    #expect(throws: AnonCredsError.failed(.io, message: "x")) {
      try scene.altered("plain", by: Failing(code: .io)) { _ in }
    }
  }

  @Test func aStatusListThatCannotBeReadIsAVerdict() throws {
    var objects = scene.objects()
    for index in objects.statusLists.indices { objects.statusLists[index].set("/revocationList", to: "x") }
    let verdict = try scene.verdict(
      on: scene.presentation("non_revoked"), for: scene.request("non_revoked"), by: CredulousEngine(), objects)
    #expect(verdict.reasons == [Verdict.Remark(code: .unusableObject, referent: nil)])
  }

  @Test(
    arguments: [
      ["$or": []], ["$and": []], [["$or": []]], ["$or": [[:]]], ["$not": ["attr::age::value": ["$in": []]]],
      ["$or": [["$and": []], ["schema_name": "passport"]]], ["$and": [[:], ["schema_name": "passport"]]],
      [["schema_name": "degree", "$or": []]], ["$not": ["$not": ["$or": [["$and": []]]]]],
    ] as [JSON])
  func anEmptyConditionPermitsNothing(restrictions: JSON) throws {
    let verdict = try scene.verdict(
      "group", by: CredulousEngine(), request: { $0.set("/requested_attributes/g/restrictions", to: restrictions) })
    #expect(verdict.reasons == [Verdict.Remark(code: .restriction, referent: "g")])
  }

  @Test(arguments: [(">", Int32.max, "GT"), ("<", Int32.min, "LT")])
  func aBoundWithoutANextNumberIsNeverProved(type: String, bound: Int32, name: String) throws {
    let verdict = try scene.verdict(
      "plain", by: CredulousEngine(),
      request: {
        $0.set("/requested_predicates/p/p_type", to: .string(type))
        $0.set("/requested_predicates/p/p_value", to: .integer(Int64(bound)))
      },
      presentation: {
        let predicate = "/proof/proofs/0/primary_proof/ge_proofs/0/predicate"
        $0.set("\(predicate)/p_type", to: .string(name))
        $0.set("\(predicate)/value", to: .integer(Int64(bound)))
      })
    #expect(verdict.reasons.map(\.check) == [.bounds])
  }

  /// A definition may have both attributes, which Swift's strings take for one.
  @Test(arguments: [("\u{e9}", true), ("e\u{301}", false)])
  func namesThatLookTheSameAreTwoAttributes(proved: String, isProved: Bool) throws {
    var objects = scene.objects()
    let keys = "/value/primary/r"
    for name in ["\u{e9}", "e\u{301}"] {
      var r = objects.definitions[VerificationScene.definitionID]?["value"]?["primary"]?["r"]?.object?.members ?? []
      r.append((name, "1"))
      objects.definitions[VerificationScene.definitionID]?.set(keys, to: .object(JSONObject(distinct: r)))
    }
    var (request, presentation) = (scene.request("plain"), scene.presentation("plain"))
    request.set("/requested_attributes/a/name", to: "\u{e9}")
    request.set("/requested_predicates/p/name", to: "\u{e9}")
    let shown = presentation["proof"]?["proofs"]?.array?[0]["primary_proof"]?["eq_proof"]?["revealed_attrs"]?["name"]
    let part = "/proof/proofs/0/primary_proof"
    presentation.set("\(part)/eq_proof/revealed_attrs", to: .object([proved: try #require(shown)]))
    presentation.set("\(part)/ge_proofs/0/predicate/attr_name", to: .string(proved))
    let verdict = try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
    // The numbers are those of another proof, so the reasons about items decide.
    let reasons = Set(verdict.reasons.filter { $0.referent != nil }.map(\.code))
    #expect(reasons == (isProved ? [] : [.value, .predicate]))
  }

  @Test(arguments: ["n", "z"]) func aDefinitionWithALongNumberIsNoReasonToCompute(name: String) throws {
    var objects = scene.objects()
    let digits = String(repeating: "9", count: NumberBounds.mostDigits + 1)
    objects.definitions[VerificationScene.definitionID]?.set("/value/primary/\(name)", to: .string(digits))
    let verdict = try scene.verdict(
      on: scene.presentation("plain"), for: scene.request("plain"), by: CredulousEngine(), objects)
    #expect(verdict.reasons == [Verdict.Remark(code: .unusableObject, referent: nil)])
  }

  @Test func aRegistryOrStatusListWithALongNumberIsNoReasonToCompute() throws {
    let digits = JSON.string(String(repeating: "A", count: NumberBounds.mostDigits + 1))
    let (presentation, request) = (scene.presentation("non_revoked"), scene.request("non_revoked"))
    var objects = scene.objects()
    objects.registries[VerificationScene.registryID]?.set("/value/publicKeys/accumKey/z", to: digits)
    let first = try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
    #expect(first.reasons == [Verdict.Remark(code: .unusableObject, referent: nil)])
    objects = scene.objects()
    for index in objects.statusLists.indices { objects.statusLists[index].set("/currentAccumulator", to: digits) }
    let second = try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
    #expect(second.reasons == [Verdict.Remark(code: .unusableObject, referent: nil)])
  }

  @Test func aPresentationWithALongNumberIsNotProved() throws {
    let digits = JSON.string(String(repeating: "9", count: 600_000))
    let verdict = try scene.altered("plain") { $0.set("/proof/proofs/0/primary_proof/eq_proof/e", to: digits) }
    #expect(verdict.reasons == [Verdict.Remark(code: .proof, referent: nil, check: .numbers)])
  }
}
