/// The pairing-friendly curve of the engine (AMCL's BN254, by Nogami and others): two groups of one prime order.
enum Curve {
  /// The groups of the pairing.
  enum Group: Sendable {
    /// The curve `y² = x³ + 2` over the field. All its points have the group's order.
    case first
    /// The points of the group's order on the twist `y² = x³ + 1 - i` over the quadratic extension.
    case second

    var coefficient: Field2 {
      switch self {
      case .first: Field2(Field(2))
      case .second: Field2.one.rotated
      }
    }
  }

  /// The order of the groups.
  static let order = Natural(limbs: [
    0xa100_0000_0000_000d, 0xff9f_8000_0000_0010, 0xba34_4d80_0000_0007, 0x2523_6482_4000_0001,
  ])
}

/// A point of the twist in projective coordinates.
///
/// Addition and doubling are complete, since the twist has an odd number of points: they hold for equal points and for
/// infinity as well (Renes, Costello and Batina, Eurocrypt 2016, algorithms 8 and 9).
struct TwistPoint {
  private let x, y, z: Field2

  /// The caller has checked that the point is on the twist.
  init(_ x: Field2, _ y: Field2) { self.init(x, y, .one) }

  private init(_ x: Field2, _ y: Field2, _ z: Field2) { (self.x, self.y, self.z) = (x, y, z) }

  private static let infinity = TwistPoint(.zero, .one, .zero)

  var isInfinity: Bool { z == .zero }

  /// The multiple by a number of a point whose last coordinate is 1.
  func times(_ number: Natural) -> TwistPoint {
    var multiple = Self.infinity
    for bit in (0..<number.bitWidth).reversed() {
      multiple = multiple.doubled
      if number.limbs[bit / 64] >> UInt64(bit % 64) & 1 == 1 { multiple = multiple.adding(x, y) }
    }
    return multiple
  }

  private var doubled: TwistPoint {
    let (yy, zz) = (y.squared, z.squared.timesTripleCoefficient)
    let (minus, yy8) = (yy - zz.tripled, yy.doubled.doubled.doubled)
    return TwistPoint((minus * (x * y)).doubled, minus * (yy + zz) + zz * yy8, y * z * yy8)
  }

  /// The sum with a point whose last coordinate is 1.
  private func adding(_ otherX: Field2, _ otherY: Field2) -> TwistPoint {
    let (xx, yy, zz) = (x * otherX, y * otherY, z.timesTripleCoefficient)
    let xy = (x + y) * (otherX + otherY) - xx - yy
    let (yz, xz) = (y + otherY * z, (x + otherX * z).timesTripleCoefficient)
    let (plus, minus, xx3) = (yy + zz, yy - zz, xx.tripled)
    return TwistPoint(xy * minus - yz * xz, plus * minus + xz * xx3, yz * plus + xx3 * xy)
  }
}

extension Field2 {
  fileprivate var tripled: Field2 { self + self + self }

  /// The product with three times the coefficient of the twist.
  fileprivate var timesTripleCoefficient: Field2 { rotated.tripled }
}
