import AnonCreds
import JSON
import TestSupport
import Testing
import Threading

@testable import Credentials

/// Presentations of two credentials, which are of different definitions.
@Suite struct SeveralProofsTests {
  private let scene: VerificationScene
  private let engine = NotingVerifier()

  init() throws { scene = try VerificationScene() }

  /// The ids of the second credential.
  private static let second = (schema: "schema2", definition: "definition2", registry: "registry2")

  private func objects() throws -> ListedObjects {
    var objects = scene.objects()
    let (schema, definition) = (VerificationScene.schemaID, VerificationScene.definitionID)
    objects.schemas[Self.second.schema] = objects.schemas[schema]
    objects.definitions[Self.second.definition] = objects.definitions[definition]?.with([
      "schemaId": .string(Self.second.schema)
    ])
    objects.registries[Self.second.registry] = objects.registries[VerificationScene.registryID]?.with([
      "credDefId": .string(Self.second.definition)
    ])
    objects.statusLists += objects.statusLists.map { $0.with(["revRegDefId": .string(Self.second.registry)]) }
    return objects
  }

  /// The verdict on `a` from the first credential and `b` from the second.
  private func verdict(_ objects: ListedObjects, secondTime: JSON? = 1_700_001_000) throws -> Verdict {
    var (request, presentation) = (scene.request("non_revoked"), scene.presentation("non_revoked"))
    request.set("/requested_attributes/a/restrictions", to: nil)
    request.set("/requested_attributes/b", to: request.at("/requested_attributes/a"))
    for path in ["/proof/proofs", "/identifiers", "/proof/aggregated_proof/c_list"] {
      let array = presentation.at(path)?.array ?? []
      presentation.set(path, to: .array(array + array))
    }
    for (name, id) in [
      ("schema_id", Self.second.schema), ("cred_def_id", Self.second.definition), ("rev_reg_id", Self.second.registry),
    ] {
      presentation.set("/identifiers/1/\(name)", to: .string(id))
    }
    presentation.set("/identifiers/1/timestamp", to: secondTime)
    let answer = presentation.at("/requested_proof/revealed_attrs/a") ?? .null
    presentation.set("/requested_proof/revealed_attrs/b", to: answer.with(["sub_proof_index": 1]))
    return try scene.verdict(on: presentation, for: request, by: engine, objects)
  }

  @Test func theEngineGetsTheObjectsOfAllCredentials() throws {
    #expect(try verdict(objects()) == Verdict())
    let (objects, revocation) = engine.inputs.withLock { $0 }
    #expect(Set(objects.schemas.keys) == [VerificationScene.schemaID, Self.second.schema])
    #expect(Set(objects.definitions.keys) == [VerificationScene.definitionID, Self.second.definition])
    #expect(Set(revocation.registries.keys) == [VerificationScene.registryID, Self.second.registry])
    let lists = try revocation.statusLists.map { try JSON(parsing: $0)["revRegDefId"]?.string }
    #expect(Set(lists) == [VerificationScene.registryID, Self.second.registry] && lists.count == 2)
  }

  /// The objects of the first credential fit each other.
  @Test func theObjectsOfEachCredentialHaveToFit() throws {
    var objects = try objects()
    objects.definitions[Self.second.definition]?["schemaId"] = .string(VerificationScene.schemaID)
    #expect(try verdict(objects).reasons == [Verdict.Remark(code: .otherObject, referent: nil)])
    objects = try self.objects()
    objects.registries[Self.second.registry]?["credDefId"] = .string(VerificationScene.definitionID)
    #expect(try verdict(objects).reasons == [Verdict.Remark(code: .otherObject, referent: nil)])
  }

  @Test(arguments: [(nil, .revocationUnproved), (1_700_002_400, .time)] as [(JSON?, Verdict.Reason)])
  func eachCredentialHasATimeOfItsOwn(time: JSON?, reason: Verdict.Reason) throws {
    #expect(try verdict(objects(), secondTime: time).reasons == [Verdict.Remark(code: reason, referent: "b")])
  }

  // MARK: Predicates

  /// The proof of `plain` shows nothing about revocation.
  @Test(arguments: ["/non_revoked", "/requested_predicates/p/non_revoked"])
  func aPredicateNeedsAProofOfNonRevocationToo(path: String) throws {
    let verdict = try scene.verdict(
      "plain", by: CredulousEngine(),
      request: { request in
        request.set("/requested_attributes", to: [:])
        request.set(path, to: ["from": 1_700_001_500, "to": 1_700_001_500])
      }, presentation: { $0.set("/requested_proof/revealed_attrs", to: [:]) })
    #expect(verdict.reasons == [Verdict.Remark(code: .revocationUnproved, referent: "p")])
  }

  @Test(arguments: ["AGE", " a ge"]) func theNameOfAPredicateMayBeSpelledInAnyWay(name: String) throws {
    let verdict = try scene.verdict(
      "plain", request: { $0.set("/requested_predicates/p/name", to: .string(name)) })
    #expect(verdict.isVerified)
  }

