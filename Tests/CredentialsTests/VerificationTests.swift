import AnonCreds
import JSON
import TestSupport
import Testing

@testable import Credentials

@Suite struct VerificationTests {
  private let scene: VerificationScene

  init() throws { scene = try VerificationScene() }

  private func reasons(_ verdict: Verdict) -> [Verdict.Reason] { verdict.reasons.map(\.code) }

  // MARK: Known answers

  /// Twenty presentations, most of which the engine alone accepts.
  @Test(arguments: 0..<20) func aCaseHasItsRequiredResult(number: Int) throws {
    let known = try #require(scene.file["cases"]?.array?[number])
    let base = try #require(known["base"]?.string)
    let patch = { (json: inout JSON, key: String) in
      for (path, value) in known[key]?.object?.members ?? [] {
        json.set(path, to: value == "<delete>" ? Optional<JSON>.none : value)
      }
    }
    let verdict = try scene.verdict(
      base, request: { patch(&$0, "set_in_request") }, presentation: { patch(&$0, "set_in_presentation") })
    #expect(verdict.isVerified == (known["msdk"] == "verified"), "\(known["name"]?.string ?? ""): \(verdict)")
  }

  @Test func allCasesAreTried() { #expect(scene.file["cases"]?.array?.count == 20) }

  // MARK: Shape

  @Test(arguments: [
    "/identifiers", "/proof", "/requested_proof", "/requested_proof/revealed_attrs", "/requested_proof/predicates",
    "/requested_proof/self_attested_attrs", "/requested_proof/unrevealed_attrs", "/proof/proofs/0", "/identifiers/0",
    "/identifiers/0/schema_id", "/requested_proof/revealed_attrs/a/raw", "/proof/proofs/0/primary_proof/ge_proofs",
    "/requested_proof/predicates/p/sub_proof_index",
  ])
  func aPresentationWithoutAPartIsMalformed(path: String) throws {
    #expect(try reasons(scene.verdict("plain", presentation: { $0.set(path, to: nil) })) == [.malformed])
  }

  @Test(arguments: [-1, 1, 1 << 40]) func anIndexWithoutAProofIsMalformed(index: Int64) throws {
    let verdict = try scene.altered("plain") {
      $0.set("/requested_proof/predicates/p/sub_proof_index", to: .integer(index))
    }
    #expect(reasons(verdict) == [.malformed])
  }

  @Test(arguments: [-1, 1 << 40, .max] as [Int64]) func anImpossibleTimeIsMalformed(time: Int64) throws {
    let verdict = try scene.altered("plain") { $0.set("/identifiers/0/timestamp", to: .integer(time)) }
    #expect(reasons(verdict) == [.malformed])
  }

  @Test func aProofThatAnswersNothingIsMalformed() throws {
    let verdict = try scene.altered("plain") { presentation in
      for path in ["/proof/proofs", "/identifiers"] {
        let array = presentation.at(path)?.array ?? []
        presentation.set(path, to: .array(array + array))
      }
    }
    #expect(reasons(verdict) == [.malformed])
  }

  /// Referents that look the same are two for the engine.
  @Test func anAnswerIsForTheReferentWithItsBytes() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    func verdict(answering referents: [String]) throws -> Verdict {
      try scene.verdict("self_attested", by: CredulousEngine()) { request in
        request.set("/requested_attributes", to: [composed: request.at("/requested_attributes/a") ?? .null])
      } presentation: { presentation in
        let answers = JSONObject(referents.map { ($0, JSON.string("Al")) })
        presentation.set("/requested_proof/self_attested_attrs", to: .object(answers))
      }
    }
    #expect(try reasons(verdict(answering: [composed])) == [])
    #expect(try reasons(verdict(answering: [decomposed])) == [.missing, .unrequested])
    #expect(try reasons(verdict(answering: [composed, decomposed])) == [.unrequested])
  }

  @Test func idsThatLookTheSameAreMalformed() throws {
    let verdict = try scene.altered("plain", by: CredulousEngine()) { presentation in
      presentation.set("/identifiers/0/schema_id", to: "caf\u{e9}")
      presentation.set("/identifiers/0/cred_def_id", to: "cafe\u{301}")
    }
    #expect(reasons(verdict) == [.malformed])
  }

  @Test func theSizeOfAPresentationIsLimited() throws {
    let long = try scene.altered("plain") {
      $0.set("/identifiers/0/schema_id", to: .string(String(repeating: "x", count: 513)))
    }
    #expect(reasons(long) == [.malformed])
    let verdict = try scene.altered("self_attested") {
      $0.set("/requested_proof/self_attested_attrs/a", to: .string(String(repeating: "x", count: 2 << 20)))
    }
    #expect(reasons(verdict) == [.malformed])
  }

