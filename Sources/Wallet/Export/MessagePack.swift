/// The few forms of MessagePack in libindy's export: unsigned integers, strings, arrays and maps.
enum MessagePack: Sendable {
  // MARK: Writing, each in its shortest form

  static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    switch value {
    case ...0x7f: bytes.append(UInt8(value))
    case ...0xff: bytes += [0xcc, UInt8(value)]
    case ...0xffff: appendBigEndian(0xcd, value, 2, to: &bytes)
    case ...0xffff_ffff: appendBigEndian(0xce, value, 4, to: &bytes)
    default: appendBigEndian(0xcf, value, 8, to: &bytes)
    }
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    let count = text.utf8.count
    switch count {
    case ..<32: bytes.append(0xa0 | UInt8(count))
    case ...0xff: bytes += [0xd9, UInt8(count)]
    case ...0xffff: appendBigEndian(0xda, UInt64(count), 2, to: &bytes)
    default: appendBigEndian(0xdb, UInt64(count), 4, to: &bytes)
    }
    bytes += text.utf8
  }

  static func appendArray(count: Int, to bytes: inout [UInt8]) {
    if count < 16 { bytes.append(0x90 | UInt8(count)) } else { appendCount(0xdc, count, to: &bytes) }
  }

  static func appendMap(count: Int, to bytes: inout [UInt8]) {
    if count < 16 { bytes.append(0x80 | UInt8(count)) } else { appendCount(0xde, count, to: &bytes) }
  }

  /// Appends a count, in 16 bits after `marker`, or in 32 bits after the next marker.
  private static func appendCount(_ marker: UInt8, _ count: Int, to bytes: inout [UInt8]) {
    let isShort = count <= 0xffff
    appendBigEndian(isShort ? marker : marker + 1, UInt64(count), isShort ? 2 : 4, to: &bytes)
  }

  private static func appendBigEndian(_ marker: UInt8, _ value: UInt64, _ width: Int, to bytes: inout [UInt8]) {
    bytes.append(marker)
    for shift in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
  }

  // MARK: Reading, in any width

  /// Reads values one after another; nil for a value of another kind, and at the end.
  struct Reader: Sendable {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func integer() -> UInt64? {
      guard let marker = rest.popFirst() else { return nil }
      return switch marker {
      case ...0x7f: UInt64(marker)
      case 0xcc: bigEndian(1)
      case 0xcd: bigEndian(2)
      case 0xce: bigEndian(4)
      case 0xcf: bigEndian(8)
      default: nil
      }
    }

    mutating func string() -> String? {
      guard let marker = rest.popFirst() else { return nil }
      let count: UInt64? =
        switch marker {
        case 0xa0...0xbf: UInt64(marker & 0x1f)
        case 0xd9: bigEndian(1)
        case 0xda: bigEndian(2)
        case 0xdb: bigEndian(4)
        default: nil
        }
      guard let count, count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return String(validating: rest.prefix(Int(count)), as: UTF8.self)
    }

    mutating func arrayCount() -> Int? { count(short: 0x90...0x9f, wide: 0xdc) }

    mutating func mapCount() -> Int? { count(short: 0x80...0x8f, wide: 0xde) }

    /// An array of integers that are bytes.
    mutating func byteArray() -> [UInt8]? {
      guard let count = arrayCount(), count <= rest.count else { return nil }
      var bytes: [UInt8] = []
      for _ in 0..<count {
        guard let byte = integer().flatMap(UInt8.init(exactly:)) else { return nil }
        bytes.append(byte)
      }
      return bytes
    }

    private mutating func count(short: ClosedRange<UInt8>, wide: UInt8) -> Int? {
      guard let marker = rest.popFirst() else { return nil }
      if short ~= marker { return Int(marker & 0x0f) }
      guard marker == wide || marker == wide + 1 else { return nil }
      return bigEndian(marker == wide ? 2 : 4).map(Int.init)
    }

    private mutating func bigEndian(_ width: Int) -> UInt64? {
      guard rest.count >= width else { return nil }
      defer { rest = rest.dropFirst(width) }
      return rest.prefix(width).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
