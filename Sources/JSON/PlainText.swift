internal import Platform

extension [UInt8] {
  /// The index of the first byte from `start` on that needs an escape in a JSON string: a quotation mark, a backslash
  /// or a control character. The number of bytes if no byte needs one.
  func endOfPlainText(from start: Int) -> Int { withUnsafeBytes { $0.endOfPlainText(from: start) } }

  /// Whether all bytes are ASCII, and none is a control character.
  var isPrintableASCII: Bool {
    withUnsafeBytes { bytes in
      var (index, marks): (Int, UInt64) = (0, 0)
      while index + 8 <= bytes.count {
        marks |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).unprintableMarks
        index += 8
      }
      return marks == 0 && bytes[index...].allSatisfy { (0x20..<0x80).contains($0) }
    }
  }

  /// The first place of `byte` in a range. As fast as the C library's search.
  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes[range].isEmpty ? nil : bytes.baseAddress,
        let found = memchr(start + range.lowerBound, Int32(byte), range.count)
      else { return nil }
      return UnsafeRawPointer(found) - start
    }
  }
}

extension UnsafeRawBufferPointer {
  /// As `endOfPlainText` of an array. Texts can be long, so it looks at eight bytes at once.
  func endOfPlainText(from start: Int) -> Int {
    var index = start
    while index + 8 <= count, loadUnaligned(fromByteOffset: index, as: UInt64.self).escapeMarks == 0 { index += 8 }
    while index < count, self[index].isPlain { index += 1 }
    return index
  }
}

extension UInt8 {
  fileprivate var isPlain: Bool { self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") }
}

extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Not 0 when one of the eight bytes is a control character, a quotation mark or a backslash.
  fileprivate var escapeMarks: UInt64 {
    marks(below: 0x20) | (self ^ Self.ones &* 0x22).marks(below: 1) | (self ^ Self.ones &* 0x5c).marks(below: 1)
  }

  /// Not 0 when one of the eight bytes is a control character or not ASCII.
  fileprivate var unprintableMarks: UInt64 { marks(below: 0x20) | self & (Self.ones &* 0x80) }

  /// Not 0 if one of the bytes is below `limit`, at most 128. Subtracting it from each byte borrows into the highest
  /// bit of the first smaller one; bytes that had that bit before do not count.
  private func marks(below limit: UInt64) -> UInt64 {
    (self &- Self.ones &* limit) & ~self & (Self.ones &* 0x80)
  }
}