  /// The engine would otherwise read another value than the checks.
  @Test func ofRepeatedNamesOneCounts() throws {
    let text = scene.presentation("plain").text.replacing(#""raw":"Alice""#, with: #""raw":"Alice","raw":"Mallory""#)
    let verifier = PresentationVerifier(engine: CredulousEngine(), objects: scene.objects()) { VerificationScene.now }
    #expect(try reasons(verifier.verdict(on: text, for: scene.request("plain").text)) == [.value])
    #expect(try Presentation(parsing: text).json.text.contains("Alice") == false)
  }

  /// The value fits its own encoding, but not the one that is proved.
  @Test(arguments: ["plain", "group"]) func aShownValueIsTheProvedOne(base: String) throws {
    let path =
      base == "plain" ? "/requested_proof/revealed_attrs/a" : "/requested_proof/revealed_attr_groups/g/values/name"
    #expect(scene.presentation(base).at(path + "/raw")?.string != nil)
    let verdict = try scene.altered(base, by: CredulousEngine()) { presentation in
      presentation.set(path + "/raw", to: "Mallory")
      presentation.set(path + "/encoded", to: .string(AttributeEncoding.encode("Mallory")))
    }
    #expect(reasons(verdict) == [.value])
  }

  @Test func aPresentationHasAsManyProofsAsReasonable() throws {
    func presentation(_ count: Int) -> String {
      var json = scene.presentation("plain")
      for path in ["/proof/proofs", "/identifiers"] {
        let first = json.at(path)?.array?.first ?? .null
        json.set(path, to: .array([JSON](repeating: first, count: count)))
      }
      let answers = (0..<count).map { ("p\($0)", ["sub_proof_index": .integer(Int64($0))] as JSON) }
      json.set("/requested_proof/predicates", to: .object(JSONObject(answers)))
      return json.text
    }
    #expect(throws: Never.self) { try Presentation(parsing: presentation(100)) }
    #expect(throws: JSONError.self) { try Presentation(parsing: presentation(101)) }
  }

  /// The proof names a time and shows nothing about revocation.
  @Test func aTimeAloneDoesNotProveARegistry() throws {
    let verdict = try scene.verdict(
      "plain", by: CredulousEngine(),
      request: {
        $0.set("/requested_attributes/a/restrictions", to: [["rev_reg_id": .string(VerificationScene.registryID)]])
      }, presentation: { $0.set("/identifiers/0/timestamp", to: 1_700_001_000) })
    #expect(verdict.reasons.contains(Verdict.Remark(code: .restriction, referent: "a")))
  }

  // MARK: Answers

  @Test func eachItemHasOneAnswerOfItsForm() throws {
    let unrevealed: JSON = ["a": ["sub_proof_index": 0]]
    let twice = try scene.altered("plain") { $0.set("/requested_proof/unrevealed_attrs", to: unrevealed) }
    #expect(twice.reasons == [Verdict.Remark(code: .repeated, referent: "a")])
    let unrequested = try scene.altered("plain") { $0.set("/requested_proof/self_attested_attrs/x", to: "y") }
    #expect(reasons(unrequested) == [.unrequested])
    let predicate = try scene.altered("plain") { $0.set("/requested_proof/predicates/q", to: ["sub_proof_index": 0]) }
    #expect(reasons(predicate) == [.unrequested])
    let names = try scene.verdict("group", request: { $0.set("/requested_attributes/g/names", to: ["name"]) })
    #expect(names.reasons == [Verdict.Remark(code: .missing, referent: "g")])
    let hidden = try scene.altered("group") { presentation in
      presentation.set("/requested_proof/revealed_attr_groups", to: [:])
      presentation.set("/requested_proof/unrevealed_attrs", to: ["g": ["sub_proof_index": 0]])
    }
    #expect(hidden.reasons == [Verdict.Remark(code: .missing, referent: "g")])
  }

  @Test func aRestrictedItemIsNotSelfAttested() throws {
    let verdict = try scene.verdict(
      "self_attested", request: { $0.set("/requested_attributes/a/restrictions", to: [["attr::nick::marker": "1"]]) })
    #expect(verdict.reasons == [Verdict.Remark(code: .selfAttested, referent: "a")])
  }

  @Test func permittedGapsAreWarnings() throws {
    #expect(try scene.verdict("self_attested").warnings.map(\.code) == [.selfAttested])
    #expect(try scene.verdict("unrevealed").warnings == [Verdict.Remark(code: .withheld, referent: "a")])
  }

  // MARK: Public objects

  @Test func anObjectThatDoesNotExistIsAReason() throws {
    for path in ["schema_id", "cred_def_id", "rev_reg_id"] {
      let verdict = try scene.altered("plain") { $0.set("/identifiers/0/\(path)", to: "V4SGRU86Z58d6TV7PBUe6f:9:x") }
      #expect(reasons(verdict) == [.unknownObject])
    }
  }

  @Test func aRegistryThatDoesNotAnswerIsAnError() throws {
    struct Silence: Error {}
    struct Silent: PublicObjectSource {
      func schema(_ id: String) throws -> String { throw Silence() }
      func definition(_ id: String) throws -> String { throw Silence() }
      func registry(_ id: String) throws -> String { throw Silence() }
      func statusList(_ registryID: String, at time: Int64) throws -> String { throw Silence() }
    }
    let verifier = PresentationVerifier(engine: CredulousEngine(), objects: Silent()) { VerificationScene.now }
    #expect(throws: Silence.self) {
      try verifier.verdict(on: scene.presentation("plain").text, for: scene.request("plain").text)
    }
    // An answer to another request is refused without asking anybody.
    #expect(try !verifier.verdict(on: scene.presentation("plain").text, for: scene.request("group").text).isVerified)
  }

