/// The texts between the commas of a container, found without reading them.
struct ContainerParts {
  let ranges: [Range<Int>]

  /// Throws if the text does not begin and end with the brackets. A mistake within a part is found when that part is
  /// read.
  init(of bytes: [UInt8], between opening: Unicode.Scalar, and closing: Unicode.Scalar) throws(JSONError) {
    guard let first = bytes.firstIndex(where: Self.isNotBlank), bytes[first] == UInt8(ascii: opening),
      let last = bytes.lastIndex(where: Self.isNotBlank), first < last, bytes[last] == UInt8(ascii: closing)
    else { throw .wrongType(key: nil, expected: opening == "[" ? "an array" : "an object") }
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
    self.ranges = ranges
  }

  static func isNotBlank(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09 }
}
