internal import Credentials
internal import JSON

/// An item of a request, with the credentials that can answer it.
struct WantedItem {
  let referent: String
  let names: [String]
  let condition: String?
  let mayBeStated: Bool
  let candidates: [Candidate]

  struct Candidate {
    let source: ProofChoice.Source
    let values: [(name: String, value: String)]
    /// Whether the verifier accepts it: the verifier may refuse revoked credentials.
    let isUsable: Bool
  }

  init(_ referent: String, _ json: JSON) {
    self.referent = referent
    names = json["names"]?.array?.compactMap(\.string) ?? [json["name"]?.string ?? ""]
    condition = ProofChoice.Item.condition(json)
    mayBeStated = json["self_attest_allowed"]?.bool ?? false
    candidates = (json["credentials"]?.array ?? []).compactMap { entry in
      guard let info = entry["cred_info"], let id = info["referent"]?.string else { return nil }
      let shown = entry["requested_attributes"]?.object?.members ?? []
      let isAskedForStatus = entry["interval"].map { !$0.isNull } ?? false
      let isRevoked = entry["revoked"]?.bool ?? false
      return Candidate(
        source: ProofChoice.Source(id: id, info, isRevoked: isRevoked),
        values: shown.map { ($0.key, $0.value.string ?? "") }, isUsable: !(isAskedForStatus && isRevoked))
    }
  }

  var usableIDs: Set<String> { Set(candidates.filter(\.isUsable).compactMap(\.source.id)) }

  func answer(stated: String?, uses: [String: Int]) -> ProofChoice.Answer {
    if let stated, mayBeStated { return .stated(stated) }
    if let credential = credential(uses: uses) { return credential }
    if mayBeStated { return .unstated }
    return candidates.isEmpty ? .missing : .revoked
  }

  /// The usable credential with the most uses, or the newest of several. A revoked one, which a verifier takes that does not ask,
  /// comes after all others, unless the user prefers it.
  func credential(besides others: Set<String> = [], uses: [String: Int]) -> ProofChoice.Answer? {
    func rank(_ candidate: Candidate) -> (Int, Int) {
      let uses = uses[candidate.source.id ?? ""] ?? 0
      return (candidate.source.isRevoked && uses < .max ? 0 : 1, uses)
    }
    let usable = candidates.filter { $0.isUsable && !others.contains($0.source.id ?? "") }
    guard let best = usable.map(rank).max(by: <), let chosen = usable.last(where: { rank($0) == best }) else {
      return nil
    }
    return .credential(chosen.source, values: chosen.values)
  }

  /// Whether this item shows an attribute that the other one compares.
  func sharesName(with compared: WantedItem) -> Bool {
    guard condition == nil, compared.condition != nil else { return false }
    return !Set(names.map { AttributeName($0) }).isDisjoint(with: compared.names.map { AttributeName($0) })
  }
}

extension ProofChoice.Answer {
  var credentialID: String? {
    if case .credential(let source, _) = self { source.id } else { nil }
  }
}
