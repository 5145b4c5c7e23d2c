internal import DIDComm
internal import JSON

/// The witnesses who must approve the versions of a DID: the parameter `witness` (did:webvh 1.0, "The witness
/// Parameter").
struct WitnessRule: Equatable, Sendable {
  let threshold: Int
  let witnesses: Set<VerKey>

  private static let mostWitnesses = 64

  /// Reads a rule. Returns nil for an empty object, which means that there are no witnesses. Throws if a witness occurs
  /// twice or is no `did:key`, or if the threshold cannot be reached.
  static func reading(_ json: JSON) throws(ParameterError) -> WitnessRule? {
    guard let object = json.object else { throw ParameterError("witness") }
    if object.isEmpty { return nil }
    guard Set(object.keys) == ["threshold", "witnesses"], let threshold = object["threshold"]?.integer,
      let entries = object["witnesses"]?.array, entries.count <= mostWitnesses
    else { throw ParameterError("witness") }
    let keys = entries.map { entry -> VerKey? in
      guard let members = entry.object, members.count == 1, let did = members["id"]?.string,
        let key = try? VerKey(anyForm: did), key.didKey == did
      else { return nil }
      return key
    }
    let witnesses = Set(keys.compactMap(\.self))
    guard witnesses.count == entries.count, (1...Int64(max(1, witnesses.count))).contains(threshold),
      !witnesses.isEmpty
    else { throw ParameterError("witness") }
    return WitnessRule(threshold: Int(threshold), witnesses: witnesses)
  }
}

/// The valid proofs of a file `did-witness.json`.
struct WitnessProofs: Sendable {
  /// For each version, the witnesses that have signed it.
  private var approvers: [String: Set<VerKey>] = [:]

  private static let mostProofs = 4096
  private static let mostPerVersion = 64
  private static let limits = JSONLimits(depth: 16)

  /// Reads a file. Invalid proofs, and proofs of versions that are not in the log, count nothing.
  init(_ bytes: [UInt8], versions: Set<String>, now: Int64) throws(DIDLogError) {
    guard let json = try? JSON(parsing: bytes, limits: Self.limits, repeatedNames: .refused), let entries = json.array
    else { throw .witnesses("did-witness.json is malformed") }
    var count = 0
    for entry in entries {
      guard var document = entry.object, let version = document["versionId"]?.string, versions.contains(version) else {
        continue
      }
      let proofs = (document["proof"].map { $0.array ?? [$0] } ?? []).prefix(Self.mostPerVersion)
      count += proofs.count
      guard count <= Self.mostProofs else { throw .witnesses("did-witness.json has too many proofs") }
      document["proof"] = nil
      for json in proofs {
        guard let proof = try? DataIntegrityProof(json, now: now), let key = proof.didKey,
          (try? proof.verify(document, by: key)) != nil
        else { continue }
        approvers[version, default: []].insert(key)
      }
    }
  }

  /// The index of the first version that too few witnesses of its rule have approved; nil if there is none. A witness that
  /// approves a version approves all earlier versions, so the walk is backwards.
  func firstUnapproved(among versions: [(id: String, rule: WitnessRule?)]) -> Int? {
    var approving: Set<VerKey> = []
    var first: Int?
    for (index, version) in versions.enumerated().reversed() {
      approving.formUnion(approvers[version.id] ?? [])
      if let rule = version.rule, rule.witnesses.count(where: approving.contains) < rule.threshold { first = index }
    }
    return first
  }
}
