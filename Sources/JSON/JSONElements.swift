/// The elements of a JSON array, found without building them, for a long array of which few elements are needed.
package struct JSONElements: Sendable {
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]

  /// Finds the elements. Throws if the text is no array. A mistake within an element is found when that element is
  /// read.
  package init(of bytes: [UInt8]) throws(JSONError) {
    guard let first = bytes.firstIndex(where: Self.isNotBlank), bytes[first] == UInt8(ascii: "["),
      let last = bytes.lastIndex(where: Self.isNotBlank), bytes[last] == UInt8(ascii: "]")
    else { throw .wrongType(key: nil, expected: "an array") }
    var (ranges, depth, start, index): ([Range<Int>], Int, Int, Int) = ([], 0, first + 1, first + 1)
    while index < last {
      switch bytes[index] {
      case UInt8(ascii: "\""): index = Outline.endOfString(in: bytes, from: index + 1)
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        ranges.append(start..<index)
        start = index + 1
      default: break
      }
      index += 1
    }
    if !ranges.isEmpty || bytes[start..<last].contains(where: Self.isNotBlank) { ranges.append(start..<last) }
    (self.bytes, self.ranges) = (bytes, ranges)
  }

  package var count: Int { ranges.count }

  /// The text of an element, with the blanks around it.
  package func text(_ index: Int) -> ArraySlice<UInt8> { bytes[ranges[index]] }

  /// Reads an element.
  package func read(_ index: Int, limits: JSONLimits = .standard) throws(JSONError) -> JSON {
    try JSON(parsing: Array(text(index)), limits: limits)
  }

  private static func isNotBlank(_ byte: UInt8) -> Bool {
    byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09
  }
}
