/// The largest sizes of answers, in bits. An answer is a random number of the prover plus the challenge times the
/// hidden number. The random number is the larger, and the sum has one bit more than it. AnonCreds has had these sizes
/// of the random numbers since its beginning.
private enum AnswerBits {
  static let exponent = 457
  static let hidden = 593
  static let blinding = 3_061
  static let context = 2_433
  static let root = 593
  static let commitmentBlinding = 2_385
  static let sum = 2_788
}

extension SubProof {
  /// The answers are in their ranges (B1, B2, B3). With `isStrict`, so is the answer that links a proof of
  /// non-revocation with its credential (S1).
  func checkRanges(isStrict: Bool) throws(SoundnessCheck) {
    try primary.checkRanges()
    if isStrict, revocation != nil { try primary.equality.context.require(atMost: AnswerBits.hidden, .context) }
  }
}

extension PrimaryProof {
  /// The answers are in the ranges of honest provers: the exponent's (B1), the hidden attributes' (B2), all others'
  /// (B3).
  fileprivate func checkRanges() throws(SoundnessCheck) {
    try equality.exponent.require(atMost: AnswerBits.exponent, .exponent)
    for answer in equality.hidden.values { try answer.number.require(atMost: AnswerBits.hidden, .hidden) }
    try equality.blinding.require(atMost: AnswerBits.blinding, .others)
    try equality.context.require(atMost: AnswerBits.context, .others)
    for part in predicates {
      for root in part.roots { try root.number.require(atMost: AnswerBits.root, .others) }
      for blinding in part.blindings { try blinding.number.require(atMost: AnswerBits.commitmentBlinding, .others) }
      try part.sum.require(atMost: AnswerBits.sum, .others)
    }
  }
}

extension Natural {
  fileprivate func require(atMost bits: Int, _ check: SoundnessCheck) throws(SoundnessCheck) {
    guard bitWidth <= bits else { throw check }
  }
}
