extension Sequence<UInt8> {
  /// Lower-case hexadecimal digits.
  package var hex: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      digits.append((byte >> 4).hexDigit)
      digits.append((byte & 15).hexDigit)
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var hexDigit: UInt8 { self + (self < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
}
