/// A natural number of any length.
struct LongNumber {
  private let base: UInt64
  private var limbs: [UInt32] = []  // in `base`, least significant first

  /// `base` and all factors are at most 2 to the 32nd.
  init(base: UInt64) {
    self.base = base
    limbs.reserveCapacity(16)  // a key
  }

  mutating func multiply(by factor: UInt64, adding addend: UInt64) {
    var carry = addend
    for index in limbs.indices {
      // At most (2^32 - 1) * 2^32 + 2^32 - 1: no overflow.
      let (quotient, remainder) = (UInt64(limbs[index]) * factor + carry).quotientAndRemainder(dividingBy: base)
      limbs[index] = UInt32(remainder)
      carry = quotient
    }
    while carry > 0 {
      limbs.append(UInt32(carry % base))
      carry /= base
    }
  }

  /// The digits, most significant first, without leading zeros. A limb has `count` digits.
  func digits(inBase small: UInt32, perLimb count: Int) -> [UInt8] {
    let digits = [UInt8](unsafeUninitializedCapacity: limbs.count * count) { digits, used in
      used = limbs.count * count
      var place = used
      for limb in limbs {
        var rest = limb
        for _ in 0..<count {
          place -= 1
          digits[place] = UInt8(rest % small)
          rest /= small
        }
      }
    }
    return Array(digits.drop { $0 == 0 })
  }
}

extension ArraySlice<UInt8> {
  /// The elements in groups of `size`; the last may be shorter.
  func chunks(of size: Int) -> some Sequence<ArraySlice<UInt8>> {
    stride(from: startIndex, to: endIndex, by: size).lazy.map { self[$0..<Swift.min($0 + size, endIndex)] }
  }
}

extension [UInt8] {
  /// The number with these bytes, the highest first, in decimal digits.
  package var decimal: String {
    var number = LongNumber(base: 1_000_000_000)
    for chunk in self[...].chunks(of: 4) {
      number.multiply(by: 1 << (8 * UInt64(chunk.count)), adding: chunk.reduce(0) { $0 << 8 | UInt64($1) })
    }
    let digits = number.digits(inBase: 10, perLimb: 9)
    return digits.isEmpty ? "0" : String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
  }
}