  @Test func anEngineThatIsMissingIsAnError() throws {
    struct Missing: VerifierEngine {
      func verify(
        presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
      ) throws(AnonCredsError) -> Bool { throw .unavailable(reason: "gone") }
    }
    #expect(throws: AnonCredsError.self) { try scene.verdict("plain", by: Missing()) }
  }

  @Test func aRegistryOfAnotherDefinitionIsAReason() throws {
    var objects = scene.objects()
    objects.registries[VerificationScene.registryID]?["credDefId"] = "another"
    let verdict = try scene.verdict(on: scene.presentation("plain"), for: scene.request("plain"), objects)
    #expect(reasons(verdict) == [.otherObject])
  }

  /// A prover chooses the objects: if a false one were an error, its presentation would never be judged.
  @Test(arguments: ["/value/primary/r", "/value/primary", "/value", "/schemaId", "/issuerId"])
  func aDefinitionThatCannotBeReadIsAReason(part: String) throws {
    var objects = scene.objects()
    objects.definitions[VerificationScene.definitionID]?.set(part, to: nil)
    let verdict = try scene.verdict(on: scene.presentation("plain"), for: scene.request("plain"), objects)
    #expect(reasons(verdict) == [.unusableObject])
  }

  @Test(arguments: [("/value/tailsHash", nil), ("/value/maxCredNum", .integer(1 << 21))] as [(String, JSON?)])
  func aRegistryThatCannotBeReadIsAReason(part: String, value: JSON?) throws {
    var objects = scene.objects()
    objects.registries[VerificationScene.registryID]?.set(part, to: value)
    let verdict = try scene.verdict(on: scene.presentation("plain"), for: scene.request("plain"), objects)
    #expect(reasons(verdict) == [.unusableObject])
  }

  @Test(arguments: ["/attrNames", "/issuerId", "/name", "/version"])
  func aSchemaThatCannotBeReadIsAReason(part: String) throws {
    var objects = scene.objects()
    objects.schemas[VerificationScene.schemaID]?.set(part, to: nil)
    let verdict = try scene.verdict(on: scene.presentation("plain"), for: scene.request("plain"), objects)
    #expect(reasons(verdict) == [.unusableObject])
  }

  // MARK: Restrictions

