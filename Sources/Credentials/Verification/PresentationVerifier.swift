package import AnonCreds
package import JSON
internal import Soundness
internal import Wallet

/// The part of the AnonCreds engine that a verifier needs. Objects are JSON texts.
package protocol VerifierEngine: Sendable {
  /// Whether the presentation proves the items of `request`. Throws only if the engine cannot decide that.
  func verify(
    presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
  ) throws(AnonCredsError) -> Bool
}

extension Engine: VerifierEngine {}

/// Decides whether a presentation answers a request.
///
/// The engine checks signatures, the nonce, and that one holder has all the credentials. It does not compare
/// predicates, raw values and schemas with the request, and accepts a proof without its part about revocation. This
/// type checks all of that, and `Soundness` checks the numbers of the proof, so that a verdict never depends on the
/// prover's good will.
///
/// Calls block: they wait for the engine and the public objects.
package struct PresentationVerifier: Sendable {
  let engine: any VerifierEngine
  let objects: any PublicObjectSource
  /// Whether to refuse proofs of non-revocation whose link to their credential differs from the link that all provers
  /// of today make.
  let isStrict: Bool
  /// The time in seconds since 1970.
  let now: @Sendable () -> Int64

  /// `objects` throws `CredentialsError.absentObject` for objects that do not exist, and `unusableObject` for wrong ones.
  package init(
    engine: any VerifierEngine, objects: any PublicObjectSource, isStrict: Bool = false,
    now: @escaping @Sendable () -> Int64
  ) {
    self.engine = engine
    self.objects = objects
    self.isStrict = isStrict
    self.now = now
  }

  /// Both texts are JSON. Throws if this side cannot decide: its own request is malformed, a registry does not answer,
  /// or there is no engine.
  package func verdict(on presentation: String, for request: String) throws -> Verdict {
    let asked = try ProofRequest(parsing: request)
    guard let presentation = try? Presentation(parsing: presentation, naming: objects.canonical) else {
      return .malformed
    }
    let matching = AnswerMatching(presentation, to: asked)
    guard matching.verdict.isVerified else { return matching.verdict }
    var verdict = matching.verdict
    guard let resolved = try resolve(presentation, &verdict) else { return verdict }
    for item in matching.items { check(item, resolved[item.proof], among: matching.items, &verdict) }
    let isAcceptable = verdict.isVerified
    let lists = try checkRevocation(matching.items, resolved, &verdict)
    if isAcceptable { keepListTimes(matching.items, resolved) }
    guard verdict.isVerified, let sound = check(presentation, matching.items, resolved, &verdict) else {
      return verdict
    }
    do {
      let isProved = try engine.verify(
        presentation: presentation.text(with: sound), request: asked.forEngine, objects: resolved.publicObjects,
        revocation: RevocationObjects(registries: resolved.registries, statusLists: lists))
      if isProved { keep(resolved) } else { verdict.fail(.proof) }
    } catch AnonCredsError.failed(.input, _) {
      // This side has written the request, so the engine cannot read a public object.
      verdict.fail(.unusableObject)
    }
    return verdict
  }

  /// The presentation with the ids of public objects in the form in which they are judged. Programs see this
  /// presentation.
  package func canonical(_ presentation: JSON) -> JSON { presentation.namingObjects(objects.canonical) }

  private func resolve(_ presentation: Presentation, _ verdict: inout Verdict) throws -> [ResolvedProof]? {
    let resolved: [ResolvedProof]
    do { resolved = try presentation.proofs.map { try ResolvedProof($0, from: objects) } } catch {
      guard let reason = Verdict.Reason(of: error) else { throw error }
      verdict.fail(reason)
      return nil
    }
    if !resolved.allSatisfy(\.isConsistent) { verdict.fail(.otherObject) }
    if !resolved.allSatisfy(\.isUsable) { verdict.fail(.unusableObject) }
    return verdict.isVerified ? resolved : nil
  }
}

// MARK: - The memory of objects

extension PresentationVerifier {
  /// Keeps the times of the lists that have decided. A request without restrictions accepts the registries of anybody, so that
  /// these are kept only for a verified presentation.
  private func keepListTimes(_ items: [AnswerMatching.Item], _ resolved: [ResolvedProof]) {
    for item in items where item.restriction != nil {
      let proof = resolved[item.proof].proof
      if let registry = proof.registryID, proof.showsNonRevocation { objects.keepListTime(ofRegistry: registry) }
    }
  }

  /// Keeps the objects of a verified presentation.
  private func keep(_ resolved: [ResolvedProof]) {
    for proof in resolved.map(\.proof) {
      objects.keep(schema: proof.schemaID, definition: proof.definitionID, registry: proof.registryID)
      if let registry = proof.registryID, proof.showsNonRevocation { objects.keepListTime(ofRegistry: registry) }
    }
  }
}

