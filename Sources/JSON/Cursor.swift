/// A place in a text.
struct Cursor {
  let bytes: [UInt8]
  private(set) var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Whether only blanks are left.
  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return position == bytes.count
    }
  }

  /// Steps over blanks and then over the byte, if it comes next.
  mutating func skip(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Steps over blanks and a string. Returns where it lies, or nil for anything else and for a string with an escape.
  mutating func string() -> Range<Int>? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    let start = position
    guard let end = bytes.first(UInt8(ascii: "\""), in: start..<bytes.count),
      bytes.first(UInt8(ascii: "\\"), in: start..<end) == nil
    else { return nil }
    position = end + 1
    return start..<end
  }

  mutating func skipBlanks() {
    while position < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[position]) { position += 1 }
  }
}