  @Test(arguments: [
    (#"[{"schema_name":"degree","schema_version":"1.0"}]"#, true), (#"[{"schema_name":"passport"}]"#, false),
    (#"[{"schema_issuer_did":"V4SGRU86Z58d6TV7PBUe6f"}]"#, true), (#"[{"issuer_id":"V4SGRU86Z58d6TV7PBUe6f"}]"#, true),
    (#"[{"issuer_did":"another"}]"#, false), (#"[{"attr::age::marker":"1"}]"#, true),
    (#"[{"attr::salary::marker":"1"}]"#, false), (#"[{"attr::NA ME::value":"Alice"}]"#, true),
    (#"[{"attr::name::value":"Bob"}]"#, false), (#"[{"attr::age::value":"28"}]"#, false),
    (#"{"$not":{"attr::age::value":"17"}}"#, false), (#"{"$not":{"attr::name::value":"Bob"}}"#, true),
    (#"{"$not":{"attr::name::value":"Alice"}}"#, false),
    (#"{"$or":[{"attr::age::value":"28"},{"schema_name":"degree"}]}"#, true),
    (#"{"$or":[{"attr::age::value":"28"},{"schema_name":"passport"}]}"#, false),
    (#"{"$and":[{"attr::age::value":"28"},{"schema_name":"degree"}]}"#, false),
    (#"{"cred_def_id":{"$in":["x","V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1"]}}"#, true),
    (#"{"cred_def_id":{"$neq":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1"}}"#, false),
    (#"[{"rev_reg_id":"None"}]"#, false),
    (#"[{"rev_reg_id":"V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1:CL_ACCUM:tag1"}]"#, false),
    (#"[{"schema_name":"passport"},{"schema_name":"degree"}]"#, true),
  ])
  func aRestrictionIsComparedWithThePublicObjects(restriction: String, isSatisfied: Bool) throws {
    let restrictions = try JSON(parsing: restriction)
    let verdict = try scene.verdict(
      "plain",
      request: { request in
        request.set("/requested_attributes/a/restrictions", to: restrictions)
        request.set("/requested_predicates/p/restrictions", to: restrictions)
      })
    let expected = ["a", "p"].map { Verdict.Remark(code: Verdict.Reason.restriction, referent: $0) }
    #expect(verdict.reasons == (isSatisfied ? [] : expected))
  }

  /// `a` reveals the name from the first of two credentials, and `q` is a predicate over one of the two.
  @Test(arguments: [(0, true), (1, false)]) func aRestrictionLooksAtItsOwnCredential(proof: Int64, holds: Bool) throws {
    let verdict = try scene.verdict(
      "plain", by: CredulousEngine(),
      request: { request in
        var item = request.at("/requested_predicates/p") ?? .null
        item["restrictions"] = [["attr::name::value": "Alice"]]
        request.set("/requested_predicates/q", to: item)
      },
      presentation: { presentation in
        for path in ["/proof/proofs", "/identifiers"] {
          let array = presentation.at(path)?.array ?? []
          presentation.set(path, to: .array(array + array))
        }
        presentation.set("/requested_proof/predicates/p/sub_proof_index", to: .integer(1 - proof))
        presentation.set("/requested_proof/predicates/q", to: ["sub_proof_index": .integer(proof)])
      })
    let refused = verdict.reasons.filter { $0.code == .restriction }
    #expect(refused == (holds ? [] : [Verdict.Remark(code: .restriction, referent: "q")]))
  }

  /// Only a proof about revocation tells of which registry a credential is.
  @Test func aRegistryIsProvedTogetherWithNonRevocation() throws {
    for (registry, isSatisfied) in [(VerificationScene.registryID, true), ("another", false), ("None", false)] {
      let verdict = try scene.verdict(
        "non_revoked",
        request: { $0.set("/requested_attributes/a/restrictions", to: [["rev_reg_id": .string(registry)]]) })
      #expect(verdict.isVerified == isSatisfied)
    }
  }

  // MARK: Values and predicates

  @Test func bothEncodingsOfIntegersCount() {
    #expect(AttributeEncoding.encodeUnsigned("4294967295") == "4294967295")
    #expect(AttributeEncoding.encode("4294967295") != "4294967295")
    #expect(AttributeEncoding.encode("-5") == "-5")
    #expect(AttributeEncoding.encodeUnsigned("-5") != "-5")
  }

  @Test func aPredicateNeedsItsOwnRangeProof() throws {
    let none = try scene.altered("plain", by: CredulousEngine()) {
      $0.set("/proof/proofs/0/primary_proof/ge_proofs", to: [])
    }
    #expect(none.reasons == [Verdict.Remark(code: .predicate, referent: "p")])
    for (path, value) in [("attr_name", "name"), ("p_type", "GT"), ("value", 17)] as [(String, JSON)] {
      let other = try scene.altered("plain", by: CredulousEngine()) {
        $0.set("/proof/proofs/0/primary_proof/ge_proofs/0/predicate/\(path)", to: value)
      }
      #expect(other.reasons == [Verdict.Remark(code: .predicate, referent: "p")])
    }
  }

  @Test func aPredicateThatClaimsAnotherThanItsProofFailsInTheEngine() throws {
    let verdict = try scene.verdict(
      "plain", request: { $0.set("/requested_predicates/p/p_value", to: 21) },
      presentation: { $0.set("/proof/proofs/0/primary_proof/ge_proofs/0/predicate/value", to: 21) })
    #expect(reasons(verdict) == [.proof])
  }
}

extension JSON {
  /// The value at a path of names and indices.
  func at(_ path: String) -> JSON? {
    path.split(separator: "/").reduce(self) { json, name in
      json?.array.flatMap { array in Int(name).flatMap { array.indices.contains($0) ? array[$0] : nil } }
        ?? json?[String(name)]
    }
  }
}