extension Verdict.Reason {
  /// The reason if the object that the prover names is at fault, so that another attempt would fail too; nil for other
  /// errors.
  fileprivate init?(of error: any Error) {
    switch error {
    case CredentialsError.absentObject: self = .unknownObject
    case is JSONError, CredentialsError.malformedRegistry, CredentialsError.unusableObject: self = .unusableObject
    default: return nil
    }
  }
}

// MARK: - The items

extension PresentationVerifier {
  private func check(
    _ item: AnswerMatching.Item, _ resolved: ResolvedProof, among items: [AnswerMatching.Item], _ verdict: inout Verdict
  ) {
    if !resolved.attributes.isSuperset(of: item.names) { verdict.fail(.attribute, item.referent) }
    for (name, value) in zip(item.names, item.values ?? []) where !resolved.proof.shows(value, as: name) {
      verdict.fail(.value, item.referent)
    }
    if let predicate = item.predicate, !resolved.proof.shows(predicate) { verdict.fail(.predicate, item.referent) }
    if let restriction = item.restriction {
      let isSatisfied = resolved.satisfies(
        restriction, showing: item.shown(among: items), naming: objects.canonical)
      if !isSatisfied { verdict.fail(.restriction, item.referent) }
    }
    if item.interval != nil, !resolved.isRevocable { verdict.warn(.notRevocable, item.referent) }
  }

  /// Returns the status lists for the engine.
  private func checkRevocation(
    _ items: [AnswerMatching.Item], _ resolved: [ResolvedProof], _ verdict: inout Verdict
  ) throws -> [String] {
    let check = NonRevocation(objects: objects, now: now())
    do {
      for item in items {
        if let reason = try check.reason(against: resolved[item.proof], for: item.interval) {
          verdict.fail(reason, item.referent)
        }
      }
      guard verdict.isVerified else { return [] }
      let lists = Set(try resolved.compactMap { try check.statusList(for: $0.proof) })
      if !lists.allSatisfy(NumberBounds.permit) { verdict.fail(.unusableObject) }
      return Array(lists)
    } catch {
      guard let reason = Verdict.Reason(of: error) else { throw error }
      verdict.fail(reason)
      return []
    }
  }
}

extension PresentationVerifier {
  /// Returns the proof for the engine; nil if it is not sound, with the check that failed in the verdict.
  private func check(
    _ presentation: Presentation, _ items: [AnswerMatching.Item], _ resolved: [ResolvedProof],
    _ verdict: inout Verdict
  ) -> SoundProof? {
    let statements = resolved.enumerated().map { index, resolved in
      Statement(of: resolved, answering: items.filter { $0.proof == index })
    }
    do throws(SoundnessCheck) {
      return try SoundProof(checking: presentation.json["proof"] ?? .null, proving: statements, isStrict: isStrict)
    } catch {
      verdict.fail(.proof, check: error)
      return nil
    }
  }
}

extension Presentation.Proof {
  /// Whether the proof shows the value of an attribute, and the shown number encodes the raw text.
  ///
  /// Older issuers encode integers without a sign.
  fileprivate func shows(_ value: Presentation.Value, as name: AttributeName) -> Bool {
    AttributeEncoding.isEncoding(value.encoded, of: value.raw) && shown[name] == value.encoded
  }

  fileprivate func shows(_ predicate: ProofRequest.Predicate) -> Bool { predicates.contains(predicate.statement) }
}

// MARK: - The engine's input

extension Presentation {
  /// The text of the presentation with the proof in the form that was checked.
  fileprivate func text(with proof: SoundProof) -> String {
    var json = json
    json["proof"] = proof.json
    return json.text
  }
}

extension ProofRequest {
  /// The request without restrictions and times, which this type checks: the proof depends only on the nonce.
  fileprivate var forEngine: String {
    let attributes = attributes.map { attribute -> (String, JSON) in
      let names: JSON =
        attribute.isGroup ? ["names": JSON(attribute.names)] : ["name": .string(attribute.names.first ?? "")]
      return (attribute.referent, names)
    }
    let predicates = predicates.map { predicate -> (String, JSON) in
      let item: JSON = [
        "name": .string(predicate.name), "p_type": .string(predicate.comparison.rawValue),
        "p_value": .integer(Int64(predicate.value)),
      ]
      return (predicate.referent, item)
    }
    let request: JSON = [
      "nonce": .string(nonce), "name": .string(name), "version": .string(version),
      "requested_attributes": .object(JSONObject(attributes)),
      "requested_predicates": .object(JSONObject(predicates)),
    ]
    return request.text
  }
}

extension [ResolvedProof] {
  fileprivate var publicObjects: PublicObjects {
    PublicObjects(
      schemas: Dictionary(map { ($0.proof.schemaID, $0.schema) }, uniquingKeysWith: { first, _ in first }),
      definitions: Dictionary(map { ($0.proof.definitionID, $0.definition) }, uniquingKeysWith: { first, _ in first }))
  }

  fileprivate var registries: [String: String] {
    let all = compactMap { resolved in
      resolved.registry.flatMap { text in resolved.proof.registryID.map { ($0, text) } }
    }
    return Dictionary(all, uniquingKeysWith: { first, _ in first })
  }
}
