internal import JSON

extension ProofChoice {
  /// The answers of a presentation that is made already. `content` is a result of `DisclosedProof.content`.
  init(made content: JSON) {
    func items(_ kind: String, _ item: (String, JSON) -> Item) -> [Item] {
      (content[kind]?.object?.members ?? []).map { item($0.key, $0.value) }
    }
    self.init(
      items("revealed") { Item($0, showing: $1["values"], from: $1["credential"]) }
        + items("self_attested") { Item($0, stating: $1["values"]) }
        + items("unrevealed") { Item($0, hiding: $1["names"], from: $1["credential"]) }
        + items("predicates") { Item($0, proving: $1) })
  }
}

extension ProofChoice.Item {
  fileprivate init(_ referent: String, showing values: JSON?, from credential: JSON?) {
    let values = (values?.object?.members ?? []).map { (name: $0.key, value: $0.value.string ?? "") }
    let source = ProofChoice.Source(id: nil, credential)
    self.init(
      referent: referent, names: values.map(\.name), condition: nil, answer: .credential(source, values: values))
  }

  fileprivate init(_ referent: String, stating values: JSON?) {
    let value = values?.object?.members.first
    self.init(
      referent: referent, names: [value?.key ?? ""], condition: nil, answer: .stated(value?.value.string ?? ""))
  }

  fileprivate init(_ referent: String, hiding names: JSON?, from credential: JSON?) {
    self.init(
      referent: referent, names: names?.array?.compactMap(\.string) ?? [], condition: nil,
      answer: .credential(ProofChoice.Source(id: nil, credential), values: []))
  }

  fileprivate init(_ referent: String, proving predicate: JSON) {
    self.init(
      referent: referent, names: [predicate["name"]?.string ?? ""], condition: Self.condition(predicate),
      answer: .credential(ProofChoice.Source(id: nil, predicate["credential"]), values: []))
  }
}
