/// A natural number of any size.
struct Natural: Equatable, Sendable {
  /// The words of 64 bits, the lowest first, without zeros at the end.
  private(set) var limbs: [UInt64] = []

  init(limbs: [UInt64]) {
    self.limbs = limbs
    while self.limbs.last == 0 { self.limbs.removeLast() }
  }

  /// Appends one or several digits to the number's text in a base: `scale` is the base to the power of their count.
  private mutating func append(_ digits: UInt64, scale: UInt64) {
    var carry = digits
    for index in limbs.indices {
      let sum = UInt128(limbs[index]) &* UInt128(scale) &+ UInt128(carry)
      limbs[index] = UInt64(truncatingIfNeeded: sum)
      carry = UInt64(truncatingIfNeeded: sum >> 64)
    }
    if carry != 0 { limbs.append(carry) }
  }

  /// The number of bits, 0 for zero.
  var bitWidth: Int { limbs.count * 64 - (limbs.last?.leadingZeroBitCount ?? 0) }

  /// The bytes without zeros at the front, the highest first.
  var bytes: [UInt8] {
    limbs.reversed().flatMap { limb in
      (0..<8).map { UInt8(truncatingIfNeeded: limb >> (56 - 8 * UInt64($0))) }
    }.drop { $0 == 0 }.map(\.self)
  }
}

extension Natural: Comparable {
  static func < (left: Natural, right: Natural) -> Bool {
    guard left.limbs.count == right.limbs.count else { return left.limbs.count < right.limbs.count }
    return left.limbs.reversed().lexicographicallyPrecedes(right.limbs.reversed())
  }
}

// MARK: - Texts

extension Natural {
  /// The most digits of a number in a presentation or a key.
  private static let mostDigits = 1_300

  /// Reads decimal digits in canonical form: without a sign, spaces or zeros at the front. Returns nil for other texts.
  init?(decimal text: String) {
    let digits = text.utf8
    guard (1...Self.mostDigits).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      return nil
    }
    var (chunk, scale): (UInt64, UInt64) = (0, 1)
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      (chunk, scale) = (chunk * 10 + UInt64(digit - 0x30), scale * 10)
      if scale == Self.largestScale {
        append(chunk, scale: scale)
        (chunk, scale) = (0, 1)
      }
    }
    append(chunk, scale: scale)
  }

  /// The largest power of 10 below 2^64.
  private static let largestScale: UInt64 = 10_000_000_000_000_000_000

  /// Reads hexadecimal digits in capitals, as many as are permitted. Returns nil for other texts.
  init?(hexadecimal digits: some Collection<UInt8>, count: ClosedRange<Int>) {
    guard count.contains(digits.count) else { return nil }
    for digit in digits {
      switch digit {
      case 0x30...0x39: append(UInt64(digit - 0x30), scale: 16)
      case 0x41...0x46: append(UInt64(digit - 0x41 + 10), scale: 16)
      default: return nil
      }
    }
  }
}
