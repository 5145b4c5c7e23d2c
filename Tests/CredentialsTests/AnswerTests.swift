import AnonCreds
import JSON
import Testing
import Threading

@testable import Credentials

/// The answers of a presentation beside the items of a request, and the limits of its parts.
@Suite struct AnswerTests {
  private let scene: VerificationScene

  init() throws { scene = try VerificationScene() }

  private func remarks(_ verdict: Verdict) -> [String] {
    verdict.reasons.map { "\($0.code.rawValue) \($0.referent ?? "")" }
  }

  @Test func eachFactIsToldOnce() {
    var verdict = Verdict()
    for referent in ["a", "b", "a"] {
      verdict.fail(.missing, referent)
      verdict.warn(.selfAttested, referent)
    }
    #expect(verdict.reasons.map(\.referent) == ["a", "b"] && verdict.warnings.map(\.referent) == ["a", "b"])
  }

  // MARK: Limits

  @Test func aPresentationMayHaveTwoMebibytes() throws {
    let text = scene.presentation("plain").text
    let longest = text + String(repeating: " ", count: (2 << 20) - text.utf8.count)
    #expect(try Presentation(parsing: longest) == Presentation(parsing: text))
    #expect(throws: JSONError.wrongType(key: nil, expected: "at most 2097152 bytes")) {
      try Presentation(parsing: longest + " ")
    }
  }

  @Test(arguments: ["schema_id", "cred_def_id", "rev_reg_id"]) func anIDHas512BytesAtMost(name: String) throws {
    func presentation(_ length: Int) -> String {
      var json = scene.presentation("plain")
      json.set("/identifiers/0/\(name)", to: .string(String(repeating: "x", count: length)))
      return json.text
    }
    #expect(throws: Never.self) { try Presentation(parsing: presentation(512)) }
    #expect(throws: JSONError.wrongType(key: "identifiers", expected: "ids of at most 512 bytes")) {
      try Presentation(parsing: presentation(513))
    }
  }

  @Test func aTimeIsOneOfTheNextMillennia() throws {
    for (time, isTime) in [(0, true), ((1 << 40) - 1, true), (-1, false), (1 << 40, false)] as [(Int64, Bool)] {
      var json = scene.presentation("non_revoked")
      json.set("/identifiers/0/timestamp", to: .integer(time))
      let presentation = try? Presentation(parsing: json.text)
      #expect(presentation?.proofs.first?.timestamp == (isTime ? time : nil))
    }
  }

  @Test(arguments: ["/identifiers", "/proof/proofs"]) func eachProofHasItsIdentifiers(path: String) throws {
    var json = scene.presentation("plain")
    let array = json.at(path)?.array ?? []
    json.set(path, to: .array(array + array))
    #expect(throws: JSONError.wrongType(key: "identifiers", expected: "one for each proof, and at most 100")) {
      try Presentation(parsing: json.text)
    }
  }

  @Test(arguments: [
    "/proof/proofs/0/primary_proof/eq_proof/revealed_attrs/name", "/requested_proof/self_attested_attrs/x",
    "/requested_proof/revealed_attrs/a/encoded", "/requested_proof/revealed_attr_groups/g",
    "/proof/proofs/0/primary_proof/ge_proofs/0/predicate/value", "/identifiers/0/rev_reg_id",
    "/identifiers/0/timestamp", "/proof/proofs/0/non_revoc_proof", "/requested_proof/unrevealed_attrs/b",
  ])
  func aPartOfAnotherTypeIsMalformed(path: String) throws {
    let verdict = try scene.altered("plain") { $0.set(path, to: [1]) }
    #expect(verdict == .malformed)
  }

  @Test func theReasonOfAMalformedPartIsNamed() throws {
    func error(_ change: (inout JSON) -> Void) throws -> JSONError? {
      var json = scene.presentation("plain")
      change(&json)
      return #expect(throws: JSONError.self) { try Presentation(parsing: json.text) }
    }
    #expect(
      try error { $0.set("/requested_proof/predicates", to: ["p": ["sub_proof_index": 1]]) }
        == .wrongType(key: "requested_proof", expected: "items of all the proofs"))
    #expect(
      try error { $0.set("/identifiers/0/timestamp", to: -1) }
        == .wrongType(key: "timestamp", expected: "seconds since 1970"))
    #expect(
      try error { $0.set("/requested_proof/self_attested_attrs/x", to: 1) }
        == .wrongType(key: nil, expected: "strings"))
  }

  // MARK: One answer for each item

  /// Two answers to one item, in all pairs of the four forms.
  @Test(
    arguments: [
      ("revealed_attrs", "revealed_attr_groups"), ("revealed_attrs", "self_attested_attrs"),
      ("revealed_attrs", "unrevealed_attrs"), ("revealed_attr_groups", "self_attested_attrs"),
      ("revealed_attr_groups", "unrevealed_attrs"), ("self_attested_attrs", "unrevealed_attrs"),
    ])
  func twoAnswersToOneItemAreTooMany(first: String, second: String) throws {
    let answers: [String: JSON] = [
      "revealed_attrs": scene.presentation("plain").at("/requested_proof/revealed_attrs/a") ?? .null,
      "revealed_attr_groups": ["sub_proof_index": 0, "values": [:]], "self_attested_attrs": "x",
      "unrevealed_attrs": ["sub_proof_index": 0],
    ]
    let verdict = try scene.altered("plain", by: CredulousEngine()) { presentation in
      presentation.set("/requested_proof/revealed_attrs", to: [:])
      for form in [first, second] { presentation.set("/requested_proof/\(form)/a", to: answers[form]) }
    }
    #expect(remarks(verdict) == ["repeated a"])
  }

  @Test(
    arguments: [
      "revealed_attrs", "revealed_attr_groups", "self_attested_attrs", "unrevealed_attrs", "predicates",
    ])
  func anAnswerToNoItemIsRefused(form: String) throws {
    let answers: [String: JSON] = [
      "revealed_attrs": scene.presentation("plain").at("/requested_proof/revealed_attrs/a") ?? .null,
      "revealed_attr_groups": ["sub_proof_index": 0, "values": [:]], "self_attested_attrs": "x",
    ]
    let verdict = try scene.altered("plain", by: CredulousEngine()) {
      $0.set("/requested_proof/\(form)/x", to: answers[form] ?? ["sub_proof_index": 0])
    }
    #expect(remarks(verdict) == ["unrequested "])
  }

  @Test(arguments: [("predicates", "a"), ("unrevealed_attrs", "p"), ("self_attested_attrs", "p")])
  func anAnswerOfTheOtherKindIsRefused(form: String, referent: String) throws {
    let verdict = try scene.altered("plain", by: CredulousEngine()) {
      $0.set("/requested_proof/\(form)/\(referent)", to: form == "self_attested_attrs" ? "x" : ["sub_proof_index": 0])
    }
    #expect(remarks(verdict) == ["unrequested "])
  }

  @Test func anItemWithoutAnAnswerIsMissing() throws {
    let attribute = try scene.altered("plain", by: CredulousEngine()) {
      $0.set("/requested_proof/revealed_attrs", to: [:])
    }
    #expect(remarks(attribute) == ["missing a"])
    let predicate = try scene.altered("plain", by: CredulousEngine()) { $0.set("/requested_proof/predicates", to: [:]) }
    #expect(remarks(predicate) == ["missing p"])
  }

  /// A group is answered by a group only, and a single name by a single value only.
  @Test func anAnswerHasTheFormOfItsItem() throws {
    let single = try scene.verdict(
      "plain", by: CredulousEngine(), request: { $0.set("/requested_attributes/a", to: ["names": ["name"]]) })
    #expect(remarks(single) == ["missing a"])
    let group = try scene.verdict(
      "group", by: CredulousEngine(), request: { $0.set("/requested_attributes/g", to: ["name": "name"]) })
    #expect(remarks(group) == ["missing g"])
    let alone = try scene.verdict(
      "group", by: CredulousEngine(), request: { $0.set("/requested_attributes/g", to: ["name": "name"]) },
      presentation: { $0.set("/requested_proof/revealed_attr_groups/g/values/age", to: nil) })
    #expect(remarks(alone) == ["missing g"])
    let more = try scene.verdict(
      "group", by: CredulousEngine(),
      request: { $0.set("/requested_attributes/g", to: ["names": ["name", "age", "more"]]) })
    #expect(remarks(more) == ["missing g"])
  }

  // MARK: The credential

  /// The key of the link secret stands among those of the attributes, and is none.
  @Test(arguments: ["master_secret", "salary"]) func anAttributeIsOneOfTheDefinition(name: String) throws {
    let verdict = try scene.verdict(
      "unrevealed", by: CredulousEngine(), request: { $0.set("/requested_attributes/a/name", to: .string(name)) })
    #expect(remarks(verdict) == ["attribute a"])
  }

  @Test func aFaultOfAnItemIsNamedOnce() throws {
    let verdict = try scene.altered("group", by: CredulousEngine()) { presentation in
      for name in ["name", "age"] {
        presentation.set("/requested_proof/revealed_attr_groups/g/values/\(name)/raw", to: "x")
      }
    }
    #expect(remarks(verdict) == ["value g"])
  }

  @Test(arguments: ["schemaId", "credDefId"]) func anObjectOfAnotherIsRefused(name: String) throws {
    var objects = scene.objects()
    if name == "schemaId" {
      objects.definitions[VerificationScene.definitionID]?[name] = "another"
    } else {
      objects.registries[VerificationScene.registryID]?[name] = "another"
    }
    let (presentation, request) = (scene.presentation("plain"), scene.request("plain"))
    let verdict = try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
    #expect(remarks(verdict) == ["other-object "])
  }

  /// Everybody can publish a registry that names the definition. Its lists could show a revoked credential as valid.
  @Test(
    arguments: [
      ("V4SGRU86Z58d6TV7PBUe6f", "Th7MpTaRZVRYnPiabds81Y", false),
      ("did:webvh:Qm1:a.example", "did:webvh:Qm2:a.example", false),
      ("did:webvh:Qm1:a.example", "did:webvh:Qm1:b.example", true), ("did:web:a", "did:web:a", true),
      ("did:indy:test:V4SGRU86Z58d6TV7PBUe6f", "did:indy:other:V4SGRU86Z58d6TV7PBUe6f", false),
    ])
  func aRegistryOfAnotherIssuerIsRefused(issuer: String, author: String, isAccepted: Bool) throws {
    var objects = scene.objects()
    objects.definitions[VerificationScene.definitionID]?["issuerId"] = .string(issuer)
    objects.registries[VerificationScene.registryID]?["issuerId"] = .string(author)
    let (presentation, request) = (scene.presentation("non_revoked"), scene.request("non_revoked"))
    let verdict = try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
    #expect(remarks(verdict) == (isAccepted ? [] : ["other-object "]))
  }

  /// Everybody can publish a copy of the registry whose lists show a revoked credential as valid. A copy under a URL claims
  /// the issuer, and its id tells nothing.
  @Test(arguments: ["https://mallory.example/registry", "urn:example:registry"])
  func aCopyWhoseIDTellsNoIssuerIsRefused(id: String) throws {
    var objects = scene.objects()
    objects.registries[id] = objects.registries[VerificationScene.registryID]
    objects.statusLists = objects.statusLists.map { $0.with(["revRegDefId": .string(id)]) }
    var presentation = scene.presentation("non_revoked")
    presentation.set("/identifiers/0/rev_reg_id", to: .string(id))
    let verdict = try scene.verdict(
      on: presentation, for: scene.request("non_revoked"), by: CredulousEngine(), objects)
    #expect(remarks(verdict) == ["other-object "])
  }

  @Test func theIssuersAreComparedInOneForm() throws {
    var objects = scene.objects()
    objects.registries[VerificationScene.registryID]?["issuerId"] = "did:indy:test:V4SGRU86Z58d6TV7PBUe6f"
    let (presentation, request) = (scene.presentation("non_revoked"), scene.request("non_revoked"))
    let other = try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
    #expect(remarks(other) == ["other-object "])
    objects.form = { $0.hasPrefix("did:indy:test:") ? String($0.dropFirst("did:indy:test:".count)) : $0 }
    #expect(try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects).isVerified)
  }

  // MARK: The memory of objects

  /// Objects that note which of them the verifier keeps.
  private final class NotingObjects: PublicObjectSource {
    let listed: ListedObjects
    let notes = Locked<[String]>([])

    init(_ listed: ListedObjects) { self.listed = listed }

    func schema(_ id: String) throws -> String { try listed.schema(id) }
    func definition(_ id: String) throws -> String { try listed.definition(id) }
    func registry(_ id: String) throws -> String { try listed.registry(id) }
    func statusList(_ id: String, at time: Int64) throws -> String { try listed.statusList(id, at: time) }
    func keepListTime(ofRegistry id: String) { notes.withLock { $0.append("time of \(id)") } }

    func keep(schema: String, definition: String, registry: String?) {
      notes.withLock { $0.append("\(schema) \(definition) \(registry ?? "")") }
    }
  }

  private struct RefusingEngine: VerifierEngine {
    func verify(
      presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
    ) throws(AnonCredsError) -> Bool { false }
  }

  /// The notes after a verdict on a presentation that proves non-revocation.
  private func notes(_ engine: any VerifierEngine, restriction: JSON) throws -> Set<String> {
    let objects = NotingObjects(scene.objects())
    let verifier = PresentationVerifier(engine: engine, objects: objects) { VerificationScene.now }
    var request = scene.request("non_revoked")
    request.set("/requested_attributes/a/restrictions", to: restriction)
    _ = try verifier.verdict(on: scene.presentation("non_revoked").text, for: request.text)
    return Set(objects.notes.withLock { $0 })
  }

  @Test func theObjectsOfAVerifiedPresentationAreKept() throws {
    let time = "time of \(VerificationScene.registryID)"
    let objects = "\(VerificationScene.schemaID) \(VerificationScene.definitionID) \(VerificationScene.registryID)"
    let own: JSON = [["cred_def_id": .string(VerificationScene.definitionID)]]
    #expect(try notes(CredulousEngine(), restriction: .null) == [time, objects])
    #expect(try notes(RefusingEngine(), restriction: .null) == [])
    #expect(try notes(RefusingEngine(), restriction: own) == [time], "a revoked credential shows the list too")
    #expect(try notes(RefusingEngine(), restriction: [["cred_def_id": "x"]]) == [])
  }

  /// The prover's own servers would have to answer for each of them.
  @Test func aProofThatAnswersNothingIsRefused() throws {
    let verdict = try scene.altered("plain", by: CredulousEngine()) { presentation in
      for path in ["/identifiers", "/proof/proofs"] {
        let array = presentation.at(path)?.array ?? []
        presentation.set(path, to: .array(array + array))
      }
    }
    #expect(remarks(verdict) == ["malformed "])
  }

  /// A credential that cannot be revoked is in no registry, which its definition shows.
  @Test func aCredentialThatCannotBeRevokedIsInNoRegistry() throws {
    var objects = scene.objects()
    objects.definitions[VerificationScene.definitionID]?["value"]?["revocation"] = .null
    var (request, presentation) = (scene.request("plain"), scene.presentation("plain"))
    presentation.set("/identifiers/0/rev_reg_id", to: nil)
    for (registry, isSatisfied) in [("None", true), (VerificationScene.registryID, false)] {
      request.set("/requested_attributes/a/restrictions", to: [["rev_reg_id": .string(registry)]])
      let verdict = try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
      #expect(remarks(verdict) == (isSatisfied ? [] : ["restriction a"]))
    }
  }

  @Test(arguments: [("1700002300", true), ("1700002301", false)])
  func theClocksMayDifferByFiveMinutes(time: String, isAccepted: Bool) throws {
    let verdict = try scene.verdict(
      "non_revoked", by: CredulousEngine(), request: { $0.set("/non_revoked", to: nil) },
      presentation: { $0.set("/identifiers/0/timestamp", to: Int64(time).map(JSON.integer)) })
    #expect(remarks(verdict) == (isAccepted ? [] : ["time a"]))
  }

  /// A list that was replaced after the beginning of the interval was in force in it.
  @Test(arguments: [(1_700_001_100, true), (1_700_001_400, false)] as [(Int64, Bool)])
  func theBeginningOfTheIntervalCounts(from: Int64, isAccepted: Bool) throws {
    var objects = scene.objects()
    var later = try #require(objects.statusLists.first)
    later["timestamp"] = 1_700_001_400
    objects.statusLists.append(later)
    var request = scene.request("non_revoked")
    request.set("/non_revoked", to: ["from": .integer(from), "to": 1_700_001_500])
    let verdict = try scene.verdict(on: scene.presentation("non_revoked"), for: request, by: CredulousEngine(), objects)
    #expect(remarks(verdict) == (isAccepted ? [] : ["time a"]))
  }

  // MARK: The sentences

  @Test func eachReasonHasASentenceOfItsOwn() {
    let texts = Verdict.Reason.allCases.map(\.text) + Verdict.Warning.allCases.map(\.text)
    #expect(Set(texts).count == texts.count)
    #expect(texts.allSatisfy { $0.hasSuffix(".") })
  }

  // MARK: Qualified ids

  private static let issuer = "V4SGRU86Z58d6TV7PBUe6f"

  /// The verdict on a presentation of a credential with libindy's qualified ids.
  private func qualified(_ base: String, restriction: JSON, version: String = "1.0") throws -> Verdict {
    let did = "did:sov:\(Self.issuer)"
    let (schema, definition, registry) = (
      "schema:sov:\(did):2:degree:1.0", "creddef:sov:\(did):3:CL:12:tag1", "revreg:sov:\(did):4:tag1"
    )
    let known = scene.objects()
    var (request, presentation) = (scene.request(base), scene.presentation(base))
    let objects = ListedObjects(
      schemas: [schema: (known.schemas[VerificationScene.schemaID] ?? [:]).with(["issuerId": .string(did)])],
      definitions: [
        definition: (known.definitions[VerificationScene.definitionID] ?? [:]).with([
          "schemaId": .string(schema), "issuerId": .string(did),
        ])
      ],
      registries: [
        registry: (known.registries[VerificationScene.registryID] ?? [:]).with([
          "credDefId": .string(definition), "issuerId": .string(did),
        ])
      ],
      statusLists: known.statusLists.map { $0.with(["revRegDefId": .string(registry)]) })
    for (name, id) in [("schema_id", schema), ("cred_def_id", definition), ("rev_reg_id", registry)] {
      presentation.set("/identifiers/0/\(name)", to: .string(id))
    }
    request.set("/ver", to: .string(version))
    request.set("/requested_attributes/a/restrictions", to: restriction)
    request.set("/requested_predicates/p/restrictions", to: nil)
    if base == "non_revoked" { request.set("/requested_predicates", to: [:]) }
    return try scene.verdict(on: presentation, for: request, by: CredulousEngine(), objects)
  }

  /// libindy's prefixed id of an object names it beside the older id, and another registry may have another object under
  /// it: nobody knows whether both are one. The older id then neither demands nor excludes the object.
  @Test(
    arguments: [
      ("schema_id", "\(issuer):2:degree:1.0"), ("schema_issuer_did", issuer), ("issuer_did", issuer),
      ("cred_def_id", "\(issuer):3:CL:12:tag1"),
    ])
  func anIDInItsShortFormDecidesNothing(key: String, id: String) throws {
    let queries: [JSON] = [
      [[key: .string(id)]], [key: ["$in": ["x", .string(id)]]], ["$not": [key: .string(id)]],
      [key: ["$neq": .string(id)]], ["$not": [key: ["$in": ["x", .string(id)]]]],
    ]
    for (version, query) in ["1.0", "2.0"].flatMap({ version in queries.map { (version, $0) } }) {
      #expect(
        try remarks(qualified("plain", restriction: query, version: version)) == ["restriction a"], "\(query.text)")
    }
    #expect(try remarks(qualified("plain", restriction: [[key: .string(id + "x")]])) == ["restriction a"])
    #expect(try qualified("plain", restriction: ["$not": [key: .string(id + "x")]]).isVerified)
  }

  /// A DID of did:webvh that has moved has two names. A verifier that excludes one may mean both, or one server.
  @Test func aNameOfAMovedDIDExcludesNoOther() throws {
    let (former, new) = ("did:webvh:Qm1:a.example", "did:webvh:Qm1:b.example")
    var objects = scene.objects()
    objects.definitions[VerificationScene.definitionID]?["issuerId"] = .string(former)
    objects.registries[VerificationScene.registryID]?["issuerId"] = .string(former)
    for (id, isExcluded) in [(former, true), (new, true), ("did:webvh:Qm2:a.example", false)] {
      let cases: [(JSON, Bool)] = [
        (["$not": ["issuer_did": .string(id)]], !isExcluded), (["issuer_did": ["$neq": .string(id)]], !isExcluded),
        (["issuer_did": .string(id)], id == former),
      ]
      for (query, isAccepted) in cases {
        var request = scene.request("plain")
        request.set("/ver", to: "2.0")
        request.set("/requested_attributes/a/restrictions", to: query)
        request.set("/requested_predicates/p/restrictions", to: nil)
        let verdict = try scene.verdict(on: scene.presentation("plain"), for: request, by: CredulousEngine(), objects)
        #expect(remarks(verdict) == (isAccepted ? [] : ["restriction a"]), "\(query.text)")
      }
    }
  }

  @Test func anIDWithLibindysPrefixIsDemandedByItself() throws {
    let id: JSON = .string("creddef:sov:did:sov:\(Self.issuer):3:CL:12:tag1")
    for version in ["1.0", "2.0"] {
      #expect(try qualified("plain", restriction: [["cred_def_id": id]], version: version).isVerified)
      let excluding = try qualified("plain", restriction: ["$not": ["cred_def_id": id]], version: version)
      #expect(remarks(excluding) == ["restriction a"])
      let named: JSON = .string("did:indy:sovrin:\(Self.issuer)/anoncreds/v0/CLAIM_DEF/12/tag1")
      for query: JSON in [["$not": ["cred_def_id": named]], ["cred_def_id": ["$neq": named]]] {
        #expect(try remarks(qualified("plain", restriction: query, version: version)) == ["restriction a"])
      }
    }
  }

  /// Without a proof about revocation a prover may name any registry, in both of its forms.
  @Test(arguments: ["revreg:sov:did:sov:\(issuer):4:tag1", "\(issuer):4:tag1"])
  func aRegistryInItsShortFormNeedsItsProofToo(id: String) throws {
    for restriction: JSON in [[["rev_reg_id": .string(id)]], ["$not": ["rev_reg_id": .string(id)]]] {
      #expect(try remarks(qualified("plain", restriction: restriction)) == ["restriction a"])
    }
    let demanding = try qualified("non_revoked", restriction: [["rev_reg_id": .string(id)]])
    #expect(remarks(demanding) == (id.hasPrefix("revreg:") ? [] : ["restriction a"]))
    #expect(try remarks(qualified("non_revoked", restriction: [["rev_reg_id": "x"]])) == ["restriction a"])
  }
}
