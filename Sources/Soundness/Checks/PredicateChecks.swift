extension PrimaryProof {
  /// The proof shows each requested predicate once (G1), within 32 bits (G2), about the hidden attribute with the
  /// predicate's name (G3).
  func checkPredicates(_ statement: Statement) throws(SoundnessCheck) {
    let shown = predicates.map(\.predicate)
    try require(shown.count == statement.predicates.count && Set(shown) == statement.predicates, .predicates)
    for part in predicates {
      try require(part.predicate.isWithin32Bits, .bounds)
      guard let hidden = equality.hidden[part.predicate.attribute] else { throw .predicateAttribute }
      try require(hidden == part.attribute, .predicateAttribute)
    }
  }
}

extension Statement.Predicate {
  /// Whether the engine can compare with the bound: it replaces `GT` and `LT` by `GE` and `LE` with the next number, in
  /// 32 bits.
  fileprivate var isWithin32Bits: Bool {
    let step: Int64 =
      switch comparison {
      case "GT": 1
      case "LT": -1
      default: 0
      }
    let (bound, overflow) = value.addingReportingOverflow(step)
    return !overflow && Int32(exactly: bound) != nil
  }
}
