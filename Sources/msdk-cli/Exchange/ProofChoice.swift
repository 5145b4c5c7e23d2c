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
    /// Whether the wallet knows that the issuer has revoked it.
    let isRevoked: Bool
  }

  /// Chooses among the credentials in `found`, a result of `matchingCredentials`. `preferred` is the beginning of the
  /// wanted credential's id. Throws if no item takes one of the stated values, or the preferred credential.
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
    var answers = wanted.map { $0.answer(stated: $0.names.first.flatMap { stated[$0] }, uses: uses) }
    RivalItems(wanted).separate(&answers, uses: uses)
    items = zip(wanted, answers).map { item, answer in
      Item(referent: item.referent, names: item.names, condition: item.condition, answer: answer)
    }
    if let chosen { try requireUse(of: chosen, among: wanted) }
  }

  private func requireUse(of id: String, among wanted: [WantedItem]) throws(Failure) {
    guard !items.contains(where: { $0.answer.credentialID == id }) else { return }
    let isUsable = wanted.contains { $0.usableIDs.contains(id) }
    let reason = isUsable ? "is not needed: the items that it fits are stated" : "is revoked"
    throw Failure("The credential \(id.prefix(8)) \(reason).")
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

extension ProofChoice.Source {
  /// Reads the ids of public objects in a description of the credential.
  init(id: String?, _ ids: JSON?, isRevoked: Bool = false) {
    self.init(
      id: id, schema: ids?["schema_id"]?.string ?? "", definition: ids?["cred_def_id"]?.string ?? "",
      isRevoked: isRevoked)
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
        return "The request leaves \(name) to you: --attest takes the value, as in\(statement ?? "")."
      case .credential, .stated: continue
      }
    }
    return nil
  }

  /// The option that states all values that are left to the user, if nothing else is missing; nil otherwise. A user may copy
  /// it into a shell, so a name of other characters than letters, digits and blanks is not in it.
  var statement: String? {
    var names: [String] = []
    for item in items {
      switch item.answer {
      case .credential, .stated: continue
      case .unstated: names += item.names
      case .revoked, .missing: return nil
      }
    }
    let shown = names.map { name in
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " _-.".contains($0)) } ? name : "NAME"
    }
    return " --attest '{\(shown.map { "\"\($0)\": \"…\"" }.joined(separator: ", "))}'"
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
