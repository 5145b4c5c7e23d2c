internal import Credentials
internal import JSON
internal import MSDK
internal import ProgramArguments

/// The user's answer to each item of a request for a proof.
struct ProofChoice {
  let items: [Item]

  init(_ items: [Item]) { self.items = items }

  /// An attribute, several attributes of one credential, or a predicate.
  struct Item {
    let referent: String
    let names: [String]
    /// The comparison of a predicate, such as `>= 18`; nil for attributes, whose values are shown.
    let condition: String?
    let answer: Answer
  }

  enum Answer {
    /// The credential, and the values of the names.
    case credential(Source, values: [(name: String, value: String)])
    /// A value that the user states without a credential.
    case stated(String)
    /// The user has to state a value.
    case unstated
    /// All credentials that fit are revoked.
    case revoked
    case missing
  }

  /// A credential that answers items.
  struct Source: Hashable {
    /// The credential's id; nil for a presentation, which does not have it.
    let id: String?
    let schema, definition: String
  }

  /// Chooses among the credentials in `found`, a result of `matchingCredentials`. `preferred` is the beginning of the
  /// wanted credential's id. Throws if no item takes one of the stated values.
  init(_ found: JSON, preferring preferred: String?, stating stated: StatedValues) throws(Failure) {
    let wanted = Self.items(found["attributes"]) + Self.items(found["predicates"])
    try Self.check(stated, against: wanted)
    let ids = Set(wanted.flatMap(\.candidates).compactMap(\.source.id))
    let chosen = try preferred.map { preferred throws(Failure) in try Self.only(preferred, among: ids) }
    // A presentation that uses few credentials reveals least, so the credential that fits most items is chosen; among
    // equals the newest.
    var uses: [String: Int] = [:]
    for id in wanted.flatMap(\.usableIDs) { uses[id, default: 0] += 1 }
    if let chosen { uses[chosen] = .max }
    items = wanted.map { item in
      Item(
        referent: item.referent, names: item.names, condition: item.condition,
        answer: item.answer(stated: item.names.first.flatMap { stated[$0] }, uses: uses))
    }
  }

  private static func items(_ json: JSON?) -> [WantedItem] {
    (json?.object?.members ?? []).map { WantedItem($0.key, $0.value) }
  }

  /// Throws unless each stated value has its items: the value of a credential would take its place. A predicate shows no
  /// value, and so takes none away.
  private static func check(_ stated: StatedValues, against items: [WantedItem]) throws(Failure) {
    for (name, spelling) in stated.attributes {
      let asking = items.filter { $0.names.contains { AttributeName($0) == name } }
      guard !asking.isEmpty else { throw Failure("The request has no \(quoted(spelling)), which --attest states.") }
      let attributes = asking.filter { $0.condition == nil }
      guard !attributes.isEmpty, attributes.allSatisfy(\.mayBeStated) else {
        throw Failure("The request wants \(quoted(spelling)) from a credential, and --attest states it without one.")
      }
    }
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
      return Candidate(
        source: ProofChoice.Source(id: id, info), values: shown.map { ($0.key, $0.value.string ?? "") },
        isUsable: !(isAskedForStatus && entry["revoked"]?.bool ?? false))
    }
  }

  var usableIDs: Set<String> { Set(candidates.filter(\.isUsable).compactMap(\.source.id)) }

  func answer(stated: String?, uses: [String: Int]) -> ProofChoice.Answer {
    if let stated, mayBeStated { return .stated(stated) }
    let usable = candidates.filter(\.isUsable)
    let best = usable.map { uses[$0.source.id ?? ""] ?? 0 }.max()
    if let chosen = usable.last(where: { uses[$0.source.id ?? ""] == best }) {
      return .credential(chosen.source, values: chosen.values)
    }
    if mayBeStated { return .unstated }
    return candidates.isEmpty ? .missing : .revoked
  }
}

extension ProofChoice.Source {
  /// Reads the ids of public objects in a description of the credential.
  init(id: String?, _ ids: JSON?) {
    self.init(id: id, schema: ids?["schema_id"]?.string ?? "", definition: ids?["cred_def_id"]?.string ?? "")
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
      case .credential(let source, _):
        selected[item.referent] = ["credential": ["cred_info": ["referent": JSON(source.id)]], "revealed": true]
      case .stated(let value): stated[item.referent] = .string(value)
      case .unstated, .revoked, .missing: continue
      }
    }
    let attributes: JSON = ["attrs": .object(selected)]
    return (attributes.text, JSON.object(stated).text)
  }
}

extension ProofChoice.Item {
  /// The comparison of a predicate; nil for an attribute.
  static func condition(_ json: JSON) -> String? {
    json["p_type"]?.string.map { "\($0) \(json["p_value"]?.text ?? "")" }
  }

  /// The item as a part of a sentence.
  fileprivate var title: String {
    names.map(quoted).joined(separator: ", ") + (condition.map { " \(printable($0))" } ?? "")
  }
}
