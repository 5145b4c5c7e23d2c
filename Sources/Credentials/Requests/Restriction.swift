internal import JSON
package import Wallet

/// A condition on the tags of a credential: the restrictions of a requested item.
package indirect enum Restriction: Equatable, Sendable {
  case all([Restriction])
  case any([Restriction])
  case not(Restriction)
  case equal(tag: String, String)
  /// The credential has the tag with another value.
  case different(tag: String, String)
  case oneOf(tag: String, [String])

  /// Whether a prover may answer with the credential. A condition without parts holds for every credential, as in
  /// libindy; a verifier refuses it.
  package func holds(for tags: Tags) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.holds(for: tags) }
    case .any(let parts): parts.isEmpty || parts.contains { $0.holds(for: tags) }
    case .not(let part): !part.holds(for: tags)
    case .equal(let tag, let value): tags[tag].map { $0.isExactly(value) } ?? false
    case .different(let tag, let value): tags[tag].map { !$0.isExactly(value) } ?? false
    case .oneOf(let tag, let values):
      tags[tag].map { value in values.contains { $0.isExactly(value) } } ?? false
    }
  }
}
