/// The containers of a JSON text, found before any value of it is built: their nesting, and the highest number of
/// elements of each.
///
/// A scan sees the same strings and brackets as the reader up to the text's first mistake, where the reader stops. Its
/// limits therefore hold for all built values, in memory and on the stack.
struct Outline {
  /// For each container, in the order in which the containers open, at least the number of commas between its elements.
  private(set) var commas: [Int32] = []

  private var open: [Int] = []
  private var values = 1

  init(of bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
    let maximumValues = limits.values(in: bytes.count)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): index = Self.endOfString(in: bytes, from: index + 1)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.count < limits.depth else { throw .tooDeep(limit: limits.depth) }
        open.append(commas.count)
        commas.append(0)
        values += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ","):
        if let container = open.last { commas[container] &+= 1 }
        values += 1
      default: break
      }
      guard values <= maximumValues else { throw .tooManyValues }
      index += 1
    }
  }

  /// The index of the quotation mark that ends a string; the number of bytes if the string does not end.
  static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while true {
      index = bytes.endOfPlainText(from: index)
      guard index < bytes.count, bytes[index] != UInt8(ascii: "\"") else { return index }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
  }
}

/// Limits the values of a JSON text by its bytes.
///
/// A value of two bytes takes about fifty in memory. A text may have 10,000 values and one more for every 10 bytes;
/// real texts have half as many. An empty container counts as two values. With this limit a long text takes at most
/// eight times its size.
package struct JSONLimits: Sendable {
  /// The deepest nesting of containers.
  package let depth: Int
  /// The number of bytes for which a text may have one more value.
  private let bytesPerValue: Int

  package init(depth: Int, bytesPerValue: Int = 10) {
    self.depth = depth
    self.bytesPerValue = bytesPerValue
  }

  /// The limits for all texts of peers and callers.
  package static let standard = JSONLimits(depth: 100)

  /// The limits for long lists of small numbers, such as the status lists of revocation registries, which have a value
  /// in every two bytes. The source must be one that this program relies on, since a text may take twenty times its size.
  package static let numberLists = JSONLimits(depth: 100, bytesPerValue: 2)

  func values(in count: Int) -> Int { 10_000 + count / bytesPerValue }
}
