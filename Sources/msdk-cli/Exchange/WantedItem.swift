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
    if let best = answers(uses: uses).first { return best }
    if mayBeStated { return .unstated }
    return candidates.isEmpty ? .missing : .revoked
  }

  /// The answers with usable credentials: the one with the most uses first, and the newest of several. Revoked ones, which a
  /// verifier takes that does not ask, come after all others, unless the user prefers one.
  func answers(uses: [String: Int]) -> [ProofChoice.Answer] {
    func rank(_ candidate: Candidate, _ place: Int) -> (Int, Int, Int) {
      let uses = uses[candidate.source.id ?? ""] ?? 0
      return (candidate.source.isRevoked && uses < .max ? 0 : 1, uses, place)
    }
    let usable = candidates.enumerated().filter { $0.element.isUsable }
    return usable.sorted { rank($0.element, $0.offset) > rank($1.element, $1.offset) }
      .map { .credential($0.element.source, values: $0.element.values) }
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
