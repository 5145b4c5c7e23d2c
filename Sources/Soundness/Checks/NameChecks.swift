extension PrimaryProof {
  /// Each attribute is either revealed or hidden, as the presentation says (M1), and has the shown number (M2).
  func checkNames(_ statement: Statement) throws(SoundnessCheck) {
    let revealed = Set(statement.revealed.keys)
    try require(Set(equality.revealed.keys) == revealed, .names)
    try require(Set(equality.hidden.keys) == statement.attributes.union([.linkSecret]).subtracting(revealed), .names)
    try require(equality.revealed == statement.revealed, .revealed)
  }
}

extension ProofParts {
  /// The challenge is a hash (N3).
  func checkChallenge() throws(SoundnessCheck) { try require((1...256).contains(challenge.bitWidth), .challenge) }

  /// All sub-proofs are about one link secret (M3).
  func checkLinkSecret() throws(SoundnessCheck) {
    let answers = parts.map { $0.primary.equality.hidden[.linkSecret]?.number }
    try require(answers.allSatisfy { $0 != nil && $0 == answers.first }, .linkSecret)
  }
}
