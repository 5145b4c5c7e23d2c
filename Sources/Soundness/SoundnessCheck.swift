/// The checks of a presentation's proof in addition to the engine's, in the order in which they run. The first failed
/// check is thrown, and the presentation is refused.
///
/// The engine checks equations between numbers. The checks here keep these numbers and the texts around them in the
/// form and in the ranges for which the equations prove something (Camenisch and Lysyanskaya, SCN 2002; Damgård and
/// Fujisaki, Asiacrypt 2002). Honest provers always pass. The raw values are part of the API.
package enum SoundnessCheck: String, Error, CaseIterable, Sendable {
  /// Each number is a text in canonical decimal form.
  case numbers = "N1"
  /// Each object has exactly its members, and each sub-proof has its identifier.
  case members = "N2"
  /// The challenge is a hash of 256 bits.
  case challenge = "N3"
  /// The definition's key has a base for each attribute of the schema and for the link secret.
  case key = "K1"
  /// The proof has one answer for each hidden attribute, and reveals exactly the values that the presentation shows.
  case names = "M1"
  /// The revealed numbers are the encodings that the presentation shows.
  case revealed = "M2"
  /// The answer about the signature's exponent is in its range.
  case exponent = "B1"
  /// The answers about the hidden attributes and the link secret are in their range.
  case hidden = "B2"
  /// The other answers are in their ranges.
  case others = "B3"
  /// Only with the setting `strict_non_revocation`: the answer that links a credential with its place in a registry is
  /// in its range, which no prover of today observes.
  case context = "S1"
  /// All sub-proofs answer about one link secret.
  case linkSecret = "M3"
  /// The predicates of a sub-proof are the predicates of the items that it answers, each once.
  case predicates = "G1"
  /// The bound of a predicate does not leave 32 bits when the engine adds or subtracts 1.
  case bounds = "G2"
  /// A predicate is about the hidden attribute with its name.
  case predicateAttribute = "G3"
  /// The commitments of the primary proofs are in their range.
  case commitments = "C2"
  /// A proof of non-revocation comes with a registry and a time, and is there if the request asks for it.
  case revocation = "R1"
  /// The members and the answers of a proof of non-revocation have their form.
  case revocationAnswers = "R2"
  /// The points of a proof of non-revocation have their form.
  case pointForm = "P1"
  /// The points are on their curve.
  case curve = "P2"
  /// The points of the second group have its order.
  case order = "P3"
  /// The challenge is a hash of exactly the commitments and points of the proof, in their order.
  case hashedList = "C1"
}

extension SoundnessCheck {
  /// The reason of the refusal as a sentence for a developer.
  package var text: String {
    switch self {
    case .numbers: "A number of the proof is not in canonical decimal form (N1)."
    case .members: "A part of the proof lacks a member, or has one that does not belong there (N2)."
    case .challenge: "The challenge of the proof is not a hash (N3)."
    case .key: "The key of the credential definition does not fit its schema, or has an unusual size (K1)."
    case .names: "The proof does not reveal and answer each attribute of the credential exactly once (M1)."
    case .revealed: "A revealed number is not the encoding of the shown value (M2)."
    case .exponent: "The answer about the signature's exponent is out of its range (B1)."
    case .hidden: "The answer about a hidden attribute or the link secret is out of its range (B2)."
    case .others: "An answer of the proof is out of its range (B3)."
    case .context:
      "The proof of non-revocation is not linked to its credential as strict_non_revocation demands it (S1)."
    case .linkSecret: "The credentials have different holders (M3)."
    case .predicates: "The predicates of the proof are not exactly the requested ones (G1)."
    case .bounds: "The bound of a predicate is at the end of the range of 32 bits (G2)."
    case .predicateAttribute: "A predicate is not about the hidden attribute that it names (G3)."
    case .commitments: "A commitment of the proof is out of its range (C2)."
    case .revocation:
      "The proof of non-revocation is missing, or comes without a registry and a time, or for a credential without one (R1)."
    case .revocationAnswers: "The answers of the proof of non-revocation do not have their form (R2)."
    case .pointForm: "A point of the proof of non-revocation does not have its form (P1)."
    case .curve: "A point of the proof of non-revocation is not on its curve (P2)."
    case .order: "A point of the proof of non-revocation does not have the order of its group (P3)."
    case .hashedList: "The challenge is not the hash of the commitments of this proof (C1)."
    }
  }
}

/// Throws the check if its condition does not hold.
func require(_ condition: Bool, _ check: SoundnessCheck) throws(SoundnessCheck) {
  guard condition else { throw check }
}
