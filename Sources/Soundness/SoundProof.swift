package import JSON

/// The proof of a presentation that has passed all checks of this module. The engine still has to check its equations.
package struct SoundProof: Sendable {
  /// The proof for the engine: the checked proof, with its points in canonical form, so that both sides mean the same
  /// points.
  package let json: JSON

  /// Checks the member `proof` of a presentation; `statements` has one statement for each sub-proof. Throws the first
  /// failed check, in the order of `SoundnessCheck`. `isStrict` adds the check `.context`, which refuses each proof of
  /// non-revocation of today's provers.
  package init(
    checking json: JSON, proving statements: [Statement], isStrict: Bool = false
  ) throws(SoundnessCheck) {
    let proof = try ProofParts(json)
    try require(proof.parts.count == statements.count, .members)
    try proof.checkChallenge()
    let parts = zip(proof.parts, statements)
    let moduli = try statements.map { statement throws(SoundnessCheck) in try statement.modulus() }
    for (part, statement) in parts { try part.primary.checkNames(statement) }
    for part in proof.parts { try part.checkRanges(isStrict: isStrict) }
    try proof.checkLinkSecret()
    for (part, statement) in parts { try part.primary.checkPredicates(statement) }
    let commitments = try zip(proof.parts, moduli).map { part, modulus throws(SoundnessCheck) in
      try part.primary.commitments(below: modulus)
    }
    let points = try parts.map { part, statement throws(SoundnessCheck) in
      try part.revocationPoints(statement.revocation)
    }
    try proof.checkHashedList(zip(points, commitments).flatMap { ($0?.bytes ?? []) + $1 })
    self.json = proof.json(with: points)
  }
}
