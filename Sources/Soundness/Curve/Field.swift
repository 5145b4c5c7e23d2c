/// An element of the field of the engine's curve: a number modulo a prime `p` of 254 bits.
///
/// The number is in Montgomery form with the radix 2^256, below `p`. All numbers are public, so the time may depend on
/// them.
struct Field: Sendable {
  /// Four words of 64 bits, the lowest first.
  typealias Words = (UInt64, UInt64, UInt64, UInt64)

  private var words: Words

  private static var prime: Words {
    (0xa700_0000_0000_0013, 0x6121_0000_0000_0013, 0xba34_4d80_0000_0008, 0x2523_6482_4000_0001)
  }
  /// `-1 / p` modulo 2^64.
  private static var factor: UInt64 { 0x0843_5e50_d794_35e5 }

  static let zero = Field(words: (0, 0, 0, 0))
  /// 2^256 modulo `p`.
  static let one = Field(
    words: (0x15ff_ffff_ffff_ff8e, 0xb939_ffff_ffff_ff8a, 0xa2c6_2eff_ffff_ffcd, 0x212b_a4f2_7fff_fff5))
  /// 2^512 modulo `p`, which converts a number to Montgomery form.
  private static let radix = Field(
    words: (0xb3e8_8674_5370_473d, 0x55ef_bf6e_8c1c_c3f1, 0x281e_3a1b_7f86_954f, 0x1b0a_32fd_f640_3a3d))

  private init(words: Words) { self.words = words }

  init(_ number: UInt64) { self = Field(words: (number, 0, 0, 0)) * Self.radix }

  /// The number modulo `p`.
  init(_ number: Natural) {
    self = .zero
    for limb in number.limbs.reversed() { self = self * Self.limbRadix + Field(limb) }
  }

  /// 2^64.
  private static let limbRadix = Field(1 << 32) * Field(1 << 32)

  /// The least number that the element stands for.
  var number: Natural {
    let plain = (self * Field(words: (1, 0, 0, 0))).words
    return Natural(limbs: [plain.0, plain.1, plain.2, plain.3])
  }

  /// The prime as a number.
  static var modulus: Natural { Natural(limbs: [prime.0, prime.1, prime.2, prime.3]) }
}

extension Field: Equatable {
  static func == (left: Field, right: Field) -> Bool { left.words == right.words }
}

// MARK: - Arithmetic

extension Field {
  static func + (left: Field, right: Field) -> Field {
    Field(reducing: sum(left.words, right.words))  // below 2p, which has 255 bits
  }

  static func - (left: Field, right: Field) -> Field {
    let (difference, borrow) = difference(left.words, right.words)
    return Field(words: sum(difference, select(prime, if: borrow)))
  }

  /// Montgomery's product, word by word (Koç, Acar and Kaliski 1996, "CIOS").
  static func * (left: Field, right: Field) -> Field {
    var sum: Words = (0, 0, 0, 0)
    sum = step(sum, left.words, right.words.0)
    sum = step(sum, left.words, right.words.1)
    sum = step(sum, left.words, right.words.2)
    sum = step(sum, left.words, right.words.3)
    return Field(reducing: sum)
  }

  /// The element for which the product is 1; zero for zero. By Fermat: the power by `p - 2`.
  var inverse: Field {
    let exponent = [Self.prime.0 - 2, Self.prime.1, Self.prime.2, Self.prime.3]
    var power = Field.one
    for bit in (0..<256).reversed() {
      power = power * power
      if exponent[bit / 64] >> UInt64(bit % 64) & 1 == 1 { power = power * self }
    }
    return power
  }
}

// MARK: - Words

extension Field {
  /// The element of a number below 2p. It has no branch, which a processor could not predict.
  @inline(__always)
  private init(reducing number: Words) {
    let (reduced, borrow) = Self.difference(number, Self.prime)
    words = Self.sum(reduced, Self.select(Self.prime, if: borrow))
  }

  /// One step of the product: `(sum + words · factor) / 2^64` modulo `p`. The sum stays below 2p.
  @inline(__always)
  private static func step(_ sum: Words, _ words: Words, _ factor: UInt64) -> Words {
    var (high, carry): (UInt64, UInt64) = (0, 0)
    let first = multiplyAdd(sum.0, words.0, factor, &high)
    let second = multiplyAdd(sum.1, words.1, factor, &high)
    let third = multiplyAdd(sum.2, words.2, factor, &high)
    let fourth = multiplyAdd(sum.3, words.3, factor, &high)
    let multiple = first &* Self.factor
    _ = multiplyAdd(first, prime.0, multiple, &carry)  // zero, by the choice of the multiple
    return (
      multiplyAdd(second, prime.1, multiple, &carry), multiplyAdd(third, prime.2, multiple, &carry),
      multiplyAdd(fourth, prime.3, multiple, &carry), high &+ carry
    )
  }

  /// The low word of `sum + left · right + carry`, which never exceeds two words; the high one becomes the carry.
  @inline(__always)
  private static func multiplyAdd(_ sum: UInt64, _ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
    let result = UInt128(left) &* UInt128(right) &+ UInt128(sum) &+ UInt128(carry)
    carry = UInt64(truncatingIfNeeded: result >> 64)
    return UInt64(truncatingIfNeeded: result)
  }

  /// The sum modulo 2^256.
  @inline(__always)
  private static func sum(_ left: Words, _ right: Words) -> Words {
    var carry: UInt64 = 0
    return (
      multiplyAdd(left.0, right.0, 1, &carry), multiplyAdd(left.1, right.1, 1, &carry),
      multiplyAdd(left.2, right.2, 1, &carry), multiplyAdd(left.3, right.3, 1, &carry)
    )
  }

  /// The difference modulo 2^256, and 1 if it is negative, else 0.
  @inline(__always)
  private static func difference(_ left: Words, _ right: Words) -> (Words, borrow: UInt64) {
    var borrow: UInt64 = 0
    let words = (
      subtract(left.0, right.0, &borrow), subtract(left.1, right.1, &borrow), subtract(left.2, right.2, &borrow),
      subtract(left.3, right.3, &borrow)
    )
    return (words, borrow)
  }

  @inline(__always)
  private static func subtract(_ left: UInt64, _ right: UInt64, _ borrow: inout UInt64) -> UInt64 {
    let result = UInt128(left) &- UInt128(right) &- UInt128(borrow)
    borrow = UInt64(truncatingIfNeeded: result >> 127)
    return UInt64(truncatingIfNeeded: result)
  }

  /// The words if the bit is 1, else zeros.
  @inline(__always)
  private static func select(_ words: Words, if bit: UInt64) -> Words {
    let mask = 0 &- bit
    return (words.0 & mask, words.1 & mask, words.2 & mask, words.3 & mask)
  }
}
