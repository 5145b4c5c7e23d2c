/// The accumulator of a revocation registry, in the engine's form.
package enum Accumulator: Sendable {
  /// Whether two texts are the same point. The engine writes a point in many ways, which depend on its computation. Two
  /// texts that are not points are the same only if they are identical.
  package static func areEqual(_ first: String, _ second: String) -> Bool {
    if first.utf8.elementsEqual(second.utf8) { return true }
    guard let (first, second) = try? (CurvePoint(first, in: .second), CurvePoint(second, in: .second)) else {
      return false
    }
    return first.text == second.text
  }
}
