internal import JSON

/// The proof of a signature and of predicates about its hidden attributes.
struct PrimaryProof {
  let equality: EqualityProof
  let predicates: [PredicateProof]

  init(_ json: JSON?) throws(SoundnessCheck) {
    let proof = try json.members(["eq_proof", "ge_proofs"])
    equality = try EqualityProof(proof["eq_proof"])
    guard let parts = proof["ge_proofs"]?.array else { throw .members }
    var predicates: [PredicateProof] = []
    for part in parts { predicates.append(try PredicateProof(part)) }
    self.predicates = predicates
  }
}

/// The proof that the prover knows a signature.
struct EqualityProof {
  /// The encodings of the revealed attributes.
  let revealed: [ExactText: String]
  /// The randomised signature `A'`.
  let signature: Natural
  /// The answers about the exponent `e`, the number `v` and the context `m2` of the signature.
  let exponent, blinding, context: Natural
  /// The answers about the hidden attributes and the link secret: `m`.
  let hidden: [ExactText: Answer]

  fileprivate init(_ json: JSON?) throws(SoundnessCheck) {
    let proof = try json.members(["revealed_attrs", "a_prime", "e", "v", "m", "m2"])
    guard let shown = proof["revealed_attrs"]?.object, let answers = proof["m"]?.object else { throw .members }
    var revealed: [ExactText: String] = [:]
    for (name, value) in shown.members {
      guard let text = value.string else { throw .members }
      revealed[ExactText(name)] = text
    }
    self.revealed = revealed
    hidden = try answers.answers()
    signature = try proof["a_prime"].number()
    exponent = try proof["e"].number()
    blinding = try proof["v"].number()
    context = try proof["m2"].number()
  }
}

/// The proof of a predicate: the difference to the bound is a sum of four squares.
struct PredicateProof {
  /// The predicate as the proof names it.
  let predicate: Statement.Predicate
  /// The answer about the attribute: `mj`.
  let attribute: Answer
  /// The answers about the four roots: `u`.
  let roots: [Answer]
  /// The answers about the random numbers of the commitments: `r`.
  let blindings: [Answer]
  /// The answer about the sum: `alpha`.
  let sum: Natural
  /// The commitments to the four roots and to the difference, in the order in which they are hashed: `t`.
  let commitments: [Natural]

  private static let rootNames = ["0", "1", "2", "3"]
  private static let names = rootNames + ["DELTA"]

  fileprivate init(_ json: JSON?) throws(SoundnessCheck) {
    let proof = try json.members(["u", "r", "mj", "alpha", "t", "predicate"])
    predicate = try Statement.Predicate(proof["predicate"])
    attribute = try proof["mj"].answer()
    roots = try Self.numbers(proof["u"], Self.rootNames)
    blindings = try Self.numbers(proof["r"], Self.names)
    sum = try proof["alpha"].number()
    commitments = try Self.numbers(proof["t"], Self.names).map(\.number)
  }

  private static func numbers(_ json: JSON?, _ names: [String]) throws(SoundnessCheck) -> [Answer] {
    let object = try json.members(names)
    var numbers: [Answer] = []
    for name in names { numbers.append(try object[name].answer()) }
    return numbers
  }
}

extension Statement.Predicate {
  fileprivate init(_ json: JSON?) throws(SoundnessCheck) {
    let object = try json.members(["attr_name", "p_type", "value"])
    guard let name = object["attr_name"]?.string, let comparison = object["p_type"]?.string,
      let value = object["value"]?.integer
    else { throw .members }
    self.init(attribute: ExactText(name), comparison: comparison, value: value)
  }
}
