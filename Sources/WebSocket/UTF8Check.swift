/// Checks bytes for UTF-8 (RFC 3629) as they come, and finds the first wrong byte at once.
struct UTF8Check {
  /// The number of bytes that the last character still lacks.
  private var missing = 0
  /// The permitted range of the next byte. It excludes overlong forms, surrogates and numbers over 10FFFF.
  private var next: ClosedRange<UInt8> = 0x80...0xbf

  /// Whether the bytes so far end with a whole character.
  var isWhole: Bool { missing == 0 }

  /// Returns false if no text continues with these bytes.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index < bytes.count {
        if missing == 0 { index = Self.endOfASCII(bytes, from: index) }
        guard index < bytes.count else { break }
        guard take(bytes[index]) else { return false }
        index += 1
      }
      return true
    }
  }

  /// The first index from which on a byte is not ASCII, or fewer than eight bytes are left.
  private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    return index
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard next.contains(byte) else { return false }
      (missing, next) = (missing - 1, 0x80...0xbf)
      return true
    }
    switch byte {
    case 0...0x7f: break
    case 0xc2...0xdf: missing = 1
    case 0xe0: (missing, next) = (2, 0xa0...0xbf)
    case 0xed: (missing, next) = (2, 0x80...0x9f)
    case 0xe1...0xef: missing = 2
    case 0xf0: (missing, next) = (3, 0x90...0xbf)
    case 0xf1...0xf3: missing = 3
    case 0xf4: (missing, next) = (3, 0x80...0x8f)
    default: return false
    }
    return true
  }
}
