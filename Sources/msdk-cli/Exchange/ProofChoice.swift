internal import JSON
internal import MSDK
internal import ProgramArguments

/// The user's answer to each item of a request for a proof.
struct ProofChoice {
  let items: [Item]

  /// An attribute, several attributes of one credential, or a predicate.
  struct Item {
    let referent: String
    let names: [String]
    /// The comparison of a predicate, such as `>= 18`; nil for attributes, whose values are shown.
    let condition: String?
    let answer: Answer
  }

  enum Answer {
    /// The credential's id, the id of its schema, and the values of the names.
    case credential(id: String, schema: String, values: [(name: String, value: String)])
    /// A value that the user states without a credential.
    case stated(String)
    /// The user has to state a value.
    case unstated
    /// All credentials that fit are revoked.
    case revoked
    case missing
  }

  /// Chooses among the credentials in `found`, a result of `matchingCredentials`. `preferred` is the beginning of the
  /// wanted credential's id; `stated` has values for attributes by their names.
  init(_ found: JSON, preferring preferred: String?, stating stated: JSONObject) throws(Failure) {
    let wanted = Self.items(found["attributes"]) + Self.items(found["predicates"])
    let ids = Set(wanted.flatMap(\.candidates).map(\.id))
    let chosen = try preferred.map { preferred throws(Failure) in try Self.only(preferred, among: ids) }
    // A presentation that uses few credentials reveals least, so the credential that fits most items is chosen; among
    // equals the newest.
    var uses: [String: Int] = [:]
    for id in wanted.flatMap({ Set($0.candidates.filter(\.isUsable).map(\.id)) }) { uses[id, default: 0] += 1 }
    if let chosen { uses[chosen] = .max }
    items = wanted.map { item in
      Item(
        referent: item.referent, names: item.names, condition: item.condition,
        answer: item.answer(stated: item.names.first.flatMap { stated[$0]?.string }, uses: uses))
    }
  }

  private static func items(_ json: JSON?) -> [WantedItem] {
    (json?.object?.members ?? []).map { WantedItem($0.key, $0.value) }
  }

  private static func only(_ prefix: String, among ids: Set<String>) throws(Failure) -> String {
    let found = ids.filter { $0.hasPrefix(prefix) }
    guard let id = found.first else {
      throw Failure("No credential that fits has an id that begins with \(quoted(prefix)).")
    }
    guard found.count == 1 else { throw Failure("Several credentials have ids that begin with \(quoted(prefix)).") }
    return id
  }
}

/// An item of a request, with the credentials that can answer it.
private struct WantedItem {
  let referent: String
  let names: [String]
  let condition: String?
  let mayBeStated: Bool
  let candidates: [Candidate]

  struct Candidate {
    let id, schema: String
    let values: [(name: String, value: String)]
    /// Whether the verifier accepts it: the verifier may refuse revoked credentials.
    let isUsable: Bool
  }

  init(_ referent: String, _ json: JSON) {
    self.referent = referent
    names = json["names"]?.array?.compactMap(\.string) ?? [json["name"]?.string ?? ""]
    condition = json["p_type"]?.string.map { "\($0) \(json["p_value"]?.text ?? "")" }
    mayBeStated = json["self_attest_allowed"]?.bool ?? false
    candidates = (json["credentials"]?.array ?? []).compactMap { entry in
      guard let info = entry["cred_info"], let id = info["referent"]?.string else { return nil }
      let shown = entry["requested_attributes"]?.object?.members ?? []
      let isAskedForStatus = entry["interval"].map { !$0.isNull } ?? false
      return Candidate(
        id: id, schema: info["schema_id"]?.string ?? "", values: shown.map { ($0.key, $0.value.string ?? "") },
        isUsable: !(isAskedForStatus && entry["revoked"]?.bool ?? false))
    }
  }

  func answer(stated: String?, uses: [String: Int]) -> ProofChoice.Answer {
    if let stated, mayBeStated { return .stated(stated) }
    let usable = candidates.filter(\.isUsable)
    let best = usable.map { uses[$0.id] ?? 0 }.max()
    if let chosen = usable.last(where: { uses[$0.id] == best }) {
      return .credential(id: chosen.id, schema: chosen.schema, values: chosen.values)
    }
    if mayBeStated { return .unstated }
    return candidates.isEmpty ? .missing : .revoked
  }
}

// MARK: - For the library

extension ProofChoice {
  /// The reason why the user cannot give the proof; nil if the user can.
  func obstacle(_ number: Int) -> String? {
    let decline = "`msdk decline \(number)` tells the other side so."
    for item in items {
      let name = quoted(item.names.first ?? "")
      switch item.answer {
      case .missing: return "The wallet has no credential for \(item.title). \(decline)"
      case .revoked: return "The credential for \(item.title) is revoked. \(decline)"
      case .unstated:
        return "The request leaves \(name) to you: --attest takes the value, as in --attest '{\(name): \"…\"}'."
      case .credential, .stated: continue
      }
    }
    return nil
  }

  /// The two texts for `prepare`: the credentials, and the values without a credential.
  var texts: (selected: String, stated: String) {
    var (selected, stated): (JSONObject, JSONObject) = ([:], [:])
    for item in items {
      switch item.answer {
      case .credential(let id, _, _):
        selected[item.referent] = ["credential": ["cred_info": ["referent": .string(id)]], "revealed": true]
      case .stated(let value): stated[item.referent] = .string(value)
      case .unstated, .revoked, .missing: continue
      }
    }
    let attributes: JSON = ["attrs": .object(selected)]
    return (attributes.text, JSON.object(stated).text)
  }
}

extension ProofChoice.Item {
  /// The item as a part of a sentence.
  fileprivate var title: String {
    names.map(quoted).joined(separator: ", ") + (condition.map { " \(printable($0))" } ?? "")
  }
}