  @Test(arguments: [(">=", "GE"), (">", "GT"), ("<=", "LE"), ("<", "LT")])
  func aComparisonHasItsNameInTheProof(type: String, name: String) throws {
    for shown in ["GE", "GT", "LE", "LT"] {
      let verdict = try scene.verdict(
        "plain", by: CredulousEngine(),
        request: { $0.set("/requested_predicates/p/p_type", to: .string(type)) },
        presentation: { $0.set("/proof/proofs/0/primary_proof/ge_proofs/0/predicate/p_type", to: .string(shown)) })
      #expect(verdict.isVerified == (shown == name), "\(shown)")
    }
  }

  /// One credential proves both.
  @Test(arguments: ["p", "q"]) func aProofMayShowSeveralPredicates(changed: String) throws {
    for isRight in [true, false] {
      let verdict = try scene.verdict(
        "plain", by: CredulousEngine(),
        request: { $0.set("/requested_predicates/q", to: ["name": "age", "p_type": "<=", "p_value": 65]) },
        presentation: { presentation in
          let predicates = "/proof/proofs/0/primary_proof/ge_proofs"
          let first = presentation.at(predicates)?.array?.first ?? .null
          presentation.set(
            predicates, to: [first, first.with(["predicate": ["attr_name": "age", "p_type": "LE", "value": 65]])])
          let list = "/proof/aggregated_proof/c_list"
          let commitments = presentation.at(list)?.array ?? []
          presentation.set(list, to: .array(commitments + commitments.suffix(5)))
          presentation.set("/requested_proof/predicates/q", to: ["sub_proof_index": 0])
          if !isRight { presentation.set("\(predicates)/\(changed == "p" ? 0 : 1)/predicate/value", to: 7) }
        })
      #expect(verdict.reasons == (isRight ? [] : [Verdict.Remark(code: .predicate, referent: changed)]))
    }
  }

  // MARK: Values

  @Test(arguments: ["name", "age"]) func eachValueOfAGroupIsChecked(name: String) throws {
    let path = "/requested_proof/revealed_attr_groups/g/values/\(name)"
    for member in ["raw", "encoded"] {
      let verdict = try scene.altered("group", by: CredulousEngine()) { $0.set("\(path)/\(member)", to: "7") }
      #expect(verdict.reasons == [Verdict.Remark(code: .value, referent: "g")])
    }
  }

  @Test(arguments: [("name", "Alice", true), ("name", "Bob", false), ("age", "28", true), ("age", "29", false)])
  func aRestrictionLooksAtTheValuesOfAGroup(name: String, value: String, isSatisfied: Bool) throws {
    let verdict = try scene.verdict(
      "group", by: CredulousEngine(),
      request: { $0.set("/requested_attributes/g/restrictions", to: [["attr::\(name)::value": .string(value)]]) })
    #expect(verdict.reasons == (isSatisfied ? [] : [Verdict.Remark(code: .restriction, referent: "g")]))
  }

  /// Older issuers encode 4294967295 as itself. The encoding of another number is that of another value.
  @Test(arguments: [("4294967295", "4294967295", true), ("-5", "-5", true), ("5", "6", false), ("x", "5", false)])
  func anOlderEncodingOfANumberCounts(raw: String, encoded: String, isShown: Bool) throws {
    let verdict = try scene.altered("plain", by: CredulousEngine()) { presentation in
      presentation.set("/requested_proof/revealed_attrs/a/raw", to: .string(raw))
      presentation.set("/requested_proof/revealed_attrs/a/encoded", to: .string(encoded))
      presentation.set("/proof/proofs/0/primary_proof/eq_proof/revealed_attrs/name", to: .string(encoded))
    }
    #expect(verdict.reasons == (isShown ? [] : [Verdict.Remark(code: .value, referent: "a")]))
  }

  // MARK: The link secret

  /// Its key stands among those of the attributes, under one of two names.
  @Test(arguments: ["master_secret", "link_secret"]) func theLinkSecretIsNoAttribute(name: String) throws {
    var objects = scene.objects()
    let definition = objects.definitions[VerificationScene.definitionID] ?? .null
    let key = definition.at("/value/primary/r/master_secret")
    var changed = definition
    changed.set("/value/primary/r/master_secret", to: nil)
    changed.set("/value/primary/r/\(name)", to: key)
    objects.definitions[VerificationScene.definitionID] = changed
    var request = scene.request("unrevealed")
    request.set("/requested_attributes/a/name", to: .string(name))
    let verdict = try scene.verdict(on: scene.presentation("unrevealed"), for: request, by: CredulousEngine(), objects)
    #expect(verdict.reasons == [Verdict.Remark(code: .attribute, referent: "a")])
  }
}

/// An engine that notes its inputs, and finds every proof good.
private final class NotingVerifier: VerifierEngine {
  let inputs = Locked((objects: PublicObjects(), revocation: RevocationObjects()))

  func verify(
    presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
  ) throws(AnonCredsError) -> Bool {
    inputs.withLock { $0 = (objects, revocation) }
    return true
  }
}
