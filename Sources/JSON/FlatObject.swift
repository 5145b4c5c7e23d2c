/// A JSON object whose members are strings of known names, read without building a value: it tells where in the text each
/// string lies. Strings of a megabyte are then not copied.
///
/// It knows only plain texts, as programs write them: each name once, and no escape. For any other text it is nil, and
/// `JSON` reads the text or refuses it.
package struct FlatObject {
  private let names: [String]
  private var ranges: [Range<Int>?]

  /// Reads an object that has exactly these members, in any order. Of the strings it checks only that they have no
  /// escape: the caller decodes them, and refuses control characters and broken UTF-8.
  package init?(_ bytes: [UInt8], members names: [String]) {
    self.names = names
    ranges = Array(repeating: nil, count: names.count)
    var text = Cursor(bytes: bytes)
    guard text.skip(UInt8(ascii: "{")) else { return nil }
    for count in 1...names.count {
      guard let name = text.string(),
        let index = names.firstIndex(where: { $0.utf8.count == name.count && $0.utf8.elementsEqual(bytes[name]) }),
        ranges[index] == nil,
        text.skip(UInt8(ascii: ":")), let value = text.string(),
        text.skip(UInt8(ascii: count < names.count ? "," : "}"))
      else { return nil }
      ranges[index] = value
    }
    guard text.isAtEnd else { return nil }
  }

  /// The place of a member's string in the text; nil for an unknown name.
  package subscript(name: String) -> Range<Int>? {
    names.firstIndex(of: name).flatMap { ranges[$0] }
  }
}

/// A place in a text.
private struct Cursor {
  let bytes: [UInt8]
  private var position = 0

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

  private mutating func skipBlanks() {
    while position < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[position]) { position += 1 }
  }
}
