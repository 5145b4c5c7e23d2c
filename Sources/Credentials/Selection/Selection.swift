/// The credentials of a wallet that can answer each item of a proof request.
package struct Selection: Sendable {
  package let request: ProofRequest
  /// The hits, in the order of the request's attributes and of its predicates.
  let attributes, predicates: [[Hit]]
  /// All credentials of the wallet; hits point into them.
  let credentials: [HeldCredential]

  /// A credential that can answer an item, and the values that it would show.
  struct Hit: Sendable {
    let credential: Int
    /// The positions of the requested names in the credential's attributes, in the order of the names.
    let shown: [Int]
  }

  package init(for request: ProofRequest, among credentials: [HeldCredential]) {
    self.request = request
    self.credentials = credentials
    attributes = request.attributes.map { item in
      Self.hits(Filter(names: item.names, restriction: item.restriction), among: credentials)
    }
    predicates = request.predicates.map { item in
      Self.hits(Filter(names: [item.name], restriction: item.restriction), among: credentials) { encoded in
        // A text cannot be compared with a bound, so this credential cannot answer; others still can.
        Int32(encoded).map { item.comparison.isProvable($0, item.value) } ?? false
      }
    }
  }

  private static func hits(
    _ filter: Filter, among credentials: [HeldCredential], where isFit: (_ encoded: String) -> Bool = { _ in true }
  ) -> [Hit] {
    credentials.indices.compactMap { index in
      let credential = credentials[index]
      guard let shown = filter.positions(in: credential),
        shown.allSatisfy({ isFit(credential.content.attributes[$0].encoded) })
      else { return nil }
      return Hit(credential: index, shown: shown)
    }
  }
}

/// The condition of one item, prepared once for all credentials.
private struct Filter {
  let names: [AttributeName]
  let markers: [String]
  let restriction: Restriction?

  init(names: [String], restriction: Restriction?) {
    self.names = names.map(AttributeName.init)
    markers = self.names.map(\.marker)
    self.restriction = restriction
  }

  /// The positions of the requested attributes in the credential; nil if it cannot answer.
  func positions(in credential: HeldCredential) -> [Int]? {
    guard markers.allSatisfy({ credential.tags[$0] == "1" }), restriction?.holds(for: credential.tags) ?? true else {
      return nil
    }
    let positions = names.compactMap { credential.content.position(of: $0) }
    return positions.count == names.count ? positions : nil
  }
}
