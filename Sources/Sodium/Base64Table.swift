/// The digits of an alphabet of base64: two at a time for writing, and by their place among four for reading.
struct Base64Table: Sendable {
  /// Both characters of each number of 12 bits, the first in the lower byte.
  private let pairs: [UInt16]
  /// The bits of each byte as the first, second, third and fourth character of four; `invalid` for other bytes.
  private let bits: [UInt32]

  private static let invalid: UInt32 = 1 << 31
  private static let padding = UInt8(ascii: "=")

  static let standard = Base64Table(lastDigits: "+/")
  static let url = Base64Table(lastDigits: "-_")

  private init(lastDigits: String) {
    let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastDigits
    let digits = Array(text.utf8)
    pairs = (0..<4096).map { UInt16(digits[$0 >> 6]) | UInt16(digits[$0 & 63]) << 8 }
    var bits = [UInt32](repeating: Self.invalid, count: 4 * 256)
    for (value, digit) in digits.enumerated() {
      for place in 0..<4 { bits[place * 256 + Int(digit)] = UInt32(value) << (18 - 6 * place) }
    }
    self.bits = bits
  }

  /// Writes the text of `bytes` to `text`, which has room for it. Returns its length. The bytes may lie at the end of that
  /// room.
  func encode(
    _ bytes: UnsafeBufferPointer<UInt8>, padded: Bool, into text: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    pairs.withUnsafeBufferPointer { pairs in
      let start = encodeSixes(UnsafeRawBufferPointer(bytes), into: UnsafeMutableRawBufferPointer(text))
      var end = start / 3 * 4
      func write(_ value: Int) {
        for pair in [pairs[value >> 12], pairs[value & 4095]] {
          text[end] = UInt8(truncatingIfNeeded: pair)
          text[end + 1] = UInt8(truncatingIfNeeded: pair >> 8)
          end += 2
        }
      }
      let whole = bytes.count / 3 * 3
      for index in stride(from: start, to: whole, by: 3) {
        write(Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2]))
      }
      guard whole < bytes.count else { return end }
      let second = whole + 1 < bytes.count ? bytes[whole + 1] : nil
      write(Int(bytes[whole]) << 16 | Int(second ?? 0) << 8)
      let unused = second == nil ? 2 : 1
      guard padded else { return end - unused }
      for index in end - unused..<end { text[index] = Self.padding }
      return end
    }
  }

  /// Writes the text of six bytes at once, from a word of eight, which takes half the time. Returns the number of the
  /// written bytes; fewer than eight bytes remain.
  private func encodeSixes(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) -> Int {
    pairs.withUnsafeBufferPointer { pairs in
      var (start, end) = (0, 0)
      while start + 8 <= bytes.count {
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        var digits: UInt64 = 0
        for place in 0..<4 { digits |= UInt64(pairs[Int(word &>> (52 - 12 * place)) & 4095]) &<< (16 * place) }
        text.storeBytes(of: digits.littleEndian, toByteOffset: end, as: UInt64.self)
        (start, end) = (start + 6, end + 8)
      }
      return start
    }
  }

  /// Returns nil if the text is not in this alphabet, has too many bits or characters, or has incomplete padding.
  func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var digits = text.count
    while digits > 0, text.count - digits < 2, text[digits - 1] == Self.padding { digits -= 1 }
    let (whole, rest) = (digits / 4 * 4, digits % 4)
    guard rest != 1, digits == text.count || rest != 0 && text.count % 4 == 0 else { return nil }
    var seen: UInt32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: whole / 4 * 3 + rest + 1) { bytes, count in
      text.withUnsafeBufferPointer { text in
        bits.withUnsafeBufferPointer { bits in
          func value(_ index: Int, _ place: Int) -> UInt32 { bits[place << 8 | Int(text[index])] }
          for index in stride(from: 0, to: whole, by: 4) {
            let value = value(index, 0) | value(index + 1, 1) | value(index + 2, 2) | value(index + 3, 3)
            seen |= value
            // Four bytes at once, of which the next three overwrite the last.
            UnsafeMutableRawBufferPointer(bytes).storeBytes(
              of: (value &<< 8).bigEndian, toByteOffset: count, as: UInt32.self)
            count += 3
          }
          guard rest != 0 else { return }
          let value = value(whole, 0) | value(whole + 1, 1) | (rest == 3 ? value(whole + 2, 2) : 0)
          // Bits beyond the last byte would give one value several texts.
          seen |= value | (value & (rest == 3 ? 0xff : 0xffff) == 0 ? 0 : Self.invalid)
          for shift in [16, 8].prefix(rest - 1) {
            bytes[count] = UInt8(truncatingIfNeeded: value >> shift)
            count += 1
          }
        }
      }
    }
    return seen & Self.invalid == 0 ? bytes : nil
  }
}
