internal import JSON

/// A proof as its parts, each with exactly its members, and all numbers in canonical form (N1, N2).
struct ProofParts {
  private let json: JSON
  let parts: [SubProof]
  let challenge: Natural
  /// The texts whose hash is the challenge, as arrays of bytes.
  let hashedList: [JSON]

  init(_ json: JSON) throws(SoundnessCheck) {
    self.json = json
    let proof = try Optional(json).members(["proofs", "aggregated_proof"])
    let aggregated = try proof["aggregated_proof"].members(["c_hash", "c_list"])
    guard let proofs = proof["proofs"]?.array, let list = aggregated["c_list"]?.array else { throw .members }
    var parts: [SubProof] = []
    for proof in proofs { parts.append(try SubProof(proof)) }
    self.parts = parts
    challenge = try aggregated["c_hash"].number()
    hashedList = list
  }

  /// The proof with new texts for its points, for each sub-proof that has points.
  func json(with points: [RevocationPoints?]) -> JSON {
    guard points.contains(where: { $0 != nil }) else { return json }
    var changed = json
    let proofs = zip(json["proofs"]?.array ?? [], points).map { proof, points in
      guard let points else { return proof }
      var (proof, revocation) = (proof, proof["non_revoc_proof"] ?? .null)
      revocation["c_list"] = points.json
      proof["non_revoc_proof"] = revocation
      return proof
    }
    changed["proofs"] = .array(proofs)
    return changed
  }
}

/// The proof about one credential.
struct SubProof {
  let primary: PrimaryProof
  /// The proof of non-revocation; nil if it is null.
  let revocation: JSON?

  fileprivate init(_ json: JSON) throws(SoundnessCheck) {
    let proof = try Optional(json).members(["primary_proof", "non_revoc_proof"])
    primary = try PrimaryProof(proof["primary_proof"])
    let part = proof["non_revoc_proof"]
    revocation = part == .null ? Optional.none : part
  }
}
