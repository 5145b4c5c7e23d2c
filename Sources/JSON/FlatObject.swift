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
