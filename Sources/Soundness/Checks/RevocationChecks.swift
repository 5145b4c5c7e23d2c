internal import JSON

extension SubProof {
  /// The checked points of the proof of non-revocation; nil if there is no such proof, and the request needs none (R1,
  /// R2, P1, P2, P3).
  func revocationPoints(_ facts: Statement.Revocation) throws(SoundnessCheck) -> RevocationPoints? {
    guard let revocation else {
      try require(!(facts.isRequested && facts.isRevocable), .revocation)
      return nil
    }
    // The engine ignores a proof for another definition, or without a registry or a time.
    try require(facts.isRevocable && facts.namesStatusList, .revocation)
    let proof = try Optional(revocation).members(["x_list", "c_list"])
    try Self.checkAnswers(proof["x_list"])
    return try RevocationPoints(proof["c_list"])
  }

  private static let answerNames = [
    "rho", "r", "r_prime", "r_prime_prime", "r_prime_prime_prime", "o", "o_prime", "m", "m_prime", "t", "t_prime", "s",
    "c",
  ]

  /// The answers are numbers below the order of the groups (R2).
  private static func checkAnswers(_ json: JSON?) throws(SoundnessCheck) {
    for (_, value) in try json.members(answerNames, .revocationAnswers).members {
      guard let text = value.string, let number = Natural(hexadecimal: text.utf8, count: 64...64) else {
        throw .revocationAnswers
      }
      try require(number < Curve.order, .revocationAnswers)
    }
  }
}

/// The points of a proof of non-revocation, in the order in which they are hashed.
struct RevocationPoints {
  private let points: [(name: String, point: CurvePoint)]

  private static let groups: [(String, Curve.Group)] = [
    ("e", .first), ("d", .first), ("a", .first), ("g", .first), ("w", .second), ("s", .second), ("u", .second),
  ]

  fileprivate init(_ json: JSON?) throws(SoundnessCheck) {
    let texts = try json.members(Self.groups.map(\.0), .revocationAnswers)
    var points: [(String, CurvePoint)] = []
    for (name, group) in Self.groups {
      guard let text = texts[name]?.string else { throw .pointForm }
      points.append((name, try CurvePoint(text, in: group)))
    }
    self.points = points
  }

  /// The bytes that are hashed.
  var bytes: [[UInt8]] { points.map(\.point.bytes) }

  /// The canonical texts by their names.
  var json: JSON { .object(JSONObject(points.map { ($0.name, .string($0.point.text)) })) }
}
