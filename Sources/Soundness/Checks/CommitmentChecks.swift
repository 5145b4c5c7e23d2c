internal import JSON

extension PrimaryProof {
  /// The bytes of the signature `A'` and of the predicates' commitments, in the order in which they are hashed. Throws
  /// `.commitments` if a number is not below the modulus, or is much shorter (C2): honest numbers are random below the
  /// modulus.
  func commitments(below modulus: Natural) throws(SoundnessCheck) -> [[UInt8]] {
    let numbers = [equality.signature] + predicates.flatMap(\.commitments)
    let isInRange = numbers.allSatisfy { $0 < modulus && $0.bitWidth >= modulus.bitWidth - Self.slack }
    try require(isInRange, .commitments)
    return numbers.map(\.bytes)
  }

  /// The bits by which a commitment may be shorter than the modulus. A random number is shorter with a probability of
  /// 2^-80.
  private static let slack = 80
}

extension ProofParts {
  /// The challenge is the hash of these bytes (C1). The engine only computes the hash of the proof's list.
  func checkHashedList(_ bound: [[UInt8]]) throws(SoundnessCheck) {
    let isEqual =
      hashedList.count == bound.count
      && zip(hashedList, bound).allSatisfy { given, expected in
        given.array?.elementsEqual(expected) { $0 == .integer(Int64($1)) } ?? false
      }
    try require(isEqual, .hashedList)
  }
}
