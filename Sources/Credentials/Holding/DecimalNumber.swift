internal import Sodium

/// A natural number as the engine writes it: decimal digits, without a sign and without leading zeros.
///
/// The engine reads more forms than it writes. The engine could read a text of another form as another number, so this
/// type refuses it.
struct DecimalNumber: Comparable, Sendable {
  private let digits: String

  /// Returns nil for a text of another form.
  init?(_ text: String) {
    let digits = text.utf8
    guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    self.digits = text
  }

  /// The sum of the powers of two with these exponents, which differ from each other.
  init(powersOfTwo exponents: Int...) {
    var bytes = [UInt8](repeating: 0, count: (exponents.max() ?? 0) / 8 + 1)
    for exponent in exponents { bytes[bytes.count - 1 - exponent / 8] |= 1 << (exponent % 8) }
    digits = bytes.decimal
  }

  static func < (one: Self, other: Self) -> Bool {
    let (one, other) = (one.digits.utf8, other.digits.utf8)
    return one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
  }
}
